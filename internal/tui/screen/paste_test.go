package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

func lines(n int) string { return strings.TrimSuffix(strings.Repeat("line\n", n), "\n") }

func TestPaste(t *testing.T) {
	t.Parallel()
	other := strings.Replace(lines(120), "line", "LINE", 1)
	tests := []struct {
		name  string
		paste []string
		shown string
		sent  string
	}{
		{"a word", []string{"word"}, "word", "word"},
		{"few lines", []string{"a\nb\nc"}, "a\nb\nc", "a\nb\nc"},
		{"line ends of terminals", []string{"a\rb\r\nc"}, "a\nb\nc", "a\nb\nc"},
		{"many lines", []string{lines(120)}, "[pasted 120 lines]", lines(120)},
		{"the last line end is no line", []string{lines(120) + "\n"}, "[pasted 120 lines]", lines(120) + "\n"},
		{"one long line", []string{strings.Repeat("x", 5000)}, "[pasted 5000 bytes]", strings.Repeat("x", 5000)},
		{"one very long line", []string{strings.Repeat("x", 2<<20)}, "[pasted 2.0 MB]", strings.Repeat("x", 2<<20)},
		{"some", []string{strings.Repeat("x", 20<<10)}, "[pasted 20 KB]", strings.Repeat("x", 20<<10)},
		{"two of a size", []string{lines(120), " ", other}, "[pasted 120 lines] [pasted 120 lines (2)]", lines(120) + " " + other},
		{"the same twice", []string{lines(120), lines(120)}, "[pasted 120 lines][pasted 120 lines]", lines(120) + lines(120)},
		{"what looks like a placeholder", []string{lines(120), "[pasted 120 lines]"}, "[pasted 120 lines][pasted 18 bytes]", lines(120) + "[pasted 120 lines]"},
		{"tabs stay tabs", []string{"all:\n\tgo build"}, "all:\n\tgo build", "all:\n\tgo build"},
		{"terminal sequences go", []string{"\x1b[31mred\x1b[0m \x1b]0;t\x07\x1b[201~ok\x00\u009b"}, "red ]0;tok", "red ]0;tok"},
		{"a sequence without end", []string{"\x1b[" + strings.Repeat("1;", 100) + "x\x1b["}, "[" + strings.Repeat("1;", 100) + "x[", "[" + strings.Repeat("1;", 100) + "x["},
		{"a broken sequence", []string{"\x1b[1\x01mx\x1b"}, "[1mx", "[1mx"},
		{"invalid text", []string{"a\xffb\xc3"}, "a\ufffdb\ufffd", "a\ufffdb\ufffd"},
		{"nothing", []string{"", "\x00", "x"}, "x", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			for _, p := range tt.paste {
				u.paste(p)
			}
			u.prompt(tt.shown)
			got := only(u.keys("enter"))
			if s := got[0].(screen.Do).Command.(host.Submit).Text; s != tt.sent {
				t.Errorf("sent %.200q, want %.200q", s, tt.sent)
			}
			u.tell(event.Prompt{Text: tt.sent})
			if b := u.blocks()[0].(screen.User); b.Text != tt.sent || b.Shown != tt.shown {
				t.Errorf("printed %.200q", b.Shown)
			}
		})
	}
}

func TestAPlaceholderIsDeletedWhole(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("a ")
	u.paste(lines(120))
	u.keys("b", "backspace", "backspace")
	u.prompt("a ")
	// Typed by hand it names nothing, or what was pasted under that name.
	u.keys("[pasted 9 lines]", "backspace")
	u.prompt("a [pasted 9 lines")
}

func TestAPasteComesBackFromTheQueueUnderAFreeName(t *testing.T) {
	t.Parallel()
	u := busy(t)
	first, second := lines(120), strings.ToUpper(lines(120))
	u.paste(first)
	u.keys(" and ")
	u.paste(second)
	u.keys("enter")
	text := first + " and " + second
	u.take(screen.TookBack(u.s, []string{text}))
	u.prompt("[pasted 120 lines] and [pasted 120 lines (2)]")
	want(t, u.keys("enter"), submit(text))
	// One that another front queued is folded when it is long.
	u.take(screen.TookBack(u.s, []string{lines(300), "short"}))
	u.prompt("[pasted 300 lines]\nshort")
}

func TestPastesAreBounded(t *testing.T) {
	t.Parallel()
	u := start(t)
	big := func(c string) string { return strings.Repeat(c, 5<<20) }
	for i := range 6 {
		u.paste(big(fmt.Sprint(i)))
	}
	shown := u.text
	u.paste(big("x"))
	if n := u.notes(); !strings.Contains(n, "30.0 MB") {
		t.Errorf("notes %q", n)
	}
	u.prompt(shown)
	// What the prompt does not name any more makes room.
	u.keys("backspace")
	u.paste(big("y"))
	got := only(u.keys("enter"))
	if s := got[0].(screen.Do).Command.(host.Submit).Text; len(s) != 6*5<<20 || !strings.HasSuffix(s, "yy") {
		t.Errorf("sent %d bytes", len(s))
	}
}

func TestManySmallPastesAreBounded(t *testing.T) {
	t.Parallel()
	u := start(t)
	for i := range 501 {
		u.paste(lines(9) + fmt.Sprint(i))
	}
	if n := u.notes(); !strings.Contains(n, "not taken") {
		t.Errorf("notes %q", n)
	}
	// When even taking back finds no room, the text itself comes back.
	u.take(screen.TookBack(u.s, []string{lines(300)}))
	if !strings.HasPrefix(u.text, "line\nline\n") {
		t.Errorf("the prompt begins %.40q", u.text)
	}
}

func TestALongPromptIsCollapsedInTheScrollback(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"short", "a\nb", "a\nb"},
		{"many lines", lines(100), lines(40) + "\n[60 lines more]"},
		{"one long line", strings.Repeat("é", 8<<10), strings.Repeat("é", 4<<10) + "\n[8192 bytes more]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.tell(event.Prompt{Text: tt.text})
			if b := u.blocks()[0].(screen.User); b.Shown != tt.want || b.Text != tt.text {
				t.Errorf("printed %.300q", b.Shown)
			}
		})
	}
}

func TestAPlaceholderCannotBeBroken(t *testing.T) {
	t.Parallel()
	name := "[pasted 120 lines]"
	at := func(text string) screen.Snapshot {
		before, after, _ := strings.Cut(text, "|")
		return screen.Snapshot{Text: before + after, Cursor: len(before)}
	}
	tests := []struct{ name, edited, want string }{
		{"typed inside", "a [pasted x|120 lines] b", "a " + name + "x| b"},
		{"typed before", "a x|" + name + " b", "a x|" + name + " b"},
		{"a bracket before", "a [|" + name + " b", "a [|" + name + " b"},
		{"a bracket behind", "a " + name + "]| b", "a " + name + "]| b"},
		{"a part deleted", "a [pasted | b", "a | b"},
		{"its first byte deleted", "a |pasted 120 lines] b", "a | b"},
		{"a part and more deleted", "a [pasted|", "a |"},
		{"all of it deleted", "a | b", "a | b"},
		{"replaced across", "xyz| lines] b", "xyz| b"},
		{"replaced elsewhere", "|zzz" + name + " c", "|zzz" + name + " c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.keys("a ")
			u.paste(lines(120))
			u.keys(" b")
			e := at(tt.edited)
			u.text, u.at = e.Text, e.Cursor
			u.edited()
			if got := u.text[:u.at] + "|" + u.text[u.at:]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			u.prompt(strings.Replace(tt.want, "|", "", 1))
		})
	}
}

// A prompt that is recalled stands as it was written: the user's words around
// the names of what was pasted.
func TestARecalledPromptShowsTheWordsAroundItsPastes(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("fix this: ")
	u.paste(lines(400))
	u.keys(" and say why", "enter")
	u.tell(event.Prompt{Text: "x"}, event.Done{Reason: "stop"})
	u.keys("up")
	if got := u.s.Editor.Text; !strings.HasPrefix(got, "fix this: [pasted ") || !strings.HasSuffix(got, "] and say why") {
		t.Errorf("the prompt shows %.80q", got)
	}
	for _, i := range u.keys("enter") {
		if d, ok := i.(screen.Do); ok {
			if got := d.Command.(host.Submit).Text; got != "fix this: "+lines(400)+" and say why" {
				t.Errorf("sent %.80q", got)
			}
		}
	}
}
