package gate_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"assent/internal/gate"
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
