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
