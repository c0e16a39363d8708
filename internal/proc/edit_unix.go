//go:build unix

package proc

// editorArgv runs the command line in a shell, as git and others do: it may
// hold arguments and quotes.
func editorArgv(editor, file string) []string {
	return []string{"/bin/sh", "-c", editor + ` "$1"`, "editor", file}
}
