package compress_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent/internal/compress"
)

var update = flag.Bool("update", false, "write the golden files")

// expand reads a recorded output in which "@noise N FORMAT" stands for N lines.
func expand(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for l := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(l, "@noise ")
		if !ok {
			b.WriteString(l)
			continue
		}
		count, format, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		format = strings.ReplaceAll(format, "%n", "\n")
		for i := range n {
			fmt.Fprintf(&b, format, i, i%100)
		}
	}
	return b.String()
}

func TestFailuresAndSummariesStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		want    []string
	}{
		"gotest": {"go test ./...", []string{
			"--- FAIL: TestCartTotals (0.01s)", "    --- FAIL: TestCartTotals/with_tax (0.00s)", "cart_test.go:41: total of 3 items", "want 1250",
			"FAIL\texample.org/shop/cart", "broken/broken.go:12:7: undefined: price", "panic: runtime error", "stock.go:18",
		}},
		"pytest": {"pytest", []string{
			"FAILED tests/test_cart.py::test_total_with_tax", "ERROR tests/test_stock.py", "1 failed, 4019 passed", "E       assert 25 == 30", "tests/test_cart.py:17",
		}},
		"jest": {"npm test", []string{
			"FAIL src/cart/total.test.ts", "✕ adds tax", "● cart › adds tax", "Expected: 30", "> 16 |", "Test Suites: 1 failed", "Tests:       1 failed",
		}},
		"cargo": {"cargo test", []string{
			"test cart::tests::adds_tax ... FAILED", "panicked at src/cart.rs:40:9", "left: 25", "test result: FAILED.", "    cart::tests::adds_tax",
		}},
		"make": {"make -j4", []string{
			"src/parse.c:88:12: error:", "make[1]: ***", "undefined reference", "make: *** [Makefile:4: all] Error 2", "return tok;",
		}},
		"tsc":    {"npx tsc", []string{"src/cart.ts(12,5): error TS2322", "src/tax.ts(40,17)", "Found 2 errors"}},
		"eslint": {"npx eslint .", []string{"12:5  error  'total' is not defined", "✖ 1901 problems"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := compress.Budget{Chars: 4000, Lines: 100}
			got, cut := compress.Compress(expand(t, name), b, compress.Hint{Tool: "bash", Command: c.command})
			if !cut {
				t.Error("nothing was cut")
			}
			fits(t, got, b)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is missing", w)
				}
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("differs from %s; run with -update and read the change:\n%s", golden, got)
			}
		})
	}
}

func fits(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, b compress.Budget,
) {
	t.Helper()
	if n := utf8.RuneCountInString(text); n > b.Chars+compress.NoteMax {
		t.Fatalf("%d characters, the budget is %d", n, b.Chars)
	}
	if n := strings.Count(text, "\n"); n > b.Lines+1 {
		t.Fatalf("%d lines, the budget is %d", n, b.Lines)
	}
}

func TestWhatFitsStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "a", "a\na\na\na\na\n", strings.Repeat("x\n", 2000), strings.Repeat("é", 30_000)} {
		if got, cut := compress.Compress(text, compress.Budget{}, compress.Hint{}); got != text || cut {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
	}
}

func TestRepeatsBecomeACount(t *testing.T) {
	t.Parallel()
	text := "start\n" + strings.Repeat("waiting for the server\n", 5000) + "up\n" + strings.Repeat("ping\npong\n", 3000) + "end\n"
	got, _ := compress.Compress(text, compress.Budget{}, compress.Hint{Tool: "bash"})
	want := "start\nwaiting for the server\n[the line above comes 4999 more times]\nup\nping\npong\n[the 2 lines above come 2999 more times]\nend\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLongLinesLoseTheirMiddle(t *testing.T) {
	t.Parallel()
	got, cut := compress.Compress(`{"first":"`+strings.Repeat("x", 200_000)+`","last":1}`, compress.Budget{}, compress.Hint{Tool: "bash"})
	if !cut || !strings.HasPrefix(got, `{"first":"xxx`) || !strings.Contains(got, `xx","last":1}`) || !strings.Contains(got, "characters cut]") {
		t.Errorf("%.200q", got)
	}
}

// TestReadingToolsAreNotSifted: a file that speaks of errors is cut in its
// middle, not sampled.
func TestReadingToolsAreNotSifted(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "%d\tx.go:%d:1: error: failed\n", i, i)
	}
	got, _ := compress.Compress(b.String(), compress.Budget{Chars: 4000, Lines: 100}, compress.Hint{Tool: "read_file"})
	if strings.Count(got, " lines cut]") != 1 {
		t.Errorf("%s", got)
	}
}

// TestAlwaysFits: whatever the text and the budget, the result fits, is the
// same each time, and keeps the names of failed tests when they fit.
func TestAlwaysFits(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"plain line", "", "--- FAIL: TestX (0.00s)", "    x_test.go:3: no", "ok  \tpkg", "error: it broke", "FAILED tests/a.py::b", strings.Repeat("long ", 2000),
		"ünïcödé", "=====  1 failed =====", "\tindented",
	}
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var fails []string
		for i, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "lines") {
			times := rapid.IntRange(1, 40).Draw(t, "times")
			for n := range times {
				fmt.Fprintf(&text, "%s %d\n", p, i*100+n%rapid.IntRange(1, 3).Draw(t, "vary"))
			}
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "fails") {
			name := fmt.Sprintf("--- FAIL: TestWanted%d (0.00s)", i)
			fails = append(fails, name)
			at := rapid.IntRange(0, strings.Count(text.String(), "\n")).Draw(t, "at")
			lines := strings.SplitAfter(text.String(), "\n")
			text.Reset()
			text.WriteString(strings.Join(lines[:at], "") + name + "\n" + strings.Join(lines[at:], ""))
		}
		b := compress.Budget{Chars: rapid.IntRange(400, 5000).Draw(t, "chars"), Lines: rapid.IntRange(10, 200).Draw(t, "rows")}
		h := compress.Hint{Tool: "bash", Command: "go test"}
		got, cut := compress.Compress(text.String(), b, h)
		fits(t, got, b)
		if again, _ := compress.Compress(text.String(), b, h); again != got {
			t.Fatal("not the same twice")
		}
		if !cut && got != text.String() {
			t.Fatal("changed, but not cut")
		}
		if strings.Count(text.String(), "FAIL") == len(fails) { // only ours compete
			for _, f := range fails {
				if b.Lines >= 40 && b.Chars >= 2000 && !strings.Contains(got, f) {
					t.Fatalf("%q is missing in %q", f, got)
				}
			}
		}
	})
}

func FuzzCompress(f *testing.F) {
	f.Add("a\nb\na\nb\na\nb\n", 10, 3, "go test")
	f.Add("--- FAIL: x\n\xff\xfe\n12:3 error", 1, 1, "")
	f.Fuzz(func(t *testing.T, text string, chars, lines int, command string) {
		b := compress.Budget{Chars: 400 + abs(chars)%5000, Lines: 10 + abs(lines)%300}
		got, _ := compress.Compress(text, b, compress.Hint{Tool: "bash", Command: command})
		fits(t, got, b)
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

func BenchmarkCompress(b *testing.B) {
	text := strings.Repeat("ok  \texample.org/some/package/name\t0.012s\nsrc/file.go: compiled\n", 15_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		compress.Compress(text, compress.Budget{}, compress.Hint{Tool: "bash", Command: "go test ./..."})
	}
}
