package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// beside runs the benchmarks of a package and returns their lines as figures;
// budgets are by benchmark name.
func beside(pkg, pattern string, budgets map[string]string) ([]figure, error) {
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", pattern, "-benchtime", "0.5s", pkg).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	var list []figure
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if i := strings.LastIndex(name, "-"); i > 0 {
			name = name[:i]
		}
		budget := ""
		for key, b := range budgets {
			if strings.Contains(name, key) {
				budget = b
			}
		}
		list = append(list, figure{strings.TrimPrefix(pkg, "./internal/") + " " + name, strings.Join(fields[2:], " "), budget})
	}
	return list, lines.Err()
}

func decide(*lab) ([]figure, error) {
	return beside("./internal/policy", "Decide|Decision", map[string]string{"Dec": "50 µs for 300 characters"})
}

func logs(*lab) ([]figure, error) {
	appends, err := beside("./internal/jsonl", "Append", map[string]string{"Append": "the same at 10 and at 100,000, 20 µs"})
	if err != nil {
		return nil, err
	}
	sessions, err := beside("./internal/session", "Resume|List|Open", map[string]string{"List": "0.1 s for 1,000", "Resume": "0.5 s for 50 MB", "Open": "0.5 s for 50 MB"})
	return append(appends, sessions...), err
}

func searches(*lab) ([]figure, error) {
	return beside("./internal/tools/search", ".", map[string]string{"/go": "within 2 times ripgrep", "/rg": "within 1.1 times ripgrep"})
}

func masks(*lab) ([]figure, error) {
	return beside("./internal/redact", "Keyed", map[string]string{"10-keys": "about as with none"})
}

// hostile is what tests no longer time: texts and floods that are to cost what
// they are long, and to leave nothing behind.
func hostile(*lab) ([]figure, error) {
	var all []figure
	for _, b := range []struct {
		pkg, pattern string
		budgets      map[string]string
	}{
		{"./internal/shell", "Nested|Slow", nil},
		{"./internal/gate", "HardLinks", nil},
		{"./internal/tui", "Flood|LongPaste", map[string]string{"Flood": "10 MB held, however much came"}},
		{"./internal/tui/screen", "Hostile|Paste", map[string]string{"Hostile": "1 s", "Paste": "0.1 s for 5 MB"}},
	} {
		list, err := beside(b.pkg, b.pattern, b.budgets)
		if err != nil {
			return all, err
		}
		all = append(all, list...)
	}
	return all, nil
}
