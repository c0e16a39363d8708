package gate

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzParted: the names of a list are what stands between its zero bytes, all of
// it and in order; none is empty.
func FuzzParted(f *testing.F) {
	f.Add([]byte("a\x00\nb/.env\x00\x00 c\xff\x00"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		names := parted(out)
		if slices.Contains(names, "") || strings.Join(names, "") != strings.ReplaceAll(string(out), "\x00", "") {
			t.Fatalf("%q is %q", out, names)
		}
		if again := parted([]byte(strings.Join(names, "\x00") + "\x00")); !slices.Equal(again, names) && len(names) > 0 {
			t.Fatalf("%q, again %q", names, again)
		}
	})
}

// FuzzStatus: an entry has a code and names that git printed, seen from the
// workspace; what is printed of the entries is read as the same entries.
func FuzzStatus(f *testing.F) {
	f.Add([]byte("## main\x00 M sub/a\x00R  sub/new\x00sub/old\x00?? sub/\x00"), "sub/")
	f.Add([]byte("R  a\x00"), "")
	f.Add([]byte("?? \x00?? b\x00\nM  c\x00D  top\x00"), "a/b/")
	f.Add([]byte("C  x\x00## y\x00"), "\n/")
	f.Fuzz(func(t *testing.T, out []byte, prefix string) {
		if strings.Contains(prefix, "\x00") || prefix != "" && path.Clean(prefix)+"/" != prefix || strings.HasPrefix(prefix, "../") || strings.HasPrefix(prefix, "/") {
			return // git prints no such prefix
		}
		raw := parted(out)
		var printed []byte
		list := parseStatus(out, prefix)
		for _, c := range list {
			if len(c.code) != 2 || len(c.names) == 0 || len(c.names) > 2 {
				t.Fatalf("%q is %q", out, list)
			}
			for i, name := range c.names {
				whole := name
				if c.code != "##" {
					whole = fromWorkspace(name, prefix)
				}
				if i == 0 {
					whole = c.code + " " + whole
				}
				if name == "" || !slices.Contains(raw, whole) {
					t.Fatalf("%q is no name in %q", name, out)
				}
			}
			printed = append(printed, c.print()...)
		}
		if again := parseStatus(printed, ""); !slices.EqualFunc(again, list, func(a, b changed) bool {
			return a.code == b.code && slices.Equal(a.names, b.names)
		}) {
			t.Fatalf("%q\nprinted %q\nis read  %q", list, printed, again)
		}
	})
}

// fromWorkspace is the name that fromTop made another one of.
func fromWorkspace(name, prefix string) string {
	if name == "./" {
		return prefix
	}
	for {
		rest, above := strings.CutPrefix(name, "../")
		if !above || prefix == "" {
			return prefix + name
		}
		if name, prefix = rest, path.Dir(strings.TrimSuffix(prefix, "/"))+"/"; prefix == "./" {
			prefix = ""
		}
	}
}

// FuzzTop: a folder is taken for one of a repository only where both lines of
// the answer together name it.
func FuzzTop(f *testing.F) {
	f.Add("/w\n\n", "/w")
	f.Add("/w\nsub/\n", "/w/sub")
	f.Add("/a\nb\nc\nd/\n", "/a\nb/c\nd")
	f.Add("/etc\n../w/\n", "/w")
	f.Add("", "/w")
	f.Fuzz(func(t *testing.T, out, folder string) {
		top, prefix, ok := topOf(out, folder)
		if !ok {
			return
		}
		if filepath.Join(top, prefix) != folder || !strings.HasPrefix(strings.TrimSuffix(out, "\n"), strings.TrimSuffix(out, "\n"+prefix+"\n")) || !strings.HasSuffix(strings.TrimSuffix(out, "\n"), "\n"+prefix) {
			t.Fatalf("%q in %q: %q and %q", folder, out, top, prefix)
		}
		if top != folder && !below(folder, top) {
			t.Fatalf("%q is not around %q", top, folder)
		}
	})
}

// FuzzFilters: each key that makes a filter run is turned off by its name, or
// tells that it cannot be.
func FuzzFilters(f *testing.F) {
	f.Add([]byte("filter.a.clean\x00filter.a.required\x00filter.b.c.process\x00filter.x.other\x00"))
	f.Add([]byte("filter.a=b.smudge\x00"))
	f.Add([]byte("filter.a\nb.clean\x00filter..clean\x00filter.clean\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		list, bad := filters(out)
		if bad != "" {
			if len(list) > 0 || !bytes.Contains(out, []byte("filter."+bad+".")) {
				t.Fatalf("%q, %q", list, bad)
			}
			return
		}
		for key := range bytes.SplitSeq(out, []byte{0}) {
			rest, isFilter := strings.CutPrefix(string(key), "filter.")
			dot := strings.LastIndexByte(rest, '.')
			if !isFilter || dot < 1 || !slices.Contains([]string{"clean", "smudge", "process", "required"}, rest[dot+1:]) {
				continue
			}
			if !slices.Contains(list, rest[:dot]) {
				t.Fatalf("%q is not turned off by %q", key, list)
			}
		}
		for _, name := range list {
			if strings.ContainsAny(name, "=\n\x00") || !bytes.Contains(out, []byte("filter."+name+".")) {
				t.Fatalf("%q in %q", name, out)
			}
		}
	})
}

// FuzzGitFile: the file .git of a work tree names an absolute folder, or none.
func FuzzGitFile(f *testing.F) {
	f.Add([]byte("gitdir: ../x\n"))
	f.Add([]byte("gitdir: /x/.git/worktrees/a"))
	f.Add([]byte("gitdir:x"))
	top, err := filepath.Abs("w")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if dir, ok := gitFolder(text, top); ok && (!filepath.IsAbs(dir) || !bytes.HasPrefix(bytes.TrimSpace(text), []byte("gitdir: "))) {
			t.Fatalf("%q names %q", text, dir)
		}
	})
}
