package main

import (
	"slices"
	"strings"
	"testing"
)

// An INPUT may begin with a dash.
func TestInputArgs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"permissions|explain|bash|- x":                      "permissions|explain|bash|--|- x",
		"permissions|explain|bash|-rf x|--json":             "permissions|explain|bash|--json|--|-rf x",
		"permissions|explain|--allow|bash|bash|--x y":       "permissions|explain|--allow|bash|bash|--|--x y",
		"permissions|explain|bash|--yolo|-Cx|-x":            "permissions|explain|bash|--yolo|-Cx|--|-x",
		"permissions|explain|-C|dir|bash|--deny=x|ls":       "permissions|explain|-C|dir|bash|--deny=x|ls",
		"permissions|explain|bash|-C|dir|-":                 "permissions|explain|bash|-C|dir|-",
		"permissions|explain|bash|--|-x":                    "permissions|explain|bash|--|-x",
		"permissions|explain|bash|ls|--what":                "permissions|explain|bash|ls|--what",
		"permissions|explain|bash|-h":                       "permissions|explain|bash|-h",
		"permissions|explain|--what|bash|ls":                "permissions|explain|--what|bash|ls",
		"permissions|explain|--agent|plan|bash|-C x --json": "permissions|explain|--agent|plan|bash|--|-C x --json",
		"permissions|explain":                               "permissions|explain",
		"sessions|show|-x":                                  "sessions|show|-x",
	} {
		c := &cli{}
		got := inputArgs(c.root(), strings.Split(in, "|"))
		if !slices.Equal(got, strings.Split(want, "|")) {
			t.Errorf("%s: %s, want %s", in, strings.Join(got, "|"), want)
		}
	}
}
