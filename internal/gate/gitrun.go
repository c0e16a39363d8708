package gate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// run runs the command without what may not be read.
func (g *git) run() (GitResult, error) {
	switch g.read.Sub {
	case "status":
		return g.status()
	case "diff", "show":
		return g.changes()
	case "log":
		return g.plain(slices.Concat([]string{"log", "--no-color", "--no-show-signature"}, g.read.Flags, g.read.Revs, g.only())...)
	case "blame":
		if len(g.read.Paths) != 1 {
			return GitResult{}, fmt.Errorf("run git blame: give one file")
		}
		path := strings.TrimPrefix(g.specs[0], ":(literal)")
		return g.plain(slices.Concat([]string{"blame", "--no-textconv"}, g.read.Flags, g.commits(), []string{"--", path})...)
	case "branch":
		return g.plain(slices.Concat([]string{"branch", "--no-color", "--no-column", "--list"}, g.read.Flags)...)
	}
	return g.plain(slices.Concat([]string{g.read.Sub}, g.read.Flags, g.read.Revs)...)
}

// only is the pathspec part for commands that show no content: none when the
// whole workspace is meant.
func (g *git) only() []string {
	if len(g.read.Paths) == 0 {
		return []string{"--"}
	}
	return append([]string{"--"}, g.specs...)
}

// commits peels every revision to a commit: the name of a blob would show a
// file without its path, and so past every denial.
func (g *git) commits() []string {
	var list []string
	for _, r := range g.read.Revs {
		list = append(list, r+"^{commit}")
	}
	return list
}

func (g *git) plain(args ...string) (GitResult, error) {
	res, err := g.exec(args...)
	if err != nil {
		return GitResult{}, err
	}
	if res.Exit != 0 {
		return GitResult{}, gitError(g.read.Sub, res)
	}
	return GitResult{Result: res}, nil
}

// changes shows a diff. The changed files are listed first, each is judged as
// a reading tool's path would be, and those that are denied are left out by
// their literal names.
func (g *git) changes() (GitResult, error) {
	sub := []string{g.read.Sub, "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=dirty"}
	staged := []string{}
	if slices.Contains(g.read.Flags, "--staged") {
		staged = append(staged, "--staged")
	}
	list := slices.Concat(sub, staged, []string{"--name-only", "-z", "--no-renames"})
	if g.read.Sub == "show" {
		list = append(list, "--format=")
	}
	res, err := g.plain(slices.Concat(list, g.commits(), []string{"--"}, g.specs)...)
	if err != nil {
		return GitResult{}, err
	}
	var excludes []string
	for _, name := range parted(res.Stdout) {
		if g.hidden(name) {
			excludes = append(excludes, ":(exclude,literal)"+name)
		}
	}
	if res.Truncated > 0 || len(excludes) > mostLeftOut {
		return GitResult{}, fmt.Errorf("run git %s: too many files changed to leave out the denied ones; give a path", g.read.Sub)
	}
	shown, err := g.plain(slices.Concat(sub, g.read.Flags, g.commits(), []string{"--"}, g.specs, excludes)...)
	shown.LeftOut = len(excludes)
	return shown, err
}

// status lists changes in the porcelain form with NUL ends, without the denied
// names.
func (g *git) status() (GitResult, error) {
	res, err := g.plain(slices.Concat(
		[]string{"status", "--porcelain=v1", "-z", "--ignore-submodules=dirty"}, g.read.Flags, []string{"--"}, g.specs)...)
	if err != nil {
		return res, err
	}
	var kept bytes.Buffer
	for _, c := range parseStatus(res.Stdout, g.prefix) {
		if c.code != "##" && slices.ContainsFunc(c.names, g.hidden) {
			res.LeftOut++
			continue
		}
		kept.WriteString(c.print())
	}
	res.Stdout = kept.Bytes()
	res.Output = res.Stdout
	return res, nil
}

// hidden judges a name relative to the workspace root as a reading tool's path
// is judged. A name that cannot be resolved stays hidden.
func (g *git) hidden(name string) bool {
	p, err := g.gate.options.Workspace.Resolve("./"+strings.TrimSuffix(name, "/"), "")
	if err != nil {
		return true
	}
	return g.gate.unreadable(g.tool, p) != nil
}
