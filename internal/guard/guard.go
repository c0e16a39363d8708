package guard

import (
	"fmt"
	"slices"

	"assent/internal/policy"
)

// Call is what guards look at: a tool, its plan, and what is known of the
// paths that it names.
type Call struct {
	Tool   string
	Effect policy.Effect
	Plan   policy.Plan
	// Paths resolves names; nil knows no disk.
	Paths policy.Paths
}

// Refusal is a guard's no.
type Refusal struct {
	// Guard is the name of the guard ("guard", "secrets", "protect", or a
	// plugin's).
	Guard string
	// Part is the command or path that is refused, Reason why, and Instead
	// what to do.
	Part, Reason, Instead string
}

// Error says the refusal in one line, for the model and the user.
func (r *Refusal) Error() string {
	text := fmt.Sprintf("%s refused %q: %s", r.Guard, r.Part, r.Reason)
	if r.Instead != "" {
		text += "; " + r.Instead
	}
	return text
}

// Guard looks at calls. Check returns nil when it has nothing against one.
type Guard interface {
	// Name is the guard's name in config, events and log.
	Name() string
	Check(c Call) *Refusal
}

// Check asks the guards in order and returns the first refusal. A guard that
// panics refuses.
func Check(guards []Guard, c Call) *Refusal {
	if c.Paths == nil {
		c.Paths = policy.Lexical{}
	}
	for _, g := range guards {
		if r := checkOne(g, c); r != nil {
			return r
		}
	}
	return nil
}

func checkOne(g Guard, c Call) (r *Refusal) {
	name := "guard"
	defer func() {
		if p := recover(); p != nil {
			r = &Refusal{
				Guard: name, Part: c.Tool,
				Reason:  fmt.Sprintf("the guard failed (%v), and what it did not see is not let through", p),
				Instead: "report this as a fault of the guard; the user may turn it off in the config",
			}
		}
	}()
	name = g.Name()
	return g.Check(c)
}

// Options choose and set up the builtin guards.
type Options struct {
	// Off names builtin guards that the user turned off.
	Off []string
	// Own are the agent's own folders and files (config, rules, hooks,
	// plugins), with slashes, absolute or relative to the root; nothing below
	// them is written by a call.
	Own []string
	// Except are patterns of paths that the protect guard leaves alone.
	Except []string
	// Ignored says whether git ignores a path relative to the root; nil
	// ignores nothing.
	Ignored func(rel string) bool
}

// Names of the builtin guards.
const (
	Destructive = "guard"
	Secrets     = "secrets"
	Protect     = "protect"
)

// Builtin returns the guards that are on.
func Builtin(o Options) []Guard {
	var out []Guard
	for _, g := range []Guard{destructive{}, secrets{}, newProtect(o)} {
		if !slices.Contains(o.Off, g.Name()) {
			out = append(out, g)
		}
	}
	return out
}
