package proc

func editorArgv(editor, file string) []string { return windowsEditor(editor, file) }
