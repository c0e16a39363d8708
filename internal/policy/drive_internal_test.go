package policy

import (
	"strings"
	"testing"
)

// TestSpellingThatAPatternIsMatchedAgainst: absolute patterns, also with a
// drive, are held against the absolute name; on a system without drives "c:/x"
// is a name like others.
func TestSpellingThatAPatternIsMatchedAgainst(t *testing.T) {
	t.Parallel()
	unix := Spelling{Rel: "rel", Abs: "/abs", Home: "~/home"}
	windows := Spelling{Rel: "rel", Abs: "C:/abs", Home: "~/home"}
	for pattern, want := range map[string][2]string{
		"/x": {"/abs", "C:/abs"}, "~/x": {"~/home", "~/home"}, "x": {"rel", "rel"},
		"C:/x": {"rel", "C:/abs"}, "d:/*": {"rel", "C:/abs"}, "C:x": {"rel", "rel"}, "7:/x": {"rel", "rel"}, "*": {"rel", "rel"},
	} {
		if got := [2]string{unix.name(pattern), windows.name(pattern)}; got != want {
			t.Errorf("%s is matched against %q, want %q", pattern, got, want)
		}
	}
}

// TestRulesForNamesOfWindows: a rule restricts by whichever slash, capitals and
// spelling of the drive it was written with, where the place is on Windows, and
// only there.
func TestRulesForNamesOfWindows(t *testing.T) {
	t.Parallel()
	there := Spelling{Rel: "Secret/x", Abs: "C:/Users/Me/ws/Secret/x", Home: "~/ws/Secret/x"}
	here := Spelling{Rel: "Secret/x", Abs: "/home/Me/ws/Secret/x", Home: "~/ws/Secret/x"}
	share := Spelling{Rel: "Secret/x", Abs: "//host/ws/Secret/x"}
	for _, c := range []struct {
		pattern                   string
		deny, allow, elsewhere, s bool
	}{
		{"Secret/*", true, true, true, true},
		{"./Secret/*", true, true, true, true},
		{"secret/*", true, true, false, true},
		{`Secret\*`, true, true, false, true},
		{`.\SECRET\x`, true, true, false, true},
		{"secret/X", true, true, false, true},
		{`c:\users\me\ws\secret\*`, true, true, false, false},
		{"C:/Users/*", true, true, false, false},
		{"/c/users/me/ws/*", true, true, false, false},
		{`\\?\C:\Users\Me\ws\*`, true, true, false, false},
		{"/users/me/*", true, false, false, false},
		{`\Users\me\ws\*`, true, false, false, false},
		{`~\ws\secret\*`, true, true, false, false},
		{`\\HOST\ws\*`, false, false, false, true},
		{`\\?\UNC\Host\ws\*`, false, false, false, true},
		{`//./unc/host/WS/secret/*`, false, false, false, true},
		{"D:/Users/*", false, false, false, false},
		{"secret", false, false, false, false},
		{"x", false, false, false, false},
	} {
		for verdict, want := range map[Verdict]bool{Deny: c.deny, Allow: c.allow} {
			r := New(Options{Rules: []Rule{{Tool: readTool, Pattern: c.pattern, Verdict: verdict}}}).list[0]
			if r.pathMatch(there) != want {
				t.Errorf("%s %s on a drive: %t", verdict, c.pattern, !want)
			}
			if r.pathMatch(here) != c.elsewhere {
				t.Errorf("%s %s elsewhere: %t", verdict, c.pattern, !c.elsewhere)
			}
			if r.pathMatch(share) != c.s {
				t.Errorf("%s %s on a share: %t", verdict, c.pattern, !c.s)
			}
		}
	}
	folder := New(Options{Rules: []Rule{{Tool: readTool, Pattern: `secret\*`, Verdict: Deny}}}).list[0]
	if !folder.pathMatch(Spelling{Rel: "SECRET", Abs: "C:/ws/SECRET"}) {
		t.Error("the folder itself is not denied")
	}
}

// FuzzNative: a pattern for names of Windows is spelled as these are: with
// slashes and in small letters, and not by a name of the object manager.
func FuzzNative(f *testing.F) {
	for _, s := range []string{`C:\x\*`, "/c/x", `\\?\C:\x`, `\\?\UNC\h\s\*`, `\\.\unc\`, `~\x`, "//?/unc/?/d:/x", "É:/x", "/c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		got := native(pattern)
		if native(got) != got && !strings.HasPrefix(got, "/") || strings.Contains(got, `\`) || strings.HasPrefix(got, "//?/unc/") || strings.HasPrefix(got, "//?/c:/") {
			t.Fatalf("%q is %q", pattern, got)
		}
	})
}
