package gate_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"assent/internal/gate"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "{}", " \n\t": "{}", "null": "{}", "{}": "{}", ` { } `: "{}",
		`{"b":1,"a":2}`:                 `{"a":2,"b":1}`,
		`{"a":{"d":[1, 2],"c":"x"}}`:    `{"a":{"c":"x","d":[1,2]}}`,
		`{"a":1,"a":2}`:                 `{"a":2}`,
		`{"a":"<&>\u0041"}`:             `{"a":"<&>A"}`,
		`{"a":1.0}`:                     `{"a":1.0}`,
		`{"a":12345678901234567890123}`: `{"a":12345678901234567890123}`,
		`[1]`:                           `[1]`,
		`"x"`:                           `"x"`,
		"{\"a\":\"x\\ny\\u2028\"}":      `{"a":"x\ny\u2028"}`,
	} {
		got, err := gate.Canonical(json.RawMessage(in))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %s, %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"{", "{}{}", "{} x", `{"a":}`, "nul", `{'a':1}`, "\xff", "{}]"} {
		if got, err := gate.Canonical(json.RawMessage(in)); err == nil {
			t.Errorf("%q: got %s", in, got)
		}
	}
}

// FuzzCanonical: the canonical spelling means the same, and is its own.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{``, `{"b":1,"a":[null,true,1e9]}`, `{"a":{"a":{}}}`, `"\ud83d\ude00"`, `{"":0}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := gate.Canonical(in)
		if err != nil {
			return
		}
		again, err := gate.Canonical(out)
		if err != nil || string(again) != string(out) {
			t.Fatalf("%q became %q, then %q, %v", in, out, again, err)
		}
		var a, b any
		if json.Unmarshal(in, &a) == nil && a != nil {
			if json.Unmarshal(out, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%q became %q", in, out)
			}
		}
	})
}
