package shell

import (
	"path"
	"strconv"
	"strings"

	"assent/internal/late"
)

// patchHeader is a line of a patch that names a file. patch also reads patches
// that are indented or quoted in a text.
var patchHeader = late.Regexp(`(?m)^([ \t>X-]*?)((?:---|\+\+\+|rename to|rename from|rename old|rename new|copy to|diff --git) +|Index: *)([^\t\n]+)`)

// otherPatch is a line of a patch in another format, or a name in quotes.
var otherPatch = late.Regexp(`(?m)^[ \t>X-]*(?:\*\*\*|(?:(?:---|\+\+\+|rename to|rename new|copy to|diff --git) +|Index: *)")`)

// patched notes the files that the text of a patch names, with so many leading
// parts of their paths taken off as an option says. ok is false when the text
// is not understood as a whole; what it names plainly is noted all the same.
func (c *call) patched(text string, strip int, dir string) (ok bool) {
	seen := map[string]bool{}
	whole := !otherPatch().MatchString(text)
	for _, m := range patchHeader().FindAllStringSubmatch(text, -1) {
		whole = whole && m[1] == ""
		names := []string{m[3]}
		if strings.HasPrefix(m[2], "diff --git") {
			if names = strings.SplitN(m[3], " b/", 2); len(names) != 2 {
				whole = false // where the first name ends cannot be told
				continue
			}
			names[1] = "b/" + names[1]
		}
		plain := strings.HasPrefix(m[2], "rename") || strings.HasPrefix(m[2], "copy")
		for _, name := range names {
			if name = strings.TrimSpace(name); name == "/dev/null" {
				continue
			}
			for _, n := range stripped(name, strip, plain) {
				if n = path.Join(dir, n); !seen[n] {
					seen[n], ok = true, true
					c.write(literal(n))
				}
			}
		}
	}
	return ok && whole
}

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

// folderOption is the folder that an option names, and whether it is known.
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
