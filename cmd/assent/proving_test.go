//go:build unix

package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// The tries; each file says what its lines are.
//
//go:embed testdata/readonly/undeclared.txt
var undeclaredTries string

//go:embed testdata/readonly/declared.txt
var declaredTries string

//go:embed testdata/readonly/sly.txt
var slyTries string

//go:embed testdata/readonly/reading.txt
var readingTries string

//go:embed testdata/readonly/tools.txt
var toolTries string

// proving is a world with a repository whose own configuration runs programs
// wherever git lets it, a folder beside it, and a port that counts who comes.
type proving struct {
	*world
	top     string
	port    int
	reached atomic.Int32
}

// declared are what a planner's user may declare as reading commands.
var declared = []string{
	"git log", "git diff", "git status", "git show", "git blame", "git grep", "git rev-parse", "git ls-files", "git branch --list", "git branch -a",
	"git tag --list", "git tag -l", "git shortlog", "git describe", "git cat-file", "git rev-list", "git stash list", "git remote -v", "git worktree list",
	"git config --get", "git config --list", "git archive", "git remote show", "git st", "git -C sub", "tar -t",
	"cat", "ls", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "nl", "od", "xxd", "sed", "awk", "mawk", "jq", "rg", "grep", "find", "xargs",
	"diff", "cmp", "comm", "stat", "file", "du", "tree", "basename", "dirname", "realpath", "readlink", "pwd", "date", "id", "uname", "which", "type",
	"command", "test", "[", "[[", "echo", "printf", "seq", "sha256sum", "base64", "true", "cd", "env", "nice", "timeout", "time", "/usr/bin/time",
	"man", "less", "tar -t*", "go list", "go vet", "go env", "go version", "go doc", "go -C sub list", "gofmt -l", "gofmt -d", "ps",
}

func declares(more ...string) string {
	list, _ := json.Marshal(append(slices.Clone(declared), more...))
	return `"readOnly":` + string(list)
}

func newProving(t *testing.T) *proving {
	t.Helper()
	w := newWorld(t)
	p := &proving{world: w, top: filepath.Dir(w.dir)}
	p.listen()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	check(t, err)
	caches := strings.Fields(string(out))
	p.env = append(p.env, "GOCACHE="+caches[0], "GOMODCACHE="+caches[1], "GOTOOLCHAIN=local", "GOFLAGS=",
		fmt.Sprintf("GOPROXY=http://127.0.0.1:%d", p.port), "GOSUMDB=off", "LANG=C.UTF-8")
	for name, text := range map[string]string{
		"out/keep.txt": "keep\n", "home/.config/go/telemetry/mode": "off 2026-01-01\n", "home/.bashrc": "# mine\n",
	} {
		path := filepath.Join(p.top, name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	p.repository()
	return p
}

// listen opens a port of both kinds.
func (p *proving) listen() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(p.t, err)
	p.port = l.Addr().(*net.TCPAddr).Port
	u, err := net.ListenPacket("udp", l.Addr().String())
	check(p.t, err)
	done := make(chan struct{}, 2)
	p.t.Cleanup(func() { _, _ = l.Close(), u.Close(); <-done; <-done })
	go func() {
		defer func() { done <- struct{}{} }()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.reached.Add(1)
			_ = c.Close()
		}
	}()
	go func() {
		defer func() { done <- struct{}{} }()
		for {
			if _, _, err := u.ReadFrom(make([]byte, 1)); err != nil {
				return
			}
			p.reached.Add(1)
		}
	}()
}

func (p *proving) unreached() {
	p.t.Helper()
	if n := p.reached.Load(); n > 0 {
		p.t.Errorf("the port was reached %d times", n)
	}
}

// repository makes the workspace. What its configuration runs leaves a file
// that is named after where it stood.
func (p *proving) repository() {
	evil := filepath.Join(p.dir, "evil")
	trap := "#!/bin/sh\n: > " + p.dir + "/ran-${1:-hook}\n"
	for name, text := range map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "b one\nb two\n", "data.json": `{"name":"x","list":[1,2]}`, "sub/c.txt": "c one\n", "mod/d.txt": "d one\n",
		".gitmodules": "[submodule \"mod\"]\npath = mod\nurl = /nowhere\nignore = none\n",
		"go.mod":      "module x\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() {}\n", "Makefile": "x := $(shell touch made)\nhit:\n\ttouch made\n",
		"w.sed": "w made\n", "w.awk": "BEGIN { print \"\" > \"made\" }\n", "rg.conf": "--pre\n" + evil + "\n", "man.conf": "DEFINE pager " + evil + "\n",
		"g.conf": "[core]\nfsmonitor = " + evil + " global\n", "x.patch": "--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,1 @@\n-b one\n b two\n",
		"empty/.keep": "", "wild/-owild": "", "wild/--output=wild2": "", "wild/a.txt": "one\n", "wild/w -n": "", "needy/go.mod": "module needy\n\ngo 1.24\n\nrequire example.com/x v1.0.0\n",
		"needy/a.go": "package needy\n\nimport _ \"example.com/x\"\n", "o.json": `{"Replace":{}}`,
	} {
		p.write(name, text)
	}
	for _, name := range []string{"evil", "bin/ls", "bin/git-log"} {
		check(p.t, os.Chmod(p.write(name, strings.Replace(trap, "${1:-hook}", "${1:-"+filepath.Base(name)+"}", 1)), 0o755))
	}
	sub, mod := filepath.Join(p.dir, "sub"), filepath.Join(p.dir, "mod")
	for _, dir := range []string{sub, mod} {
		p.git(dir, "init", "-q", "-b", "main")
		p.git(dir, "add", "-A")
		p.git(dir, "commit", "-q", "-m", "sub")
	}
	p.git(p.dir, "init", "-q", "-b", "main")
	p.git(p.dir, "add", "-A")
	p.git(p.dir, "commit", "-q", "-m", "one")
	p.write("b.txt", "b one\nb three\n")
	p.git(p.dir, "commit", "-q", "-a", "-m", "two")
	p.git(p.dir, "branch", "side")
	p.git(p.dir, "tag", "v1")
	p.write("b.txt", "b one\nb four\n")
	p.write("sub/c.txt", "c two\n")
	p.write("mod/d.txt", "d two\n")
	p.git(p.dir, "config", "user.name", "n")
	p.arm(p.dir, evil, trap)
	p.arm(sub, evil, trap, drivers...)
	p.arm(mod, evil, trap, drivers...)
}

func (p *proving) git(dir string, args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@x.example"}, args...)...)
	cmd.Dir, cmd.Env = dir, p.env
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// configure writes the user's and the project's config and trusts the latter.
func (p *proving) configure(s stance) {
	check(p.t, os.MkdirAll(p.home, 0o700))
	check(p.t, os.WriteFile(filepath.Join(p.home, "config.json"), []byte("{"+s.user+"}"), 0o600))
	if s.project == "" {
		return
	}
	p.write(".assent/config.json", "{"+s.project+"}")
	if o := p.run("trust"); o.code != 0 {
		p.t.Fatalf("trust: exit %d: %s", o.code, o.err)
	}
}

// try is one call that a model makes.
type try struct {
	name, input string
	// reads says that it must run, and code what it ends with.
	reads bool
	code  int
	// unknown says that there is no such tool.
	unknown bool
}

func (y try) String() string { return y.name + " " + y.input[:min(len(y.input), 200)] }

// tries are the tries of a stance, in the order of the files.
func (p *proving) tries(s stance) []try {
	var list []try
	each := func(text string, add func(line string)) {
		n := 0
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
				continue
			}
			if n++; s.every > 0 && n%s.every > 0 {
				continue
			}
			add(p.fill(line, len(list)))
		}
	}
	shell := func(command string) string {
		input, _ := json.Marshal(map[string]any{"command": command, "timeout": 20000})
		return string(input)
	}
	for _, text := range []string{undeclaredTries, declaredTries, slyTries} {
		each(text, func(line string) { list = append(list, try{name: "bash", input: shell(line)}) })
	}
	each(toolTries, func(line string) {
		line, unknown := strings.CutPrefix(line, "unknown ")
		name, input, _ := strings.Cut(line, " ")
		list = append(list, try{name: name, input: input, unknown: unknown})
	})
	each(readingTries, func(line string) {
		y := try{name: "bash", reads: true}
		if code, rest, ok := strings.Cut(line, " "); ok {
			if n, err := strconv.Atoi(code); err == nil {
				line, y.code = rest, n
			}
		}
		y.input = shell(line)
		list = append(list, y)
	})
	return list
}

// fill puts names into the place of marks.
func (p *proving) fill(line string, n int) string {
	return strings.NewReplacer(
		"{nl}", "\n", "HIT", fmt.Sprintf("hit%d", n), "{work}", p.dir, "{out}", filepath.Join(p.top, "out"), "{port}", strconv.Itoa(p.port),
		"{evil}", filepath.Join(p.dir, "evil"), "{long}", strings.Repeat("x", 20000), "{blanks}", strings.Repeat(" ", 20000),
	).Replace(line)
}

// snapshot is what is in the folders around the workspace, by name.
type snapshot map[string]string

// snapshot looks at everything but what the program keeps for itself and the
// scripts of models. That a folder of git changed its time is no change of
// what it holds.
func (p *proving) snapshot() snapshot {
	p.t.Helper()
	all := snapshot{}
	for _, dir := range []string{"work", "home", "out"} {
		check(p.t, filepath.WalkDir(filepath.Join(p.top, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text := info.Mode().String()
			if !d.IsDir() || !strings.Contains(path, "/.git") {
				text += " " + info.ModTime().UTC().Format("15:04:05.000000000")
			}
			if info.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text += fmt.Sprintf(" %x", sha256.Sum256(data))
			}
			all[strings.TrimPrefix(path, p.top+"/")] = text
			return nil
		}))
	}
	return all
}

// changes are the names under which another snapshot shows something else.
func (s snapshot) changes(now snapshot) []string {
	var list []string
	for name, text := range now {
		if s[name] != text {
			list = append(list, fmt.Sprintf("%s: %q, was %q", name, text, s[name]))
		}
	}
	for name := range s {
		if now[name] == "" {
			list = append(list, name+" is gone")
		}
	}
	slices.Sort(list)
	return list
}

// drivers are what a repository runs to show a difference.
var drivers = []string{
	"[diff]", "external = EVIL external", "[diff \"evil\"]", "textconv = EVIL textconv", "[diff \"worse\"]", "command = EVIL command",
}

// arm fills the configuration of a repository with what runs programs, down
// to a commit that is signed and an object that would have to be fetched.
func (p *proving) arm(dir, evil, trap string, more ...string) {
	config := ""
	for _, line := range append([]string{
		"[core]", "fsmonitor = EVIL fsmonitor", "pager = EVIL pager", "editor = EVIL editor", "sshCommand = EVIL ssh", "attributesFile = " + dir + "/.git/attr",
		"[filter \"evil\"]", "clean = EVIL clean", "smudge = EVIL smudge", "[gpg]", "program = EVIL gpg", "[gpg \"ssh\"]", "program = EVIL gpgssh",
		"[log]", "showSignature = true", "[alias]", "st = !EVIL alias", "log = !EVIL aliaslog", "[pager]", "log = EVIL pagerlog", "status = EVIL pagerstatus",
		"[credential]", "helper = !EVIL credential", "[protocol \"ext\"]", "allow = always", "[remote \"origin\"]", "url = ext::EVIL fetch",
		"promisor = true", "partialclonefilter = blob:none", "[extensions]", "partialClone = origin", "[status]", "submoduleSummary = true", "[core]", "repositoryformatversion = 1", "[tar \"evil\"]", "command = EVIL tar", "[man]", "viewer = evil", "[man \"evil\"]", "cmd = EVIL man", "[core]", "alternateRefsCommand = EVIL alternate",
	}, more...) {
		config += strings.ReplaceAll(line, "EVIL", evil) + "\n"
	}
	signed := "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor n <e@x.example> 1700000000 +0000\ncommitter n <e@x.example> 1700000000 +0000\n" +
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n"
	make := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin")
	make.Dir, make.Env, make.Stdin = dir, p.env, strings.NewReader(signed)
	out, err := make.Output()
	check(p.t, err)
	p.git(dir, "mktree", "--missing")
	p.git(dir, "update-ref", "refs/heads/signed", strings.TrimSpace(string(out)))
	own := filepath.Join(dir, ".git")
	f, err := os.OpenFile(filepath.Join(own, "config"), os.O_APPEND|os.O_WRONLY, 0)
	check(p.t, err)
	_, err = f.WriteString(config)
	check(p.t, err)
	check(p.t, f.Close())
	check(p.t, os.MkdirAll(filepath.Join(own, "info"), 0o700))
	check(p.t, os.WriteFile(filepath.Join(own, "info", "attributes"), []byte("a.txt diff=evil filter=evil\nc.txt diff=worse filter=evil\nd.txt filter=evil\nb.txt diff=evil filter=evil\n"), 0o600))
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "pre-commit", "pre-auto-gc"} {
		check(p.t, os.WriteFile(filepath.Join(own, "hooks", hook), []byte(strings.Replace(trap, "${1:-hook}", "hook-"+hook, 1)), 0o755))
	}
	// What is in the index is older than the files, so that it would be written
	// anew.
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			later := info.ModTime().Add(3e9)
			check(p.t, os.Chtimes(filepath.Join(dir, name), later, later))
		}
	}
}
