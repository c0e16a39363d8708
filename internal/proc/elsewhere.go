package proc

import "strings"

// What Windows decides differently, as functions of words, so that their tests
// run on every system. The files of that system use them.

// windowsShell chooses the shell for a command: $SHELL when it is one that
// reads the language that command lines are parsed as, else a bash, else none.
// get reads a variable, find gives the path of a program. The bash of the
// system folder starts another system (WSL) with other paths; the one of Git
// for Windows is what scripts expect. cmd.exe is no way out: a command is
// judged in the language of sh, and what is one word there can be two commands
// here.
func windowsShell(get func(string) string, find func(string) (string, bool), command string) ([]string, error) {
	if s := get("SHELL"); s != "" && knownShell(s) {
		if found, ok := find(s); ok {
			return []string{found, "-c", command}, nil
		}
	}
	if found, ok := find("bash"); ok && !within(get("SystemRoot"), found) {
		return []string{found, "-c", command}, nil
	}
	for _, dir := range []string{get("ProgramFiles"), get("LocalAppData")} {
		for _, below := range []string{`Git\bin\bash.exe`, `Programs\Git\bin\bash.exe`} {
			if dir == "" {
				continue
			}
			if found, ok := find(windowsPath(dir, below)); ok {
				return []string{found, "-c", command}, nil
			}
		}
	}
	return nil, ErrNoShell
}

// windowsPath joins two parts of a path.
func windowsPath(dir, below string) string { return strings.TrimRight(dir, `\/`) + `\` + below }

// within reports whether a path lies in a folder, without regard to case and to
// which way a slash leans.
func within(dir, path string) bool {
	flat := func(s string) string { return strings.TrimRight(strings.ToLower(strings.ReplaceAll(s, "/", `\`)), `\`) }
	return dir != "" && strings.HasPrefix(flat(path)+`\`, flat(dir)+`\`)
}

// base is the last part of a path in the form of either system.
func base(path string) string { return path[strings.LastIndexAny(path, `\/`)+1:] }

// windowsEditor splits the command line of an editor at blanks outside quotes,
// since there is no shell that does; the file's name follows.
func windowsEditor(editor, file string) []string {
	var argv []string
	quoted := false
	for _, word := range strings.FieldsFunc(editor, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return (r == ' ' || r == '\t') && !quoted
	}) {
		argv = append(argv, strings.ReplaceAll(word, `"`, ""))
	}
	return append(argv, file)
}
