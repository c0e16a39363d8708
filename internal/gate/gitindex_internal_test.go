package gate

import (
	"encoding/binary"
	"strings"
	"testing"
)

// indexOf writes an index of the second version.
func indexOf(hash int, tail string, names ...string) []byte {
	out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(names)))
	for _, n := range names {
		e := make([]byte, indexStats+hash+2)
		e = append(e, n...)
		out = append(out, e...)
		out = append(out, make([]byte, 8-len(e)%8)...)
	}
	out = append(out, tail...)
	return append(out, make([]byte, hash)...)
}

func TestParseIndex(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data   []byte
		opaque bool
	}{
		"two names":         {indexOf(20, "", "a", "sub/.env"), false},
		"the longer hash":   {indexOf(32, "", "a", "sub/.env"), false},
		"an extension":      {indexOf(20, "TREE\x00\x00\x00\x02ab", "a", "sub/.env"), false},
		"a split index":     {indexOf(20, "link\x00\x00\x00\x02ab", "a", "sub/.env"), true},
		"a sparse index":    {indexOf(20, "sdir\x00\x00\x00\x00", "a", "sub/.env"), true},
		"a cut extension":   {indexOf(20, "TREE\x00\x00\x00\x09ab", "a", "sub/.env"), true},
		"bytes at the end":  {indexOf(20, "TREE", "a", "sub/.env"), true},
		"no index":          {[]byte("hello"), true},
		"nothing":           {nil, true},
		"a long name":       {indexOf(20, "", "a", strings.Repeat("a", 5000)), true},
		"an empty name":     {indexOf(20, "", "", "a"), true},
		"the fifth version": {[]byte(strings.Replace(string(indexOf(20, "", "a")), "\x02", "\x05", 1)), true},
	} {
		x := parseIndex(tt.data)
		if x.opaque != tt.opaque {
			t.Errorf("%s: opaque %v, want %v", name, x.opaque, tt.opaque)
		}
		if !tt.opaque && (len(x.entries) != 2 || len(x.secrets) != 1 || x.entries[x.secrets[0]].name != "sub/.env") {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// entry4 is an entry of the fourth version with these bytes behind its flags.
func entry4(flags uint16, rest string) []byte {
	out := []byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01")
	out = append(out, make([]byte, indexStats+20)...)
	out = binary.BigEndian.AppendUint16(out, flags)
	return append(append(out, rest...), make([]byte, 20)...)
}

func TestParseIndexOfTheFourthVersion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"a name":                 {entry4(0, "\x00.env\x00"), ".env"},
		"more flags":             {entry4(0x4000, "\x00\x00\x00.env\x00"), ".env"},
		"more cut than there is": {entry4(0, "\x02.env\x00"), ""},
		"a long number":          {entry4(0, "\x80\x80\x80\x80\x80\x80\x00.env\x00"), ""},
		"a number of two bytes":  {entry4(0, "\x80\x00.env\x00"), ""},
		"no end":                 {entry4(0, "")[:12+62+20], ""},
	} {
		x := parseIndex(tt.data)
		got := ""
		if len(x.entries) == 1 {
			got = x.entries[0].name
		}
		if got != tt.want || x.opaque != (tt.want == "") {
			t.Errorf("%s: %q, opaque %v", name, got, x.opaque)
		}
	}
	if x := (&indexes{}).read("\x00"); !x.opaque {
		t.Error("a file that cannot be looked at is read")
	}
}

// unfolding is an index of the fourth version whose names each add a piece to
// the one before, cut by so much.
func unfolding(entries, cut int, first, piece string) []byte {
	out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x04"), uint32(entries))
	for i := range entries {
		out = append(out, make([]byte, indexStats+20+2)...)
		name := first
		if i > 0 {
			name = piece
			out = append(out, byte(cut))
		} else {
			out = append(out, 0)
		}
		out = append(append(out, name...), 0)
	}
	return append(out, make([]byte, 20)...)
}

// TestParseIndexIsBounded covers a small file whose names unfold to much more
// than it holds.
func TestParseIndexIsBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data   []byte
		opaque bool
	}{
		"names that grow":    {unfolding(20_000, 0, "a", "a"), true},
		"names that stay":    {unfolding(20_000, 1, strings.Repeat("a", 4000), "b"), true},
		"names of a project": {unfolding(20_000, 10, "some/long/folder/of/a/project/with/a/file.go", "another.go"), false},
	} {
		if x := parseIndex(tt.data); x.opaque != tt.opaque {
			t.Errorf("%s: opaque %v, want %v", name, x.opaque, tt.opaque)
		}
	}
}

func FuzzParseIndex(f *testing.F) {
	f.Add(indexOf(20, "", "a", "sub/.env"))
	f.Add(indexOf(32, "TREE\x00\x00\x00\x00", "a.go"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 62) + "\x00a\x00" + strings.Repeat("\x00", 20)))
	f.Add(unfolding(40, 0, "a", "bb/.env"))
	f.Add(unfolding(40, 2, "a/b/c.pem", ".env"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x := parseIndex(data)
		names := 0
		for _, e := range x.entries {
			if names += len(e.name); len(e.name) > mostName || names > mostLonger*len(data) {
				t.Fatalf("names of %d bytes from %d", names, len(data))
			}
		}
		for _, e := range x.entries {
			if e.name == "" || strings.Contains(e.name, "\x00") {
				t.Fatalf("a name that is none: %q", e.name)
			}
		}
		for _, i := range x.secrets {
			if i < 0 || i >= len(x.entries) {
				t.Fatalf("secret %d of %d", i, len(x.entries))
			}
		}
	})
}
