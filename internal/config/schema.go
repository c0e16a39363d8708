package config

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Schema returns a JSON Schema of the config file, for editors.
func Schema() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"assent config","type":"object","properties":{`)
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		var one map[string]json.RawMessage
		if err := json.Unmarshal([]byte(f.schema), &one); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", f.name, err)
		}
		doc, err := json.Marshal(f.doc)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:{\"description\":%s,%s", f.name, doc, f.schema[1:])
	}
	b.WriteString(`},"patternProperties":{"^x-":{},"^\\$schema$":{}},"additionalProperties":false}`)
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, b.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("config schema: %w", err)
	}
	pretty.WriteByte('\n')
	return pretty.Bytes(), nil
}

// Doc is what a user needs to know of a field.
type Doc struct {
	Name, Meaning string
	// Project says what a project's file may do with it.
	Project string
}

// Docs returns every field, in table order.
func Docs() []Doc {
	list := make([]Doc, len(fields))
	for i, f := range fields {
		project := map[scope]string{open: "yes", trusted: "when trusted", never: "no"}[f.project]
		if f.limits != "" {
			project = f.limits
		}
		meaning := f.doc
		if f.later != "" {
			meaning += " (not yet: this version " + f.later + ")"
		}
		list[i] = Doc{f.name, meaning, project}
	}
	return list
}
