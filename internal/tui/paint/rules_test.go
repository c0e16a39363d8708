package paint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// squeezed is a text without blanks, so that wrapping changes nothing.
func squeezed(lines []string) string {
	return strings.Join(strings.Fields(escapes.ReplaceAllString(strings.Join(lines, " "), "")), "")
}

// TestLawAlwaysShowsEveryRule: what "always" would grant stands whole on the
// screen, or is not offered.
func TestLawAlwaysShowsEveryRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		a := event.Approval{ID: "a", Name: rapid.SampledFrom([]string{"bash", "write_file"}).Draw(r, "tool"), Title: "x", Reason: "asks"}
		for i := range rapid.IntRange(1, 9).Draw(r, "rules") {
			pattern := strings.Repeat("w", rapid.IntRange(1, 90).Draw(r, "length"))
			a.Rules = append(a.Rules, fmt.Sprintf("tool%d(%s *)", i, pattern))
			a.Subjects = append(a.Subjects, event.Subject{Text: pattern, Kind: "command", Decision: "ask", Source: "default", Reason: "no rule speaks of it"})
		}
		a.Pattern = strings.Join(a.Rules, "; ")
		st := paint.Style{
			Width: rapid.IntRange(1, 130).Draw(r, "width"), Height: rapid.IntRange(1, 40).Draw(r, "height"),
			Color: ink.Color(rapid.IntRange(0, 4).Draw(r, "color")),
		}
		u := start(t)
		if rapid.Bool().Draw(r, "draft") {
			u.edit(strings.Repeat("my draft ", 30))
		}
		s := screen.Apply(screen.Resize(u.s, 80, 24), a)
		s = screen.Resize(s, st.Width, st.Height)
		offered := slices.ContainsFunc(s.Approvals[0].Choices(), func(c screen.Choice) bool { return c.Key == "a" || c.Key == "p" })
		frame := squeezed(paint.Live(s, st).Lines)
		for _, rule := range a.Rules {
			if offered && !strings.Contains(frame, squeezed([]string{rule})) {
				r.Fatalf("%dx%d: %s is offered and not shown:\n%s", st.Width, st.Height, rule, text(paint.Live(s, st)))
			}
		}
		if st.Width >= 60 && st.Height >= 30 && len(a.Rules) < 7 && !offered {
			r.Fatalf("always is not offered on %dx%d for %d rules", st.Width, st.Height, len(a.Rules))
		}
		if printed := squeezed(paint.Preview(s.Approvals[0], st)); st.Width >= screen.MinWidth {
			for _, rule := range a.Rules {
				if !strings.Contains(printed, squeezed([]string{rule})) {
					r.Fatalf("the scrollback has not %s", rule)
				}
			}
		}
	})
}

func TestWhatCannotBeShownIsNotGranted(t *testing.T) {
	t.Parallel()
	u := start(t)
	rules := make([]string, 30)
	for i := range rules {
		rules[i] = fmt.Sprintf("write_file(log%d)", i)
	}
	u.s = screen.Apply(screen.Resize(u.s, 80, 24), event.Approval{ID: "a", Name: "bash", Title: "x", Rules: rules, Pattern: strings.Join(rules, "; ")})
	f := paint.Live(u.s, paint.Style{})
	if !strings.Contains(text(f), "always is not offered: its 30 rules cannot be shown here at once") {
		t.Errorf("nothing says why always is not offered:\n%s", text(f))
	}
	for _, c := range u.s.Approvals[0].Choices() {
		if c.Key == "a" || c.Key == "p" {
			t.Errorf("offered: %+v", c)
		}
	}
}

func TestAlwaysNamesTheToolOfAFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ tool, rule, pattern, want string }{
		{"write_file", "write_file(src/*)", "src/*", "always allow write_file(src/*) in this session"},
		{"bash", "bash(npm test *)", "npm test *", "always allow bash(npm test *) in this session"},
		{"bash", "write_file(log)", "write_file(log)", "always allow write_file(log) in this session"},
	} {
		u := start(t)
		u.s = screen.Apply(u.s, event.Approval{ID: "a", Name: tt.tool, Title: "x", Rules: []string{tt.rule}, Pattern: tt.pattern})
		if f := text(paint.Live(u.s, paint.Style{})); !strings.Contains(f, tt.want) {
			t.Errorf("%s: not %q in\n%s", tt.rule, tt.want, f)
		}
	}
}
