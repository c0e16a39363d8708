package ink

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// Encode returns a line as bytes for the terminal. The line stands alone: it
// leaves no colour and no link open.
func Encode(l Line, st Style) string {
	if st.Color == Plain {
		return strings.TrimRight(l.String(), " ")
	}
	var b strings.Builder
	n := 0
	for _, s := range l {
		n += len(s.Text) + 12
	}
	b.Grow(n)
	var now Look
	link := ""
	for _, s := range l {
		if s.Text == "" {
			continue
		}
		if st.Links && s.Link != link {
			openLink(&b, s.Link)
			link = s.Link
		}
		if s.Look != now {
			if blank(s.Text) && bare(s.Look, st) && bare(now, st) {
				b.WriteString(s.Text) // a blank looks the same in every colour
				continue
			}
			turn(&b, now, s.Look, st)
			now = s.Look
		}
		b.WriteString(s.Text)
	}
	if link != "" {
		openLink(&b, "")
	}
	turn(&b, now, Look{}, st)
	return b.String()
}

// EncodeAll encodes lines.
func EncodeAll(lines []Line, st Style) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = Encode(l, st)
	}
	return out
}

// String is the text of a line without its looks.
func (l Line) String() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

func blank(s string) bool { return strings.Trim(s, " ") == "" }

// bare reports whether a look leaves blanks as they are.
func bare(l Look, st Style) bool {
	p := palettes[st.Theme][l.Role]
	return p.bg == (tint{}) && (l.Attr|p.attr)&(Underline|Strike) == 0
}

// turn writes what changes one look into another.
func turn(b *strings.Builder, from, to Look, st Style) {
	codes := sgr(to, st)
	before := sgr(from, st)
	switch {
	case codes == before:
		return
	case codes == "":
		b.WriteString("\x1b[m")
	case before == "":
		b.WriteString("\x1b[" + codes + "m")
	default:
		b.WriteString("\x1b[0;" + codes + "m")
	}
}

// sgr is the list of codes of a look, empty for the terminal's own.
func sgr(l Look, st Style) string {
	p := palettes[st.Theme][l.Role]
	attr := l.Attr
	if st.Color <= ANSI16 {
		attr |= p.attr
	}
	var buf [48]byte
	c := buf[:0]
	for i, code := range [...]byte{'1', '3', '4', '9', '2'} {
		if attr&(1<<i) != 0 {
			c = append(c, code, ';')
		}
	}
	c = appendTint(c, p.fg, st.Color, "38")
	c = appendTint(c, p.bg, st.Color, "48")
	if len(c) == 0 {
		return ""
	}
	return string(c[:len(c)-1])
}

func appendTint(c []byte, t tint, level Color, ground string) []byte {
	if t == (tint{}) {
		return c
	}
	switch level {
	case TrueColor:
		c = append(c, ground...)
		c = append(c, ";2;"...)
		for shift := 16; shift >= 0; shift -= 8 {
			c = strconv.AppendUint(c, uint64(t.rgb>>shift&0xff), 10)
			c = append(c, ';')
		}
	case ANSI256:
		c = append(c, ground...)
		c = append(c, ";5;"...)
		c = append(strconv.AppendUint(c, uint64(t.idx), 10), ';')
	case ANSI16:
		if t.ansi != 0 {
			c = append(strconv.AppendUint(c, uint64(t.ansi), 10), ';')
		}
	case Plain, Mono:
	}
	return c
}

// openLink begins a hyperlink, or ends one when the address is empty. Parts of
// one link on several rows get the same id, so that terminals join them.
func openLink(b *strings.Builder, url string) {
	if url == "" {
		b.WriteString("\x1b]8;;\x1b\\")
		return
	}
	h := fnv.New32a()
	h.Write([]byte(url))
	b.WriteString("\x1b]8;id=" + strconv.FormatUint(uint64(h.Sum32()), 36) + ";" + url + "\x1b\\")
}

// maxURL bounds the address of a hyperlink in bytes; terminals ignore more.
const maxURL = 2000

// URL returns an address that a hyperlink may carry: one of a scheme that
// opens a page or a letter, in printable ASCII only. It returns "" for
// everything else.
func URL(s string) string {
	s = strings.TrimSpace(s)
	scheme, _, ok := strings.Cut(s, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
	default:
		ok = false
	}
	if !ok || len(s) > maxURL {
		return ""
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(0x100|uint64(c), 16)[1:]))
		}
	}
	return b.String()
}
