package shell

import "strings"

// globals are the options with a value that may stand before the subcommand
// of a program.
var globals = map[string]grammar{
	"git":       {short: "Cc", long: "git-dir work-tree namespace exec-path super-prefix config-env attr-source shallow-file", flags: "*", longFlags: "*", first: true},
	"docker":    {short: "cHl", long: "config context host log-level tlscacert tlscert tlskey", flags: "*", longFlags: "*", first: true},
	"podman":    {short: "c", long: "connection url root runroot log-level", flags: "*", longFlags: "*", first: true},
	"kubectl":   {short: "nsv", long: "namespace context cluster kubeconfig user server token as request-timeout", flags: "*", longFlags: "*", first: true},
	"helm":      {short: "n", long: "namespace kube-context kubeconfig", flags: "*", longFlags: "*", first: true},
	"npm":       {short: "C", long: "prefix workspace loglevel script-shell registry", flags: "*", longFlags: "*", first: true},
	"pnpm":      {short: "CF", long: "dir filter", flags: "*", longFlags: "*", first: true},
	"yarn":      {long: "cwd", flags: "*", longFlags: "*", first: true},
	"go":        {short: "C", flags: "*", longFlags: "*", first: true},
	"cargo":     {short: "CZ", long: "config color", flags: "*", longFlags: "*", first: true},
	"gh":        {short: "R", long: "repo", flags: "*", longFlags: "*", first: true},
	"aws":       {long: "profile region output endpoint-url query color ca-bundle cli-read-timeout cli-connect-timeout", flags: "*", longFlags: "*", first: true},
	"gcloud":    {long: "project account configuration format verbosity", flags: "*", longFlags: "*", first: true},
	"terraform": {flags: "*", longFlags: "*", first: true},
	"tofu":      {flags: "*", longFlags: "*", first: true},
	"systemctl": {short: "tpnoHM", long: "type state property lines output host machine", flags: "*", longFlags: "*", first: true},
	"make":      {short: "CEfIjlOoW", long: "directory eval file makefile include-dir jobs load-average old-file assume-old what-if assume-new new-file", flags: "*", longFlags: "*", first: true},
	"svn":       {long: "username password config-dir config-option", flags: "*", longFlags: "*", first: true},
	"hg":        {short: "R", long: "repository cwd config", flags: "*", longFlags: "*", first: true},
}

// Subcommand returns the words of a command without the global options that
// stand before its subcommand (git -C dir -c k=v push is git push). Words of
// other programs are returned as they are.
func Subcommand(words []string) []string {
	if len(words) == 0 {
		return words
	}
	g, ok := globals[words[0][strings.LastIndexByte(words[0], '/')+1:]]
	if !ok || len(words) < 2 || !strings.HasPrefix(words[1], "-") {
		return words
	}
	args := make([]Word, len(words)-1)
	for i, w := range words[1:] {
		args[i] = literal(w)
	}
	p := g.parse(args)
	out := []string{words[0]}
	for _, w := range p.rest {
		out = append(out, w.Text)
	}
	return out
}
