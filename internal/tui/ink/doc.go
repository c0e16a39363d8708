// Package ink owns text that may be put on a terminal: spans with a role,
// lines of known width, and the only escape sequences that a front prints.
//
// It knows nothing of Markdown, of a conversation or of keys. The flow is
//
//	foreign text → Clean or Reveal → spans → Wrap, Chop or Trunc → lines → Encode
//
// Its laws:
//   - what Clean returns holds no escape, no control character other than a
//     line end and a tab, and only valid UTF-8;
//   - Wrap, Chop and Trunc return no line wider than they were told, counted
//     in cells by grapheme;
//   - an encoded line stands alone: it begins and ends in the terminal's own
//     colours, holds no line end, and the only escapes in it are colours,
//     attributes and links of this package.
package ink
