package config_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"assent/internal/config"
)

var update = flag.Bool("update", false, "rewrite the table in docs/contracts/config.md")

// The table of the document is that of the fields.
func TestTheDocumentNamesEveryField(t *testing.T) {
	t.Parallel()
	const file, head = "../../docs/contracts/config.md", "|---|---|---|\n"
	var table strings.Builder
	for _, d := range config.Docs() {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", d.Name, d.Project, d.Meaning)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no table", file)
	}
	want := before + head + table.String()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s differs from the table of fields; run with -update and read it", file)
	}
}
