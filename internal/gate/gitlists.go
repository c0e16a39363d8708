package gate

import (
	"path"
	"path/filepath"
	"strings"

	"assent/internal/late"
)

// parted reads names that end with zero bytes, as other programs list them.
// Every other byte belongs to a name.
func parted(out []byte) []string {
	var list []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}

// changed is an entry of git's list of changes.
type changed struct {
	// code is the two letters that say what happened, "##" for the branch.
	code string
	// names are the file's name and, of one that was renamed or copied, the one
	// that it had; of the branch what git says of it.
	names []string
}

// parseStatus reads what git status prints in its porcelain form with NUL ends.
// The prefix is the place of the workspace in the repository: git names from
// the top, here names are relative to the workspace. What is no entry, as may be
// where a long list was cut, is left out.
func parseStatus(out []byte, prefix string) []changed {
	var list []changed
	fields := parted(out)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if len(f) < 4 || f[2] != ' ' {
			continue
		}
		c := changed{code: f[:2], names: []string{f[3:]}}
		if c.code != "##" {
			if strings.ContainsAny(c.code, "RC") && i+1 < len(fields) {
				i++
				c.names = append(c.names, fields[i])
			}
			for n := range c.names {
				c.names[n] = fromTop(c.names[n], prefix)
			}
		}
		list = append(list, c)
	}
	return list
}

// fromTop makes a name relative to the top of the repository one that is
// relative to a folder, by its prefix.
func fromTop(name, prefix string) string {
	above := ""
	for !strings.HasPrefix(name, prefix) {
		above += "../"
		if prefix = path.Dir(strings.TrimSuffix(prefix, "/")) + "/"; prefix == "./" || prefix == "//" {
			prefix = ""
		}
	}
	if name = name[len(prefix):]; above+name == "" {
		return "./" // the folder itself
	}
	return above + name
}

// print is the entry as git printed it, but for the names.
func (c changed) print() string { return c.code + " " + strings.Join(c.names, "\x00") + "\x00" }

// topOf reads the answer to where the top of the work tree is and where the
// folder lies in it, one a line; a name may hold line ends itself. It is false
// when the folder does not lie there.
func topOf(out, folder string) (top, prefix string, ok bool) {
	out = strings.TrimSuffix(out, "\n")
	for i, b := range []byte(out) {
		if b != '\n' {
			continue
		}
		top, prefix = filepath.Clean(filepath.FromSlash(out[:i])), out[i+1:]
		if filepath.Join(top, filepath.FromSlash(prefix)) == folder && (top == folder || below(folder, top)) {
			return top, prefix, true
		}
	}
	first, _, _ := strings.Cut(out, "\n")
	return filepath.Clean(filepath.FromSlash(first)), "", false
}

var localFilter = late.Regexp(`(?s)^filter\.(.+)\.(?:clean|smudge|process|required)$`)

// filters reads the names of content filters from a list of configured keys.
// bad is one that no option can name, empty when there is none.
func filters(out []byte) (list []string, bad string) {
	for _, key := range parted(out) {
		m := localFilter().FindStringSubmatch(key)
		if m == nil {
			continue
		}
		if strings.ContainsAny(m[1], "=\n") {
			return nil, m[1]
		}
		list = append(list, m[1])
	}
	return list, ""
}
