// Package jsonl owns append-only files of JSON records, one a line: how a line
// gets onto the disk whole, how a damaged file is read, and who may write.
//
// It knows nothing of what a record means. It never changes a byte that was
// acknowledged, and never puts content into an error or a fault.
//
// The flow: [Create] or [Open] takes the lock beside the file and gives a
// [File]; Append writes one line with one call of the system. [Append] does
// the same for files that several processes share, holding the lock for one
// line only. [Scanner] reads forward and [Tail] backward, neither needs the
// lock nor the whole file.
//
// Laws:
//
//   - Appending costs the same whatever the file's length.
//   - A line that Append acknowledged is read by every later scan. One that
//     failed (full disk, short write) leaves no trace, and the file goes on
//     when there is room again.
//   - A torn last line is cut when the next line is appended, never by reading;
//     a last line that is whole but for its line end gets its line end.
//   - A line that cannot be used costs itself: it is reported as number,
//     length and kind, and the scan goes on.
//   - Memory is bounded by [MaxLine], whatever the file holds.
package jsonl
