package wireview_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"assent/internal/wireview"
)

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\r\t\x00\x1f\x7f", "é\u2028<>&", "\xff\xc3", "\xed\xa0\x80x", "\uFFFD"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := wireview.AppendString(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		want := string([]rune(s)) // every bad byte is one U+FFFD
		if back != want || !utf8.Valid(got) {
			t.Fatalf("%q became %q", s, back)
		}
	})
}

func TestSafeID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"toolu_01Ab-9", "x"} {
		if got := wireview.SafeID(id, 40); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
	seen := map[string]string{}
	for _, id := range []string{"functions.ls:0", "functions_ls:0", "functions.ls.0", "é", "", strings.Repeat("x", 41), strings.Repeat("x", 42)} {
		got := wireview.SafeID(id, 40)
		if len(got) > 40 || !wireName.MatchString(got) || got != wireview.SafeID(id, 40) {
			t.Errorf("%q became %q", id, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q both became %q", id, other, got)
		}
		seen[got] = id
	}
	if got := wireview.ShortID("functions.ls:0", 9); len(got) != 9 {
		t.Errorf("ShortID gave %q", got)
	}
}
