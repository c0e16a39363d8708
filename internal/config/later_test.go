package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/config"
)

// TestFieldsWithoutEffect are told, and only where they say something.
func TestFieldsWithoutEffect(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	for text, want := range map[string]string{
		`{"mcpServers":{"x":{"command":"y"}}}`:        "mcpServers has no effect yet: this version starts no MCP servers",
		`{"plugins":{"x":false}}`:                     "plugins has no effect",
		`{"keymaps":{"input":{"send":"enter"}}}`:      "keymaps has no effect",
		`{"ask":{"timeout":3}}`:                       "ask has no effect",
		`{"subagentModel":"m"}`:                       "subagentModel has no effect",
		`{"registryUrl":"https://skills.test"}`:       "registryUrl has no effect",
		`{"mcpServers":{},"ask":{"a":[{}, null]}}`:    "",
		`{"subagentModel":"","keymaps":{"a":{}}}`:     "",
		`{"notifications":{"bell":true},"model":"m"}`: "",
	} {
		if err := os.WriteFile(file, []byte("\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(config.Sources{User: file})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		faults, idle, err := config.Check(file, false, config.Words{})
		if len(faults) > 0 || err != nil || strings.Join(idle, "") != strings.Join(c.Idle, "") {
			t.Errorf("%s: check says %v, %q, %v", text, faults, idle, err)
		}
		if got := strings.Join(c.Idle, "\n"); !strings.Contains(got, want) || (want == "") != (got == "") || want != "" && !strings.Contains(got, file+":2: ") {
			t.Errorf("%s: told %q, want %q", text, got, want)
		}
	}
}

// TestHooksThatNothingRuns keep everything from beginning: a call must not pass
// a hook that did not decide.
func TestHooksThatNothingRuns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	hooks := `{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"command":"exit 2"}]}]}}`
	for _, c := range []struct {
		name, text string
		sources    config.Sources
		fault      bool
		held       int
	}{
		{"the user's", hooks, config.Sources{User: file}, true, 0},
		{"a trusted project's", hooks, config.Sources{Project: file, Trusted: true}, true, 0},
		{"another project's", hooks, config.Sources{Project: file}, false, 1},
		{"with --no-hooks", hooks, config.Sources{User: file, NoHooks: true}, false, 0},
		{"none", `{"hooks":{"PreToolUse":[]}}`, config.Sources{User: file}, false, 0},
		{"of any event", `{"hooks":{"Stop":[{"hooks":[{"command":"date"}]}]}}`, config.Sources{User: file}, true, 0},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := config.Load(c.sources)
		if (err != nil) != c.fault || c.fault && !strings.Contains(err.Error(), "runs no hooks yet") || len(got.Held) != c.held || got.Idle != nil {
			t.Errorf("%s: %v, held %q, idle %q", c.name, err, got.Held, got.Idle)
		}
	}
}
