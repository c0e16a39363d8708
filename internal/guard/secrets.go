package guard

import (
	"fmt"
	"strings"

	"assent/internal/policy"
	"assent/internal/redact"
)

// secrets is the guard of key material that would be written or handed to a
// command.
type secrets struct{}

func (secrets) Name() string { return Secrets }

// Check looks for keys in what the call would write, and in the words of its
// commands, where quotes may have cut a key in pieces.
func (secrets) Check(c Call) *Refusal {
	if c.Effect == policy.Read || c.Effect == policy.State {
		return nil
	}
	for _, text := range c.Plan.Content {
		if r := keyIn(text); r != nil {
			return r
		}
	}
	if s := c.Plan.Script; s != nil {
		for i := range s.Commands {
			cmd := &s.Commands[i]
			for _, text := range []string{cmd.Text, cmd.Stdin} {
				if r := keyIn(text); r != nil {
					return r
				}
			}
			for _, w := range cmd.Words {
				if r := keyIn(w.Text); r != nil {
					return r
				}
			}
		}
	}
	return nil
}

// byName are the kinds of credentials that are known by what stands around
// them and not by their own shape: such texts are common in examples and
// tests.
var byName = map[string]bool{
	"authorization header": true, "bearer token": true, "key header": true, "password in an address": true,
}

// keyIn refuses a credential in a text, but for the ones that documents print.
func keyIn(text string) *Refusal {
	if len(text) < 16 {
		return nil
	}
	for _, span := range redact.Find(text) {
		found := text[span.Start:span.End]
		if byName[span.Kind] || strings.HasSuffix(found, "EXAMPLE") {
			continue
		}
		masked, _ := redact.String(found)
		return &Refusal{
			Guard: Secrets, Part: masked,
			Reason:  fmt.Sprintf("it would put a key (%s) where it does not belong", span.Kind),
			Instead: "name the environment variable or the file that holds the key instead of the key itself",
		}
	}
	return nil
}
