package shell

import "strings"

// program is what a program does with its operands and options, as far as
// files and other programs are concerned.
type program struct {
	grammar
	// operands says what the operands are: "r" files that are read, "w" files
	// that are written, "c" files that are read and a last one that is written
	// (a copy), "m" likewise but the first are written too (a move), "p" a
	// pattern or expression and then files that are read, "e" likewise for
	// files that are written, "z" an archive that is written and files that are
	// read, "-" nothing.
	operands string
	// tree are options that make it go through folders; always says that it
	// always does.
	tree   string
	always bool
	// reads, writes and trees are options whose value is a path.
	reads, writes string
	// readsWith are options without a value that make it read its operands.
	readsWith string
	// into are options that name the folder which the operands go to.
	into string
	// given are options that stand in for the pattern of "p".
	given string
	// runs are options whose value is a command line that is run; odd are
	// options that make it do something else than its text says.
	runs, odd string
	// inplace are options that make it write its operands.
	inplace string
	// except and exceptDirs are options whose value narrows a tree; hidden
	// says that it leaves hidden files out unless one of shows is given.
	except, exceptDirs, only string
	hidden                   bool
	shows                    string
}

// look notes the files and commands among the arguments of a program of the table.
func (x program) look(c *call) outcome {
	p := x.parse(c.args)
	if p.loose && (x.runs != "" || x.odd != "" || x.writes != "" || x.inplace != "") {
		c.unknown("an argument of " + c.name + " cannot be known before it runs, and could be an option that runs or writes something")
	}
	f := File{}
	by, some := p.get("d", "directories")
	f.Tree = x.always || x.operands == "p" && some && by.val.Text == "recurse" || x.tree != "" && p.has(strings.Fields(x.tree)...)
	if f.Tree {
		x.narrow(c, p, &f)
	}
	given := false
	for _, o := range p.opts {
		given = x.option(c, o) || given
	}
	rest := p.rest
	if (x.operands == "p" || x.operands == "e") && !given && len(rest) > 0 {
		rest = rest[1:]
	}
	inplace := x.inplace != "" && p.has(strings.Fields(x.inplace)...)
	if inplace {
		c.unknown(c.name + " writes the files that it is given")
	}
	x.touch(c, p, f, rest, inplace)
	return c.stays()
}

// narrow notes of a tree what options leave out of it, and what alone they take.
func (x program) narrow(c *call, p parsed, f *File) {
	var n narrowed
	for _, o := range p.opts {
		if !o.has || !o.val.Static {
			n.blind = n.blind || o.has && x.only != "" && o.is(strings.Fields(x.only)...)
			continue
		}
		switch {
		case x.except != "" && o.is(strings.Fields(x.except)...):
			f.Except = append(f.Except, o.val.Text)
		case x.exceptDirs != "" && o.is(strings.Fields(x.exceptDirs)...):
			f.ExceptDirs = append(f.ExceptDirs, strings.TrimSuffix(o.val.Text, "/"))
		case x.only != "" && o.is(strings.Fields(x.only)...):
			n.glob(o, x.hidden)
		case c.name == "rg" && o.is("t", "type"):
			n.types = append(n.types, rgTypes[o.val.Text]...)
			n.odd = n.odd || rgTypes[o.val.Text] == nil
		case c.name == "rg" && o.is("type-add", "type-clear"):
			n.odd = true // a name may mean other files
		}
	}
	n.into(f)
	if x.hidden && len(n.only) == 0 && !n.blind && !p.has(strings.Fields(x.shows)...) {
		f.Except = append(f.Except, ".*")
		f.ExceptDirs = append(f.ExceptDirs, ".?*")
	}
}

// rgTypes are the names of the files of the commonest types of rg.
var rgTypes = map[string][]string{
	"go": {"*.go"}, "py": {"*.py", "*.pyi"}, "js": {"*.js", "*.jsx", "*.vue", "*.cjs", "*.mjs"}, "ts": {"*.ts", "*.tsx", "*.cts", "*.mts"},
	"rust": {"*.rs"}, "md": {"*.md", "*.markdown", "*.mdx", "*.mkd", "*.mdown", "*.mdwn", "*.mkdn"}, "java": {"*.java", "*.jsp", "*.jspx", "*.properties"},
	"c": {"*.c", "*.h", "*.H", "*.cats"}, "css": {"*.css", "*.scss"}, "html": {"*.htm", "*.html", "*.ejs"}, "yaml": {"*.yaml", "*.yml"}, "sh": {"*.sh", "*.bash", "*.zsh", "*.ksh", "*.csh", "*.tcsh", ".*rc", ".*profile", ".*login", ".*logout", ".*env"},
	"ruby": {"*.rb", "*.gemspec", "Gemfile", "Rakefile", "config.ru", ".irb*", "*.rbw"}, "sql": {"*.sql", "*.psql"}, "toml": {"*.toml", "Cargo.lock"},
}

// option looks at one option and says whether it stands in for the pattern.
func (x program) option(c *call, o option) bool {
	in := func(list string) bool { return list != "" && o.is(strings.Fields(list)...) }
	switch {
	case in(x.runs):
		c.unknown(c.name + " " + o.name + " runs another program")
		if o.has {
			c.script(o.val, c.word(o.name))
		}
	case in(x.odd):
		c.unknown(c.name + " " + o.name + " runs or writes something that its text does not tell")
	}
	if o.has {
		switch {
		case in(x.reads):
			c.read(o.val)
		case in(x.writes):
			c.unknown(c.name + " " + o.name + " writes a file")
			c.write(o.val)
		case in(x.into):
			c.write(o.val)
		}
	}
	return in(x.given)
}

// touch notes what is done to the operands: read, written, or both.
func (x program) touch(c *call, p parsed, f File, rest []Word, inplace bool) {
	last := len(rest) - 1
	if x.into != "" && p.has(strings.Fields(x.into)...) {
		last = -1 // every operand is read
	}
	for i, w := range rest {
		if host, _, far := strings.Cut(w.Text, ":"); far && c.name == "scp" && !strings.Contains(host, "/") {
			continue // another machine's
		}
		if x.readsWith != "" && p.has(strings.Fields(x.readsWith)...) {
			c.read(w)
		}
		switch x.operands {
		case "r", "p":
			if inplace {
				c.write(w)
			}
			c.file(f, w)
		case "w", "e":
			g := f
			g.Write = true
			c.file(g, w)
		case "z":
			g := f
			if i == 0 {
				g = File{Write: true}
			}
			c.file(g, w)
		case "c", "m":
			g := f
			g.Write = i == last && last > 0
			c.file(g, w)
			if x.operands == "m" && !g.Write {
				g.Write, g.Tree = true, true
				c.file(g, w)
			}
		case "-":
		}
	}
	if len(rest) == 0 && f.Tree && x.operands == "p" && !c.sc.stdin.some {
		c.file(f, literal("."))
	}
}

// programs by name. Short options that are not listed take no value.
var programs = map[string]program{
	"cat": readAll(""), "tac": readAll("s"), "nl": readAll("bdfhilnsvw"), "head": readAll("cn"), "tail": readAll("cns"),
	"wc": {grammar: loose("", "files0-from"), operands: "r", reads: "files0-from"}, "rev": readAll(""), "fold": readAll("w"),
	"fmt": readAll("wgp"), "pr": readAll("hlNnoSsWw"), "expand": readAll("t"), "unexpand": readAll("t"), "column": readAll("csNoHRWT"),
	"cut": readAll("bcdf"), "paste": readAll("d"), "join": readAll("12ajoetv"), "comm": readAll(""), "od": readAll("AjNStw"),
	"xxd": {grammar: loose("cglosR", ""), operands: "c"}, "hexdump": readAll("eefns"), "hd": readAll("efns"), "strings": readAll("neTt"),
	"base64": {grammar: loose("wboi", "wrap output input"), operands: "r", writes: "o output", reads: "i input"}, "base32": readAll("w"), "basenc": readAll("w"), "md5sum": readAll(""), "sha1sum": readAll(""),
	"sha224sum": readAll(""), "sha256sum": readAll(""), "sha384sum": readAll(""), "sha512sum": readAll(""), "b2sum": readAll("l"),
	"md5": readAll("s"), "shasum": readAll("a"), "cksum": readAll("a"), "sum": readAll(""), "tsort": readAll(""), "ptx": readAll(""),
	"diff": diffs, "colordiff": diffs, "sdiff": {grammar: loose("oIWFUC", "output"), operands: "r", writes: "o output"}, "diff3": readAll("L"), "cmp": readAll("in"),
	"wdiff": readAll(""), "vimdiff": {grammar: loose("cSu", "cmd"), operands: "r", odd: "c cmd S"}, "more": {grammar: loose("np", ""), operands: "r"},
	"less": {grammar: loose("bhjkoOpPtTxyz#D", "LOG-FILE log-file lesskey-file lesskey-src"), operands: "r", writes: "o O log-file LOG-FILE", odd: "k lesskey-file lesskey-src"},
	"most": readAll(""), "bat": {grammar: loose("lHrm", "language line-range pager map-syntax theme style"), operands: "r", runs: "pager"},
	"batcat": {grammar: loose("lHrm", "language line-range pager map-syntax theme style"), operands: "r", runs: "pager"},
	"sort":   {grammar: loose("kotSTCm", "key output field-separator buffer-size temporary-directory compress-program parallel files0-from batch-size random-source"), operands: "r", writes: "o output", runs: "compress-program", reads: "files0-from random-source"},
	"uniq":   {grammar: loose("fsw", "skip-fields skip-chars check-chars"), operands: "c"}, "shuf": {grammar: loose("ino", "input-range head-count output random-source"), operands: "r", writes: "o output"},
	"split": {grammar: loose("abCln", "suffix-length bytes lines number filter additional-suffix"), operands: "r", runs: "filter"}, "csplit": {grammar: loose("bfn", ""), operands: "r"},
	"tee": {grammar: loose("", ""), operands: "w"}, "jq": {grammar: loose("Lf", "indent from-file"), operands: "p", reads: "f from-file", given: "f from-file"},
	"yq": {grammar: loose("s", "from-file split-exp"), operands: "p", odd: "s split-exp", inplace: "i inplace", reads: "from-file"}, "xq": {operands: "p"}, "xmllint": {grammar: loose("", "xpath schema output"), operands: "r", writes: "output"},
	"grep": greps, "egrep": greps, "fgrep": greps, "zgrep": greps, "rgrep": alwaysGrep,
	"rg": {
		grammar:  loose("egfmtTABCEjMr", "regexp glob file type type-not type-add type-clear max-count context after-context before-context encoding threads max-columns replace iglob ignore-file max-depth max-filesize pre pre-glob sort path-separator hostname-bin engine color colors"),
		operands: "p", always: true, given: "e f regexp file files type-list", reads: "f file", runs: "pre hostname-bin", only: "g glob iglob", hidden: true, shows: ". u hidden unrestricted no-ignore",
	},
	"ag":    {grammar: loose("ABCGgmpW", "ignore ignore-dir file-search-regex pager depth"), operands: "p", always: true, runs: "pager", exceptDirs: "ignore-dir", hidden: true, shows: "u a hidden unrestricted all-types"},
	"ugrep": {grammar: loose("ABCDdefgJKmMNOtu", "after-context before-context context depth exclude exclude-dir file file-type glob ignore-files include include-dir jobs max-count pager regexp"), operands: "p", always: true, runs: "pager", hidden: true, shows: ". hidden"},
	"ack":   {grammar: loose("ABCgm", "type ignore-dir ignore-file pager output files-from ackrc"), operands: "p", always: true, runs: "pager", exceptDirs: "ignore-dir", odd: "ackrc"},
	"cp":    {into: "t target-directory", grammar: loose("tS", "target-directory suffix backup"), operands: "c", tree: "r R a recursive archive"},
	"mv":    {into: "t target-directory", grammar: loose("tS", "target-directory suffix backup"), operands: "m", always: true}, "ln": {into: "t target-directory", grammar: loose("tS", "target-directory suffix"), operands: "c"},
	"install": {into: "t target-directory", grammar: loose("gmotS", "group mode owner target-directory suffix strip-program"), operands: "c", runs: "strip-program"},
	"rm":      {grammar: loose("", ""), operands: "w", tree: "r R recursive d dir"}, "rmdir": writeAll(""), "unlink": writeAll(""), "shred": {grammar: loose("ns", "iterations size random-source"), operands: "w"},
	"touch": {grammar: loose("drtA", "date reference time"), operands: "w"}, "mkdir": writeAll("mZ"), "mkfifo": writeAll("m"), "mknod": {grammar: loose("m", ""), operands: "w"},
	"truncate": {grammar: loose("rs", "reference size"), operands: "w"}, "chmod": modes, "chown": modes, "chgrp": modes, "chattr": modes, "setfacl": {grammar: loose("mxMXb", "modify remove"), operands: "w", tree: "R recursive"}, "xattr": {operands: "p"},
	"gzip": packs, "gunzip": packs, "bzip2": packs, "bunzip2": packs, "xz": packs, "unxz": packs, "zstd": packs, "lz4": packs, "compress": packs,
	"zcat": readAll(""), "gzcat": readAll(""), "bzcat": readAll(""), "xzcat": readAll(""), "zstdcat": readAll(""), "zless": readAll(""), "zdiff": readAll(""),
	"zip": {grammar: loose("bnitxP", "unzip-command temp-path suffixes"), operands: "z", tree: "r recurse-paths R", runs: "TT unzip-command", odd: "T test"}, "unzip": {grammar: loose("dxP", ""), operands: "r", into: "d"},
	"7z": {operands: "p", always: true}, "7za": {operands: "p", always: true}, "rar": {operands: "p", always: true}, "unrar": {operands: "p"},
	"cpio": {grammar: loose("FEIOCHRMm", "file pattern-file rsh-command"), operands: "r", runs: "rsh-command", writes: "O", reads: "I F file"}, "pax": {grammar: loose("bfopsxE", ""), operands: "r", always: true, reads: "f"},
	"scp":    {grammar: loose("cDFiJloPSX", ""), operands: "c", tree: "r", runs: "S", reads: "i", odd: "o F"},
	"sftp":   {grammar: loose("BbcDFiJloPRSsX", ""), operands: "-", runs: "S", reads: "i b", odd: "o b F"},
	"sponge": {grammar: loose("", ""), operands: "w"}, "stat": statics, "ls": statics, "file": {grammar: loose("fmFeP", "files-from magic-file"), operands: "-", odd: "C compile", reads: "f m files-from magic-file"}, "du": {grammar: loose("dBtX", "files0-from exclude-from max-depth exclude"), operands: "-", reads: "X files0-from exclude-from"}, "df": statics, "tree": {grammar: loose("LIPoTH", "filelimit timefmt output"), operands: "-", odd: "R", writes: "o output", readsWith: "fromfile fromtabfile"}, "exa": statics, "eza": statics, "lsof": statics,
	"readlink": statics, "realpath": statics, "basename": statics, "dirname": statics, "pwd": statics, "which": statics, "type": statics, "whereis": statics,
	"true": statics, "false": statics, ":": statics, "sleep": statics, "wait": statics, "kill": statics, "jobs": statics, "umask": statics, "ulimit": statics, "date": {grammar: loose("dfrs", "date file reference set"), operands: "-", odd: "s set", reads: "f file"}, "uname": statics, "whoami": statics, "id": statics, "hostname": statics,
	"seq": statics, "expr": statics, "yes": statics, "tr": statics, "let": statics, "shift": statics, "set": statics, "shopt": statics, "break": statics, "continue": statics, "export": statics, "declare": statics, "local": statics, "readonly": statics, "typeset": statics, "unalias": statics, "bc": {operands: "r"}, "ps": statics, "pgrep": statics, "pkill": statics, "killall": statics, "uptime": statics, "free": statics, "nproc": statics, "lscpu": statics, "mktemp": statics, "tput": statics, "clear": statics, "reset": statics, "man": {grammar: loose("PCHLMmRSTEp", "pager config-file html browser preprocessor troff-device"), operands: "r", runs: "P pager H html", odd: "C config-file"},
	"iconv": {grammar: loose("fto", "from-code to-code output"), operands: "r", writes: "o output"}, "dos2unix": {operands: "w"}, "unix2dos": {operands: "w"}, "patch": {grammar: loose("pidoBDFVYz", "input directory output strip fuzz prefix"), operands: "w", reads: "i input", writes: "o output"},
	"envsubst": statics, "gpg": {grammar: loose("oru", "output recipient local-user passphrase-file"), operands: "r", writes: "o output", reads: "passphrase-file"}, "gpg2": {grammar: loose("oru", "output recipient local-user"), operands: "r", writes: "o output"},
	"emacs": {grammar: loose("lfu", "eval load funcall execute script"), operands: "r", odd: "eval load l f funcall execute script batch"}, "nano": {operands: "r"}, "code": {operands: "r"}, "open": {grammar: loose("ab", ""), operands: "r"}, "xdg-open": {operands: "r"},
	"figlet": statics, "pbcopy": statics, "xclip": {grammar: loose("dlst", "selection display loops target"), operands: "r"}, "host": statics, "dig": {grammar: loose("fkbcpqtxy", ""), operands: "-", reads: "f k"}, "nslookup": statics, "ping": statics, "history": {operands: "-", odd: "r w a n"}, "fc": {operands: "-", odd: "e s"}, "test": statics,
}

func loose(short, long string) grammar {
	return grammar{short: short, long: long, flags: "*", longFlags: "*"}
}

func readAll(short string) program { return program{grammar: loose(short, ""), operands: "r"} }

func writeAll(short string) program { return program{grammar: loose(short, ""), operands: "w"} }

var (
	statics = program{grammar: loose("", ""), operands: "-"}
	modes   = program{grammar: loose("", "reference from"), operands: "e", tree: "R recursive"}
	packs   = program{grammar: loose("SoTMF", "suffix"), operands: "r", tree: "r recursive", writes: "o"}
	diffs   = program{grammar: loose("CUIxXSFWl", "exclude exclude-from starting-file label ignore-matching-lines to-file from-file"), operands: "r", tree: "r recursive", except: "x exclude", reads: "X exclude-from to-file from-file"}
	greps   = program{
		grammar:  loose("ABCDdefm", "regexp file max-count context after-context before-context include exclude exclude-dir exclude-from label binary-files color devices directories"),
		operands: "p", given: "e f regexp file", reads: "f file exclude-from", tree: "r R recursive dereference-recursive",
		except: "exclude", exceptDirs: "exclude-dir", only: "include",
	}
	alwaysGrep = program{grammar: greps.grammar, operands: "p", given: greps.given, reads: greps.reads, always: true, except: "exclude", exceptDirs: "exclude-dir", only: "include"}
)
