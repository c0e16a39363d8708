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
	case "nc", "ncat", "netcat":
		p := grammar{short: "ecpswiXxoqIOTVMGb", long: "exec sh-exec lua-exec", flags: "*", longFlags: "*"}.parse(c.args)
		for _, o := range p.opts {
			if o.has && (o.is("e", "c") || o.exact && o.is("exec", "sh-exec", "lua-exec")) {
				c.unknown(c.word(o.name) + " runs a program for whoever connects")
				c.also(o.val.Text)
			}
		}
		c.command().Opaque = true
		c.mention()
	case "coreutils":
		for i, w := range c.args {
			if name, ok := strings.CutPrefix(w.Text, "--coreutils-prog="); ok {
				c.run(append([]Word{literal(name)}, c.args[i+1:]...), "coreutils")
				return c.stays()
			}
		}
		c.command().Opaque = true
		c.mention()
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
		every.first, every.long = false, every.long+" dir cwd node-options userconfig globalconfig viewer editor git init-module shell"
		for _, o := range every.parse(args).opts {
			switch {
			case o.exact && o.is("script-shell", "viewer", "editor", "git", "shell", "init-module"):
				c.unknown(c.word(o.name) + " runs another program")
			case o.exact && o.is("node-options", "userconfig", "globalconfig"):
				c.unknown(c.word(o.name) + " brings settings that run other programs")
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
		case "explore":
			if words := restAfter(args, "--"); len(words) > 0 {
				c.script(joined(words), c.name+" explore")
			}
			return c.stays()
		case "edit":
			c.unknown(c.name + " edit runs an editor")
			return c.stays()
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
		c.run(versioned(p.rest), c.name)
	}
	return c.stays()
}

// versioned are words whose first names a package, as the program that the
// package brings: without its version.
func versioned(words []Word) []Word {
	name := words[0]
	if i := strings.LastIndexByte(name.Text, '@'); name.Static && i > 0 {
		return append([]Word{literal(name.Text[:i])}, words[1:]...)
	}
	return words
}

// denoCall is deno: a task may be given as text, and what it runs as the name of
// a package.
func denoCall(c *call) outcome {
	if len(c.args) == 0 {
		return c.stays()
	}
	switch sub := c.args[0].Text; sub {
	case "task":
		p := grammar{long: "cwd config", short: "c", flags: "*", longFlags: "*"}.parse(c.args[1:])
		if p.has("eval") && len(p.rest) > 0 {
			c.script(joined(p.rest), "deno task --eval")
			return c.stays()
		}
	case "run", "x", "serve":
		for i, w := range c.args {
			for _, kind := range []string{"npm:", "jsr:"} {
				if name, ok := strings.CutPrefix(w.Text, kind); ok && w.Static {
					c.run(versioned(append([]Word{literal(strings.TrimPrefix(name, "/"))}, c.args[i+1:]...)), "deno "+sub)
					return c.stays()
				}
			}
		}
	}
	return interpreters["deno"].look(c)
}

// forgeCall is the program of a forge: an alias may be a line for a shell.
func forgeCall(c *call) outcome {
	p := globals["gh"].parse(c.args)
	if len(p.rest) > 3 && p.rest[0].Text == "alias" && p.rest[1].Text == "set" {
		line := p.rest[len(p.rest)-1]
		for _, w := range p.rest[2:] {
			if strings.Contains(w.Text, " ") || strings.HasPrefix(w.Text, "!") {
				line = w
			}
		}
		if text, ok := strings.CutPrefix(line.Text, "!"); ok || c.has("--shell") || c.has("-s") {
			c.unknown(c.name + " alias set makes a command of a line for a shell")
			c.also(text)
		}
	}
	c.command().Opaque = true
	c.mention()
	return c.stays()
}
