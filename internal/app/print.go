package app

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
)

// json prints a value as indented JSON on stdout.
func (a *App) json(v any) error {
	enc := json.NewEncoder(a.env.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// table prints rows in columns, the first one a heading.
func (a *App) table(rows ...[]string) error {
	w := tabwriter.NewWriter(a.env.Out, 0, 8, 2, ' ', 0)
	for _, r := range rows {
		for i := range r {
			r[i] = printable(r[i])
		}
		if _, err := fmt.Fprintln(w, strings.Join(r, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Plain makes a text of several lines safe for a terminal: what is not ours, a
// name or a piece of a file, may hold what would drive it.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '\uFFFD'
		}
		return r
	}, s)
}

// printable makes a text safe for one cell of a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		// Format characters turn what is read around or hide a part of it.
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}

// clip shortens a text to a number of characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
