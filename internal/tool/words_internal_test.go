package tool

import "testing"

func TestWorded(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		`minLength: "" contains 0 Unicode code points, fewer than 1`:      "it is empty",
		`minLength: "ab" contains 2 Unicode code points, fewer than 3`:    "want at least 3 characters, got 2",
		"maxLength: \"a\nb\" contains 3 Unicode code points, more than 2": "want at most 2 characters, got 3",
		"minItems: array length 0 is less than 1":                         "want at least 1 elements, got 0",
		"maxItems: array length 30 is greater than 20":                    "want at most 20 elements, got 30",
		"minProperties: object has 0 properties, less than 1":             "want at least 1 fields, got 0",
		"maximum: 99/1 is greater than 6.000000":                          "want at most 6, got 99",
		"minimum: -1 is less than 0.500000":                               "want at least 0.5, got -1",
		"exclusiveMinimum: 0/1 is less than or equal to 0.000000":         "want more than 0, got 0",
		"maximum: 99/1 is greater than 100.000000":                        "want at most 100, got 99",
		"enum: hexx does not equal any of: [text hex]":                    `want one of text, hex, got "hexx", did you mean "hex"?`,
		"enum: zzzzzz does not equal any of: [text raw]":                  `want one of text, raw, got "zzzzzz"`,
		"uniqueItems: array items 0 and 1 are equal":                      "uniqueItems: array items 0 and 1 are equal",
	} {
		if got := worded(rule); got != want {
			t.Errorf("%s\n got %s\nwant %s", rule, got, want)
		}
	}
}
