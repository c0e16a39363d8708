// Package demo holds the bundled sample project and the bundled script of the
// scripted model that plays `assent demo`. It owns the temporary copy that the
// demo works in and knows nothing of engines, gates or fronts: app runs the
// real ones on it.
package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Prompt is what the user of the demo asks for.
const Prompt = "The tests fail. Find out why and fix it."

// Rules are what counts as allowed beforehand where nobody can be asked: the
// edit of one file and the run of one script. Everything else that would write
// or run is refused as ever. Where there is somebody, each of them asks.
var Rules = []string{"edit_file(till.sh)", "bash(sh test.sh)"}

//go:embed project script.jsonl
var files embed.FS

// Copy is a sample project in a temporary folder.
type Copy struct {
	// Dir is the workspace, Script the file that the script provider plays.
	Dir, Script string
	temp        string
}

// prefix begins the names of the demo's folders.
const prefix = "assent-demo-"

// abandoned is the age from which a folder is a leftover of a demo that was
// killed.
const abandoned = 24 * time.Hour

// tidy removes the user's own folders of demos that began before a time.
func tidy(temp string, before time.Time) {
	found, _ := filepath.Glob(filepath.Join(temp, prefix+"*"))
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() && info.ModTime().Before(before) {
			_ = os.RemoveAll(dir) // somebody else's cannot be removed and does no harm
		}
	}
}

// Make writes the sample project and the script to a new temporary folder.
func Make() (Copy, error) {
	tidy(os.TempDir(), time.Now().Add(-abandoned))
	temp, err := os.MkdirTemp("", prefix)
	if err != nil {
		return Copy{}, fmt.Errorf("make a folder for the demo: %w", err)
	}
	c := Copy{filepath.Join(temp, "till"), filepath.Join(temp, "script.jsonl"), temp}
	if err := c.write(); err != nil {
		return Copy{}, fmt.Errorf("write the sample project: %w", errors.Join(err, c.Remove()))
	}
	return c, nil
}

func (c Copy) write() error {
	project, err := fs.Sub(files, "project")
	if err != nil {
		return err
	}
	if err := os.CopyFS(c.Dir, project); err != nil {
		return err
	}
	script, err := files.ReadFile("script.jsonl")
	if err != nil {
		return err
	}
	return os.WriteFile(c.Script, script, 0o600)
}

// Remove deletes the copy.
func (c Copy) Remove() error { return os.RemoveAll(c.temp) }
