package shell

import "strings"

// remoteRun lists the command that a container or another machine runs.
func (c *call) remoteRun(words []Word) {
	inner := *c.sc
	inner.remote, inner.dirs = true, dirs{list: []string{""}}
	c.runIn(&inner, words, c.name)
}

// dockerCall is docker and podman: run, exec and compose start commands.
func dockerCall(c *call) outcome {
	p := globals["docker"].parse(c.args)
	rest := p.rest
	if len(rest) > 0 && (rest[0].Text == "compose" || rest[0].Text == "container") {
		q := grammar{short: "fp", long: "file project-name profile env-file project-directory", flags: "*", longFlags: "*", first: true}.parse(rest[1:])
		if o, ok := q.get("env-file"); ok {
			c.file(File{Mention: true}, o.val)
		}
		rest = q.rest
	}
	if len(rest) == 0 {
		return c.stays()
	}
	switch rest[0].Text {
	case "run", "create", "exec":
		g := grammar{
			short: "aceehlmpuvwT",
			long:  "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cidfile cpus cpu-shares cpuset-cpus device dns entrypoint env env-file expose gpus group-add health-cmd hostname ip ipc isolation label link log-driver log-opt mac-address memory mount name network net pid platform publish pull restart runtime security-opt shm-size stop-signal storage-opt sysctl tmpfs ulimit user userns uts volume volumes-from workdir index detach-keys",
			flags: "*", longFlags: "*", first: true,
		}
		q := g.parse(rest[1:])
		for _, o := range q.opts {
			switch {
			case o.is("env-file"):
				c.file(File{Mention: true}, o.val)
			case o.is("v", "volume", "mount") && o.has:
				c.mount(o.val)
			case o.is("entrypoint") && o.has && o.val.Text != "":
				c.remoteRun(append([]Word{o.val}, tailOf(q.rest, 1)...))
			}
		}
		c.remoteRun(tailOf(q.rest, 1))
	case "cp":
		for i, w := range rest[1:] {
			if !strings.Contains(w.Text, ":") {
				c.file(File{Write: i > 0, Tree: i == 0}, w)
			}
		}
	}
	return c.stays()
}

// mount notes the folder here that a container may write.
func (c *call) mount(w Word) {
	text := w.Text
	if _, src, ok := strings.Cut(text, "src="); ok {
		text = src
	} else if _, src, ok := strings.Cut(text, "source="); ok {
		text = src
	}
	host := text[:len(text)-len(strings.TrimLeft(text, "./~"))]
	if host == "" || !w.Static {
		return // the name of a volume
	}
	end := strings.IndexAny(text, ":,")
	if end < 0 {
		end = len(text)
	}
	c.write(literal(text[:end]))
}

func tailOf(words []Word, n int) []Word {
	if len(words) <= n {
		return nil
	}
	return words[n:]
}

// kubectlCall is kubectl, which runs commands elsewhere and reads files here.
func kubectlCall(c *call) outcome {
	p := globals["kubectl"].parse(c.args)
	if len(p.rest) == 0 {
		return c.stays()
	}
	switch p.rest[0].Text {
	case "exec", "run", "debug":
		for i, w := range c.args {
			if w.Static && w.Text == "--" {
				c.remoteRun(c.args[i+1:])
				return c.stays()
			}
		}
		q := grammar{short: "cnf", long: "container namespace filename", flags: "*", longFlags: "*", first: true}.parse(p.rest[1:])
		c.remoteRun(tailOf(q.rest, 1))
	case "cp":
		for i, w := range p.rest[1:] {
			if !strings.Contains(w.Text, ":") {
				c.file(File{Write: i > 0, Tree: i == 0}, w)
			}
		}
	case "apply", "create", "replace", "diff":
		q := grammar{short: "fkn", long: "filename kustomize namespace from-file from-env-file", flags: "*", longFlags: "*"}.parse(p.rest[1:])
		for _, o := range q.opts {
			if o.is("f", "filename", "from-env-file") && !strings.Contains(o.val.Text, "://") {
				c.read(o.val)
			}
			if o.is("from-file") {
				_, v, ok := strings.Cut(o.val.Text, "=")
				if !ok {
					v = o.val.Text
				}
				c.read(literal(v))
			}
		}
	}
	return c.stays()
}

// scriptOptions are programs of which some options or operands are shell text.
func scriptOptions(c *call) outcome {
	switch c.name {
	case "nix-shell":
		p := grammar{short: "pAIE", long: "run command packages attr arg argstr", flags: "*", longFlags: "*"}.parse(c.args)
		for _, o := range p.opts {
			if o.is("run", "command") {
				c.script(o.val, c.word(o.name))
			}
		}
	case "nix":
		for i, w := range c.args {
			if w.Text == "-c" || w.Text == "--command" {
				c.run(c.args[i+1:], "nix -c")
				return c.stays()
			}
		}
	case "hyperfine", "concurrently", "npm-run-all":
		p := grammar{short: "wmMrpcCsSuLDPn", long: "warmup min-runs max-runs runs prepare cleanup setup conclude shell export-json export-markdown export-csv parameter-list parameter-scan names prefix", flags: "*", longFlags: "*"}.parse(c.args)
		for _, o := range p.opts {
			switch {
			case o.is("p", "prepare", "cleanup", "setup", "conclude", "s") && o.has:
				c.script(o.val, c.word(o.name))
			case o.is("export-json", "export-markdown", "export-csv"):
				c.write(o.val)
			}
		}
		for _, w := range p.rest {
			c.script(w, c.name)
		}
	case "nodemon":
		p := grammar{short: "xwei", long: "exec watch ext ignore", flags: "*", longFlags: "*"}.parse(c.args)
		if o, ok := p.get("x", "exec"); ok {
			c.script(o.val, "nodemon --exec")
		}
		if len(p.rest) > 0 {
			c.read(p.rest[0])
		}
	case "vagrant":
		p := grammar{short: "c", long: "command", flags: "*", longFlags: "*"}.parse(c.args)
		if o, ok := p.get("c", "command"); ok {
			inner := *c.sc
			inner.remote = true
			c.scriptIn(&inner, o.val, "vagrant ssh -c")
		}
	case "sshpass":
		p := grammar{short: "pfdP", flags: "*", first: true}.parse(c.args)
		c.run(p.rest, "sshpass")
	}
	return c.stays()
}

// laterCall are programs that run commands at another time.
func laterCall(c *call) outcome {
	if c.name == "crontab" {
		if len(c.args) == 0 || c.args[0].Text != "-l" {
			c.unknown("crontab changes what runs later")
		}
		return c.stays()
	}
	p := grammar{short: "qft", flags: "*"}.parse(c.args)
	if o, ok := p.get("f"); ok {
		c.read(o.val)
		c.unknown("what at runs is in a file")
		if text, ok := c.content(o.val); ok {
			c.script(literal(text), c.name)
		}
	}
	return c.fromInput()
}

// multiplexerCall is tmux and screen, which start shells and type into them.
func multiplexerCall(c *call) outcome {
	typed := false
	for i, w := range c.args {
		switch w.Text {
		case "send-keys", "send", "stuff", "pipe-pane", "run-shell", "run", "if-shell", "respawn-pane", "source-file", "-X", "write-chars":
			c.unknown(c.name + " " + w.Text + " runs a command")
			typed = true
		case "new", "new-session", "neww", "new-window", "split-window", "splitw", "popup", "display-popup":
			p := grammar{short: "ctnsexyFlp", flags: "*", first: true}.parse(c.args[i+1:])
			if len(p.rest) == 1 {
				c.script(p.rest[0], c.name)
			} else if len(p.rest) > 1 {
				c.run(p.rest, c.name)
			}
			return c.stays()
		default:
			if typed && w.Static && strings.Contains(w.Text, " ") {
				c.also(w.Text)
			}
			if i > 0 && typed && c.args[i-1].Text == "exec" {
				c.run(c.args[i:], c.name)
				return c.stays()
			}
		}
	}
	if c.name == "screen" && !typed {
		p := grammar{short: "cehpsStT", flags: "*", first: true}.parse(c.args)
		c.run(p.rest, c.name)
	}
	return c.stays()
}

// packageRunner is npx, npm exec and their like: a package's program, or one of
// the path, is run with arguments.
func packageRunner(c *call) outcome {
	args := c.args
	switch c.name {
	case "npm", "pnpm", "yarn", "bun":
		p := globals["npm"].parse(args)
		every := globals["npm"]
		every.first, every.long = false, every.long+" dir cwd"
		for _, o := range every.parse(args).opts {
			switch {
			case o.exact && o.is("script-shell"):
				c.unknown(c.name + " --script-shell runs another program")
			case o.exact && o.is("prefix", "dir", "cwd"), o.is("C"):
				c.moved([]option{o}, "prefix", "dir", "cwd", "C")
			}
		}
		if len(p.rest) == 0 {
			return c.stays()
		}
		switch p.rest[0].Text {
		case "exec", "x", "dlx":
			args = p.rest[1:]
		case "pkg", "config", "set":
			if c.has("set") && (strings.Contains(c.command().Text, "script") || strings.Contains(c.command().Text, "shell") || strings.Contains(c.command().Text, "editor")) {
				c.unknown(c.name + " " + p.rest[0].Text + " set changes what later commands run")
			}
			return c.stays()
		default:
			return c.stays()
		}
	}
	p := grammar{short: "pcw", long: "package call workspace", flags: "*", longFlags: "*", first: true}.parse(args)
	for _, o := range p.opts {
		if o.is("c", "call") && o.has {
			c.script(o.val, c.word(o.name))
		}
	}
	if len(p.rest) > 0 {
		c.run(p.rest, c.name)
	}
	return c.stays()
}
