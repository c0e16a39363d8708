package shell

import "strings"

// gofmtCall is gofmt and its kin: with -w the files that it is given are
// written, and those below the folders.
func gofmtCall(c *call) outcome {
	writes := false
	var operands []Word
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		head := w.Text
		if !w.Static {
			head = w.Head
			if head == "" && w.Made && !w.listing {
				c.unknown("an argument of " + c.name + " cannot be known before it runs, and could be an option that writes something")
			}
		}
		if !strings.HasPrefix(head, "-") {
			operands = append(operands, w)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(head, "-"), "=")
		next := Word{}
		switch {
		case given:
			next = w.after(len(head) - len(value))
		case i+1 < len(c.args):
			next = c.args[i+1]
		}
		switch name {
		case "w":
			writes = writes || !given || strings.Trim(value, "fFalseALSE0") != ""
		case "cpuprofile", "memprofile", "trace":
			c.write(next)
		case "r", "local", "srcdir", "lang", "modpath", "memrate":
		default:
			continue
		}
		if !given && name != "w" {
			i++
		}
	}
	if !writes {
		c.mention()
		return c.stays()
	}
	for _, w := range operands {
		c.file(File{Write: true, Tree: true, Mention: true, Only: []string{"*.go"}}, w)
	}
	return c.stays()
}
