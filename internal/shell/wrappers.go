package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// wrapper is a program that runs the command in its arguments.
type wrapper struct {
	grammar
	// operands stand between the options and the command.
	operands int
	// assigns says that NAME=VALUE may stand before the command, after that
	// "--" divides operands from the command.
	assigns, dashes bool
	// script says that the arguments are joined and given to a shell; scripts
	// are options whose value is a script.
	script  bool
	scripts string
	// same says that it runs in the shell itself, remote that it runs where
	// paths mean other files.
	same, remote bool
	// writes and reads are options whose value is a path.
	writes, reads string
	// idle are options with which it runs nothing.
	idle string
	// shell are options with which it starts a shell when no command is given.
	shell string
	// after is a subcommand that must come first ("exec", "run").
	after string
}

// look runs what follows the options of a wrapper.
func (x wrapper) look(c *call) outcome {
	args := c.args
	if x.after != "" {
		args = x.behind(c, args)
		if args == nil {
			return c.stays()
		}
	}
	g := x.grammar
	g.first = true
	p := g.parse(args)
	x.options(c, p)
	rest := p.rest
	if x.idle != "" && p.has(strings.Fields(x.idle)...) {
		return c.stays()
	}
	if x.operands > 0 && len(rest) > 0 {
		rest = rest[min(x.operands, len(rest)):]
		if len(rest) > 0 && rest[0].Static && rest[0].Text == "--" {
			rest = rest[1:]
		}
	}
	if x.scripts != "" && len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
		q := g.parse(rest)
		x.options(c, q)
		rest = q.rest
	}
	var assigns []Assign
	if x.assigns {
		rest, assigns = leading(rest)
	}
	inner := *c.sc
	inner.remote = inner.remote || x.remote
	label := c.name
	if x.script && len(rest) > 0 {
		return c.leave(x, c.scriptIn(&inner, joined(rest), label))
	}
	if len(rest) == 0 {
		if x.shell != "" && p.has(strings.Fields(x.shell)...) {
			return c.fromInput()
		}
		return c.stays()
	}
	end := c.runIn(&inner, rest, label, assigns...)
	if p.odd || p.loose {
		c.unknown("an option of " + c.name + " is not known, so that what it runs cannot be told for certain")
		if len(rest) > 1 {
			again := *c.sc
			again.remote = inner.remote
			c.runIn(&again, rest[1:], label, assigns...)
		}
	}
	return c.leave(x, end)
}

// leave passes an outcome on when the wrapper runs in the shell itself.
func (c *call) leave(x wrapper, end outcome) outcome {
	if x.same {
		return end
	}
	return c.stays()
}

// behind is what stands behind a subcommand; nil when another one is given.
func (x wrapper) behind(c *call, args []Word) []Word {
	p := grammar{short: x.short, long: x.long, flags: "*", longFlags: "*", first: true}.parse(args)
	for _, after := range strings.Split(x.after, "|") {
		words := strings.Fields(after)
		if len(p.rest) <= len(words) {
			continue
		}
		match := true
		for i, w := range words {
			match = match && p.rest[i].Static && p.rest[i].Text == w
		}
		if match {
			return p.rest[len(words):]
		}
	}
	c.mention()
	return nil
}

// options notes what the options of a wrapper run, read and write.
func (x wrapper) options(c *call, p parsed) {
	for _, o := range p.opts {
		switch {
		case x.scripts != "" && o.has && o.is(strings.Fields(x.scripts)...):
			inner := *c.sc
			inner.remote = inner.remote || x.remote
			c.scriptIn(&inner, o.val, c.word(o.name))
		case x.writes != "" && o.has && o.is(strings.Fields(x.writes)...):
			c.write(o.val)
		case x.reads != "" && o.has && o.is(strings.Fields(x.reads)...):
			c.read(o.val)
		}
	}
}

// leading takes assignments from the front of arguments.
func leading(words []Word) ([]Word, []Assign) {
	var out []Assign
	for len(words) > 0 {
		head := words[0].Text
		if !words[0].Static {
			head = words[0].Head
		}
		name, _, ok := strings.Cut(head, "=")
		if !ok || !syntax.ValidName(name) {
			break
		}
		w := words[0].after(len(name) + 1)
		out = append(out, Assign{Name: name, Value: w.Shown, Static: w.Static, Subst: w.Subst})
		words = words[1:]
	}
	return words, out
}

// wrappers by name.
var wrappers = map[string]wrapper{
	"sudo": {
		grammar: grammar{
			short: "ugpCrtTUDRhac", long: "user group prompt close-from role type command-timeout other-user chdir chroot host auth-type login-class",
			flags: "AbBEeHiKklnPSsvV", longFlags: "askpass background bell preserve-env edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell validate version",
		},
		assigns: true, idle: "l v V K e", shell: "s i shell login",
	},
	"doas":     {grammar: grammar{short: "uCa", flags: "Lns"}, assigns: true},
	"pkexec":   {grammar: grammar{long: "user", longFlags: "disable-internal-agent keep-cwd"}},
	"command":  {grammar: grammar{flags: "pvV"}, same: true, idle: "v V"},
	"builtin":  {same: true},
	"exec":     {grammar: grammar{short: "a", flags: "cl"}},
	"nohup":    {},
	"time":     {grammar: grammar{short: "fo", long: "format output", flags: "apvqlh", longFlags: "append portability verbose quiet"}, writes: "o output"},
	"gtime":    {grammar: grammar{short: "fo", long: "format output", flags: "apvq", longFlags: "append portability verbose quiet"}, writes: "o output"},
	"timeout":  {grammar: grammar{short: "ks", long: "kill-after signal", flags: "vfp", longFlags: "foreground preserve-status verbose"}, operands: 1},
	"gtimeout": {grammar: grammar{short: "ks", long: "kill-after signal", flags: "vfp", longFlags: "foreground preserve-status verbose"}, operands: 1},
	"nice":     {grammar: grammar{short: "n", long: "adjustment", flags: "0123456789"}},
	"ionice":   {grammar: grammar{short: "cnpPu", long: "class classdata pid pgid uid", flags: "t", longFlags: "ignore"}, idle: "p P u"},
	"chrt":     {grammar: grammar{short: "TPD", long: "sched-runtime sched-period sched-deadline", flags: "bdfiorRamvp", longFlags: "batch deadline fifo idle other rr reset-on-fork all-tasks max verbose pid"}, operands: 1, idle: "m p"},
	"taskset":  {grammar: grammar{flags: "acp", longFlags: "all-tasks cpu-list pid"}, operands: 1, idle: "p"},
	"numactl":  {grammar: grammar{short: "NmiCpb", long: "cpunodebind membind interleave physcpubind preferred", flags: "laHs", longFlags: "localalloc all hardware show"}},
	"stdbuf":   {grammar: grammar{short: "ioe", long: "input output error"}},
	"unbuffer": {grammar: grammar{flags: "p"}},
	"setsid":   {grammar: grammar{flags: "cfw", longFlags: "ctty fork wait"}},
	"chroot":   {grammar: grammar{long: "userspec groups", longFlags: "skip-chdir"}, operands: 1},
	"nsenter": {
		grammar: grammar{
			short: "tSGW", long: "target setuid setgid wdns", flags: "amuinpUCTrwZFe",
			longFlags: "all mount uts ipc net pid user cgroup time root wd no-fork preserve-credentials follow-context env keep-caps",
		},
	},
	"unshare": {
		grammar: grammar{
			short: "SGRwl", long: "map-user map-group map-users map-groups propagation setgroups root wd setuid setgid monotonic boottime load-interp owner",
			flags: "imnpuUCTfrc", longFlags: "mount uts ipc net pid user cgroup time fork kill-child mount-proc map-root-user map-current-user map-auto keep-caps",
		},
	},
	"setpriv": {
		grammar: grammar{
			long:  "ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups securebits pdeathsig selinux-label apparmor-profile landlock-access landlock-rule",
			flags: "d", longFlags: "no-new-privs clear-groups keep-groups init-groups reset-env dump list-caps",
		},
	},
	"prlimit": {grammar: grammar{short: "po", long: "pid output", flags: "*", longFlags: "*"}, idle: "p pid"},
	"flock": {
		grammar: grammar{
			short: "wEc", long: "wait timeout conflict-exit-code command", flags: "snxeuoFv",
			longFlags: "shared nb nonblock nonblocking exclusive unlock close no-fork verbose fcntl",
		}, operands: 1, scripts: "c command",
	},
	"busybox": {grammar: grammar{longFlags: "list list-full install"}},
	"toybox":  {},
	"gosu":    {operands: 1}, "su-exec": {operands: 1}, "setuidgid": {operands: 1}, "chpst": {grammar: grammar{short: "uUbenmdopfrct/", flags: "vP012"}},
	"tini": {grammar: grammar{short: "pe", flags: "svwgl"}}, "dumb-init": {grammar: grammar{short: "r", long: "rewrite", flags: "cv", longFlags: "single-child verbose"}},
	"catchsegv": {}, "fakeroot": {grammar: grammar{short: "lsibc", long: "lib faked", flags: "uhv", longFlags: "unknown-is-real"}},
	"proxychains": {grammar: grammar{short: "f", flags: "q"}}, "proxychains4": {grammar: grammar{short: "f", flags: "q"}}, "torsocks": {grammar: grammar{short: "uaP", flags: "di"}}, "torify": {},
	"dbus-run-session": {grammar: grammar{long: "dbus-daemon config-file"}}, "xvfb-run": {grammar: grammar{short: "efnpsw", long: "error-file auth-file server-num xauth-protocol server-args wait", flags: "al", longFlags: "auto-servernum listen-tcp"}},
	"systemd-run": {grammar: grammar{
		short: "uptHMGE", long: "unit property description slice service-type uid gid nice working-directory setenv on-active on-boot on-calendar timer-property host machine",
		flags: "dqGrPtS", longFlags: "user system scope no-block wait remain-after-exit send-sighup pty pipe quiet collect same-dir shell",
	}},
	"systemd-inhibit": {grammar: grammar{long: "what who why mode", longFlags: "list no-pager"}},
	"caffeinate":      {grammar: grammar{short: "tw", flags: "disum"}},
	"arch":            {grammar: grammar{short: "d", long: "arch", flags: "0123456789abcdefghijklmnopqrstuvwxyz_36486"}},
	"runuser":         {grammar: grammar{short: "ugGscw", long: "user group supp-group shell command session-command whitelist-environment", flags: "lmpfP", longFlags: "login preserve-environment fast pty"}, scripts: "c command session-command", operands: 0},
	"strace":          {grammar: grammar{short: "aeEobISOpsuPXU", long: "output trace expr attach", flags: "cCdDfFhiknqrtTvVwxyYzZ", longFlags: "*"}, writes: "o output", idle: "p"},
	"ltrace":          {grammar: grammar{short: "aAeEoslnpuFxwD", long: "output", flags: "bcCdfhiLrStTV", longFlags: "*"}, writes: "o output", idle: "p"},
	"valgrind":        {grammar: grammar{flags: "dqvh", longFlags: "*"}}, "gdb": {grammar: grammar{short: "xpcd", long: "command pid core directory eval-command init-eval-command init-command ex iex", flags: "*", longFlags: "*"}, reads: "x command"},
	"perf": {after: "stat|record|trace", grammar: grammar{short: "eocFGprICDTtuj", long: "event output", flags: "*", longFlags: "*"}, writes: "o output"},
	"entr": {grammar: grammar{flags: "acdnprsxz"}}, "watchexec": {grammar: grammar{short: "ewfidsE", long: "exts watch filter ignore delay-run signal env shell", flags: "*", longFlags: "*"}},
	"dotenv": {grammar: grammar{short: "efvpc", flags: "o", long: "file"}}, "cross-env": {assigns: true}, "cross-env-shell": {assigns: true, script: true}, "env-cmd": {grammar: grammar{short: "fer", long: "file environments", flags: "*", longFlags: "*"}},
	"op": {after: "run", grammar: grammar{long: "env-file account", longFlags: "*", flags: "*"}}, "doppler": {after: "run", grammar: grammar{short: "pct", long: "project config token command", flags: "*", longFlags: "*"}, scripts: "command"},
	"direnv": {after: "exec", operands: 1}, "mise": {after: "exec|x", dashes: true, grammar: grammar{short: "cCjE", long: "command cd jobs env", flags: "*", longFlags: "*"}, scripts: "c command"}, "asdf": {after: "exec"}, "rtx": {after: "exec|x", dashes: true},
	"poetry": {after: "run", grammar: grammar{short: "CP", long: "directory project", flags: "*", longFlags: "*"}}, "pipenv": {after: "run", grammar: grammar{flags: "*", longFlags: "*"}},
	"uv":    {after: "run|tool run", grammar: grammar{short: "pcmC", long: "python with with-editable with-requirements extra group directory project env-file index index-url package module", flags: "*", longFlags: "*"}},
	"lerna": {after: "exec", script: true, grammar: grammar{long: "scope ignore concurrency since", flags: "*", longFlags: "*"}},
	"pdm":   {after: "run", grammar: grammar{short: "p", long: "project", flags: "*", longFlags: "*"}}, "hatch": {after: "run", script: true, grammar: grammar{short: "ep", long: "env project", flags: "*", longFlags: "*"}}, "rye": {after: "run"},
	"conda": {after: "run", grammar: grammar{short: "np", long: "name prefix cwd", flags: "*", longFlags: "*"}}, "mamba": {after: "run", grammar: grammar{short: "np", long: "name prefix cwd", flags: "*", longFlags: "*"}},
	"bundle": {after: "exec", grammar: grammar{flags: "*", longFlags: "*"}}, "pnpm": {after: "exec", grammar: grammar{short: "CF", long: "dir filter", flags: "*", longFlags: "*"}},
	"yarn": {after: "exec", grammar: grammar{long: "cwd", flags: "*", longFlags: "*"}}, "devbox": {after: "run", grammar: grammar{short: "ce", long: "config env", flags: "*", longFlags: "*"}}, "firejail": {grammar: grammar{flags: "*", longFlags: "*"}},
	"rustup": {after: "run", operands: 1}, "pyenv": {after: "exec"}, "rbenv": {after: "exec"}, "nodenv": {after: "exec"}, "volta": {after: "run", grammar: grammar{long: "node npm yarn", longFlags: "*"}}, "nvm": {after: "exec", operands: 1},
	"docker": {after: "exec|container exec", remote: true, operands: 1, grammar: dockerGrammar}, "podman": {after: "exec|container exec", remote: true, operands: 1, grammar: dockerGrammar}, "nerdctl": {after: "exec", remote: true, operands: 1, grammar: dockerGrammar},
	"lxc": {after: "exec", remote: true, operands: 1}, "rlwrap": {grammar: grammar{short: "bcDefHilmMNnopPqstwzC", flags: "*", longFlags: "*"}}, "winpty": {}, "wsl": {grammar: grammar{short: "du", long: "distribution user cd", flags: "e", longFlags: "*"}}, "setarch": {operands: 1, grammar: grammar{flags: "*", longFlags: "*"}}, "linux64": {grammar: grammar{flags: "*", longFlags: "*"}}, "linux32": {grammar: grammar{flags: "*", longFlags: "*"}}, "noglob": {}, "ccache": {}, "distcc": {}, "sccache": {},
}

var dockerGrammar = grammar{
	short: "euwHclv", long: "env env-file user workdir detach-keys host context config log-level name volume",
	flags: "ditD", longFlags: "detach interactive tty privileged debug tls tlsverify",
}
