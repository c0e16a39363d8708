package search_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"assent/internal/tools/search"
)

// words are what the files of the comparison are made of.
var words = []string{
	"func", "return", "Value", "error", "x1", "y22", "if", "{", "}", "(", ")", "a.b", "foo_bar", "Straße", "naïve", "日本", "0x1F", "\"quoted\"",
	"//", "TODO", "kelvin", "task", "\t", "end;", "-", "\xff", "é\xc3", "\x01", "ERROR", "AbC",
}

// forest makes files of random words with some lines that end in carriage
// returns, some that end nowhere, and folders that are ignored or secret.
func forest(n int) map[string]string {
	r := rand.New(rand.NewPCG(3, 5))
	files := map[string]string{
		".gitignore": "*.log\n/skip/\n", "skip/a": "func", "x.log": "func", ".env": "func", "bin": "func\x00error", "bom": "\xef\xbb\xbffunc", "wide": "\xfe\xff\x00f\x00u\x00n\x00c",
		"unmarked": "\x00f\x00u\x00n\x00c\x00 \x00V\x00a\x00l\x00u\x00e\x00\xe9\x00\n", "sjis": "\x93\xfa\x96\x7b func\n\x90\xdd\x92\xe8\x82\xf0\n",
	}
	for i := range n {
		var b strings.Builder
		for range r.IntN(12) {
			for range r.IntN(7) {
				b.WriteString(words[r.IntN(len(words))])
				if r.IntN(3) > 0 {
					b.WriteString(" ")
				}
			}
			b.WriteString([]string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)])
		}
		b.WriteString([]string{"", "last func", "x"}[r.IntN(3)])
		files[fmt.Sprintf("d%d/e%d/f%d.%s", i%5, i%7, i, []string{"go", "ts", "txt"}[i%3])] = b.String()
	}
	return files
}

// patterns with a text that every match contains, and without one, for which
// ripgrep is asked.
var patterns = []string{
	"func", "^func", "func$", "error|return", "(?i)value", "foo_bar", `a\.b`, `\bif\b`, "Straße", "日本", "TODO.*end", `"quoted"`, `(func|return) \w+`,
	`[a-z]\d`, `\d+`, `\w+_\w+`, `^\s*$`, `^$`, `.`, `\s\S$`, `[^\x00-\x7f]`, `\x{FFFD}`, `^.{3,5}$`, `x?`, `\Bx`, `é.`, `[[:upper:]]{2}`, `\p{Han}+`, `(a|b)*c`,
	`(?i)k`, `(?i)[kS]t`, `(?i)ß`, `\t`, `[^a-z\s]+`, `^[^ ]+ [^ ]+$`, `(?s)a.b`, `\r`, `[\r]$`, `x|y|z|0|1`, `\W$`, `\bé`, `[^x]$`, `(?:)`, `\A.`, `.\z`, `\.|\(`, `(?U)f.+c`, `()x{0}y{2,}|\d{2,3}`,
}

// TestSameAnswerWithAndWithoutRipgrep is the differential test: the two ways
// to search give the same bytes.
func TestSameAnswerWithAndWithoutRipgrep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep (rg) is not installed; the comparison with it is skipped")
	}
	r := newRoom(t, forest(450))
	without := search.Tools(search.WithoutRipgrep(search.Options{}))
	for _, p := range patterns {
		for _, in := range []args{
			{"pattern": p}, {"pattern": p, "ignore_case": true, "include": "*.go"}, {"pattern": p, "path": "d1", "context": 2, "include_ignored": true},
		} {
			a, err := r.try(r.set, "grep", in)
			if err != nil {
				t.Errorf("%v: %v", in, err)
				continue
			}
			b, err := r.try(without, "grep", in)
			if err != nil {
				t.Errorf("%v: %v", in, err)
			} else if a.Output != b.Output || a.Summary != b.Summary {
				t.Errorf("%v: with ripgrep\n%s\nwithout\n%s", in, head(a.Output), head(b.Output))
			}
		}
	}
}

func head(s string) string {
	if len(s) > 600 {
		return s[:600]
	}
	return s
}

// TestSameLinesAsRipgrep compares with what ripgrep itself prints.
func TestSameLinesAsRipgrep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep (rg) is not installed; the comparison with it is skipped")
	}
	large, small := likeRipgrep(t, 150), likeRipgrep(t, 9)
	// Our classes are those of RE2, which know ASCII only.
	ascii := strings.NewReplacer(`\w`, `(?-u:\w)`, `\W`, `(?-u:\W)`, `\b`, `(?-u:\b)`, `\B`, `(?-u:\B)`)
	compared, found := 0, 0
	for _, p := range patterns {
		if strings.Contains(p, "FFFD") || strings.Contains(p, `\z`) {
			continue // what replaces bytes that are no text is not in the files; another syntax
		}
		r := large
		want := ripgrepLines(t, r, ascii.Replace(p))
		if len(want) > 200 { // the order of paths differs there: folders before files
			r = small
			if want = ripgrepLines(t, r, ascii.Replace(p)); len(want) > 200 {
				t.Errorf("%s: %d lines are too many to be compared", p, len(want))
				continue
			}
		}
		var got []string
		for l := range strings.Lines(r.run("grep", args{"pattern": p})) {
			if l = strings.TrimSuffix(l, "\n"); !strings.HasPrefix(l, "[") && l != "no matches" {
				got = append(got, l)
			}
		}
		if strings.Join(sorted(got), "\n") != strings.Join(sorted(want), "\n") {
			t.Errorf("%s:\n%s\nripgrep:\n%s", p, head(strings.Join(got, "\n")), head(strings.Join(want, "\n")))
		}
		compared++
		if len(want) > 0 {
			found++
		}
	}
	if compared < len(patterns)-2 || found < 40 {
		t.Errorf("of %d patterns %d were compared, %d with matches", len(patterns), compared, found)
	}
}

// likeRipgrep is a forest without what ripgrep treats otherwise on purpose.
func likeRipgrep(t *testing.T, n int) *room {
	t.Helper()
	files := forest(n)
	for name, text := range files {
		files[name] = strings.NewReplacer("\r", "", "\xff", "", "\xc3 ", " ", "\x01", "").Replace(strings.ToValidUTF8(text, ""))
		switch name {
		case "bin", "wide", ".env", "bom", "unmarked", "sjis":
			delete(files, name)
		}
	}
	return newRoom(t, files)
}

// ripgrepLines is what ripgrep prints, as grep words it.
func ripgrepLines(t *testing.T, r *room, pattern string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "rg", "--no-config", "--hidden", "--no-require-git", "--sort", "path", "--no-heading", "-n", "--color", "never", "-e", pattern)
	cmd.Dir = r.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // no match is an exit code
	if stderr.Len() > 0 {
		t.Errorf("%s: %s", pattern, stderr.String())
	}
	var list []string
	for l := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(l, "\n"), ":")
		n, text, _ := strings.Cut(rest, ":")
		list = append(list, path+":"+n+": "+text)
	}
	return list
}
