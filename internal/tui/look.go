package tui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"assent/internal/tui/ink"
)

// look is how the terminal is drawn for: what it can show, and in which
// colours.
type look struct {
	ink.Style
	can   ink.Color // what the terminal can show
	theme string
	dark  bool // its background, as far as it is known
}

// themes are the names that /theme takes.
func themes() []string { return []string{"auto", "light", "dark", "none"} }

func newLook(o Options) look {
	l := look{can: colours(o), dark: !lightGround(o.get("COLORFGBG")), theme: "auto"}
	l.Links = links(o)
	if !l.choose(o.Theme) {
		l.choose("auto")
	}
	return l
}

// choose takes a theme; ok is false for one that does not exist.
func (l *look) choose(theme string) (ok bool) {
	if !slices.Contains(themes(), theme) {
		return false
	}
	l.theme, l.Color, l.Theme = theme, l.can, ink.Dark
	switch {
	case theme == "none":
		l.Color = min(l.can, ink.Mono)
	case theme == "light", theme == "auto" && !l.dark:
		l.Theme = ink.Light
	}
	return true
}

// ground takes in what the background is.
func (l *look) ground(dark bool) {
	l.dark = dark
	l.choose(l.theme)
}

// lightGround reads the background off COLORFGBG, which some terminals set.
func lightGround(v string) bool {
	_, ground, ok := strings.Cut(v[strings.Index(v, ";")+1:], ";")
	if !ok {
		ground = v[strings.LastIndexByte(v, ';')+1:]
	}
	n, err := strconv.Atoi(ground)
	return err == nil && (n == 7 || n >= 9 && n <= 15)
}

// colours is how many colours the terminal shows. NO_COLOR leaves bold and
// underline.
func colours(o Options) ink.Color {
	switch {
	case o.Plain || o.get("TERM") == "dumb":
		return ink.Plain
	case o.NoColor || o.get("NO_COLOR") != "":
		return ink.Mono
	}
	var env []string
	for _, name := range []string{"TERM", "COLORTERM", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "STY", "WT_SESSION", "TERM_PROGRAM", "GOOGLE_CLOUD_SHELL", "ConEmuANSI", "ANSICON"} {
		if v := o.get(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	switch colorprofile.Env(env) {
	case colorprofile.TrueColor:
		return ink.TrueColor
	case colorprofile.ANSI256:
		return ink.ANSI256
	case colorprofile.ANSI:
		return ink.ANSI16
	default:
		return ink.Mono
	}
}

// links reports whether the terminal is known to open hyperlinks.
func links(o Options) bool {
	switch o.get("FORCE_HYPERLINK") {
	case "1":
		return true
	case "0":
		return false
	}
	if o.get("TMUX") != "" || o.get("STY") != "" {
		return false
	}
	vte, _ := strconv.Atoi(o.get("VTE_VERSION")) // 0 without one
	return vte >= 5000 || known(o, "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "WarpTerminal", "rio", "Tabby")
}

// reflows reports whether the terminal wraps its rows anew when its width
// changes. To take one that does not for one that does would erase what was
// printed; the other way round a row stays behind. So only known ones do.
func reflows(o Options) bool {
	return tmux(o) || o.get("VTE_VERSION") != "" ||
		known(o, "iTerm.app", "WezTerm", "vscode", "ghostty", "Apple_Terminal", "WarpTerminal", "rio", "Tabby", "Hyper")
}

// tmux reports whether the terminal is tmux, here or behind ssh, and not one
// that was started from it.
func tmux(o Options) bool {
	term := o.get("TERM")
	return strings.HasPrefix(term, "tmux") || o.get("TMUX") != "" && !ofItsOwn(term)
}

// ofItsOwn reports whether a TERM names a terminal that wraps rows anew.
func ofItsOwn(term string) bool {
	return strings.Contains(term, "kitty") || strings.Contains(term, "alacritty") || strings.HasPrefix(term, "foot") ||
		strings.Contains(term, "ghostty") || strings.Contains(term, "wezterm")
}

// known reports whether the terminal is one of those that say so in
// TERM_PROGRAM, or one of the others that can as much.
func known(o Options, programs ...string) bool {
	return slices.Contains(programs, o.get("TERM_PROGRAM")) || o.get("WT_SESSION") != "" || o.get("KITTY_WINDOW_ID") != "" || ofItsOwn(o.get("TERM"))
}
