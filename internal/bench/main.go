// Command bench measures what the budgets name and prints each figure beside
// its budget: start-up, headless runs against a scripted server on loopback,
// what the first request weighs, what a step re-sends, decisions, appends,
// searches, and the binary. Wall and CPU times are medians.
//
// It owns the measuring only: the figures come from the built program, watched
// from outside, or from the benchmarks beside the packages.
//
//	go run ./internal/bench            everything but the cold build
//	go run ./internal/bench -cold      with the cold build (empties no cache of yours)
//	go run ./internal/bench -only hello,version
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// figure is one line of the report.
type figure struct{ name, value, budget string }

// group measures some figures together.
type group struct {
	name    string
	measure func(*lab) ([]figure, error)
}

func main() {
	cold := flag.Bool("cold", false, "also build from an empty cache")
	only := flag.String("only", "", "measure only these groups, divided by commas")
	runs := flag.Int("runs", 10, "runs of which the median is taken")
	record := flag.String("sum", "", "print the summary of a record of requests; for the program's own use")
	flag.Parse()
	if *record != "" {
		if err := sum(*record); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*cold, *only, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(cold bool, only string, runs int) error {
	l, err := newLab(runs)
	if err != nil {
		return err
	}
	defer l.close()
	groups := []group{
		{"binary", binary},
		{"version", version},
		{"hello", hello},
		{"steps", steps},
		{"stream", stream},
		{"first", firstRequest},
		{"decide", decide},
		{"log", logs},
		{"search", searches},
		{"masking", masks},
		{"hostile", hostile},
		{"tui", terminal},
	}
	if cold {
		groups = append(groups, group{"cold", coldBuild})
	}
	fmt.Printf("%s, %s, %d cores\n\n", machine(), runtime.Version(), runtime.NumCPU())
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "FIGURE\tMEASURED\tBUDGET")
	for _, g := range groups {
		if only != "" && !slices.Contains(strings.Split(only, ","), g.name) {
			continue
		}
		figures, err := g.measure(l)
		if err != nil {
			return fmt.Errorf("measure %s: %w", g.name, err)
		}
		for _, f := range figures {
			fmt.Fprintf(w, "%s\t%s\t%s\n", f.name, f.value, f.budget)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// machine names the processor.
func machine() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOOS + "/" + runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(name), ":"))
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
