package session_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assent/internal/session"
)

// The table of docs/contracts/session.md is what the code does: its records,
// their policies and the names of their fields.
func TestTheContract(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/contracts/session.md")
	if err != nil {
		t.Fatal(err)
	}
	yes := map[bool]string{true: "yes", false: "no"}
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| (\\w+) \\| (.*) \\|$").FindAllStringSubmatch(string(doc), -1) {
		rows[m[1]] = m[2:]
	}
	records := append(everyRecord(), session.Header{})
	for _, r := range records {
		row, ok := rows[r.Type()]
		if !ok {
			t.Errorf("no row for %s", r.Type())
			continue
		}
		if row[0] != yes[r.Required()] || row[1] != yes[r.Synced()] {
			t.Errorf("%s: the row says required %s, synced %s", r.Type(), row[0], row[1])
		}
		names := regexp.MustCompile(`\w+`).FindAllString(row[2], -1)
		for i := range reflect.TypeOf(r).NumField() {
			if reflect.TypeOf(r).Field(i).Anonymous {
				continue // its policy
			}
			name, _, _ := strings.Cut(reflect.TypeOf(r).Field(i).Tag.Get("json"), ",")
			if name != "-" && !slices.Contains(names, name) { // "-" is not stored
				t.Errorf("%s: the row does not name %q", r.Type(), name)
			}
		}
	}
	if len(rows) != len(records) {
		t.Errorf("%d rows for %d records", len(rows), len(records))
	}
}
