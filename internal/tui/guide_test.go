package tui_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assent/internal/tui/screen"
)

// The guide and the help tell the same keys.
func TestGuideTellsEveryKey(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/guide/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range screen.Keys() {
		if row := fmt.Sprintf("| `%s` | %s |\n", k.Keys, k.Does); !strings.Contains(string(guide), row) {
			t.Errorf("docs/guide/keys.md lacks this row:\n%s", row)
		}
	}
}
