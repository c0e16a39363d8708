package shell

import (
	"path"
	"strconv"
	"strings"

	"assent/internal/late"
)

// patchHeader is a line of a patch that names a file.
var patchHeader = late.Regexp(`(?m)^(?:---|\+\+\+|\*\*\*|rename to|rename from|copy to|Index:|diff --git) +([^\t\n]+)`)

// patched notes the files that the text of a patch names, with so many leading
// parts of their paths taken off as an option says. ok is false when the text
// is not understood as a whole.
func (c *call) patched(text string, strip int, dir string) (ok bool) {
	if strings.Contains(text, "\n***") || strings.HasPrefix(text, "***") || strings.ContainsRune(text, '"') && quotedName().MatchString(text) {
		return false // another format, and names that are quoted
	}
	for _, m := range patchHeader().FindAllStringSubmatch(text, 256) {
		names := []string{m[1]}
		if strings.HasPrefix(m[0], "diff --git") {
			names = strings.SplitN(m[1], " b/", 2)
			if len(names) == 2 {
				names[1] = "b/" + names[1]
			}
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			if name == "/dev/null" {
				continue
			}
			plain := strings.HasPrefix(m[0], "rename") || strings.HasPrefix(m[0], "copy")
			for _, n := range stripped(name, strip, plain) {
				c.write(literal(path.Join(dir, n)))
				ok = true
			}
		}
	}
	return ok
}

var quotedName = late.Regexp(`(?m)^(?:---|\+\+\+|rename to|copy to|diff --git) +"`)

// stripped is a name without its leading parts. patch without -p takes the last
// part, or the whole where that exists.
func stripped(name string, strip int, plain bool) []string {
	if plain {
		return []string{name}
	}
	parts := strings.Split(name, "/")
	if strip < 0 {
		return []string{name, path.Base(name), strings.Join(parts[min(1, len(parts)-1):], "/")}
	}
	return []string{strings.Join(parts[min(strip, len(parts)-1):], "/")}
}

// patchText is the patch that a command is given, where it is known.
func (c *call) patchText(files []Word) (string, bool) {
	all := ""
	for _, w := range files {
		text, ok := c.content(w)
		if !ok {
			return "", false
		}
		all += text + "\n"
	}
	if len(files) > 0 {
		return all, true
	}
	return c.sc.stdin.text, c.sc.stdin.known
}

// strips is the value of -p, or what holds without it.
func strips(p parsed, without int) int {
	if o, ok := p.get("p", "strip"); ok && o.has {
		if n, err := strconv.Atoi(o.val.Text); err == nil && n >= 0 {
			return n
		}
		return -1
	}
	return without
}

func folderOption(p parsed, names ...string) (dir string, known bool) {
	o, ok := p.get(names...)
	return o.val.Text, !ok || o.has && o.val.Static
}

// editorFile is a command of ed, ex or vi that names a file.
var editorFile = late.Regexp(`^[:\s]*(?:[0-9,.$%;+-]|'[a-z]|/[^/]*/|\?[^?]*\?)*\s*(?:[gv]/[^/]*/)?(w|wq|write|up|update|sav|saveas|x|xit|W|r|read|e|edit|E|f|file|so|source|sp|vs|tabe|tabedit|new)!?\s+(?:>>\s*)?([^!\s|][^|\n]*)`)

// edits notes the files that commands of an editor read or write.
func (c *call) edits(text string) {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		m := editorFile().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := literal(strings.TrimSpace(m[2]))
		switch m[1][0] {
		case 'r', 'e', 'E', 's', 'v', 't', 'n', 'f':
			if strings.HasPrefix(m[1], "sav") {
				c.write(name)
			} else {
				c.read(name)
			}
		default:
			c.write(name)
		}
	}
}
