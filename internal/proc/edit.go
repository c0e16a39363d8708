package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Edit lets the user write a text in an editor that has the terminal, and
// returns what was written. The editor is a command line; the name of a file
// that only the user can read follows it. Unlike other commands it is in this
// process's own group, and its environment is the terminal's.
func Edit(ctx context.Context, editor, text string, in, out *os.File) (string, error) {
	if strings.TrimSpace(editor) == "" {
		return "", errors.New("open an editor: none is set; set EDITOR to one")
	}
	dir, err := os.MkdirTemp("", "assent-prompt-") // 0700
	if err != nil {
		return "", fmt.Errorf("open an editor: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "prompt.md")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("open an editor: %w", err)
	}
	argv := editorArgv(editor, file)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	cmd.Env = slices.DeleteFunc(os.Environ(), secret)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("the editor %s did not end well: %w", editor, err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read what was written in %s: %w", editor, err)
	}
	return string(written), nil
}
