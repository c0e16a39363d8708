package config

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ParsePath takes a field as users write it apart: names with dots between
// them, a name that holds dots itself in double quotes, as in
// models."gpt-5.2".contextWindow.
func ParsePath(field string) ([]string, error) {
	var path []string
	for rest := field; ; {
		name, after := rest, ""
		more := false
		if strings.HasPrefix(rest, `"`) {
			d := json.NewDecoder(strings.NewReader(rest))
			name = ""
			if err := d.Decode(&name); err != nil {
				return nil, fmt.Errorf("the field %s: a quote is not closed", field)
			}
			if after = rest[d.InputOffset():]; after != "" && after[0] != '.' {
				return nil, fmt.Errorf("the field %s: a dot must follow the quoted name %q", field, name)
			}
			after, more = strings.CutPrefix(after, ".")
		} else {
			name, after, more = strings.Cut(rest, ".")
		}
		path = append(path, name)
		if !more {
			return path, nil
		}
		rest = after
	}
}

// JoinPath writes a path so that ParsePath reads it.
func JoinPath(path ...string) string {
	names := make([]string, len(path))
	for i, name := range path {
		names[i] = name
		if strings.ContainsAny(name, ". \t\"") || name == "" {
			quoted, _ := json.Marshal(name) // a string has no fault
			names[i] = string(quoted)
		}
	}
	return strings.Join(names, ".")
}
