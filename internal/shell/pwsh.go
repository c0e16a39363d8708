package shell

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// pwshCall is PowerShell, whose options may be written in full or cut short
// and in any case, with the rest of the line for the text that it runs.
func pwshCall(c *call) outcome {
	for i, w := range c.args {
		name := strings.ToLower(strings.TrimLeft(w.Text, "-/"))
		if name == "" || name == strings.ToLower(w.Text) || i+1 == len(c.args) {
			continue
		}
		switch {
		case strings.HasPrefix("command", name), name == "cwa":
			text := joined(c.args[i+1:])
			if !text.Static {
				c.unknown("what " + c.word(w.Text) + " runs cannot be known before it runs")
			}
			c.speaks(text.Text)
			c.statements(text.Text)
		case strings.HasPrefix("encodedcommand", name), name == "ec":
			c.unknown(c.word(w.Text) + " runs what is written in another way")
			if text, ok := encoded(c.args[i+1].Text); ok {
				c.speaks(text)
				c.statements(text)
			}
		}
	}
	return shellCall(c)
}

// encoded is the text of PowerShell's -EncodedCommand.
func encoded(text string) (string, bool) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// statements are looked at one by one, in a language that this package does not
// read: what parts them in it parts them here, also where it stands in quotes.
func (c *call) statements(text string) {
	for i, one := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&{}()\n\r", r) }) {
		if i == mostSpoken {
			return
		}
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		word, rest, _ := strings.Cut(one, " ")
		switch strings.ToLower(word) {
		case "iex", "invoke-expression", "start-process", "saps", "start":
			c.statements(strings.Trim(strings.TrimSpace(rest), `"'`))
		}
		c.suspect(strings.ToLower(word) + " " + rest)
	}
}

// cmdCall is the command shell of Windows: /c and /k are followed by what it
// runs. Under other shells of that system the slash is doubled.
func cmdCall(c *call) outcome {
	for i, w := range c.args {
		switch strings.ToLower(strings.ReplaceAll(w.Text, "//", "/")) {
		case "/c", "/k", "/r":
			c.unknown(c.word(w.Text) + " runs what another shell reads")
			c.statements(strings.ReplaceAll(joined(c.args[i+1:]).Text, "^", ""))
			return c.stays()
		}
	}
	return c.stays()
}
