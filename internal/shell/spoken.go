package shell

import (
	"path"
	"slices"
	"strings"
)

// mostSpoken bounds how many texts of one code are looked at.
const mostSpoken = 64

// spoken are the literals of code as the command lines that they could be:
// joined where the code joins them ("rm " + "-rf x"), and a list of literals
// as one line. No language is read for it, so that it works for all and knows
// none well.
func spoken(code string) []string {
	var out []string
	var line, tight strings.Builder // with blanks where the code has commas, and without
	lists := false
	flush := func() {
		for _, text := range []string{line.String(), tight.String()} {
			if text != "" && len(out) < mostSpoken {
				out = append(out, text)
			}
			if !lists {
				break
			}
		}
		line.Reset()
		tight.Reset()
		lists = false
	}
	end := -1
	for i := 0; i < len(code); {
		text, next, ok := literalAt(code, i)
		if !ok {
			i++
			continue
		}
		switch gap := joint(code, end, i); {
		case gap == ",":
			out = append(out, tight.String())
			tight.Reset()
			line.WriteByte(' ')
			lists = true
		case gap == " ": // joined in some languages, a list in others
			line.WriteByte(' ')
			lists = true
		case gap != "+":
			flush()
		}
		line.WriteString(text)
		tight.WriteString(text)
		i, end = next, next
	}
	flush()
	return out
}

// joint is how two literals stand together: "+" joined, "," in a list, " "
// beside each other, "" apart.
func joint(code string, from, to int) string {
	if from < 0 || to-from > 40 {
		return ""
	}
	gap := code[from:to]
	bare := strings.Join(strings.Fields(gap), "")
	switch bare {
	case "":
		return " "
	case "+", ".", "..", "<>", "++", "&", "~", "\\", "||", "*", "^":
		return "+"
	case ",", ",[", "],[", "],", ",{", ",{args:[", ",(", "nilnilnil", "nilnilt", "nil", ",nil,nil,nil,":
		return ","
	}
	return ""
}

// literalAt is the literal that begins at a place, and where it ends. One in
// single or double quotes ends on its line; a quote behind a letter is an
// apostrophe.
func literalAt(code string, i int) (text string, end int, ok bool) {
	rest := code[i:]
	for _, q := range []string{`"""`, "'''", "[["} {
		if body, found := strings.CutPrefix(rest, q); found {
			closing := strings.ReplaceAll(q, "[", "]")
			if n := strings.Index(body, closing); n >= 0 {
				return body[:n], i + len(q) + n + len(closing), true
			}
		}
	}
	quote := code[i]
	if quote != '"' && quote != '\'' && quote != '`' || quote == '\'' && i > 0 && letter(code[i-1]) && !strings.ContainsRune("fFrRbBuUqQ", rune(code[i-1])) {
		return "", 0, false
	}
	var b strings.Builder
	for j := i + 1; j < len(code); j++ {
		switch ch := code[j]; {
		case ch == quote:
			return b.String(), j + 1, true
		case ch == '\n' && quote != '`':
			return "", 0, false
		case ch == '\\' && j+1 < len(code):
			j++
			b.WriteByte(code[j])
		default:
			b.WriteByte(ch)
		}
	}
	return "", 0, false
}

func letter(ch byte) bool {
	return ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || ch == '_'
}

// feared, by the same rule as hosts, are the programs that a literal of code must name to be taken for a
// command line: those that guards look at.
var feared = map[string]bool{
	"rm": true, "git": true, "find": true, "shred": true, "unlink": true, "truncate": true, "chmod": true, "chown": true, "chgrp": true, "dd": true,
	"wipefs": true, "fdisk": true, "parted": true, "tar": true, "rsync": true, "mv": true, "shutdown": true, "reboot": true, "poweroff": true, "halt": true,
	"systemctl": true, "init": true, "terraform": true, "tofu": true, "kubectl": true, "docker": true, "podman": true, "npm": true, "gh": true, "aws": true,
	"dropdb": true, "psql": true, "mysql": true, "curl": true, "wget": true, "sh": true, "bash": true, "sudo": true, "xargs": true, "rimraf": true,
}

// fears says whether a text names such a program among its words.
func fears(text string) bool {
	if !strings.ContainsAny(text, " \t") {
		return false
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n;|&(){}'\"`$", r) }) {
		if name := path.Base(w); feared[name] || strings.HasPrefix(name, "mkfs") {
			return true
		}
	}
	return false
}

// runMarks are what code holds that runs other programs: the call of some
// language, not a word that any text may hold. A row needs a line of code that
// runs as it stands and that no other row finds.
var runMarks = []string{
	"system", "exec", "popen", "spawn", "subprocess", "shell", "call-process", "child_process", "start-process", "process.", "processbuilder", "make-process",
	"cmd", "command(", "command.", "command::", "capture", "open3", "open(", "run(", "run ", "sh(", "qx", "`", ".!", "terminal", "getline",
}

// runsOthers says whether code may run other programs.
func runsOthers(code string) bool {
	lower := strings.ToLower(code)
	return slices.ContainsFunc(runMarks, func(m string) bool { return strings.Contains(lower, m) })
}

// deletes are the ways in which code deletes a tree by itself: all marks of
// one way must be in it.
var deletes = [][]string{
	{"rmSync(", "recursive"},
	{"rmdirSync(", "recursive"},
	{".rmdir(", "recursive"},
	{"fs.rm(", "recursive"},
	{"promises.rm(", "recursive"},
	{"removeSync(", "recursive"},
	{"Deno.remove(", "recursive"},
	{"rm(", "recursive=true"},
	{"rm(", "recursive = true"},
	{"unlink(", "recursive"},
	{"import rmtree"},
	{".rmtree("},
	{"rmtree "},
	{"remove_tree("},
	{"remove_dir"},
	{"remove_entry"},
	{"File.rm_rf"},
	{"delete-directory", " t)"},
	{"file delete", "-force"},
	{"delete(", `"rf"`},
	{"delete(", "'rf'"},
	{"Remove-Item", "-Recurse"},
	{"Directory]::Delete(", "true"},
	{"deltree"},
	{"RemoveAll("},
	{"deleteRecursively("},
}

// walkMarks list what is in a folder, and dropMarks delete single files: code
// with both deletes whatever it finds.
var (
	walkMarks = []string{"glob(", "glob.", "glob ", "rglob(", "os.walk(", "iterdir(", "listdir(", "scandir(", "readdirSync(", "readdir(", "Dir[", "unlink <", "Find.find", "Dir.each"}
	dropMarks = []string{"os.remove(", "os.unlink(", ".unlink(", "unlinkSync(", "unlink ", "unlink(", "File.delete(", "os.removedirs("}
)

// deletesTree says whether code deletes trees, or whatever it finds.
func deletesTree(code string) bool {
	holds := func(m string) bool { return strings.Contains(code, m) }
	lacks := func(m string) bool { return !holds(m) }
	if slices.ContainsFunc(deletes, func(way []string) bool { return !slices.ContainsFunc(way, lacks) }) {
		return true
	}
	return slices.ContainsFunc(walkMarks, holds) && slices.ContainsFunc(dropMarks, holds)
}

// speaks lists the command lines that code may run by its literals, and what
// it deletes itself.
func (c *call) speaks(code string) {
	if deletesTree(code) {
		c.suspect("rm -r -- 'what the code of " + strings.ReplaceAll(c.name, "'", "") + " deletes'")
	}
	texts := spoken(code)
	if !runsOthers(code + "\n" + strings.Join(texts, "\n")) {
		return
	}
	for _, text := range texts {
		if fears(text) {
			c.suspect(strings.Trim(text, "| ")) // perl opens a command with a bar at its end
		}
	}
}
