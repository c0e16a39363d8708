package provider_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"assent/internal/provider"
)

// members reads an object with Fields.
func members(doc []byte) (map[string]any, error) {
	all := map[string]any{}
	var bad error
	err := provider.Fields(doc, func(name, value []byte) bool {
		var key string
		if err := json.Unmarshal(append(append([]byte{'"'}, name...), '"'), &key); err != nil {
			bad = err
		}
		var v any
		if err := json.Unmarshal(value, &v); err != nil {
			bad = err
		}
		all[key] = v
		return true
	})
	if err == nil {
		err = bad
	}
	return all, err
}

func TestFields(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":"x\"}","b":[1,{"c":"]"}],"d":null,"e":-1.5e3}`, "{\n\t\"a\" : true ,\r\n \"b\":{}}",
	} {
		var want map[string]any
		if err := json.Unmarshal([]byte(doc), &want); err != nil {
			t.Fatal(err)
		}
		if got, err := members([]byte(doc)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, %v", doc, got, err)
		}
	}
	for _, doc := range []string{``, `[]`, `"a"`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":}`, `{"a" 1}`, `{"a":[1}`, `{a:1}`, `{"a\`} {
		if got, err := members([]byte(doc)); err == nil {
			t.Errorf("%q gives %v and no error", doc, got)
		}
	}
}

func TestScalars(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{`"a"`: "a", `""`: "", `"\u00e9\n\""`: "é\n\"", `3`: "", ``: "", `"`: "", "\"\xff\"": "\uFFFD"} {
		if got := provider.Unquote([]byte(raw)); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
	for raw, want := range map[string]int{`3`: 3, `-2`: -2, `1.9`: 1, `1e3`: 1000, `"3"`: 0, ``: 0, `null`: 0, `1e99`: 0} {
		if got := provider.Int([]byte(raw)); got != want {
			t.Errorf("%s is %d, want %d", raw, got, want)
		}
	}
}

func FuzzFields(f *testing.F) {
	f.Add([]byte(`{"a":"x\\","b":[1,{"c":"]"}],"d":null}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := members(doc)
		var want map[string]any
		if json.Unmarshal(doc, &want) != nil || want == nil {
			return // it may be more tolerant, but must not fail to end
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, %v, want %v", doc, got, err, want)
		}
	})
}
