package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReparent: a line that gets another parent says the same but for that.
func FuzzReparent(f *testing.F) {
	f.Add([]byte(`{"type":"user","id":"u","parent":"s","time":"2026-10-01T09:00:02Z","text":"hi","new":1}`), "n")
	f.Add([]byte(`{"type":"assistant","id":"a","calls":[{"id":"c","name":"n","input":{"parent":"s"}}],"parent":"s"}`), "n")
	f.Add([]byte(`{"type":"user","id":"u","text":"\"parent\":\"s\""}`), "n")
	f.Add([]byte(`{"type":"notice","Parent":"a","parent":"s","id":"i","text":"x"}`), "")
	f.Fuzz(func(t *testing.T, line []byte, to string) {
		was, kind := decode(line)
		if kind != "" || !utf8.ValidString(to) {
			return
		}
		got, err := reparent(line, was.Parent, to)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		is, kind := decode(got)
		if kind != "" {
			t.Fatalf("%s became %s: %s", line, got, kind)
		}
		want := was
		want.Parent = to
		if was.Parent == to {
			want.Parent = was.Parent
		}
		if !alike(is, want) {
			t.Fatalf("%s became %s", line, got)
		}
	})
}

// alike compares entries; the raw bytes of one of an unknown kind need not be
// the same.
func alike(a, b Entry) bool {
	if _, unknown := a.Record.(Unknown); unknown {
		_, also := b.Record.(Unknown)
		return also && a.Meta == b.Meta
	}
	return reflect.DeepEqual(a, b)
}

// FuzzInfo: what a listing tells of any file is within bounds, and its title is
// one line.
func FuzzInfo(f *testing.F) {
	f.Add([]byte(`{"type":"session","id":"0190a0b0-0000-7000-8000-000000000000","time":"2026-10-01T09:00:01Z","version":1,"cwd":"/x"}` + "\n" +
		`{"type":"user","id":"u","parent":"s","time":"2026-10-01T09:00:02Z","text":"hi\nthere","turn":1}` + "\n"))
	f.Add([]byte("{\"type\":\"user\",\"text\":\"a\\u00"))
	f.Add([]byte("\x00\n{\"type\":\"title\",\"title\":\"a\\nb\"}"))
	dir := f.TempDir()
	file := filepath.Join(dir, "20261001T090001Z_0190a0b0-0000-7000-8000-000000000000.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		i := Store{Dir: dir}.info(file)
		if i.ID != "0190a0b0-0000-7000-8000-000000000000" || i.Size != int64(len(data)) || i.Turns < 0 || i.Updated.Before(i.Created) && i.dated {
			t.Fatalf("%+v", i)
		}
		if strings.ContainsAny(i.Title, "\r\n") || i.Title != strings.TrimSpace(i.Title) {
			t.Fatalf("the title is %q", i.Title)
		}
	})
}

// FuzzTextPrefix: the first line of a prompt is found in a line that was cut
// off, as far as it is there, and is the same that the whole record has.
func FuzzTextPrefix(f *testing.F) {
	f.Add("a prompt\nof two lines", 60)
	f.Add("é\"\\\u2028\x01", 75)
	f.Add("  \r\n x", 200)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if !utf8.ValidString(text) {
			return
		}
		line, err := encode(Meta{ID: "u", Parent: "s"}, User{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		want := firstLine(text)
		got, complete := textPrefix(line)
		if got != want || !complete && text != "" {
			t.Fatalf("%s has %q, %v", line, got, complete)
		}
		got, complete = textPrefix(line[:min(max(at, 0), len(line))])
		if !strings.HasPrefix(want, got) && !strings.HasPrefix(got, want) || complete && got != want {
			t.Fatalf("a part of %s has %q, %v", line, got, complete)
		}
	})
}

// FuzzSafeName: whatever an output is called, it is stored in its folder under
// a name by which it is found again.
func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"bash-1.txt", "../../etc/passwd", "..", "", ".hidden", "a/b\\c:d", "é", strings.Repeat("x", 300), "x." + strings.Repeat("y", 300), "a.\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		base, ext := safeName(name)
		file := base + ext
		if file != filepath.Base(file) || half(file) || base == "" || len(file) > 120 || strings.ContainsAny(file, "/\\:\x00 ") {
			t.Fatalf("%q is stored as %q", name, file)
		}
	})
}

// FuzzMaskJSON: masking changes texts inside JSON and nothing else: what was
// JSON is JSON with the same shape, and no text keeps what is masked.
func FuzzMaskJSON(f *testing.F) {
	for _, s := range []string{`{"a":"KEY","b":["x KEY y",1e3,null,true,{"KEY":"z"}]}`, `"\u004bEY"`, `{"a":"K\u0045Y"}`, "KEY", `{"a":"KEY`, `{"a":"\ud800KEY"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := maskJSON(raw, func(s string) string { return strings.ReplaceAll(s, "KEY", "***") })
		if json.Valid(raw) != json.Valid(got) {
			t.Fatalf("%s became %s", raw, got)
		}
		if !json.Valid(raw) {
			if bytes.Contains(got, []byte("KEY")) {
				t.Fatalf("%q became %q", raw, got)
			}
			return
		}
		var was, is any
		if json.Unmarshal(raw, &was) != nil || json.Unmarshal(got, &is) != nil {
			return
		}
		if !masked(was, is) {
			t.Fatalf("%s became %s", raw, got)
		}
	})
}

// masked reports whether values are the same but for texts, which hold nothing
// that is to be masked. Names of fields may be masked too.
func masked(was, is any) bool {
	switch was := was.(type) {
	case string:
		is, ok := is.(string)
		return ok && is == strings.ReplaceAll(was, "KEY", "***")
	case []any:
		is, ok := is.([]any)
		if !ok || len(is) != len(was) {
			return false
		}
		for i := range was {
			if !masked(was[i], is[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok || len(is) > len(was) {
			return false
		}
		for name, v := range was {
			other, there := is[name]
			if !there {
				if other, there = is[strings.ReplaceAll(name, "KEY", "***")]; !there {
					return false
				}
			}
			if len(is) == len(was) && !masked(v, other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(was, is)
}
