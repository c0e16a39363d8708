package guard

import (
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

// headers begin what is a credential by its name and not by its shape: such
// texts are common in examples and tests.
var headers = []string{"authorization", "bearer", "x-api-key", "x-goog-api-key", "api-key"}

func keyIn(text string) *Refusal {
	if len(text) < 16 {
		return nil
	}
	for _, span := range redact.Find(text) {
		found := text[span.Start:span.End]
		lower := strings.ToLower(found)
		if strings.Contains(found, "://") || strings.HasSuffix(found, "EXAMPLE") || span.Start > 0 && strings.HasSuffix(text[:span.Start], "://") {
			continue
		}
		named := false
		for _, h := range headers {
			named = named || strings.HasPrefix(lower, h)
		}
		if named {
			continue
		}
		masked, _ := redact.String(found)
		return &Refusal{
			Guard: Secrets, Part: masked,
			Reason:  "it would put a key where it does not belong",
			Instead: "name the environment variable or the file that holds the key instead of the key itself",
		}
	}
	return nil
}
