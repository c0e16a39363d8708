package provider

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// efforts is what a server said of its words for effort.
type efforts struct {
	not  string   // the word that it refused
	only []string // the words that it named instead, if it named any
}

// Efforts returns which words for effort may be sent: the given ones, unless
// the server refused one of them before.
func (e *Endpoint) Efforts(model string, words []string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	said, ok := e.efforts[model]
	switch {
	case !ok:
		return words
	case len(said.only) > 0:
		return said.only
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == said.not })
}

// effortRefused says that a refusal is about the word for effort that was
// sent, empty for none, and not about the parameter as such.
func effortRefused(err error, word string) bool {
	text, ok := effortText(err)
	return ok && word != "" && (slices.Contains(strings.FieldsFunc(text, notLetter), word) || len(quotedEfforts(text)) > 0)
}

// refuseEffort remembers a refused word for effort, so that the nearest that
// the server takes is sent instead. It returns false at a second refusal: then
// the parameter itself is to be left out.
func (e *Endpoint) refuseEffort(model, word string, err error) bool {
	text, _ := effortText(err)
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, before := e.efforts[model]; before {
		return false
	}
	if e.efforts == nil {
		e.efforts = map[string]efforts{}
	}
	only := slices.DeleteFunc(quotedEfforts(text), func(w string) bool { return w == word })
	e.efforts[model] = efforts{not: word, only: only}
	return true
}

// effortText is the text of a refusal that speaks of effort, in lower case.
func effortText(err error) (string, bool) {
	f, ok := refusedShape(err)
	if !ok {
		return "", false
	}
	text := f.Message
	var api *APIError
	if errors.As(err, &api) {
		text = api.Param + " " + api.Message
	}
	text = strings.ToLower(text)
	return text, has(text, "effort", "reasoning", "think")
}

// quotedEfforts are the words for effort that a text quotes.
func quotedEfforts(text string) []string {
	var found []string
	for _, w := range effortWords {
		if has(text, `"`+w+`"`, "'"+w+"'", "`"+w+"`") {
			found = append(found, w)
		}
	}
	return found
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
