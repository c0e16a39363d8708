package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
)

// value is a text that is masked wherever it stands.
type value struct {
	text string
	// shown is how many bytes of it stay readable.
	shown int
}

// leastSpelling is the shortest other spelling that is masked.
const leastSpelling = 16

// spellings are a value as common commands print it when they turn it around
// or encode it: reversed, in base64 at any place of a longer text, in hex,
// percent-encoded, in a text of JSON or HTML.
func spellings(v string) []string {
	turned := []byte(v)
	slices.Reverse(turned)
	lower := hex.EncodeToString([]byte(v))
	out := []string{string(turned), lower, strings.ToUpper(lower), percent(v), everyPercent(v)}
	out = append(out, pieces(lower, hexLine)...)
	if quoted, err := json.Marshal(v); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		out = append(out, inner, strings.ReplaceAll(inner, "/", `\/`), strings.ReplaceAll(v, "/", `\/`), html.EscapeString(v))
	}
	for at := range 3 {
		core := base64Core(v, at)
		out = append(out, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
		if at == 0 {
			out = append(out, pieces(core, base64Line)...)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return len(s) < leastSpelling || s == v })
}

// The lengths at which xxd -p and base64 break their lines.
const (
	hexLine    = 60
	base64Line = 76
)

// pieces are the lines that a long spelling is broken into.
func pieces(s string, line int) []string {
	if len(s) <= line {
		return nil
	}
	var out []string
	for part := range slices.Chunk([]byte(s), line) {
		out = append(out, string(part))
	}
	return out
}

// base64Core is the part of the base64 of a text that the value alone decides,
// when so many bytes, counted in threes, stand before it.
func base64Core(v string, before int) string {
	all := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + v))
	from, to := (8*before+5)/6, 8*(before+len(v))/6
	return all[from:to]
}

// percent encodes what addresses must not hold, everyPercent every byte.
func percent(v string) string {
	var b strings.Builder
	for _, ch := range []byte(v) {
		if in.word[ch] || ch == '-' || ch == '.' || ch == '~' {
			b.WriteByte(ch)
		} else {
			fmt.Fprintf(&b, "%%%02X", ch)
		}
	}
	return b.String()
}

func everyPercent(v string) string {
	var b strings.Builder
	for _, ch := range []byte(v) {
		fmt.Fprintf(&b, "%%%02x", ch)
	}
	return b.String()
}
