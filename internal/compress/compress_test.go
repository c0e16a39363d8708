package compress_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent/internal/compress"
	"assent/internal/proc"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded is what a tool printed, as a command's output comes to be shortened:
// testdata/record.sh makes the recordings, versions.txt names the tools.
func recorded(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".raw"))
	if err != nil {
		t.Fatal(err)
	}
	return proc.Clean(raw)
}

// What must be left of each recording: what failed, why and where, and the sum.
var recordings = map[string]struct {
	command string
	want    []string
}{
	"gotest": {"go test -v ./...", []string{
		"--- FAIL: TestTotals (0.00s)", "    --- FAIL: TestTotals/with_tax", "    --- FAIL: TestTotals/tax/reduced", "cart_test.go:32: total of 2 items:",
		"got  1275\n        want 1500", "got  100\n        want 107", "FAIL\texample.org/shop/cart", "broken/broken.go:5:27: undefined: price",
		"broken_test.go:5:38: too many arguments", "FAIL\texample.org/shop/broken [build failed]", "panic: test timed out after 5s", "TestWaitsForever (5s)",
		"/src/app/go/slow/slow_test.go:7", "panic: runtime error: index out of range [3] with length 3", "/src/app/go/stock/stock.go:8",
		"/src/app/go/stock/stock_test.go:16", "--- FAIL: TestShelfHasThree", "FAIL\texample.org/shop/stock",
	}},
	"gotest-race": {"go test -race -v ./tax ./wide", []string{
		"WARNING: DATA RACE", "Read at 0x", "Previous write at 0x", "/src/app/go/tax/tax.go:8", "race detected during execution of test",
		"--- FAIL: TestAskFromManySides", "FAIL\texample.org/shop/tax",
	}},
	"pytest": {"pytest -v", []string{
		"FAILED tests/test_cart.py::test_total_with_tax[20-31] - assert 30 == 31", "FAILED tests/test_cart.py::test_items_differ",
		"FAILED tests/test_cart.py::test_load - ValueError", "ERROR tests/test_stock.py", "ERROR tests/test_cart.py::test_saved",
		"E   ModuleNotFoundError: No module named 'stock'", "E       ConnectionRefusedError: no database", "E       assert 30 == 31",
		"E       AssertionError: assert {'items'", "tests/test_stock.py:1: in <module>", "shop.py:22: ValueError", "6 failed, 282 passed, 1 skipped, 1 xfailed",
	}},
	"pytest-terminal": {"pytest", []string{
		"FAILED tests/test_cart.py::test_total_with_tax[20-31]", "ERROR tests/test_stock.py", "E   ModuleNotFoundError", "E       assert 30 == 31",
		"E       AssertionError: assert {'items'", "tests/test_cart.py:20: AssertionError", "6 failed, 282 passed",
	}},
	"unittest": {"python3 -m unittest -v", []string{
		"ERROR: test_load (test_unit.CartTest.test_load)", "FAIL: test_many (test_unit.CartTest.test_many) (i=1)", "FAIL: test_total", "KeyError: 'zzz'",
		`File "/src/app/py/test_unit.py", line 8, in test_total`, "AssertionError: 30 != 31", "ValueError: no such item: zzz", "Ran 153 tests",
		"FAILED (failures=2, errors=1)",
	}},
	"jest": {"npm test", []string{
		"FAIL  tests/cart.test.js", "✕ adds tax", "✕ are kept", "✕ are loaded", "● cart › adds tax", "Expected: 31\n    Received: 30",
		"● cart › items › are kept", "- Expected  - 2", "● cart › items › are loaded", "no such item: zzz", "> 2 | exports.load",
		"FAIL  tests/syntax.test.js", "SyntaxError: /src/app/web/tests/syntax.test.js: Unexpected token (2:12)", "FAIL  tests/gone.test.js",
		"Cannot find module '../src/gone'", "Test Suites: 3 failed, 30 passed", "Tests:       3 failed, 1 skipped, 1 todo, 111 passed",
	}},
	"jest-terminal": {"npx jest", []string{
		"FAIL  tests/cart.test.js", "● cart › adds tax", "Expected: 31\n    Received: 30", "● cart › items › are loaded", "no such item: zzz",
		"SyntaxError: /src/app/web/tests/syntax.test.js: Unexpected token (2:12)", "Cannot find module '../src/gone'", "Test Suites: 3 failed",
	}},
	"vitest": {"npx vitest run", []string{
		"× unit/cart.test.mjs > cart > adds tax", "expected 30 to be 31", "× unit/cart.test.mjs > cart > keeps items", "× unit/cart.test.mjs > cart > loads",
		"FAIL  unit/gone.test.mjs", "Error: Cannot find module '../src/gone.js'", "Error: no such item: zzz", "src/cart.js:2:38", "Test Files  2 failed",
		"Tests  3 failed | 120 passed",
	}},
	"node-test": {"node --test", []string{
		"not ok 61 - adds tax", "30 !== 31", "/src/app/web/node-tests/cart.test.js:7:41", "not ok 62 - loads", "error: 'no such item: zzz'", "# fail 3", "# pass 60",
	}},
	"node-test-spec": {"node --test", []string{
		"✖ adds tax", "30 !== 31", "✖ loads", "Error: no such item: zzz", "/src/app/web/src/cart.js:2:38", "ℹ fail 3", "✖ failing tests:",
	}},
	"tsc": {"npx tsc --pretty", []string{
		"src/cart.ts:2:22 - error TS2307", "src/cart.ts:4:37 - error TS2322", "src/cart.ts:5:34 - error TS2554", "src/cart.ts:7:10 - error TS6133",
		"src/models/broken.ts:2:31 - error TS2322", "4 const items: Item[] =", "Found 7 errors in 2 files.",
	}},
	"tsc-plain": {"npm run build", []string{
		"src/cart.ts(2,22): error TS2307", "src/cart.ts(4,37): error TS2322", "src/cart.ts(7,10): error TS6133", "src/models/broken.ts(2,31): error TS2322",
	}},
	"eslint": {"npx eslint lint", []string{
		"/src/app/web/lint/cart.js", "2:13  error  Expected '==='", "2:29  error  'nothing' is not defined", "/src/app/web/lint/syntax.js",
		"2:8  error  Parsing error: Unexpected token ,", "✖ 164 problems (4 errors, 160 warnings)",
	}},
	"npm": {"npm run nothing; npm ci", []string{`npm error Missing script: "nothing"`, "npm error code EUSAGE", "The `npm ci` command can only install with an existing"}},
	"cargo-test": {"cargo test", []string{
		"test tests::loads ... FAILED", "test tests::adds_tax ... FAILED", "test tests::panics_when_empty - should panic ... FAILED",
		"panicked at src/lib.rs:22:21:\ncalled `Result::unwrap()` on an `Err` value", "panicked at src/lib.rs:17:9:\nassertion `left == right` failed",
		"left: 30\n right: 31", "at ./src/lib.rs:17:9", "panicked at tests/whole.rs:7:30:\nindex out of bounds", "    tests::panics_when_empty",
		"test result: FAILED. 150 passed; 3 failed; 1 ignored", "error: 2 targets failed:",
	}},
	"cargo-build": {"cargo build", []string{
		"error[E0425]: cannot find value `totl` in this scope\n --> src/main.rs:5:20", "5 |     println!(\"{}\", totl);",
		"error[E0308]: mismatched types\n --> src/price.rs:2:10", "expected `u32`, found `&str`", "error[E0277]: a value of type `String` cannot be made",
		"error: could not compile `bad` (bin \"bad\") due to 3 previous errors; 75 warnings emitted",
	}},
	"make": {"make -j8 -k", []string{
		"src/lex.c:1:10: fatal error: missing.h: No such file or directory\n    1 | #include \"missing.h\"", "make: *** [Makefile:14: obj/lex.o] Error 1",
		"src/parse.c:4:16: error: ‘tok’ undeclared", "    4 |         return tok;", "make: *** [Makefile:14: obj/parse.o] Error 1", "Target 'all' not remade",
	}},
	"make-link": {"make -j4", []string{
		"/usr/bin/ld: obj/main.o: in function `main':", "undefined reference to `start_server'", "collect2: error: ld returned 1 exit status",
		"make: *** [Makefile:8: bin] Error 1",
	}},
}

func TestFailuresAndSummariesStay(t *testing.T) {
	t.Parallel()
	for name, c := range recordings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := compress.Budget{Chars: 4000, Lines: 100}
			got, cut := compress.Compress(recorded(t, name), b, compress.Hint{Tool: "bash", Command: c.command})
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

// However much else is printed before and after, what failed is found in it.
func TestFailuresStayInAFlood(t *testing.T) {
	t.Parallel()
	flood := func(what string) string {
		var b strings.Builder
		for i := range 8000 {
			fmt.Fprintf(&b, "[%d/8000] %s part %d of the whole\n", i, what, i*7919%8000)
		}
		return b.String()
	}
	for name, c := range recordings {
		b := compress.Budget{Chars: 8000, Lines: 200}
		got, _ := compress.Compress(flood("preparing")+recorded(t, name)+flood("removing"), b, compress.Hint{Tool: "bash", Command: c.command})
		fits(t, got, b)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is missing", name, w)
			}
		}
	}
}

// Every recording is used, holds what a terminal would draw where there is
// one, and names nothing of the machine that it was made on.
func TestRecordings(t *testing.T) {
	t.Parallel()
	list, err := filepath.Glob("testdata/*.raw")
	if err != nil || len(list) != len(recordings) {
		t.Fatalf("%d recordings for %d cases (%v)", len(list), len(recordings), err)
	}
	colours, returns := 0, 0
	for _, file := range list {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := recordings[strings.TrimSuffix(filepath.Base(file), ".raw")]; !ok {
			t.Errorf("%s is not used", file)
		}
		colours += bytes.Count(raw, []byte("\x1b["))
		returns += bytes.Count(raw, []byte("\r"))
		for _, place := range []string{"/root/", "/home/", "/tmp/"} {
			if bytes.Contains(raw, []byte(place)) {
				t.Errorf("%s names %s", file, place)
			}
		}
	}
	if colours < 1000 || returns < 100 {
		t.Errorf("%d colours and %d returns: these are no raw bytes", colours, returns)
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
		fmt.Fprintf(&b, "FAIL x%d\nx.go:%d:1: error: failed\nplain\nplain %d\n", i, i, i)
	}
	for _, h := range []compress.Hint{
		{Tool: "read_file"}, {Tool: "git", Command: "git diff"}, {Tool: "bash", Command: "git show HEAD"}, {Tool: "bash", Command: "git log -p"},
	} {
		got, _ := compress.Compress(b.String(), compress.Budget{Chars: 4000, Lines: 100}, h)
		if strings.Count(got, " lines cut]") != 1 {
			t.Errorf("%+v: %s", h, got)
		}
	}
	got, _ := compress.Compress(b.String(), compress.Budget{Chars: 4000, Lines: 100}, compress.Hint{Tool: "bash", Command: "git diff | ./check"})
	if strings.Count(got, " lines cut]") < 2 {
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
