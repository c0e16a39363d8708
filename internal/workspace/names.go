package workspace

import "strings"

// The names that Windows reads as something else than a file of that name are
// told by functions of words, so that their tests run on every system.

// devices are the names of devices there, whatever ending they have.
const devices = " con prn aux nul conin$ conout$ " +
	"com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 com¹ com² com³ " +
	"lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 lpt¹ lpt² lpt³ "

// foreignName reports whether a part of a path means something else on Windows:
// a stream or a drive ("a:b"), a device ("NUL.txt"), or the same name without
// the dots and blanks at its end.
func foreignName(part string) bool {
	switch {
	case part == "" || part == "." || part == "..":
		return false
	case strings.ContainsAny(part, `:<>"|?*`), strings.TrimRight(part, ". ") != part:
		return true
	case strings.ContainsFunc(part, func(r rune) bool { return r < ' ' }):
		return true
	}
	stem, _, _ := strings.Cut(strings.ToLower(part), ".")
	return strings.Contains(devices, " "+strings.TrimRight(stem, " ")+" ")
}

// nativeName is a name as Windows itself spells it: with backslashes, a capital
// drive, and a drive where a shell of that system writes "/c/x" or
// "/cygdrive/c/x" and where the name is one of the object manager's
// ("\\?\C:\x"). Another rooted name ("/x") is on the given drive, as for every
// program there but the shell, which keeps its own programs there.
func nativeName(name, drive string) string {
	name = strings.ReplaceAll(name, "/", `\`)
	for _, space := range []string{`\\?\`, `\\.\`, `\??\`} {
		rest, ok := strings.CutPrefix(name, space)
		switch {
		case !ok:
		case len(rest) >= 4 && strings.EqualFold(rest[:4], `UNC\`):
			return `\\` + rest[4:]
		case driveOf(rest) != "":
			return capital(rest)
		}
	}
	if strings.HasPrefix(name, `\`) && !strings.HasPrefix(name, `\\`) {
		mounts := strings.TrimPrefix(strings.TrimPrefix(name, `\proc`), `\cygdrive`)
		if len(mounts) == 2 || len(mounts) > 2 && mounts[2] == '\\' {
			if d := driveOf(mounts[1:2] + ":"); d != "" {
				return d + `\` + strings.TrimLeft(mounts[2:], `\`)
			}
		}
		return drive + name
	}
	return capital(name)
}

// driveOf is the drive that a name begins with ("C:"), in capitals, or empty.
func driveOf(name string) string {
	if len(name) < 2 || name[1] != ':' || name[0]|0x20 < 'a' || name[0]|0x20 > 'z' {
		return ""
	}
	return strings.ToUpper(name[:2])
}

// capital writes the drive of a name with a capital.
func capital(name string) string {
	d := driveOf(name)
	return d + name[len(d):]
}

// nativeReadings are the files that programs of Windows may open by a name
// that is refused here, or that stands for a share or a device: without
// streams, dots and blanks at the ends of parts, from the folder of a drive or
// from its top, and from a drive that stands further in, where a shell went
// there first. Temp is the folder that shells there call "/tmp", drive the one
// that names without a drive are on. Some of them are no file's name; too many
// only deny more.
func nativeReadings(name, drive, temp string) []string {
	flat := strings.ReplaceAll(name, "/", `\`)
	var out []string
	if rest, ok := strings.CutPrefix(flat, `\tmp\`); ok && temp != "" {
		out = append(out, bare(strings.TrimRight(temp, `\/`), strings.Split(rest, `\`)))
	}
	parts := strings.Split(nativeName(name, drive), `\`)
	switch {
	case driveOf(parts[0]) != "" && len(parts[0]) == 2:
		out = append(out, bare(parts[0], parts[1:]))
	case parts[0] != "":
		out = append(out, bare("", parts))
	case len(parts) > 4 && parts[1] == "": // \\host\share\x, \\?\Volume{}\x
		if share, ok := strings.CutSuffix(parts[3], "$"); ok && driveOf(share+":") != "" {
			drive = driveOf(share + ":")
		}
		out = append(out, bare(drive, parts[4:]))
	}
	for i, p := range parts {
		if d := driveOf(p); d != "" && (i > 0 || len(p) > 2) {
			rest := append([]string{p[2:]}, parts[i+1:]...)
			out = append(out, bare("", rest), bare(d, rest))
		}
	}
	return out
}

// bare joins parts below a drive, or below no drive, without what Windows
// leaves out of each.
func bare(drive string, parts []string) string {
	var kept []string
	if drive != "" {
		kept = append(kept, drive)
	}
	for _, p := range parts {
		if strings.TrimRight(p, " ") == ".." {
			p = ".."
		} else {
			p, _, _ = strings.Cut(p, ":")
			p = strings.TrimRight(p, ". ")
		}
		if p != "" && p != "." {
			kept = append(kept, p)
		}
	}
	if drive != "" && len(kept) == 1 {
		return drive + `\`
	}
	return strings.Join(kept, `\`)
}
