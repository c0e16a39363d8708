package shell

import "strings"

// tarCall is tar: an archive that is read or written, members that are read.
func tarCall(c *call) outcome {
	g := grammar{
		short: "fCbFgHIKLNTXV",
		long:  "file directory blocking-factor info-script new-volume-script listed-incremental format use-compress-program starting-file tape-length newer files-from exclude-from exclude label to-command checkpoint-action rsh-command rmt-command transform xform owner group mode mtime strip-components suffix add-file index-file volno-file",
		flags: "*", longFlags: "*",
	}
	args := c.args
	if len(args) > 0 && args[0].Static && !strings.HasPrefix(args[0].Text, "-") {
		args = append([]Word{literal("-" + args[0].Text)}, args[1:]...) // the old style: tar cf x
		// Letters with a value take the words that follow, in their order.
		args = oldStyle(args, g)
	}
	p := g.parse(args)
	inner := *c.sc
	create := p.has("c", "r", "u", "A", "create", "append", "update", "catenate", "concatenate")
	for _, o := range p.opts {
		switch {
		case o.is("C", "directory"):
			inner.dirs = (&call{r: c.r, sc: &inner}).into(o.val)
		case o.is("remove-files"):
			for _, w := range p.rest {
				c.writeTree(w)
			}
		default:
			c.tarOption(o, create)
		}
	}
	if p.loose {
		c.unknown("an argument of tar cannot be known before it runs, and could run a command")
	}
	at := call{r: c.r, sc: &inner, index: c.index, name: c.name}
	switch {
	case create:
		f := File{Tree: true}
		for _, o := range p.opts {
			if o.is("exclude") && o.val.Static {
				f.Except = append(f.Except, o.val.Text)
				f.ExceptDirs = append(f.ExceptDirs, strings.TrimPrefix(o.val.Text, "./"))
			}
		}
		for _, w := range p.rest {
			at.file(f, w)
		}
	case p.has("x", "extract", "get"):
		at.writeTree(literal("."))
	}
	return c.stays()
}

// tarOption looks at an option that runs a program, or names a file.
func (c *call) tarOption(o option, create bool) {
	switch {
	case o.is("I", "use-compress-program", "to-command", "F", "info-script", "new-volume-script", "rsh-command", "rmt-command"):
		c.unknown("tar " + o.name + " runs another program")
		if o.has {
			c.script(o.val, c.word(o.name))
		}
	case o.is("checkpoint-action"):
		c.unknown("tar " + o.name + " can run another program")
		if text, ok := strings.CutPrefix(o.val.Text, "exec="); ok {
			c.also(text)
		}
	case o.is("T", "files-from"):
		c.read(o.val)
		if create {
			c.file(File{}, dynamic("files of tar -T"))
		}
	case o.is("f", "file"):
		if strings.Contains(o.val.Text, ":") {
			c.unknown("tar reaches another machine through a shell")
		}
		if create {
			c.write(o.val)
		} else {
			c.read(o.val)
		}
	case o.is("index-file", "volno-file") && o.has:
		c.unknown("tar " + o.name + " writes a file")
		c.write(o.val)
	case o.is("P", "absolute-names", "absolute-paths"):
		c.unknown("tar " + o.name + " can write anywhere")
	}
}

// oldStyle puts the values of bundled letters behind their letters.
func oldStyle(args []Word, g grammar) []Word {
	var out []Word
	rest := args[1:]
	for _, ch := range args[0].Text[1:] {
		out = append(out, literal("-"+string(ch)))
		if strings.ContainsRune(g.short, ch) && len(rest) > 0 {
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(out, rest...)
}

// rsyncCall is rsync: programs that it runs, files that it reads and writes.
func rsyncCall(c *call) outcome {
	g := grammar{
		short: "efBTM", long: "rsh filter exclude exclude-from include include-from files-from rsync-path temp-dir compare-dest copy-dest link-dest backup-dir suffix log-file password-file out-format write-batch read-batch only-write-batch partial-dir bwlimit timeout max-size min-size chmod chown port sockopts early-input remote-option",
		flags: "*", longFlags: "*",
	}
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("e", "rsh", "rsync-path", "M", "remote-option", "early-input"):
			c.unknown("rsync " + o.name + " runs another program")
			if o.has && o.is("e", "rsh") {
				c.script(o.val, "rsync -e")
			}
		case o.is("files-from", "exclude-from", "include-from", "password-file", "read-batch"):
			c.read(o.val)
		case o.is("log-file", "write-batch", "only-write-batch", "backup-dir"):
			c.write(o.val)
			c.unknown("rsync " + o.name + " writes a file")
		}
	}
	if p.loose {
		c.unknown("an argument of rsync cannot be known before it runs, and could run a command")
	}
	f := File{Tree: p.has("r", "a", "recursive", "archive")}
	for _, o := range p.opts {
		if o.is("exclude") && o.val.Static && !strings.Contains(strings.Trim(o.val.Text, "/"), "/") {
			f.Except = append(f.Except, strings.Trim(o.val.Text, "/"))
			f.ExceptDirs = append(f.ExceptDirs, strings.Trim(o.val.Text, "/"))
		}
	}
	for i, w := range p.rest {
		if strings.Contains(w.Text, ":") && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, ".") {
			continue // another machine's
		}
		if i == len(p.rest)-1 && i > 0 {
			c.file(File{Write: true, Tree: p.has("delete", "delete-after", "delete-before", "del")}, w)
		} else {
			c.file(f, w)
		}
	}
	return c.stays()
}

func ddCall(c *call) outcome {
	for _, w := range c.args {
		head := w.Text
		if !w.Static {
			head = w.Head
		}
		name, _, ok := strings.Cut(head, "=")
		switch {
		case !ok && !w.Static && w.Made:
			c.unknown("an argument of dd cannot be known before it runs")
		case name == "of":
			c.write(w.after(3))
		case name == "if":
			c.read(w.after(3))
		}
	}
	return c.stays()
}

// curlCall is curl: files that are sent, and files that are written.
func curlCall(c *call) outcome {
	g := grammar{
		short: "oOdFTKHuAebcDXmEwxUrCtyYzPQ", long: "output output-dir data data-binary data-raw data-ascii data-urlencode json form form-string upload-file config header proxy-header url-query variable user user-agent referer cookie cookie-jar dump-header request max-time cert key cacert capath write-out proxy proxy-user range continue-at trace trace-ascii stderr netrc-file etag-save etag-compare hsts alt-svc url connect-timeout retry retry-delay resolve interface unix-socket engine libcurl limit-rate oauth2-bearer aws-sigv4",
		flags: "*", longFlags: "*",
	}
	g.short = strings.ReplaceAll(g.short, "O", "")
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("o", "output", "output-dir", "D", "dump-header", "c", "cookie-jar", "trace", "trace-ascii", "stderr", "etag-save", "hsts", "alt-svc", "libcurl"):
			c.write(o.val)
			if !device(o.val, true) && o.val.Text != "-" {
				c.unknown("curl " + o.name + " writes a file")
			}
		case o.is("K", "config", "T", "upload-file", "E", "cert", "key", "cacert", "netrc-file"):
			c.read(o.val)
			if o.is("T", "upload-file") && o.val.Static && strings.ContainsAny(o.val.Text, "{[") { // curl has patterns of its own
				c.file(File{}, Word{Made: true, Shown: o.val.Text})
			}
			if o.is("K", "config") {
				c.unknown("curl " + o.name + " takes its options from a file")
			}
		case o.is("d", "data", "data-binary", "data-ascii", "data-urlencode", "json", "H", "header", "proxy-header", "url-query", "variable", "b", "cookie", "w", "write-out"):
			c.attached(o.val)
			if o.is("b", "cookie") && o.val.Text != "" && !strings.Contains(o.val.Text, "=") {
				c.read(o.val)
			}
		case o.is("F", "form"):
			if _, v, ok := strings.Cut(o.val.Text, "="); ok && len(v) > 1 && (v[0] == '@' || v[0] == '<') {
				name, _, _ := strings.Cut(v[1:], ";")
				c.read(literal(name))
			}
		}
	}
	if p.loose {
		c.unknown("an argument of curl cannot be known before it runs, and could write a file")
	}
	for _, w := range p.rest {
		c.fileURL(w)
	}
	return c.stays()
}

// attached reads the file that a value names with "@".
func (c *call) attached(w Word) {
	text := w.Text
	if i := strings.IndexByte(text, '@'); i >= 0 && (i == 0 || !strings.ContainsAny(text[:i], " :/")) {
		if w.Static {
			c.read(literal(text[i+1:]))
		} else if i == 0 {
			c.read(w.after(1))
		}
	}
}

func (c *call) fileURL(w Word) {
	if len(w.Text) > 5 && strings.EqualFold(w.Text[:5], "file:") {
		if strings.ContainsAny(w.Text, "{[") { // curl has patterns of its own
			c.file(File{}, dynamic(w.Shown))
		}
		c.read(literal("/" + strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(w.Text[5:], "/"), "localhost"), "/")))
	}
}

// wgetCall is wget, likewise.
func wgetCall(c *call) outcome {
	g := grammar{
		short: "oOaietTwQPUBADRIXl", long: "output-file output-document append-output input-file execute tries timeout wait quota directory-prefix user-agent base post-file post-data body-file body-data header config use-askpass load-cookies save-cookies certificate private-key ca-certificate user password referer limit-rate level accept reject domains rejected-log warc-file method",
		flags: "*", longFlags: "*",
	}
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("O", "output-document", "o", "output-file", "a", "append-output", "save-cookies", "rejected-log", "warc-file"):
			c.write(o.val)
			if o.val.Text != "-" && !device(o.val, true) {
				c.unknown("wget " + o.name + " writes a file")
			}
		case o.is("P", "directory-prefix"):
			c.writeTree(o.val)
		case o.is("use-askpass", "e", "execute", "config"):
			c.unknown("wget " + o.name + " can run or write something else")
		case o.is("post-file", "body-file", "i", "input-file", "load-cookies", "certificate", "private-key", "ca-certificate"):
			c.read(o.val)
		}
	}
	if p.loose {
		c.unknown("an argument of wget cannot be known before it runs, and could write a file")
	}
	return c.stays()
}

// editorCall is vi and its kin, which run the commands of their options.
func editorCall(c *call) outcome {
	g := grammar{short: "cSuUwWTisrpo", long: "cmd", flags: "*", longFlags: "*"}
	if c.name == "ed" || c.name == "ex" { // -s is a flag there
		g.short = "cp"
	}
	p := g.parse(c.args)
	for _, o := range p.opts {
		if o.is("c", "S", "cmd", "s", "u", "es") {
			c.unknown(c.name + " " + o.name + " runs commands of the editor")
			if i := strings.IndexByte(o.val.Text, '!'); i >= 0 && o.has {
				c.also(o.val.Text[i+1:])
			}
			c.edits(o.val.Text)
		}
	}
	for _, w := range p.rest {
		if strings.HasPrefix(w.Text, "+") {
			c.unknown(c.name + " " + w.Shown + " runs a command of the editor")
			if i := strings.IndexByte(w.Text, '!'); i >= 0 {
				c.also(w.Text[i+1:])
			}
			c.edits(w.Text[1:])
			continue
		}
		c.read(w)
		c.write(w)
	}
	if c.sc.stdin.some {
		c.unknown(c.name + " takes commands from its input")
		c.edits(c.sc.stdin.text)
		if !c.sc.stdin.known {
			c.file(File{Write: true, Mention: true}, dynamic("that the commands of "+c.name+" name"))
		}
		for line := range strings.SplitSeq(c.sc.stdin.text, "\n") {
			if _, command, ok := strings.Cut(line, "!"); ok {
				c.suspect(command)
			}
		}
	}
	return c.stays()
}

// pagerCall is less and its kin: "+" begins a command of the pager.
func pagerCall(c *call) outcome {
	for _, w := range c.args {
		if c.name != "man" && strings.HasPrefix(w.Text, "--lesskey-") {
			c.unknown(c.name + " " + w.Shown + " gives keys commands, and sets variables that run some")
		}
		if strings.HasPrefix(w.Text, "+") {
			c.unknown(c.name + " " + w.Shown + " runs a command of the pager")
			if i := strings.IndexByte(w.Text, '!'); i >= 0 {
				c.also(w.Text[i+1:])
			}
		}
	}
	return programs[c.name].look(c)
}

// dateCall is date, which sets the clock when it is given a time.
func dateCall(c *call) outcome {
	p := programs["date"].parse(c.args)
	for _, w := range p.rest {
		if !strings.HasPrefix(w.Text+w.Head, "+") && !p.has("j") {
			c.unknown(c.name + " " + w.Shown + " sets the clock")
		}
	}
	return programs["date"].look(c)
}
