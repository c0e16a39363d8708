package shell

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// decoded is the input of a program that turns an encoding back, when its words
// ask it to.
func decoded(name, in string, words []string, has bool) (string, bool) {
	how, ok := decoders[name]
	if !ok || !has || !slices.Contains(how.asked, strings.Join(words, " ")) {
		return "", false
	}
	text, err := how.decode(in)
	return string(text), err == nil
}

// decoders are these programs, with the spellings of their words.
var decoders = map[string]struct {
	asked  []string
	decode func(string) ([]byte, error)
}{
	"base64":  {[]string{"-d", "-D", "--decode", "-di"}, unpadded},
	"base32":  {[]string{"-d", "--decode"}, func(s string) ([]byte, error) { return base32.StdEncoding.DecodeString(inLines(s)) }},
	"xxd":     {[]string{"-r -p", "-p -r", "-rp", "-pr", "-ps -r", "-r -ps"}, func(s string) ([]byte, error) { return hex.DecodeString(strings.Join(strings.Fields(s), "")) }},
	"openssl": {[]string{"base64 -d", "base64 -d -A", "enc -base64 -d", "enc -d -base64"}, func(s string) ([]byte, error) { return base64.StdEncoding.DecodeString(inLines(s)) }},
}

// inLines joins lines, the only blanks that these encodings may hold: at another
// one some programs end. A return, which Go leaves out, is made such a one.
func inLines(s string) string { return strings.NewReplacer("\n", "", "\r", " ").Replace(s) }

// unpadded decodes base64 with or without its padding.
func unpadded(s string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(inLines(s), "="))
}
