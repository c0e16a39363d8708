package shell

import (
	"slices"
	"strings"
)

// gitCall is git: options before the subcommand and configuration can run
// programs, subcommands read and write files by their arguments.
func gitCall(c *call) outcome {
	inner := *c.sc
	g := globals["git"]
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("c") && o.has, o.is("config-env"):
			c.gitConfig(o.val)
		case o.is("C"):
			inner.dirs = (&call{sc: &inner}).into(o.val)
			if inner.dirs.unknown {
				c.unknown("the folder of git -C cannot be known before it runs")
			}
		case o.is("exec-path") && o.has:
			c.unknown("git --exec-path runs the programs of another folder")
		case o.is("git-dir", "work-tree"):
			c.unknown("git " + o.name + " works on another repository, whose configuration can run programs")
		}
	}
	if p.loose && !(len(p.rest) > 0 && p.rest[0].Static) {
		c.unknown("the subcommand of git cannot be known before it runs")
	}
	if len(p.rest) == 0 {
		return c.stays()
	}
	sub := p.rest[0]
	if !sub.Static {
		c.unknown("the subcommand of git cannot be known before it runs")
		return c.stays()
	}
	at := &call{r: c.r, sc: &inner, index: c.index, name: "git " + sub.Text, args: p.rest[1:]}
	if p.has("C") {
		c.command().placed(inner.dirs)
	}
	if value, ok := c.r.aliases[sub.Text]; ok {
		at.gitAlias(value, at.args)
	}
	at.gitSub(sub.Text)
	return c.stays()
}

// gitRunning are the beginnings of configuration keys whose value is a
// program, or leads to one.
var gitRunning = []string{
	"alias.", "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.hookspath", "core.askpass",
	"core.gitproxy", "core.attributesfile", "core.alternaterefscommand", "core.worktree", "sequence.editor", "pager.", "diff.external",
	"diff.guitool", "merge.guitool", "credential.", "filter.", "gpg.", "user.signingkey", "include.", "includeif.", "remote.", "url.",
	"protocol.", "uploadpack.", "receive.", "interactive.difffilter", "browser.", "web.browser", "man.", "help.browser", "instaweb.",
	"sendemail.", "imap.", "ssh.", "difftool.", "mergetool.", "merge.", "init.templatedir", "commit.template", "trailer.", "tar.",
	"submodule.", "fetch.", "safe.", "http.proxy", "http.sslcert", "http.sslkey", "http.cookiefile", "extensions.", "hook.", "maintenance.", "lfs.", "trace2.", "help.autocorrect", "guitool.",
}

// gitConfig looks at key=value of git -c.
func (c *call) gitConfig(w Word) {
	head := w.Text
	if !w.Static {
		head = w.Head
	}
	key, value, set := strings.Cut(head, "=")
	if key = strings.ToLower(key); slices.Contains(gitFiles, key) && value != "" {
		c.read(literal(value))
	}
	running := !set && !w.Static
	for _, k := range gitRunning {
		running = running || strings.HasPrefix(key, k)
	}
	if strings.HasPrefix(key, "diff.") && (strings.HasSuffix(key, ".command") || strings.HasSuffix(key, ".textconv")) {
		running = true
	}
	if !running {
		return
	}
	if key == "core.pager" && (value == "" || value == "cat") && w.Static || strings.HasPrefix(key, "pager.") && (value == "false" || value == "cat") {
		return
	}
	c.unknown(strings.TrimSpace("git -c "+key) + " can run another program")
	switch {
	case strings.HasPrefix(key, "alias."):
		c.r.aliases[key[len("alias."):]] = value
		if script, ok := strings.CutPrefix(value, "!"); ok {
			c.also(script)
		} else if value != "" {
			c.also("git " + value)
		}
	case value != "":
		c.suspect(value)
	}
}

// gitFiles are settings whose value is a file that git reads, and may show.
var gitFiles = []string{"core.excludesfile", "core.attributesfile", "mailmap.file", "commit.template", "include.path", "blame.ignorerevsfile", "diff.orderfile", "format.signaturefile"}

// gitShort are the single letters with a value of subcommands.
var gitShort = map[string]string{
	"log": "LSGoO", "show": "LSGoO", "diff": "LSGoO", "whatchanged": "LSGoO", "rev-list": "", "status": "", "branch": "u", "tag": "mFu",
	"shortlog": "", "reflog": "", "stash": "m", "describe": "", "merge": "msXF", "checkout": "bB", "switch": "cC", "reset": "", "add": "",
	"rm": "", "mv": "", "push": "o", "pull": "sXo", "fetch": "jo", "rev-parse": "", "grep": "efABCm", "clone": "obucj", "config": "f",
	"commit": "mFCct", "notes": "mFCc", "worktree": "bB", "blame": "LSM", "apply": "pC", "am": "pC", "cat-file": "", "init": "b",
}

// gitReaching are subcommands that run other programs by their nature, serve
// or take what others send.
var gitReaching = map[string]bool{
	"send-email": true, "instaweb": true, "web--browse": true, "daemon": true, "imap-send": true, "hook": true, "fast-import": true,
	"http-backend": true, "shell": true, "cvsserver": true, "cvsimport": true, "p4": true, "svn": true, "gui": true, "citool": true, "for-each-repo": true,
	"upload-archive": true, "receive-pack": true, "upload-pack": true, "difftool": true, "mergetool": true, "quiltimport": true, "archimport": true, "submodule--helper": true,
}

// gitSub looks at a subcommand and its arguments.
func (c *call) gitSub(sub string) {
	g := grammar{
		short: "nLSGOomFCUMtbsuXCq", long: "output format pretty since until after before author grep max-count contents ignore-revs-file upload-pack receive-pack exec orderfile message file template cleanup date reuse-message reedit-message fixup squash trailer depth branch origin config reference separate-git-dir export-marks add-file jobs recurse-submodules server-option shallow-since shallow-exclude filter strategy strategy-option pathspec-from-file prefix remote onto extcmd tool to cc from smtp-server tree-filter index-filter msg-filter env-filter commit-filter parent-filter tag-name-filter subdirectory-filter object-dir build-fake-ancestor",
		flags: "*", longFlags: "*",
	}
	if short, ok := gitShort[sub]; ok {
		g.short = short
	}
	if gitReaching[sub] || strings.HasPrefix(sub, "credential") || strings.HasPrefix(sub, "remote-") {
		c.unknown("git " + sub + " runs other programs or reaches other places")
	}
	p := g.parse(c.args)
	c.gitOptions(sub, p)
	c.gitHands(sub, p)
	if p.loose && gitOptionsMatter(sub) {
		c.unknown("an argument of git " + sub + " cannot be known before it runs, and could be an option that runs or writes something")
	}
	switch sub {
	case "config":
		c.gitConfigSub()
	case "filter-branch":
		for _, o := range p.opts {
			if o.has && strings.HasSuffix(o.name, "-filter") {
				c.script(o.val, "git filter-branch")
			}
		}
	case "rebase":
		c.gitRebase()
	case "bisect":
		c.gitBisect(p)
	case "submodule":
		if words := restAfter(c.args, "foreach"); words != nil {
			for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
				words = words[1:]
			}
			if len(words) == 1 {
				c.script(words[0], "git submodule foreach")
			} else {
				c.run(words, "git submodule foreach")
			}
		}
	case "clone", "init", "worktree":
		c.gitPlaces(sub, p.rest)
	case "grep", "log", "show", "diff", "blame", "cat-file", "stash", "archive", "annotate", "whatchanged", "format-patch", "checkout", "restore", "rm", "mv", "hash-object", "add", "apply", "am":
		c.gitPaths(sub, p, p.has("e", "f"))
	}
	c.gitHistory(sub, p)
	c.gitChanges(sub, p)
	c.gitPatch(sub, p)
	switch sub {
	case "clone", "fetch", "pull", "push", "ls-remote", "remote", "archive", "submodule":
		for _, w := range p.rest {
			if strings.HasPrefix(w.Text, "ext::") || strings.HasPrefix(w.Text, "fd::") {
				c.unknown("a remote of git that begins with ext:: runs a command")
				c.also(strings.TrimPrefix(w.Text, "ext::"))
			}
		}
	}
}

// gitOptions looks at options that run, write or read.
func (c *call) gitOptions(sub string, p parsed) {
	for _, o := range p.opts {
		switch {
		case o.is("upload-pack", "receive-pack", "exec") && o.has, sub == "clone" && o.is("u") && o.has:
			c.unknown("git " + sub + " " + o.name + " runs another program")
			c.script(o.val, "git "+o.name)
		case o.is("open-files-in-pager"), sub == "grep" && o.is("O"):
			c.unknown("git grep " + o.name + " runs another program")
			if o.has && o.val.Text != "" {
				c.script(o.val, "git grep "+o.name)
			}
		case o.is("ext-diff", "textconv") && o.name != "--ext", sub == "cat-file" && o.is("filters"), o.is("extcmd"), sub == "difftool" && o.is("x"):
			c.unknown("git " + sub + " " + o.name + " runs another program")
			if o.has {
				c.script(o.val, "git "+o.name)
			}
		case o.is("output") && o.has, sub == "archive" && o.is("o"), sub == "format-patch" && o.is("o"):
			c.unknown("git " + sub + " " + o.name + " writes a file")
			c.write(o.val)
		case o.is("separate-git-dir") && o.has:
			c.unknown("git " + sub + " --separate-git-dir keeps the repository elsewhere")
			c.write(o.val)
		case sub == "archive" && o.is("add-file") && o.has, sub == "grep" && o.is("f") && o.has:
			c.read(o.val)
		case (sub == "commit" || sub == "commit-tree" || sub == "tag" || sub == "notes" || sub == "merge") && o.is("F", "file", "t", "template") && o.has, o.is("pathspec-from-file") && o.has:
			c.read(o.val)
		case (sub == "clone" || sub == "submodule" || sub == "init") && o.is("c", "config", "template"):
			if !o.is("template") {
				c.gitConfig(o.val)
			}
			if o.is("template") {
				c.unknown("git " + sub + " --template brings hooks")
			}
		case sub == "archive" && o.is("remote") && strings.HasPrefix(o.val.Text, "ext::"):
			c.unknown("a remote of git that begins with ext:: runs a command")
		case sub == "cat-file" && o.is("batch", "batch-check", "batch-command"):
			c.file(File{}, dynamic("objects that git cat-file is given"))
		case sub == "apply" && o.is("unsafe-paths"), sub == "config" && o.is("e", "edit"), sub == "replace" && o.is("edit"):
			c.unknown("git " + sub + " " + o.name + " runs or writes something that its text does not tell")
		case o.is("O", "orderfile") && o.has, o.is("contents", "ignore-revs-file") && o.has,
			sub == "fmt-merge-msg" && o.is("F", "file") && o.has, (sub == "blame" || sub == "annotate") && o.is("S") && o.has:
			c.read(o.val)
		case o.is("strategy") && o.has, (sub == "merge" || sub == "pull" || sub == "rebase") && o.is("s") && o.has:
			if !gitStrategies[o.val.Text] || !o.val.Static {
				c.unknown("git " + sub + " " + o.name + " runs the program of another strategy")
			}
		case sub == "checkout-index" && o.is("prefix") && o.has:
			c.write(o.val)
		case sub == "rebase" && o.is("x", "exec"):
			c.unknown("git rebase --exec runs a command")
			if o.has {
				c.script(o.val, "git rebase --exec")
			}
		case (sub == "log" || sub == "blame") && o.is("L") && o.has:
			if _, name, ok := strings.Cut(o.val.Text, ":"); ok {
				c.read(literal(name))
			}
		}
	}
}

// gitRebase is what rebase runs: -x takes a value, which the grammar does not
// know.
func (c *call) gitRebase() {
	for i, w := range c.args {
		if w.Text == "-x" && i+1 < len(c.args) {
			c.script(c.args[i+1], "git rebase -x")
		}
	}
}

// gitBisect is what bisect runs: a program for each commit, or what is to show
// those that are left, which is a subcommand of git's or a program named after it.
func (c *call) gitBisect(p parsed) {
	if len(p.rest) == 0 || !p.rest[0].Static {
		return
	}
	sub := p.rest[0].Text
	words := restAfter(c.args, sub)
	if len(words) == 0 {
		return
	}
	switch sub {
	case "run":
		c.run(words, "git bisect run")
	case "view", "visualize":
		if text := words[0].Text; !strings.HasPrefix(text, "-") {
			c.unknown("git bisect " + sub + " runs another program")
			if !strings.HasPrefix(text, "git") && !strings.HasPrefix(text, "tig") {
				words = append([]Word{literal("git")}, words...)
			}
			c.run(words, "git bisect "+sub)
		}
	}
}

// gitOptionsMatter says whether an option of a subcommand could run or write.
func gitOptionsMatter(sub string) bool {
	switch sub {
	case "commit", "add", "checkout", "switch", "merge", "cherry-pick", "revert", "tag", "branch", "status", "rev-parse", "merge-base", "describe", "show-ref", "cat-file", "ls-tree", "ls-files", "update-index", "worktree", "stash", "reset", "restore", "rm", "mv", "blame":
		return false
	}
	return true
}

// gitPlaces notes where a subcommand puts a new repository or worktree.
func (c *call) gitPlaces(sub string, words []Word) {
	switch {
	case sub == "clone" && len(words) > 1:
		c.write(words[1])
	case sub == "init" && len(words) > 0:
		c.write(words[0])
	case sub == "worktree" && len(words) > 1 && (words[0].Text == "add" || words[0].Text == "move"):
		c.write(words[min(len(words)-1, map[string]int{"add": 1, "move": 2}[words[0].Text])])
	}
}

// gitPaths notes the files that a subcommand shows. A path may follow a
// revision and a colon.
func (c *call) gitPaths(sub string, p parsed, given bool) {
	words := p.rest
	if sub == "grep" {
		if !given {
			words = words[min(1, len(words)):]
		}
		files, ok := pathspecs(words)
		if !ok || slices.ContainsFunc(words, revision) && restAfter(c.args, "--") == nil {
			files = append(files, File{Path: ".", Tree: true, Past: true})
		}
		for _, f := range files {
			f.Command = c.index
			f.Tracked = !p.has("untracked", "no-index", "recurse-submodules")
			c.r.place(f, c.sc)
		}
		return
	}
	switch sub {
	case "checkout", "restore", "rm", "mv":
		c.write(words...)
		if sub == "mv" {
			c.read(words...) // under another name it could be read
		}
		return
	}
	if sub == "diff" && p.has("no-index") {
		for _, w := range words {
			c.file(File{Tree: true}, w)
		}
		return
	}
	for _, w := range words {
		text := w.Text
		if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.Contains(text, "://") && i+1 < len(text) {
			c.read(literal(strings.TrimPrefix(text[i+1:], "./")))
			continue
		}
		if sub == "add" {
			continue
		}
		c.read(w)
	}
}

// pathspecs are the trees that operands of git stand for. In a pattern of git
// every sign of one also stands for a slash and for a dot at the start.
func pathspecs(words []Word) ([]File, bool) {
	var out []File
	var plain []Word
	for _, w := range words {
		first, last := strings.IndexAny(w.Text, "*?["), strings.LastIndexAny(w.Text, "*?[]")
		if !w.Static || first < 0 || strings.HasPrefix(w.Text, ":") || strings.HasPrefix(w.Text, "-") {
			plain = append(plain, w)
			continue
		}
		dir := "."
		if slash := strings.LastIndexByte(w.Text[:first], '/'); slash > 0 {
			dir = w.Text[:slash]
		}
		end := w.Text[last+1:]
		out = append(out, File{Path: dir, Tree: true, Only: []string{"*" + end[strings.LastIndexByte(end, '/')+1:]}})
	}
	if len(plain) == 0 && len(out) > 0 {
		return out, true
	}
	rest, ok := operandTrees(plain)
	return append(out, rest...), ok
}

// restAfter is what follows a word.
func restAfter(words []Word, word string) []Word {
	for i, w := range words {
		if w.Static && w.Text == word {
			return words[i+1:]
		}
	}
	return nil
}
