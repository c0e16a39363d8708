package gate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestADeniedPathByEverySpelling: a denial holds for each name by which a
// program of this system opens the same file.
func TestADeniedPathByEverySpelling(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"secret/x": "s", ".env": "s", "sub/a": "a", "a": "a"})
	full := filepath.ToSlash(dir)
	lower, below := strings.ToLower(full), full[2:]
	shell := "/" + lower[:1] + below
	var names []string
	for _, file := range []string{"secret/x", ".env"} {
		back := strings.ReplaceAll(file, "/", `\`)
		names = append(names,
			file, strings.ToUpper(file), back, "./sub/../"+file, file+".", file+" ", file+". .", file+"::$DATA", file+":stream", strings.ToUpper(file)+"::$data",
			dir+`\`+back, full+"/"+file, lower+"/"+file, strings.ToUpper(full)+"/"+file, dir+`\`+back+".",
			shell+"/"+file, "/cygdrive"+shell+"/"+file, "/proc/cygdrive"+shell+"/"+file, below+"/"+file, strings.ReplaceAll(below, "/", `\`)+`\`+back,
			full[:2]+file, full[:2]+back,
			"//?/"+full+"/"+file, `\\?\`+dir+`\`+back, `\\.\`+dir+`\`+back, "//./"+lower+"/"+file, `\??\`+dir+`\`+back,
			"//localhost/"+full[:1]+"$"+below+"/"+file, `\\127.0.0.1\`+full[:1]+`$`+strings.ReplaceAll(below, "/", `\`)+`\`+back, `\\?\UNC\localhost\`+full[:1]+`$`+strings.ReplaceAll(below, "/", `\`)+`\`+back,
			`\\?\Volume{00000000-0000-0000-0000-000000000000}`+strings.ReplaceAll(below, "/", `\`)+`\`+back,
		)
	}
	names = append(names, "secret./x", "secret /x", `SECRET.\X`, "sub/.. /secret/x")
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "allow bash(*)", "deny read_file(secret/*)", "deny write_file(secret/*)")})
	for _, name := range names {
		word := "'" + name + "'"
		for _, r := range []gate.Request{
			reading(name), bash("cat " + word), bash("cd sub; cd ..; cat < " + word),
		} {
			if grant, d := g.Decide(t.Context(), r); grant != nil {
				t.Errorf("%s %s was allowed by %s (%s)", r.Tool, r.Input, d.By, d.Reason)
			}
		}
		if strings.HasPrefix(strings.ToLower(filepath.Base(filepath.FromSlash(name))), ".env") {
			continue // may be written
		}
		for _, r := range []gate.Request{writing(name), bash("echo x > " + word), bash("cp a " + word)} {
			if grant, d := g.Decide(t.Context(), r); grant != nil {
				t.Errorf("%s %s was allowed by %s (%s)", r.Tool, r.Input, d.By, d.Reason)
			}
		}
	}
	for _, to := range []string{"secret", "SECRET", full + "/secret", lower + "/secret", shell + "/secret", full[:2] + "secret", "//?/" + full + "/secret", "secret."} {
		for _, command := range []string{"cd '" + to + "' && cat x", "cd sub; cd '" + to + "'; cat x", "cd '" + to + "'; echo x > x"} {
			if command[:6] == "cd sub" && !strings.ContainsAny(to, ":/") {
				continue // sub/secret
			}
			if grant, d := g.Decide(t.Context(), bash(command)); grant != nil {
				t.Errorf("%s was allowed by %s (%s)", command, d.By, d.Reason)
			}
		}
	}
	for _, name := range []string{"sub/a", `sub\a`, full + "/a", lower + "/a", shell + "/sub/a", `\\?\` + dir + `\a`} {
		grant, d := g.Decide(t.Context(), reading(name))
		if grant == nil {
			t.Errorf("%s: %s (%s)", name, d.Verdict, d.Reason)
		}
	}
}

// TestRulesAsTheyAreWrittenHere: with backslashes, with the drive in small
// letters, in other capitals than the disk's.
func TestRulesAsTheyAreWrittenHere(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"Secret/x": "s"})
	slashed := filepath.ToSlash(dir)
	for _, pattern := range []string{
		"Secret/*", "secret/*", `Secret\*`, `secret\x`, `.\SECRET\*`, slashed + "/secret/*", dir + `\Secret\*`, strings.ToLower(dir) + `\secret\x`, strings.ToUpper(slashed) + "/*/X",
	} {
		g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "allow bash(*)", "deny read_file("+pattern+")")})
		for _, r := range []gate.Request{reading("Secret/x"), reading("secret/X"), bash("cat secret/x"), bash("cat 'Secret\\x'"), bash("cat Sec*/x")} {
			if grant, d := g.Decide(t.Context(), r); grant != nil {
				t.Errorf("with a denial of %s, %s was allowed by %s (%s)", pattern, r.Input, d.By, d.Reason)
			}
		}
		h := granted(t, g, searching("."))
		if _, err := h.Read("Secret/x", 0); err == nil {
			t.Errorf("with a denial of %s, it was read below the folder", pattern)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, `allow write_file(`+dir+`\*)`)})
	if grant, d := g.Decide(t.Context(), writing("new")); grant == nil || d.Verdict != policy.Allow {
		t.Errorf("an allow rule with backslashes: %s (%s)", d.Verdict, d.Reason)
	}
}
