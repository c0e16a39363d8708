package guard

import (
	"path"
	"slices"
	"strings"

	"assent/internal/late"
	"assent/internal/shell"
)

// fetchers bring text from the network, whatever their arguments are.
var fetchers = map[string]bool{
	"curl": true, "wget": true, "fetch": true, "aria2c": true, "axel": true, "http": true, "https": true, "httpie": true,
	"xh": true, "curlie": true, "lwp-request": true, "lwp-download": true, "get": true, "lynx": true, "w3m": true, "links": true, "elinks": true,
	"ftp": true, "lftp": true, "tftp": true, "nc": true, "ncat": true, "netcat": true, "socat": true, "telnet": true, "ssh": true, "finger": true,
	"dig": true, "host": true, "nslookup": true, "drill": true, "ipfs": true, "snarf": true, "glab": true,
	"iwr": true, "irm": true, "invoke-webrequest": true, "invoke-restmethod": true,
}

// fetching are the subcommands that do so of programs that do much else.
var fetching = map[string][]string{
	"gh": {"api", "release download", "gist view", "run download", "run view"}, "kubectl": {"exec", "logs"}, "openssl": {"s_client"},
	"aws": {"s3api get-object"}, "gsutil": {"cat"}, "gcloud": {"storage cat"}, "rclone": {"cat"}, "mc": {"cat"}, "s3cmd": {"get"},
	"az": {"storage blob download"}, "adb": {"shell", "exec-out"},
}

// copying are programs that copy from one place to the next, by their words
// before the operands; one of the places may be far away.
var copying = map[string][]string{
	"scp": {""}, "sftp": {""}, "rsync": {""}, "aws": {"s3 cp", "s3 mv", "s3 sync"}, "gsutil": {"cp", "mv", "rsync"}, "gcloud": {"storage cp", "storage rsync"},
	"rclone": {"copy", "copyto", "sync", "move", "moveto"}, "mc": {"cp", "mirror"}, "kubectl": {"cp"}, "s3cmd": {"get", "sync"}, "azcopy": {"copy"},
}

// begun says which of some beginnings the words of a command have after its
// name, and what follows it.
func begun(words, beginnings []string) (rest []string, ok bool) {
	for _, b := range beginnings {
		if head := strings.Fields(b); len(words) > len(head) && slices.Equal(words[1:1+len(head)], head) {
			return words[1+len(head):], true
		}
	}
	return nil, false
}

// fetches says whether a command itself brings text from the network.
func fetches(c *shell.Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	name := shell.Program(c.Words[0].Text)
	switch {
	case fetchers[name]:
		return true
	case name == "git":
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool { return strings.HasPrefix(w.Text, "--remote=") && far(w.Text) }) &&
			slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Text == "archive" })
	case shell.Interpreter(name):
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Static && fetchMark().MatchString(w.Text) })
	case fetching[name] == nil && copying[name] == nil:
		return false
	}
	words := subcommand(name, c)
	if _, ok := begun(words, fetching[name]); ok {
		return true
	}
	_, _, ok := brought(c)
	return ok
}

func subcommand(name string, c *shell.Command) []string {
	words := []string{name}
	for _, w := range c.Words[1:] {
		words = append(words, w.Text)
	}
	return shell.Subcommand(words)
}

// brought is what a copy from far away brings: its sources and the place that
// they go to. ok is false for a copy that brings nothing.
func brought(c *shell.Command) (from []string, to string, ok bool) {
	name := shell.Program(c.Words[0].Text)
	rest, ok := begun(subcommand(name, c), copying[name])
	if !ok {
		return nil, "", false
	}
	var places []string
	for _, r := range rest {
		if !strings.HasPrefix(r, "-") || r == "-" {
			places = append(places, r)
		}
	}
	switch {
	case len(places) == 0:
		return nil, "", false
	case len(places) == 1: // into the folder at hand
		places = append(places, ".")
	}
	from, to = places[:len(places)-1], places[len(places)-1]
	if far(to) {
		return nil, "", false
	}
	return from, to, slices.ContainsFunc(from, func(p string) bool { return far(p) || name == "mc" })
}

// far says whether a name is one of another machine: scheme://… or host:….
func far(name string) bool {
	host, _, ok := strings.Cut(name, ":")
	return strings.Contains(name, "://") || ok && host != "" && !strings.Contains(host, "/")
}

// names says whether a command downloads to a file of that name by what its
// arguments say.
func (t *trace) names(c *shell.Command, name string) bool {
	if len(c.Words) < 2 || name == "." || !fetches(c) {
		return false
	}
	prog := shell.Program(c.Words[0].Text)
	if prog == shell.Program(t.c.Words[0].Text) {
		return false
	}
	base := path.Base(name)
	if from, to, ok := brought(c); ok {
		if path.Clean(to) == name {
			return true
		}
		below := to != "." && strings.HasPrefix(name, path.Clean(to)+"/")
		return below || path.Dir(name) == path.Clean(to) && slices.ContainsFunc(from, func(f string) bool {
			return path.Base(f[strings.LastIndexByte(f, ':')+1:]) == base
		})
	}
	here := base == name
	switch prog {
	case "curl":
		here = here && slices.ContainsFunc(c.Words, func(w shell.Word) bool { return hasOption(w.Text, "O", "remote-name", "remote-name-all") })
	case "wget":
		here = true // -P may name any folder
	case "gh", "az", "lftp", "aws", "s3cmd":
		return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return path.Base(w.Text) == base })
	case "aria2c", "axel", "snarf":
	default:
		return false
	}
	return here && slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool {
		return strings.Contains(w.Text, "://") && path.Base(w.Text) == base
	})
}

var (
	fetchMark = late.Regexp(`(?i)urlopen|urlretrieve|requests\.get|https?\.get|fetch\(|lwp::|http::tiny|open-uri|net::http|uri\.open|file_get_contents\(["']https?:|http\.request|\bcurl |\bwget |invoke-webrequest|invoke-restmethod|\biwr |\birm |downloadstring|import\(?\s*["'][^"']*https?://|from ["']https?://`)
	runMark   = late.Regexp(`(?i)\bexec ?\(|\beval\b|\bcompile\(|new function|instance_eval|runinthiscontext|\| ?(ba|da|z|k)?sh\b|os\.system\(|vm\.run|\biex\b|invoke-expression|import\(?\s*["'][^"']*https?://|from ["']https?://`)
)

// fetchesAndRuns says whether code of an interpreter both downloads and runs
// what it is given.
func fetchesAndRuns(code string) bool {
	return fetchMark().MatchString(code) && runMark().MatchString(code)
}
