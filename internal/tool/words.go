package tool

import (
	"fmt"
	"strings"

	"assent/internal/late"
	"assent/internal/near"
)

var (
	textRule  = late.Regexp(`(?s)^m(?:in|ax)Length: (.*) contains (\d+) Unicode code points, (fewer|more) than (\d+)$`)
	countRule = late.Regexp(`^m(?:in|ax)(Items|Properties): (?:array length|object has) (\d+)(?: properties,)?(?: is)? (less|greater) than (\d+)$`)
	sizeRule  = late.Regexp(`^(minimum|maximum|exclusiveMinimum|exclusiveMaximum): (\S+?)(?:/1)? is (?:less|greater) than (?:or equal to )?(\S+)$`)
	wordRule  = late.Regexp(`(?s)^enum: (.*) does not equal any of: \[(.*)\]$`)
)

// worded turns the rules that a value broke from the words of the schema
// language into plain ones; what it does not know stays.
func worded(rule string) string {
	if m := textRule().FindStringSubmatch(rule); m != nil {
		if m[4] == "1" && m[3] == "fewer" {
			return "it is empty"
		}
		return fmt.Sprintf("want at %s %s characters, got %s", limit(m[3] == "fewer"), m[4], m[2])
	}
	if m := countRule().FindStringSubmatch(rule); m != nil {
		what := "elements"
		if m[1] == "Properties" {
			what = "fields"
		}
		return fmt.Sprintf("want at %s %s %s, got %s", limit(m[3] == "less"), m[4], what, m[2])
	}
	if m := sizeRule().FindStringSubmatch(rule); m != nil {
		end := strings.TrimSuffix(strings.TrimRight(m[3], "0"), ".")
		words := map[string]string{"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "exclusiveMaximum": "less than"}
		return fmt.Sprintf("want %s %s, got %s", words[m[1]], end, m[2])
	}
	if m := wordRule().FindStringSubmatch(rule); m != nil {
		valid := strings.Fields(m[2])
		meant := near.Word(m[1], valid)
		if meant != "" {
			meant = fmt.Sprintf(", did you mean %q?", meant)
		}
		return fmt.Sprintf("want one of %s, got %q%s", strings.Join(valid, ", "), m[1], meant)
	}
	return rule
}

// limit is the word for a bound.
func limit(low bool) string {
	if low {
		return "least"
	}
	return "most"
}
