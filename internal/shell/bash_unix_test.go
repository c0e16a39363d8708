//go:build unix

package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"assent/internal/shell"
)

// refuse makes bash tell each command that it is about to run and skip it.
const refuse = `set -T; shopt -s extdebug; trap 'printf "%s\0" "$BASH_COMMAND" >&3; [[ $((++told)) -lt 99 ]] || exit; false' DEBUG
`

// report makes bash tell the words of each command that it does not find: how
// many there are, the words and an end. There are no programs, and no builtin
// that touches anything. A line feed is told as lineFeed, since it would make
// bash write in pieces, between which other processes write.
const report = `command_not_found_handle() { printf '%s\0' "$#" "${@//$'\n'/$'\x1eLF\x1e'}" $'\1' >&3; [[ ${#1} == 2 ]]; }
enable -n alias bg bind builtin caller cd compgen complete compopt dirs disown echo enable exec fc fg getopts hash help history jobs kill logout mapfile popd pushd readarray read suspend test times type ulimit umask unalias [
`

const lineFeed = "\x1eLF\x1e"

// mostTold is what a process writes to a pipe at once; of longer reports those
// of several processes may be mixed.
const mostTold = 4096

// started takes a report apart. One that was cut off ends with the last command
// that was told as a whole.
func started(told string) [][]string {
	var out [][]string
	words := strings.Split(told, "\x00")
	for len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || len(words) < n+3 || words[n+1] != "\x01" { // the end is followed by something, be it empty
			break
		}
		argv := make([]string, n)
		for i, w := range words[1 : n+1] {
			argv[i] = strings.ReplaceAll(w, lineFeed, "\n")
		}
		out, words = append(out, argv), words[n+2:]
	}
	return out
}

// bash runs a script in an empty folder with an empty PATH and returns what it
// told on descriptor 3, and whether it could read the script at all. A script
// that does not end is stopped: what it told before counts.
func bash(t *testing.T, prelude, script string) (told string, ok bool) {
	t.Helper()
	exe, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there to be compared with")
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "script")
	if err := os.WriteFile(src, []byte(prelude+script), 0o600); err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, exe, "--norc", "--noprofile", src)
	cmd.Dir = filepath.Join(dir, "w")
	if err := os.Mkdir(cmd.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	// A function that calls itself in a pipe would make processes without end.
	cmd.Env = []string{"PATH=" + filepath.Join(dir, "none"), "LC_ALL=C.UTF-8", "FUNCNEST=6"}
	cmd.ExtraFiles, cmd.Stderr = []*os.File{out}, &errs
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // most commands are not found, so the status says nothing
	return string(data), !strings.Contains(errs.String(), "syntax error") && !strings.Contains(errs.String(), "unexpected EOF")
}

// Every command that bash comes to is one that Parse lists: it refuses each,
// so that nothing runs.
func TestBashRefused(t *testing.T) {
	t.Parallel()
	for seed := range int64(150) {
		script := newScript(seed)
		told, ok := bash(t, refuse, script)
		s := shell.Parse(script, shell.Options{})
		if s.Err != nil {
			continue
		}
		if !ok {
			continue // bash stops at what it cannot read; so do we, or we list too much
		}
		texts := strings.Split(told, "\x00")
		for _, text := range texts[:len(texts)-1] {
			one := shell.Parse(text, shell.Options{})
			if one.Err != nil {
				continue // the head of a compound command
			}
			for _, c := range one.Commands {
				if len(c.Words) > 0 && c.Words[0].Static && !lists(s, words(c)) {
					t.Errorf("seed %d: bash comes to %q, which is not listed\n%s\n%s", seed, text, script, show(s))
				}
			}
		}
	}
}

// Every command that bash starts, with its words as they turned out, is one
// that Parse lists.
func TestBashStarts(t *testing.T) {
	t.Parallel()
	for seed := range int64(350) {
		checkStarts(t, seed+1000, newScript(seed+1000))
	}
	for _, script := range oddScripts {
		checkStarts(t, -1, script)
	}
	if n := certain.Load(); n < 1000 {
		t.Errorf("only %d commands were compared", n)
	}
}

func checkStarts(t *testing.T, seed int64, script string) {
	t.Helper()
	told, ok := bash(t, report, script)
	s := shell.Parse(script, shell.Options{})
	if s.Err != nil || !ok {
		return
	}
	if len(told) > mostTold && strings.Contains(script, "|") {
		return
	}
	for _, argv := range started(told) {
		if !lists(s, argv) {
			t.Errorf("seed %d: bash starts %q, which is not listed\n%s\n%s", seed, argv, script, show(s))
		}
	}
}

// oddScripts are where parsers of the shell have been known to differ.
var oddScripts = []string{
	"aa $'b\\'b' c", "aa \"b\\\nc\"", "aa b\\\nb c", "aa <<X\n$(bb)\nX\ncc", "aa <<'X'\n$(bb)\nX\ncc", "aa <<-X\n\t$(bb)\n\tX\ncc", "aa <<\\X\n$(bb)\nX\ncc",
	"aa <<X <<Y\n$(bb)\nX\n$(cc)\nY\nbb", "$(aa <<X\n)X\nX\n)", "aa `bb \\`cc\\``", "aa \"`bb \\\"c\\\"`\"", "aa ${x:-$(bb)} ${x:-'$(cc)'}", "aa ${x:-\"$(bb)\"}",
	"aa $(bb # c)\n)", "aa # bb\ncc", "aa #bb\\\ncc", "aa b#c; bb", "x=1 y=2 aa", "x=(1 2) ; aa", "aa & bb", "aa |& bb", "aa || bb && cc", "! aa", "! ! aa", "time aa",
	"time -p aa | bb", "{ aa; } 2>/dev/null", "(aa) || bb", "((1)) && aa", "((0)) || aa", "[[ x == x ]] && aa", "[[ -n $(aa) ]] || bb", "[[ x =~ (a|b) ]] || aa",
	"case x in (x) aa;; esac", "case x in a|x) aa;& y) bb;; esac", "case x in x) aa;;& *) bb;; esac", "for i in a b; { aa $i; }", "for ((;;)) { aa; break; }",
	"f() aa; f", "function f { aa \"$@\"; }; f x y", "f() { bb; } >/dev/null; f", "f() (aa); f", "aa() { :; }; unset -f aa; aa", "eval 'aa;' 'bb'", "eval \"aa $x\"",
	"set -- a b; aa \"$@\" \"$*\"", "x='a b'; aa $x \"$x\"", "x=aa; $x b", "x=aa y=bb; \"$x\" \"$y\"", "x=(aa b); \"${x[@]}\"", "x=aa; ${x}", "${x:=aa} b; $x", "x=aa; ${x/a/b}",
	"x=aab; ${x%b} c", "{aa,b,c}", "a{a,a} b", "aa {1..3} {c..a}", "aa {01..03..2}", "aa a{b,c{d,e}}f", "aa {a}", "aa {a,b", "aa \\{a,b\\}", "aa '{a,b}'", "aa {$x,b}",
	"aa ~ ~/b", "aa $((1+1)) $((x))", "aa $[1+1]", "aa \"$((1))\"", "aa $'\\x41\\101\\u0041'", "aa $\"b\"", "aa \\'b\\'", "aa 'b'\\''c'", "aa \"b'c\"", "aa \"\\$x\" \"\\`\" \"\\\\\"",
	"aa >f1 b", ">f1 aa b", "aa 2>&1 >f1", "aa {fd}>f1", "aa &>f1", "aa <<<\"$x\" b", "aa <<< 'b c'", "aa < <(bb) > >(cc)", "bb | { aa; cc; }", "aa | (bb; cc) | aa",
	"if aa; then bb; elif cc; then aa; else bb; fi", "while aa; do bb; break; done", "until bb c; do aa; break; done", "coproc aa b", "coproc N { aa; }", "select i in a; do aa; break; done </dev/null",
	"aa;\n\n\n;", "aa\n&& bb", "aa &&\nbb", "aa |\n\n# c\nbb", "aa \\\n&& bb", "if\naa\nthen\nbb\nfi", "aa;bb;cc", "aa&bb", "(aa;bb)&", "trap 'aa' EXIT", "trap aa DEBUG; bb",
	"let x=1 && aa", "declare x=$(aa)", "export y=$(bb) z", "local x 2>/dev/null; aa", "readonly q=1; aa", "x=$(aa) y=$(bb) cc", "x+=aa; $x", "aa=1 bb", "a[0]=aa; ${a[0]} b", "declare -A m=([k]=aa); ${m[k]}",
	"printf -v x aa; $x", "aa 'b\nc' d", "aa $'b\\nc'", "aa \"b\nc\"", "aa \"$(bb \"$(cc \"d e\")\")\"", "aa $(bb $(cc))", "aa $(<f1)", "aa \"\"", "aa ''\"\" b", "\"\"aa b", "a\"\"a b", "aa\tb", "aa  \t b",
}

func words(c shell.Command) []string {
	var out []string
	for _, w := range c.Words {
		out = append(out, w.Text)
	}
	return out
}

// lists says whether a script lists a command with these words, or holds one
// that it calls unknown.
func lists(s *shell.Script, argv []string) bool {
	unknown := false
	for _, c := range s.Commands {
		if fits(c.Words, argv) {
			certain.Add(1)
			return true
		}
		unknown = unknown || c.Unknown != ""
	}
	return unknown
}

// certain counts the commands that were listed as such.
var certain atomic.Int64

// fits says whether words can turn out as argv: what is not static may become
// any number of words.
func fits(ws []shell.Word, argv []string) bool {
	if len(ws) == 0 {
		return len(argv) == 0
	}
	w := ws[0]
	if w.Static && !w.Glob && !strings.HasPrefix(w.Text, "~") {
		return len(argv) > 0 && argv[0] == w.Text && fits(ws[1:], argv[1:])
	}
	for n := 0; n <= len(argv); n++ {
		if fits(ws[1:], argv[n:]) {
			return true
		}
	}
	return false
}

func show(s *shell.Script) string {
	var b strings.Builder
	for _, c := range s.Commands {
		fmt.Fprintf(&b, "  %q unknown=%q\n", c.Text, c.Unknown)
	}
	return b.String()
}

// maker makes scripts of commands that do not exist.
type maker struct {
	r     *rand.Rand
	depth int
}

func newScript(seed int64) string {
	m := &maker{r: rand.New(rand.NewSource(seed))}
	var b strings.Builder
	for range 1 + m.r.Intn(3) {
		b.WriteString(m.statement() + m.pick("\n", ";", " ;\n", "\n\n", " # c\n"))
	}
	return b.String()
}

func (m *maker) pick(list ...string) string { return list[m.r.Intn(len(list))] }

func (m *maker) name() string {
	n := m.pick("aa", "bb", "cc", "ddd")
	return m.pick(n, n, n, "'"+n+"'", `"`+n+`"`, `\`+n, n[:1]+`""`+n[1:], "$'"+n+"'", n[:1]+`\`+n[1:], "$x", "${y:-"+n+"}")
}

func (m *maker) word() string {
	if m.depth > 3 {
		return m.pick("e", "f1", "-g")
	}
	switch m.r.Intn(14) {
	case 0:
		return "$(" + m.list() + ")"
	case 1:
		return `"p$(` + m.list() + `)q"`
	case 2:
		return "{h,i}" + m.pick("", "j")
	case 3:
		return m.pick("$x", `"$x"`, "${x}", "$y", "${z:-k}", "${x%a}", "${#x}")
	case 4:
		return "<(" + m.list() + ")"
	case 5:
		return m.pick("$((1+2))", "'l m'", `"n o"`, `p\ q`, "$'r\\ts'", "~", "--t=u")
	case 6:
		return "`" + m.pick("aa", "bb v", "cc w") + "`"
	}
	return m.pick("e", "f", "-g", "h=i", "*.none")
}

func (m *maker) simple() string {
	parts := []string{m.name()}
	if m.r.Intn(6) == 0 {
		parts = []string{"x=" + m.pick("1", "aa", "'b c'", "$y") + " " + m.name()}
	}
	for range m.r.Intn(4) {
		parts = append(parts, m.word())
	}
	if m.r.Intn(5) == 0 {
		parts = append(parts, m.pick("> f1", ">/dev/null", "2>&1", "< /dev/null", "<<< "+m.pick("e", "'f g'"), "&> f2"))
	}
	return strings.Join(parts, " ")
}

func (m *maker) list() string {
	m.depth++
	defer func() { m.depth-- }()
	out := m.statement()
	for range m.r.Intn(2) {
		out += m.pick(" && ", " || ", "; ", " | ") + m.statement()
	}
	return out
}

func (m *maker) statement() string {
	m.depth++
	defer func() { m.depth-- }()
	if m.depth > 4 {
		return m.simple()
	}
	switch m.r.Intn(22) {
	case 0:
		return "if " + m.list() + "; then " + m.list() + "; else " + m.list() + "; fi"
	case 1:
		return "for x in " + m.word() + " " + m.pick("aa", "e") + "; do " + m.list() + "; done"
	case 2:
		return "while " + m.list() + "; do " + m.list() + "; break; done"
	case 3:
		return "{ " + m.list() + "; }"
	case 4:
		return "( " + m.list() + " )"
	case 5:
		return m.simple() + m.pick(" && ", " || ", " | ", " |& ", "; ") + m.simple()
	case 6:
		return "case e in " + m.pick("e", "f", "*") + ") " + m.list() + ";; esac"
	case 7:
		return "g() { " + m.list() + "; }; g " + m.word()
	case 8:
		return m.pick("x", "y") + "=" + m.pick("aa", "bb", "'cc e'", "$(aa)", "$y", `"$x"e`) + "; " + m.simple()
	case 9:
		return "eval " + m.pick("'"+m.pick("aa b", "bb; cc", "x=aa")+"'", `"aa $x"`, "aa "+m.pick("b", "\\;", "'&&'")+" cc")
	case 10:
		return m.simple() + " <<E\n" + m.pick("text", "$x", "$(aa e)", "`bb`") + "\nE\n"
	case 11:
		return "[[ " + m.pick("a == a", "-n $x", "-z $(aa)") + " ]] && " + m.simple()
	case 12:
		return "! " + m.simple()
	case 13:
		return m.simple() + " & wait"
	case 14:
		return "set -- " + m.word() + "; " + m.simple() + ` "$@"`
	}
	return m.simple()
}

func FuzzBash(f *testing.F) {
	for _, script := range oddScripts {
		f.Add(script, int64(0))
	}
	f.Fuzz(func(t *testing.T, script string, seed int64) {
		if script == "" {
			script = newScript(seed)
		}
		// Only words of made-up commands: nothing that a real shell knows.
		if strings.ContainsAny(script, "/.~*?[&<>") || strings.ContainsFunc(script, func(r rune) bool { return r > 126 || r < 9 || r == 13 }) {
			t.Skip()
		}
		for _, w := range []string{"exec", "kill", "source", "cd", "rm", "enable", "builtin", "command", "while", "until", "for"} {
			if strings.Contains(script, w) {
				t.Skip()
			}
		}
		checkStarts(t, seed, script)
	})
}
