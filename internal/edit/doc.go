// Package edit changes text: it finds what is to be replaced, in fixed tiers
// of tolerance, reads and applies the patch envelope, numbers lines for the
// read view and draws line diffs.
//
// It must never know files, encodings or tools: text comes in decoded and goes
// out to be encoded again.
//
//	Replace     content, old, new ─▶ exact │ line ends │ trailing blanks │ unicode ─▶ one match ─▶ new content
//	ParsePatch  envelope ─▶ Patch{Files} ─▶ Apply, one file at a time
//
// Laws:
//
//   - A tier is tried only when the ones before it found nothing, and what it
//     finds must be unique there (unless every match was asked for).
//   - Bytes outside the match come out as they went in, mixed line ends
//     included; of a tolerant match, lines that the edit does not change stay as
//     they were too.
//   - Inserted text is written as sent, except that its line ends become those
//     of the place.
//   - What was not found is answered with the nearest text and its line.
package edit
