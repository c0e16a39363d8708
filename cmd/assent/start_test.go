//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// maxInit is how many bytes the variables of one package may take at start-up,
// used or not. The largest is what Markdown's parser compiles, 260 KB.
const maxInit = 400 << 10

// TestStartIsLight reads what each package allocates before main: every run
// pays for it, also one that prints its version.
func TestStartIsLight(t *testing.T) {
	t.Parallel()
	cmd := newWorld(t).command("version")
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages := 0
	for lines := bufio.NewScanner(&said); lines.Scan(); {
		before, after, ok := strings.Cut(lines.Text(), " @")
		var at, took float64
		var size int
		if _, err := fmt.Sscanf(after, "%f ms, %f ms clock, %d bytes", &at, &took, &size); !ok || err != nil {
			continue
		}
		packages++
		if name := strings.TrimPrefix(before, "init "); size > maxInit {
			t.Errorf("%s allocates %d bytes at start-up, at most %d are meant: make it when it is first used", name, size, maxInit)
		}
	}
	if packages == 0 {
		t.Errorf("the runtime told of no package:\n%s", said.String())
	}
}
