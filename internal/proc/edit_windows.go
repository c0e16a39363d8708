package proc

import "strings"

// editorArgv splits the command line at blanks outside quotes.
func editorArgv(editor, file string) []string {
	var argv []string
	quoted := false
	for _, word := range strings.FieldsFunc(editor, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		argv = append(argv, strings.Trim(word, `"`))
	}
	return append(argv, file)
}
