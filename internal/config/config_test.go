package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"assent/internal/config"
)

var words = config.Words{
	Providers: []string{"anthropic", "openai", "script"},
	Agents:    []string{"default", "plan"},
	Levels:    []string{"off", "low", "medium", "high", "max"},
	ToolSets:  []string{"edit-plus", "git", "net"},
	ToolKeys:  []string{"bash", "read_file", "edit_file", "git_status", "git_log"},
	Guards:    []string{"guard", "protect", "secrets"},
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// CONF-02, CONF-03: an unknown key is an error with file, line and nearest
// key, and every fault of the file is found at once.
func TestFaultsNameFileLineAndNearestWord(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown field", "{\n // c\n \"provder\": \"anthropic\"}", []string{`:3: provder: unknown field "provder", did you mean "provider"?`}},
		{"two at once", "{\"modl\":\"x\",\n\"agnet\":\"y\"}", []string{`:1: modl:`, `:2: agnet: unknown field "agnet", did you mean "agent"?`}},
		{"unknown agent", `{"agent":"paln"}`, []string{`unknown agent "paln", did you mean "plan"? (valid: default, plan)`}},
		{"misspelt decision", "{\"permission\":{\n\"bash\":{\n\"*\":\"alow\"}}}", []string{`:3: permission.bash.*: unknown decision "alow", did you mean "allow"?`}},
		{"unknown tool", `{"permission":{"bsh":"allow"}}`, []string{`unknown tool "bsh", did you mean "bash"?`}},
		{"wrong type", `{"maxSteps":"many"}`, []string{"maxSteps: want a number of steps, got a string"}},
		{"no whole number", `{"maxSteps":1.5}`, []string{"maxSteps: want a number of steps without a fraction, got 1.5"}},
		{"no text", `{"thinking":7}`, []string{"thinking: want a thinking level (off, low, medium, high, max), got a number"}},
		{"no list", `{"toolSets":"git"}`, []string{"toolSets: want a list in brackets, each a tool set, got a string"}},
		{"no switch", `{"plugins":{"p":"yes"}}`, []string{"plugins.p: want on or off (true or false), got a string"}},
		{"cut off", "{\n\"agent\":", []string{"it ends too early"}},
		{"bad url", `{"baseUrl":"ai.example:8080"}`, []string{"want a URL that begins with https://"}},
		{"syntax", "{\n\"a\" 1}", []string{":2: not valid JSON with comments"}},
		{"twice", `{"agent":"plan","agent":"default"}`, []string{"set twice"}},
		{"not an object", `[]`, []string{"want an object"}},
		{"model facts", `{"models":{"m":{"contextWindow":0,"prize":{}}}}`, []string{"at least 1", `unknown field "prize", did you mean "price"?`}},
		{"guard", `{"guards":{"gard":false}}`, []string{`unknown guard "gard", did you mean "guard"?`}},
		{"shell", `{"shell":{"logn":true}}`, []string{`unknown field "logn", did you mean "login"?`}},
		{"shell, no object", `{"shell":"bash"}`, []string{"shell: want an object"}},
		{"sessions", `{"sessions":{"keepDays":-1}}`, []string{"sessions.keepDays: want a number of days of at least 0, got -1"}},
		{"sessions, a word", `{"sessions":{"keep":"30d"}}`, []string{`unknown field "keep"`}},
		{"missing certificate", `{"caFile":"/no/such/file"}`, []string{"cannot read the certificate file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(config.Sources{User: write(t, tt.text), Words: words})
			var faults config.Faults
			if !errors.As(err, &faults) || len(faults) != len(tt.want) {
				t.Fatalf("got %v, want %d faults", err, len(tt.want))
			}
			for i, want := range tt.want {
				if got := faults[i].String(); !strings.Contains(got, want) {
					t.Errorf("got %s\nwant %s", got, want)
				}
			}
		})
	}
}

func TestLayersLaterWins(t *testing.T) {
	t.Parallel()
	user := write(t, `{"model":"user","agent":"plan","thinking":"low",} // trailing comma`)
	project := write(t, `{"model":"project","thinking":"high"}`)
	c, err := config.Load(config.Sources{
		User: user, Project: project, Words: words,
		Env: func(name string) (string, bool) {
			if name == "ASSENT_MODEL" {
				return "env", true
			}
			return "", false
		},
		Flags: map[string]string{"thinking": "max", "maxSteps": "3"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Model != "env" || c.Agent != "plan" || c.Thinking != "max" || c.MaxSteps != 3 {
		t.Errorf("got model %s, agent %s, thinking %s, steps %d", c.Model, c.Agent, c.Thinking, c.MaxSteps)
	}
	if c.Source["model"] != "ASSENT_MODEL" || c.Source["thinking"] != "--think" || c.Source["agent"] != user+":1" {
		t.Errorf("sources: %v", c.Source)
	}
}

func TestProjectCannotRedirectTheKey(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"apiKey":"k"}`, `{"baseUrl":"https://evil.example"}`, `{"provider":"openai"}`,
		`{"shell":{"login":true}}`, `{"sessions":{"keepDays":1}}`, `{"credential":"cat /etc/passwd"}`, `{"proxy":"http://evil.example"}`, `{"guards":{"guard":false}}`,
	} {
		for _, trusted := range []bool{false, true} {
			_, err := config.Load(config.Sources{Project: write(t, text), Trusted: trusted, Words: words})
			if err == nil || !strings.Contains(err.Error(), "a project's config may not set this") {
				t.Errorf("%s, trusted %t: got %v", text, trusted, err)
			}
		}
	}
}

func TestUntrustedProjectOnlyTightens(t *testing.T) {
	t.Parallel()
	project := write(t, `{
  "permission": {"bash": {"*": "allow", "rm *": "deny"}, "edit_file": "ask"},
  "hooks": {"Stop": []}, "mcpServers": {"x": {"command": "y"}}, "readOnly": ["ls *"],
  "maxSteps": 9, "maxCostUsd": 5}`)
	user := write(t, `{"maxSteps": 4, "maxCostUsd": 9}`)
	load := func(trusted bool) config.Config {
		c, err := config.Load(config.Sources{User: user, Project: project, Trusted: trusted, Words: words})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := load(false)
	if len(c.Permission) != 2 || c.Permission[0].Verdict != "deny" || c.Permission[1].Verdict != "ask" {
		t.Errorf("rules: %v", c.Permission)
	}
	if c.Hooks != nil || c.MCPServers != nil || c.ReadOnly != nil || len(c.Held) != 4 {
		t.Errorf("something counted without trust: %+v", c)
	}
	if c.MaxSteps != 4 || c.MaxCostUSD != 5 {
		t.Errorf("limits: %d, %v", c.MaxSteps, c.MaxCostUSD)
	}
	if c := load(true); len(c.Permission) != 3 || len(c.Hooks) != 1 || len(c.MCPServers) != 1 || c.Held != nil {
		t.Errorf("a trusted project was held back: %+v", c)
	}
}

// A project may lower a limit, whatever is trusted, and never raise one.
func TestAProjectOnlyLowersLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, user, project string
		agent, steps        int
		cost                float64
		source              string // of maxSteps: user, project or none
	}{
		{"neither", `{}`, `{}`, 50, 50, 0, ""},
		{"only the project, lower", `{}`, `{"maxSteps":9,"maxCostUsd":2}`, 50, 9, 2, "project"},
		{"only the project, higher than the agent", `{}`, `{"maxSteps":1000000}`, 12, 12, 0, "project"},
		{"the user above the agent", `{"maxSteps":90,"maxCostUsd":3}`, `{}`, 50, 90, 3, "user"},
		{"the project below the user", `{"maxSteps":90,"maxCostUsd":3}`, `{"maxSteps":60,"maxCostUsd":2}`, 50, 60, 2, "project"},
		{"the project above the user", `{"maxSteps":4,"maxCostUsd":3}`, `{"maxSteps":60,"maxCostUsd":9}`, 50, 4, 3, "user"},
		{"no limit from the project", `{"maxCostUsd":3}`, `{"maxCostUsd":0}`, 50, 50, 3, ""},
	}
	for _, tt := range tests {
		for _, trusted := range []bool{false, true} {
			user, project := write(t, tt.user), write(t, tt.project)
			c, err := config.Load(config.Sources{User: user, Project: project, Trusted: trusted, Words: words})
			if err != nil {
				t.Fatal(err)
			}
			if c.Steps(tt.agent) != tt.steps || c.MaxCostUSD != tt.cost {
				t.Errorf("%s: %d steps, %v USD", tt.name, c.Steps(tt.agent), c.MaxCostUSD)
			}
			want := map[string]string{"user": user + ":1", "project": project + ":1"}[tt.source]
			if c.Source["maxSteps"] != want {
				t.Errorf("%s: maxSteps is from %q, want %q", tt.name, c.Source["maxSteps"], want)
			}
		}
	}
}

// What an untrusted project says of models, tries, keys and a chosen agent
// could loosen a cost limit or a mode, so it waits. PERM-28 is about modes.
func TestAnUntrustedProjectLoosensNothing(t *testing.T) {
	t.Parallel()
	project := write(t, `{"agent":"default","models":{"m":{"price":{"input":0}}},"retry":{"tries":99},"keymaps":{"a":{}},"ask":{}}`)
	load := func(user string, trusted bool) config.Config {
		c, err := config.Load(config.Sources{User: write(t, user), Project: project, Trusted: trusted, Words: words})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := load(`{"agent":"plan"}`, false)
	if c.Agent != "plan" || c.Models != nil || c.Retry.Tries != 0 || c.Keymaps.JSON != nil || len(c.Held) != 5 {
		t.Errorf("an untrusted project counted: %+v", c)
	}
	if c := load(`{}`, false); c.Agent != "default" || len(c.Held) != 4 {
		t.Errorf("a project may propose an agent where none was chosen: %+v", c)
	}
	if c := load(`{"agent":"plan"}`, true); c.Agent != "default" || c.Models == nil || c.Retry.Tries != 99 || c.Held != nil {
		t.Errorf("a trusted project was held back: %+v", c)
	}
}

func TestEditsAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new", "config.json")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := config.Set(t.Context(), file, []string{"models", fmt.Sprint("m", i), "contextWindow"}, "1000", words); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c, err := config.Load(config.Sources{User: file, Words: words})
	if err != nil || len(c.Models) != 20 {
		t.Errorf("%d of 20 edits are left, %v", len(c.Models), err)
	}
}

func TestShellAndSessions(t *testing.T) {
	t.Parallel()
	file := write(t, `{"shell":{"login":true},"sessions":{"keepDays":30}}`)
	c, err := config.Load(config.Sources{User: file, Words: words})
	if err != nil || !c.Shell.Login || c.Sessions.KeepDays != 30 {
		t.Errorf("%+v, %+v, %v", c.Shell, c.Sessions, err)
	}
	if err := config.Set(t.Context(), file, []string{"sessions", "keepDays"}, "0", words); err != nil {
		t.Error(err)
	}
	if c, err = config.Load(config.Sources{User: file, Words: words}); err != nil || !c.Shell.Login || c.Sessions.KeepDays != 0 {
		t.Errorf("%+v, %+v, %v", c.Shell, c.Sessions, err)
	}
}

func TestRulesKeepTheirOrderAndPlace(t *testing.T) {
	t.Parallel()
	user := write(t, "{\"permission\": {\n\"bash\": {\"git *\": \"allow\",\n\"*\": \"ask\"},\n\"mcp__*\": \"ask\", \"git_*\": \"allow\"}}")
	c, err := config.Load(config.Sources{User: user, Words: words})
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Rule{
		{Tool: "bash", Pattern: "git *", Verdict: "allow", Source: user + ":2"},
		{Tool: "bash", Pattern: "*", Verdict: "ask", Source: user + ":3"},
		{Tool: "mcp__*", Verdict: "ask", Source: user + ":4"},
		{Tool: "git_*", Verdict: "allow", Source: user + ":4"},
	}
	if !reflect.DeepEqual(c.Permission, want) {
		t.Errorf("got  %v\nwant %v", c.Permission, want)
	}
}

func TestGrantsCountForTheirProjectOnly(t *testing.T) {
	t.Parallel()
	user := write(t, `{"projects": {"/a": {"permission": {"bash": {"make *": "allow"}}}, "/b": {"permission": {"bash": "allow"}}}}`)
	c, err := config.Load(config.Sources{User: user, Root: "/a", Words: words})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Permission) != 1 || c.Permission[0].String() != "bash(make *)" || !c.Permission[0].Grant {
		t.Errorf("got %v", c.Permission)
	}
	bad := write(t, `{"projects": {"/b": {"permission": {"bash": "alow"}}}}`)
	if _, err := config.Load(config.Sources{User: bad, Root: "/a", Words: words}); err == nil {
		t.Error("a fault in another project's grants was passed over")
	}
}

func TestLoadNeverWrites(t *testing.T) {
	t.Parallel()
	text := "{ // mine\n \"x-note\": 1, \"$schema\": \"s\", \"agent\": \"plan\", }\n\n"
	file := write(t, text)
	if _, err := config.Load(config.Sources{User: file, Words: words}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); string(got) != text {
		t.Errorf("the file changed: %q", got)
	}
}

// What was just typed has no place in the file.
func TestARefusedEditNamesNoLine(t *testing.T) {
	t.Parallel()
	file := write(t, "{\n \"theme\": \"blue\"\n}")
	err := config.Set(t.Context(), file, []string{"maxSteps"}, "many", words)
	if want := "maxSteps: want a number of steps, got a string"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := config.Set(t.Context(), file, []string{"theme"}, "dark", words); err != nil {
		t.Error(err)
	}
}

func TestEditKeepsTheRest(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, path, value, want string }{
		{"empty", "", "agent", "plan", "{\n  \"agent\": \"plan\"\n}\n"},
		{"replace", "{\n  // why\n  \"agent\": \"default\", // here\n}\n", "agent", "plan", "{\n  // why\n  \"agent\": \"plan\", // here\n}\n"},
		{"append", "{\n  \"agent\": \"plan\" // last\n}\n", "maxSteps", "3", "{\n  \"agent\": \"plan\", // last\n  \"maxSteps\": 3\n}\n"},
		{"trailing comma", "{\n  \"agent\": \"plan\",\n}\n", "maxSteps", "3", "{\n  \"agent\": \"plan\",\n  \"maxSteps\": 3,\n}\n"},
		{"nested", "{\n  \"x-a\": 1\n}\n", "permission|bash|git *", "allow", "{\n  \"x-a\": 1,\n  \"permission\": {\n    \"bash\": {\n      \"git *\": \"allow\"\n    }\n  }\n}\n"},
		{"one line and a comment", "{\"x-a\": 1 // why\n}\n", "agent", "plan", "{\"x-a\": 1, // why\n  \"agent\": \"plan\"\n}\n"},
		{"one line", `{"x-a": 1}`, "agent", "plan", "{\"x-a\": 1, \"agent\": \"plan\"}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Edit([]byte(tt.text), strings.Split(tt.path, "|"), tt.value)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestSetRefusesWhatWouldNotLoad(t *testing.T) {
	t.Parallel()
	file := write(t, "{\n  \"agent\": \"plan\"\n}\n")
	if err := config.Set(t.Context(), file, []string{"agent"}, "paln", words); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != "{\n  \"agent\": \"plan\"\n}\n" {
		t.Errorf("the file changed: %s", got)
	}
	if err := config.Set(t.Context(), file, []string{"maxSteps"}, "7", words); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := config.Get(file, []string{"maxSteps"}); v != "7" || !ok || err != nil {
		t.Errorf("got %q, %t, %v", v, ok, err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestGetMasksTheKey(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("abcd", 8)
	file := write(t, `{"apiKey":"`+key+`"}`)
	if v, _, err := config.Get(file, []string{"apiKey"}); err != nil || strings.Contains(v, key) {
		t.Errorf("got %s, %v", v, err)
	}
	// What is no key is shown for mending.
	if v, ok, err := config.Get(write(t, `{"apiKey":{"a":1}}`), []string{"apiKey"}); v != `{"a":1}` || !ok || err != nil {
		t.Errorf("got %s, %t, %v", v, ok, err)
	}
	for key, want := range map[string]string{"": "****", "short": "****", strings.Repeat("k", 15): "****", "abcdefghijklmnopq": "abcd…nopq"} {
		if got := config.Mask(key); got != want {
			t.Errorf("%s is masked as %s", key, got)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  map[string]string
		home string
		want config.Paths
	}{
		{"home holds all", map[string]string{"ASSENT_HOME": "/a", "XDG_CONFIG_HOME": "/x"}, "/h", config.Paths{Config: "/a", Data: "/a", State: "/a"}},
		{"CONF-05 xdg", map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"}, "", config.Paths{Config: "/c/assent", Data: "/d/assent", State: "/s/assent"}},
		{"defaults", nil, "/h", config.Paths{Config: "/h/.config/assent", Data: "/h/.local/share/assent", State: "/h/.local/state/assent"}},
		{"relative is ignored", map[string]string{"XDG_CONFIG_HOME": "c"}, "/h", config.Paths{Config: "/h/.config/assent", Data: "/h/.local/share/assent", State: "/h/.local/state/assent"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.FindPaths(func(n string) (string, bool) { v, ok := tt.env[n]; return v, ok }, tt.home)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	if _, err := config.FindPaths(func(string) (string, bool) { return "", false }, ""); err == nil {
		t.Error("no home was no error")
	}
}

func TestSchemaNamesEveryField(t *testing.T) {
	t.Parallel()
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range config.Docs() {
		if !strings.Contains(string(schema), `"`+d.Name+`"`) {
			t.Errorf("the schema lacks %s", d.Name)
		}
	}
}

// FuzzConfig: whatever a file holds, loading ends with a config or faults, and
// an edit of what loads leaves something that loads.
func FuzzConfig(f *testing.F) {
	f.Add(`{"permission":{"bash":{"*":"ask"}},"models":{"m":{"price":{"input":1}}}}`)
	f.Add("{ // c\n\"agent\": \"plan\",}")
	f.Add(`{"a":{"b":[1,{"c":null}]}}`)
	f.Add("null")
	f.Add("[]")
	f.Add("// nothing")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Skip()
		}
		if _, err := config.Load(config.Sources{User: file, Words: words}); err != nil {
			return
		}
		if err := config.Set(t.Context(), file, []string{"maxSteps"}, "5", words); err != nil {
			t.Fatalf("set: %v", err)
		}
		c, err := config.Load(config.Sources{User: file, Words: words})
		if err != nil || c.MaxSteps != 5 {
			t.Fatalf("after the edit: %v, %d", err, c.MaxSteps)
		}
	})
}

// A flag may hold any character.
func TestAFlagMayHoldAnyCharacter(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a\x7fb", "a\ab", "a\U0001F600b", "a\u200bb", `a"b\c`, "<a>&b"} {
		c, err := config.Load(config.Sources{Flags: map[string]string{"model": text}})
		if err != nil || c.Model != text {
			t.Errorf("%q: %q, %v", text, c.Model, err)
		}
	}
}
