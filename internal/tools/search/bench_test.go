//go:build unix

package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/tools/search"
)

// benchFiles is how many files the benchmarks search; ASSENT_BENCH_FILES
// changes it.
func benchFiles(b *testing.B) int {
	b.Helper()
	if n, err := strconv.Atoi(os.Getenv("ASSENT_BENCH_FILES")); err == nil {
		return n
	}
	if testing.Short() {
		return 2_000
	}
	return 100_000
}

// plantation makes a large tree of source-like files.
func plantation(b *testing.B) *room {
	b.Helper()
	r := newRoom(b, map[string]string{".gitignore": "*.o\nbuild/\nnode_modules/\n*.log\n/dist\n"})
	random := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("func return value error string index buffer handle request response context table where select update insert package import module const type struct")
	for i := range benchFiles(b) {
		var text strings.Builder
		for range 10 + random.IntN(50) {
			for range 6 {
				text.WriteString(vocabulary[random.IntN(len(vocabulary))] + " ")
			}
			text.WriteByte('\n')
		}
		if i%1000 == 0 {
			text.WriteString("a needle 4711 here\n")
		}
		dir := filepath.Join(r.dir, fmt.Sprintf("d%d/e%d", i/2000, i/100%20))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i%100)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return r
}

// against runs the same search with ripgrep alone and reports the ratio.
func against(b *testing.B, r *room, run func(), argv ...string) {
	b.Helper()
	if _, err := exec.LookPath("rg"); err != nil {
		for b.Loop() {
			run()
		}
		return
	}
	var ours, theirs, oursCPU, theirsCPU time.Duration
	for b.Loop() {
		begun, cpu := time.Now(), used(b)
		run()
		ours += time.Since(begun)
		oursCPU += used(b) - cpu
		begun, cpu = time.Now(), used(b)
		cmd := exec.CommandContext(b.Context(), "rg", append([]string{"--no-config", "--hidden", "--no-require-git"}, argv...)...)
		cmd.Dir = r.dir
		_, _ = cmd.Output() // no match is an exit code
		theirs += time.Since(begun)
		theirsCPU += used(b) - cpu
	}
	b.ReportMetric(float64(ours)/float64(theirs), "x-ripgrep")
	b.ReportMetric(float64(oursCPU)/float64(theirsCPU), "x-cpu")
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms-ours")
	b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "ms-ripgrep")
}

// used is the processor time of this process and its ended children, which is
// a fairer measure on a busy machine.
func used(b *testing.B) time.Duration {
	b.Helper()
	var total int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			b.Fatal(err)
		}
		total += r.Utime.Nano() + r.Stime.Nano()
	}
	return time.Duration(total)
}

func BenchmarkSearch(b *testing.B) {
	r := plantation(b)
	without := search.Tools(search.WithoutRipgrep(search.Options{}))
	for _, c := range []struct {
		name, tool string
		in         args
		rg         []string
	}{
		{"word", "grep", args{"pattern": "needle"}, []string{"-n", "needle"}},
		{"ignore_case", "grep", args{"pattern": "NEEDLE", "ignore_case": true}, []string{"-n", "-i", "NEEDLE"}},
		{"expression", "grep", args{"pattern": `need\w+ \d+`}, []string{"-n", `need\w+ \d+`}},
		{"common", "grep", args{"pattern": "func.*return"}, []string{"-n", "func.*return"}},
		{"no_needle", "grep", args{"pattern": `[0-9]{4}`}, []string{"-n", `[0-9]{4}`}},
		{"glob", "glob", args{"pattern": "**/*.go"}, []string{"--files", "--sortr", "modified", "-g", "**/*.go"}},
		{"glob_few", "glob", args{"pattern": "**/f77.go"}, []string{"--files", "-g", "**/f77.go"}},
	} {
		for _, way := range []string{"with", "without"} {
			set := r.set
			if way == "without" {
				set = without
			}
			b.Run(c.name+"/"+way, func(b *testing.B) {
				against(b, r, func() {
					if _, err := r.try(set, c.tool, c.in); err != nil {
						b.Fatal(err)
					}
				}, c.rg...)
			})
		}
	}
}
