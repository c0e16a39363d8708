package guard

import (
	"path"
	"strings"
)

// permissions is chmod that opens files to everyone, and recursive changes of
// mode or owner outside the workspace.
func permissions(v view) *finding {
	switch v.name {
	case "chmod", "gchmod":
	case "chown", "chgrp", "gchown":
		if v.option("R", "recursive") {
			return v.outside(v.modeTargets())
		}
		return nil
	case "install", "mkdir":
		for i, a := range v.args {
			if mode, ok := modeOption(a); ok {
				if mode == "" && i+1 < len(v.args) {
					mode = v.args[i+1]
				}
				if opensAll(mode) {
					return openMode
				}
			}
		}
		return nil
	default:
		return nil
	}
	ops := v.modeOperands()
	if v.option("", "reference") {
		ops = append([]string{""}, ops...) // the mode of another file
	}
	if len(ops) > 0 && opensAll(ops[0]) {
		return openMode
	}
	if v.option("R", "recursive") && len(ops) > 0 {
		return v.outside(ops[1:])
	}
	return nil
}

// modeOption is the mode that install and mkdir are given, attached or not.
func modeOption(a string) (string, bool) {
	if name, value, _ := strings.Cut(a, "="); len(name) > 2 && strings.HasPrefix("--mode", name) {
		return value, true
	}
	if len(a) < 2 || a[0] != '-' || a[1] == '-' {
		return "", false
	}
	at := strings.IndexByte(a, 'm')
	if at < 0 || strings.ContainsAny(a[:at], "gotSZ") {
		return "", false
	}
	return a[at+1:], true
}

var openMode = &finding{"it lets everyone on the machine change the files", "give only the rights that are needed, such as u+x"}

// modeOperands are the mode and the files; a mode may begin with a dash.
func (v view) modeOperands() []string {
	var out []string
	for i, a := range v.args {
		if a == "--" {
			return append(out, v.args[i+1:]...)
		}
		if strings.HasPrefix(a, "-") && (len(a) == 1 || strings.IndexByte("rwxXst", a[1]) < 0) {
			continue
		}
		out = append(out, a)
	}
	return out
}

func (v view) modeTargets() []string {
	ops := v.operands()
	if len(ops) == 0 || v.option("", "reference") {
		return ops
	}
	return ops[1:]
}

// outside refuses targets that lead out of the workspace.
func (v view) outside(targets []string) *finding {
	for _, t := range targets {
		if t == "" {
			continue
		}
		if clean := path.Clean(t); clean == "/" || clean == "~" || clean == ".." || v.leadsOut(t) {
			return no("it changes everything below " + t + ", outside the workspace")
		}
	}
	return nil
}

// opensAll says whether a mode gives everyone all rights.
func opensAll(mode string) bool {
	if mode == "" {
		return false
	}
	if strings.Trim(mode, "01234567") == "" {
		digits := "000" + mode
		return digits[len(digits)-3:] == "777"
	}
	got := map[byte]string{}
	for _, clause := range strings.Split(mode, ",") {
		at := strings.IndexAny(clause, "+=-")
		if at < 0 {
			return false
		}
		who := clause[:at]
		if who == "" && strings.Trim(clause, "+=-01234567") != "" {
			continue // held back by the umask
		}
		if who == "" || strings.Contains(who, "a") {
			who = "ugo"
		}
		// A clause may hold several operators: a-x+rwx.
		for rest := clause[at:]; rest != ""; {
			op := rest[0]
			end := strings.IndexAny(rest[1:], "+=-") + 1
			if end == 0 {
				end = len(rest)
			}
			rights := rest[1:end]
			rest = rest[end:]
			if op == '-' {
				continue
			}
			if rights != "" && strings.Trim(rights, "01234567") == "" {
				if rights[len(rights)-1] != '7' {
					continue
				}
				rights = "rwx"
			}
			if rights == "u" {
				rights = "rwx" // what the owner has, which may be all
			}
			for i := range len(who) {
				got[who[i]] += rights
			}
		}
	}
	all := func(who byte) bool {
		return strings.Contains(got[who], "r") && strings.Contains(got[who], "w") && strings.ContainsAny(got[who], "xX")
	}
	return all('o')
}
