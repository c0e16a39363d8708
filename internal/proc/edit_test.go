//go:build unix

package proc_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/proc"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "my editor")
	seen := filepath.Join(dir, "seen")
	body := "#!/bin/sh\nprintf '%s' \"$2\" >'" + seen + "'\nls -l \"$2\" >>'" + seen + "'\ncat \"$2\" >>'" + seen + "'\nprintf ' and more' >>\"$2\"\n"
	if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	got, err := proc.Edit(context.Background(), "'"+script+"' --wait", "a $(text)", null, null)
	if err != nil || got != "a $(text) and more" {
		t.Errorf("got %q, %v", got, err)
	}
	record, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(string(record), "-rw")
	if !strings.Contains(string(record), "-rw------- ") || !strings.HasSuffix(string(record), "a $(text)") {
		t.Errorf("the editor saw %q", record)
	}
	if _, err := os.Stat(name); err == nil {
		t.Errorf("%s is left behind", name)
	}
	for _, editor := range []string{"false", "no-such-editor-here", " "} {
		if _, err := proc.Edit(context.Background(), editor, "x", null, null); err == nil {
			t.Errorf("%q is no editor", editor)
		}
	}
}
