package headless_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/headless"
)

// contract is the document that scripts rely on.
func contract(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/contracts/events.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rows are the rows of the table below a heading row.
func rows(t *testing.T, text, heading string) [][]string {
	t.Helper()
	_, table, ok := strings.Cut(text, heading+"\n")
	if !ok {
		t.Fatalf("no table %q", heading)
	}
	var list [][]string
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|---") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		list = append(list, cells)
	}
	return list
}

var (
	inParens = regexp.MustCompile(`\([^)]*\)`)
	coded    = regexp.MustCompile("`([^`]+)`")
)

// words are what stands in backquotes outside of parentheses.
func words(cell string) []string {
	var list []string
	for _, m := range coded.FindAllStringSubmatch(inParens.ReplaceAllString(cell, ""), -1) {
		list = append(list, strings.Fields(m[1])...)
	}
	return list
}

// full is one event of each public type with every field filled.
func full() []event.Event {
	one := 1.0
	usage := event.Usage{InputTokens: 1, OutputTokens: 1, CachedTokens: 1, CacheWrites: 1, ReasoningTokens: 1, CostUSD: &one, Context: 1, Window: 1, Threshold: 1}
	return []event.Event{
		event.Session{},
		event.Text{},
		event.Reasoning{},
		event.ToolStart{},
		event.ToolCall{Input: json.RawMessage("{}"), Title: "x"},
		event.ToolRun{},
		event.ToolOutput{Skipped: 1},
		event.ToolResult{Artifact: "x", Summary: "x", Diff: "x", Exit: 1},
		event.ToolError{Status: "error"},
		event.ToolDenied{},
		event.Subagent{Event: event.Text{}},
		event.Compacted{},
		usage,
		event.Void{},
		event.Notice{},
		event.Error{},
		event.Done{Usage: usage},
	}
}

// Each event has the documented fields and no others, and each documented type
// exists.
func TestTheEventsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	documented := map[string][]string{}
	for _, row := range rows(t, contract(t), "| type | fields |") {
		for _, name := range words(row[0]) {
			documented[name] = append(words(row[1]), "type")
		}
	}
	var out bytes.Buffer
	if _, err := headless.Run(t.Context(), &played{events: full()[1:]}, headless.Options{Format: headless.StreamJSON, Out: &out, Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		kind := fields["type"].(string)
		want, ok := documented[kind]
		if !ok {
			t.Errorf("%s is not documented", kind)
		}
		delete(documented, kind)
		for name := range fields {
			if !slices.Contains(want, name) {
				t.Errorf("%s: the field %s is not documented", kind, name)
			}
		}
		for _, name := range want {
			if _, ok := fields[name]; !ok {
				t.Errorf("%s: the documented field %s is missing", kind, name)
			}
		}
	}
	for kind := range documented {
		t.Errorf("%s is documented and never told", kind)
	}
}

// Every reason has the documented exit code, and every reason that a turn can
// end with is documented. HEAD-03 is about the codes.
func TestTheExitCodesAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	documented := map[string]int{}
	for _, row := range rows(t, contract(t), "| code | reason |") {
		code, err := strconv.Atoi(strings.TrimSpace(row[0]))
		if err != nil {
			t.Fatal(err)
		}
		for _, reason := range words(row[1]) {
			documented[reason] = code
		}
	}
	if len(documented) < 10 {
		t.Fatalf("the table holds %v", documented)
	}
	for reason, want := range documented {
		var out bytes.Buffer
		code, err := headless.Run(t.Context(), &played{events: []event.Event{event.Done{Reason: reason}}}, headless.Options{Format: headless.JSON, Out: &out, Err: io.Discard})
		if err != nil || code != want {
			t.Errorf("%s: exit code %d, %v, want %d", reason, code, err, want)
		}
		if !strings.Contains(out.String(), `"reason":"`+reason+`"`) {
			t.Errorf("%s: printed %s", reason, &out)
		}
	}
	for _, r := range reasons(t) {
		if _, ok := documented[r]; !ok {
			t.Errorf("a turn can end with %q, which is not documented", r)
		}
	}
	if headless.ExitCode("something new") != headless.ExitError {
		t.Error("an unknown reason is no error")
	}
}

// reasons are the constants of turn.Reason, read from the source so that none
// is left out.
func reasons(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../turn/order.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		kind, named := v.Type.(*ast.Ident)
		value, literal := v.Values[0].(*ast.BasicLit)
		if named && literal && kind.Name == "Reason" && value.Value != `""` {
			list = append(list, strings.Trim(value.Value, `"`))
		}
		return true
	})
	if len(list) < 10 {
		t.Fatalf("found only %v", list)
	}
	return list
}
