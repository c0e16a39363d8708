package ignore_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"assent/internal/ignore"
)

// tree is a source: the texts of ignore files by path.
type tree map[string]string

func (t tree) ReadFile(rel string) ([]byte, bool) {
	s, ok := t[rel]
	return []byte(s), ok
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, yes, no string }{
		{"a", "a b/a a/x a/", "b ab"},
		{"/a", "a a/x", "b/a"},
		{"a/b", "a/b a/b/c", "x/a/b"},
		{"a/", "a/ b/a/ a/x", "a b/a"},
		{"*.o", "x.o d/x.o .o", "x.oo"},
		{"*.o\n!keep.o", "x.o", "keep.o d/keep.o"},
		{"d/\n!d/x", "d/x", ""}, // nothing below an ignored folder comes back
		{"d/*\n!d/x", "d/y", "d/x"},
		{"**/a", "a b/a b/c/a", "ba"},
		{"a/**", "a/x a/b/x", "a/ a"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/xb"},
		{"a**/b", "a/b ax/b a/x/b", "b"}, // as git: the plain part is cut off first
		{"[!a]", "b", "a"},
		{"[[:digit:]]x", "1x", "ax"},
		{"[]x]", "] x", "a"},
		{"[a-c]", "a b c", "d -"},
		{"a[", "", "a a["},
		{`\#a`, "#a", "a"},
		{`\!a`, "!a", "a"},
		{"#a", "", "a #a"},
		{"a   ", "a", "a\u00a0"},
		{`a\ `, "a ", "a"},
		{"a\t", "a\t", "a"},
		{"\ufeffa", "a", ""},
		{"a\r\nb\r\n", "a b", "a\r"},
		{"a?b", "axb", "a/b ab"},
		{"a/*/c", "a/b/c", "a/c a/b/b/c"},
		{"(+$", "(+$", "("},
		{"{a,b}", "{a,b}", "a b"},
		{"/*\n!/src/", "a other/x", "src/ src/x"},
		{"", "", "a"},
		{"/", "", "a a/b"},
		{"!", "", "a"},
	} {
		m := newMatcher(tree{".gitignore": c.rules}, nil, nil)
		for want, list := range map[bool]string{true: c.yes, false: c.no} {
			for _, p := range strings.FieldsFunc(list, func(r rune) bool { return r == ' ' && !strings.Contains(c.rules, `\ `) }) {
				rel, dir := strings.CutSuffix(p, "/")
				if got := m.Ignored(rel, dir); got != want {
					t.Errorf("%q: Ignored(%q, %v) = %v", c.rules, rel, dir, got)
				}
			}
		}
	}
}

func TestNearestDecides(t *testing.T) {
	t.Parallel()
	m := newMatcher(tree{".gitignore": "*.log\n!b.log", "d/.gitignore": "!a.log\nb.log\n/c", "d/e/.gitignore": "!b.log"},
		[]byte("*.tmp\n!x.log"), []byte("*.bak\n!y.tmp\na.log"))
	for p, want := range map[string]bool{
		"a.log": true, "b.log": false, "d/a.log": false, "d/b.log": true, "d/c": true, "d/e/c": false, "d/e/b.log": false,
		"z.tmp": true, "y.tmp": true, "x.log": true, "q.bak": true, "d/q.bak": true, "plain": false,
	} {
		if got := m.Ignored(p, false); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}

// TestOwnFileMayReinclude covers SRCH-04: the agent's file goes before git's,
// and leads into an ignored folder when it names a place in it.
func TestOwnFileMayReinclude(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		files   tree
		yes, no string
	}{
		{"a folder", tree{".gitignore": "gen/", ".assentignore": "!gen/"}, "", "gen/ gen/x gen/a/b"},
		{"a part of an ignored folder", tree{".gitignore": "build/", ".assentignore": "!build/keep/"}, "build/ build/x build/y/z", "build/keep/ build/keep/x build/keep/a/b"},
		{"by pattern", tree{".gitignore": "node_modules", ".assentignore": "!node_modules/*/types/"}, "node_modules/a/x node_modules/x node_modules/a/", "node_modules/a/types/ node_modules/b/types/x"},
		{"at any depth", tree{".gitignore": "out/", ".assentignore": "!out/**/report.txt"}, "out/x out/a/x", "out/report.txt out/a/b/report.txt"},
		{"a name alone does not lead in", tree{".gitignore": "out/\n*.txt", ".assentignore": "!report.txt"}, "out/report.txt a.txt", "report.txt"},
		{"it ignores too", tree{".assentignore": "big/\n*.csv"}, "big/x a.csv d/a.csv", "a.txt"},
		{"it goes before a nearer git file", tree{".assentignore": "!x", "d/.gitignore": "x"}, "", "d/x x"},
		{"nested", tree{".gitignore": "*.gen", "d/.assentignore": "!a.gen"}, "a.gen d/b.gen", "d/a.gen"},
		{"git rules go on inside", tree{".gitignore": "vendor/\n*.o", ".assentignore": "!vendor/"}, "vendor/x.o", "vendor/x.c"},
	} {
		m := newMatcher(c.files, nil, nil)
		for want, list := range map[bool]string{true: c.yes, false: c.no} {
			for p := range strings.FieldsSeq(list) {
				rel, dir := strings.CutSuffix(p, "/")
				if got := m.Ignored(rel, dir); got != want {
					t.Errorf("%s: Ignored(%q) = %v", c.name, p, got)
				}
			}
		}
	}
}

func TestCaseFolds(t *testing.T) {
	t.Parallel()
	m := newWith(tree{".gitignore": "Build/\n*.OBJ\n[A-B]x\n/Lib/*.a"}, ignore.Options{Fold: true})
	for _, p := range []string{"build/x", "BUILD/x", "a.obj", "A.Obj", "ax", "BX", "lib/q.A"} {
		if !m.Ignored(p, false) {
			t.Errorf("%s is not ignored", p)
		}
	}
}

// TestHostilePatternsAreBounded: patterns for which a matcher that tries every
// way would not end.
func TestHostilePatternsAreBounded(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("a", 200)
	path := strings.Repeat("a/", 100) + "b"
	rules := strings.Repeat("*a", 60) + "b\n" + strings.Repeat("**/a/", 40) + "c\n" + strings.Repeat("a*", 80) + "/x\n" +
		strings.Repeat("?*", 90) + "z\n" + strings.Repeat("[a]*", 50) + "q"
	m := newMatcher(tree{".gitignore": rules}, nil, nil)
	if m.Ignored(name, false) || m.Ignored(path, false) {
		t.Error("it matches what it does not name")
	}
}

func FuzzRules(f *testing.F) {
	f.Add("a/**/b\n!x\n[[:alpha:]-z]\\", "a/x/b")
	f.Add("!/a/*\n**", "a/b")
	f.Add("*\n!a/\n!a/b", "a/b/c")
	f.Add("/a/b/\n!a/b/c", "a/b/c")
	f.Fuzz(func(t *testing.T, rules, name string) {
		fresh := func() *matcher {
			return newMatcher(tree{".gitignore": rules, ".assentignore": rules, "a/.assentignore": rules}, []byte(rules), nil)
		}
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, "\x00") {
			t.Skip("no path")
		}
		m := fresh()
		for _, dir := range []bool{false, true} {
			got := m.Ignored(name, dir)
			if again := m.Ignored(name, dir); again != got || fresh().Ignored(name, dir) != got {
				t.Errorf("%q, folder %v: ignored is %v, and then it is not", name, dir, got)
			}
		}
		// In git nothing below an ignored folder comes back; an .assentignore
		// leads back into one.
		git := newMatcher(tree{".gitignore": rules, "a/.gitignore": rules}, []byte(rules), nil)
		for up := path.Dir(name); up != "." && !git.Ignored(name, false); up = path.Dir(up) {
			if git.Ignored(up, true) {
				t.Errorf("%q is not ignored and its folder %q is", name, up)
			}
		}
		// What a file says last of a name at its own level holds.
		if last := literal(name); last != "" {
			for line, want := range map[string]bool{last: true, "!" + last: false} {
				m := newMatcher(tree{".gitignore": rules + "\n" + line}, nil, nil)
				if got := m.Ignored(name, false); got != want {
					t.Errorf("%q after the line %q: ignored is %v", name, line, got)
				}
			}
		}
	})
}

// literal is the line that names a file of the top folder and nothing else, ""
// for a name that needs care.
func literal(name string) string {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return ""
		}
	}
	return "/" + name
}
