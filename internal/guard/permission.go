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
			if (a == "-m" || a == "--mode") && i+1 < len(v.args) && opensAll(v.args[i+1]) || strings.HasPrefix(a, "--mode=") && opensAll(a[len("--mode="):]) {
				return openMode
			}
		}
		return nil
	default:
		return nil
	}
	ops := v.modeOperands()
	if len(ops) > 0 && opensAll(ops[0]) {
		return openMode
	}
	if v.option("R", "recursive") && len(ops) > 0 {
		return v.outside(ops[1:])
	}
	return nil
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
	if len(ops) == 0 {
		return nil
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
		if who == "" {
			continue // held back by the umask
		}
		if strings.Contains(who, "a") {
			who = "ugo"
		}
		rights := clause[at+1:]
		if clause[at] == '-' {
			continue
		}
		if strings.Trim(rights, "7") == "" && rights != "" {
			rights = "rwx"
		}
		for i := range len(who) {
			got[who[i]] += rights
		}
	}
	all := func(who byte) bool {
		return strings.Contains(got[who], "r") && strings.Contains(got[who], "w") && strings.ContainsAny(got[who], "xX")
	}
	return all('o')
}
