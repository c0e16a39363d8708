package providertest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// step is one line of a script.
type step struct {
	line int
	verb string
	text string // the rest of the line, unquoted where it was a literal
}

// Response is one scripted response.
type Response struct{ steps []step }

// verbs lists the words of the language, and whether they need a text.
var verbs = map[string]bool{
	"text": true, "think": true, "redacted": false, "call": true, "bigcall": true, "flood": true, "chunk": true,
	"id": true, "index": true, "unoffered": false, "usage": true, "stop": true, "expect": true, "match": true,
	"repeat": false, "wait": true, "pause": true, "ping": false, "stall": false, "hang": false, "cut": false, "reset": false,
	"open": false, "error": true, "event": true, "status": true, "header": true, "body": true, "html": false,
	"empty": false, "garbage": true, "json": false,
}

// Parse reads a script; an error names the line.
func Parse(script string) ([]Response, error) {
	var all []Response
	var now Response
	for n, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "---":
			all, now = append(all, now), Response{}
			continue
		case line == "" || line[0] == '#':
			continue
		}
		verb, text, _ := strings.Cut(line, " ")
		needs, ok := verbs[verb]
		if !ok {
			return nil, fmt.Errorf("read script: line %d: unknown step %q", n+1, verb)
		}
		if text = strings.TrimSpace(text); needs && text == "" {
			return nil, fmt.Errorf("read script: line %d: %s needs a text", n+1, verb)
		}
		if strings.HasPrefix(text, `"`) && verb != "body" {
			plain, err := strconv.Unquote(text)
			if err != nil {
				return nil, fmt.Errorf("read script: line %d: %w", n+1, err)
			}
			text = plain
		}
		now.steps = append(now.steps, step{n + 1, verb, text})
	}
	if len(now.steps) > 0 {
		all = append(all, now)
	}
	return all, nil
}

// find returns the text of the first step with a verb.
func (r Response) find(verb string) (string, bool) {
	i := slices.IndexFunc(r.steps, func(s step) bool { return s.verb == verb })
	if i < 0 {
		return "", false
	}
	return r.steps[i].text, true
}

// number reads the n-th word of a text, 0 when there is none.
func number(text string, n int) int {
	words := strings.Fields(text)
	if n >= len(words) {
		return 0
	}
	v, err := strconv.Atoi(words[n])
	if err != nil {
		return 0
	}
	return v
}
