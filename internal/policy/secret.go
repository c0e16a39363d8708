package policy

import (
	"path"
	"slices"
	"strings"
)

// secretNames are the base names of files that hold keys, and openNames those
// among them that are made to be read.
var (
	secretNames = compileAll("*.env", "*.env.*", "*.pem", "*.key", "id_rsa*", "id_ed25519*",
		".netrc", ".npmrc", ".pypirc", "*.p12", "credentials*.json",
		".envrc", ".env-*", ".git-credentials", ".pgpass", "id_ecdsa*")
	openNames = compileAll("*.env.example", "*.env.sample", "*.env.template", ".env-example*", ".env-sample*", ".env-template*")
)

func compileAll(texts ...string) []Pattern {
	out := make([]Pattern, len(texts))
	for i, t := range texts {
		out[i] = Compile(t)
	}
	return out
}

// Secret says whether a file of that name holds secrets by convention. Case
// does not matter, because some file systems do not mind it. Reading such a
// file is denied unless an allow rule whose pattern names it says otherwise.
func Secret(name string) bool {
	_, found := secretPattern(name)
	return found
}

func secretPattern(name string) (string, bool) {
	const cloud = ".aws/credentials" // a name that says nothing without its folder
	name = strings.ToLower(name)
	if name == cloud || strings.HasSuffix(name, "/"+cloud) {
		return cloud, true
	}
	base := path.Base(name)
	names := []string{base}
	if of := original(base); of != base {
		names = append(names, of, strings.TrimPrefix(of, ".")) // a swap file has a dot in front
	}
	for _, p := range openNames {
		for _, n := range names {
			if p.Match(n) {
				return "", false
			}
		}
	}
	for _, p := range secretNames {
		for _, n := range names {
			if p.Match(n) {
				return p.String(), true
			}
		}
	}
	return "", false
}

// original is the name of the file that an editor kept a copy of under a name:
// x~, x.~1~, #x#, .#x, .x.swp and the endings that people give such copies.
func original(base string) string {
	if !strings.ContainsAny(base, "~#") && !slices.ContainsFunc(copyEndings, func(e string) bool { return strings.HasSuffix(base, e) }) {
		return base
	}
	name := strings.TrimSuffix(base, "~")
	if i := strings.LastIndex(name, ".~"); i > 0 && strings.Trim(name[i+2:], "0123456789") == "" {
		name = name[:i]
	}
	if inner, ok := strings.CutPrefix(name, ".#"); ok {
		name = inner
	}
	if strings.HasPrefix(name, "#") {
		name = strings.Trim(name, "#")
	}
	for _, e := range copyEndings {
		name = strings.TrimSuffix(name, e)
	}
	if name == "" {
		return base
	}
	return name
}

// copyEndings end the names of such copies.
var copyEndings = []string{".swp", ".swo", ".swn", ".bak", ".orig", ".old", ".save", ".backup", ".rej"}

// namesSecret says whether an allow pattern names secret files rather than
// happening to match them: its last part, wildcards aside, must itself be the
// name of one.
func namesSecret(pattern string) bool {
	base := pattern[strings.LastIndexByte(pattern, '/')+1:]
	return strings.Trim(base, "*?") != "" &&
		(Secret(strings.ReplaceAll(pattern, "*", "")) || Secret(strings.ReplaceAll(base, "*", "x")))
}
