package guard

import (
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// empties is what removes or empties files by another way than rm: packers
// that take their files away, mirrors, truncation of whatever a pattern or a
// list stands for, moves to nowhere, other systems of versions.
func empties(v view) *finding {
	switch v.name {
	case "tar", "gtar":
		if slices.ContainsFunc(v.args, func(a string) bool { return len(a) > len("--re") && strings.HasPrefix("--remove-files", a) }) {
			return packed
		}
	case "zip":
		if slices.ContainsFunc(v.args, func(a string) bool {
			return hasOption(a, "m", "move") && !strings.HasPrefix(a, "-P") && !strings.HasPrefix(a, "-t")
		}) {
			return packed
		}
	case "7z", "7za", "7zz":
		if slices.Contains(v.args, "-sdel") {
			return packed
		}
	case "rclone":
		if len(v.args) > 0 && slices.Contains([]string{"purge", "delete", "deletefile", "sync", "rmdirs", "cleanup"}, v.args[0]) {
			return no("rclone " + v.args[0] + " deletes files")
		}
	case "truncate", "gtruncate":
		if !v.grows() && v.many() {
			return no("it empties whatever the pattern or the list stands for")
		}
	case "mv", "gmv":
		if slices.Contains(v.args, "/dev/null") {
			return no("what is moved to /dev/null cannot be brought back")
		}
	case "cp", "gcp", "tee":
		blank := v.name == "tee" && v.nothingIn() || v.name != "tee" && slices.Contains(v.args, "/dev/null")
		if blank && v.many() {
			return no("it empties whatever the pattern or the list stands for")
		}
	case "remove-item", "ri", "del", "erase", "rd", "rmdir":
		if v.name != "rmdir" && v.option("rf") || slices.ContainsFunc(v.args, func(a string) bool {
			return v.name != "rmdir" && strings.HasPrefix(strings.ToLower(a), "-r") || v.name == "rmdir" && strings.EqualFold(a, "-recurse") || a == "/s" || a == "/S"
		}) {
			return no("a recursive or forced delete cannot be undone")
		}
	case "hg", "svn":
		return otherVersions(v)
	}
	return nil
}

var packed = &finding{"it deletes every file that it packs", "pack the files without that option, or " + byUser}

// grows says whether the size that truncate is given is one that adds to a
// file. Of several the last counts; names of files may begin as such sizes do.
func (v view) grows() bool {
	size := ""
	for i := 0; i < len(v.args) && v.args[i] != "--"; i++ {
		a := v.args[i]
		name, value, given := strings.Cut(a, "=")
		switch {
		case strings.HasPrefix(a, "--"):
			if len(name) < len("--s") || !strings.HasPrefix("--size", name) {
				continue
			}
		case strings.HasPrefix(a, "-") && strings.IndexByte(a, 's') > 0 && strings.Trim(a[1:strings.IndexByte(a, 's')], "co") == "":
			value = a[strings.IndexByte(a, 's')+1:]
			given = value != ""
		default:
			continue
		}
		if !given && i+1 < len(v.args) {
			i++
			value = v.args[i]
		}
		size = value
	}
	return strings.HasPrefix(size, "+") || strings.HasPrefix(size, ">")
}

// many says whether the command is given whatever a pattern, a walk or a list
// of files stands for.
func (v view) many() bool {
	return v.listed() || slices.ContainsFunc(v.c.Words[1:], func(w shell.Word) bool { return w.Glob })
}

// nothingIn says whether the command's input is known to be empty.
func (v view) nothingIn() bool {
	if v.c.HasStdin && v.c.Stdin == "" {
		return true
	}
	return slices.ContainsFunc(v.c.PipedFrom, func(i int) bool {
		c := &v.script.Commands[i]
		return len(c.Words) > 0 && (c.Words[0].Text == ":" || c.Words[0].Text == "true" || len(c.Words) == 2 && c.Words[1].Text == "/dev/null")
	})
}

// otherVersions is what throws changes away in systems other than git.
func otherVersions(v view) *finding {
	sub := shell.Subcommand(append([]string{v.name}, v.args...))
	if len(sub) < 2 {
		return nil
	}
	lost := false
	switch v.name + " " + sub[1] {
	case "hg purge", "hg clean", "hg strip":
		lost = true
	case "hg revert":
		lost = v.option("aC", "all", "no-backup")
	case "hg update", "hg up", "hg checkout", "hg co":
		lost = v.option("C", "clean")
	case "svn revert":
		lost = v.option("R", "recursive", "depth") || slices.ContainsFunc(sub[2:], func(a string) bool { return whole(path.Clean(a)) })
	case "svn cleanup":
		lost = v.option("", "remove-unversioned", "remove-ignored")
	case "svn delete", "svn del", "svn remove", "svn rm":
		lost = v.option("", "force")
	}
	if lost {
		return no("it throws away what was not committed")
	}
	return nil
}

// emptied is a redirection of nothing into whatever a pattern stands for.
func emptied(c Call) *Refusal {
	for _, f := range c.Plan.Script.Files {
		if !f.Redirect || !f.Glob || f.Command < 0 || f.Command >= len(c.Plan.Script.Commands) {
			continue
		}
		v := newView(&c, c.Plan.Script, f.Command)
		if v.name == ":" || v.name == "true" || v.name == "cat" && slices.Equal(v.args, []string{"/dev/null"}) {
			return &Refusal{Guard: Destructive, Part: v.c.Text + " > " + f.Path, Reason: "it empties whatever the pattern stands for", Instead: byUser}
		}
	}
	return nil
}
