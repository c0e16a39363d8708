package gate_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"assent/internal/gate"
	"assent/internal/guard"
)

// BenchmarkDecide is the cost of one decision with a table of 200 rules: what
// every call pays before it runs.
func BenchmarkDecide(b *testing.B) {
	ws, _ := open(b, map[string]string{"src/a.go": "a"})
	lines := []string{"deny read_file(private/*)", "deny write_file(vendor/*)"}
	for i := range 198 {
		lines = append(lines, fmt.Sprintf("allow bash(tool%d *)", i))
	}
	lines = append(lines, "allow bash(git *)", "allow write_file(src/*)")
	for name, r := range map[string]gate.Request{
		"read": reading("src/a.go"), "write": writing("src/a.go"), "command": bash("git status && git log -n 5 | git shortlog"),
	} {
		b.Run(name, func(b *testing.B) {
			g := gate.New(gate.Options{Workspace: ws, Rules: rules(b, lines...)})
			for b.Loop() {
				g.Begin()
				if grant, d := g.Decide(context.Background(), r); grant == nil {
					b.Fatal(d.Reason)
				}
			}
		})
	}
}

// BenchmarkWalk is a walk over 2,000 files with denials and ignore rules.
func BenchmarkWalk(b *testing.B) {
	ws, dir := open(b, map[string]string{".gitignore": "*.o\nbuild/\n"})
	for i := range 100 {
		for j := range 20 {
			put(b, filepath.Join(dir, fmt.Sprintf("d%02d/e%d", i/10, i%10), fmt.Sprintf("f%d.go", j)), "x")
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(b, "deny read_file(private/*)")})
	h := granted(b, g, searching("."))
	b.ResetTimer()
	for b.Loop() {
		n := 0
		if _, err := h.Walk(context.Background(), ".", gate.WalkOptions{}, func(gate.Entry) error { n++; return nil }); err != nil || n != 2001 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkOrdinary decides on what is run all day, with every guard on.
func BenchmarkOrdinary(b *testing.B) {
	ws, _ := open(b, map[string]string{"go.mod": "module x\n", "a.go": "package x\n", "src/b.go": "package src\n", "package.json": "{}\n"})
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(b, "allow bash(go *)", "allow bash(git *)", "deny bash(git push *)", "deny read_file(private/*)"), Guards: guard.Builtin(guard.Options{})})
	for name, command := range map[string]string{
		"test":   "go test ./... 2>&1 | tail -40",
		"git":    "git status --short && git diff --stat HEAD~1 -- src && git log --oneline -n 5",
		"search": `grep -rn "func main" --include=*.go . | head -20; find src -name '*.go' | xargs wc -l`,
		"npm":    "cd src && npm install && npm run build -- --watch=false > /tmp/build.log 2>&1; echo $?",
		"loop":   `for f in src/*.go; do sed -i 's/foo/bar/g' "$f"; gofmt -l "$f"; done`,
		"python": `python3 -c 'import json,sys; print(json.load(sys.stdin)["name"])' < package.json`,
		"commit": `git add -A && git commit -m "$(cat <<'EOF'
Say a thing

In words.
EOF
)"`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Explain(b.Context(), bash(command))
			}
		})
	}
}
