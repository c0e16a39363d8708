package provider

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/llm"
)

// ModelIDs reads the list of models that a server reports, in the form of any
// wire; those that cannot answer are left out where the server says so. Each
// stands there once, and none is blank or holds characters that cannot be seen.
// The error is a *llm.Failure or the context's.
func (e *Endpoint) ModelIDs(ctx context.Context, c Request) ([]string, error) {
	doc, err := e.Get(ctx, c)
	if err != nil {
		return nil, err
	}
	ids, err := modelIDs(doc)
	if err != nil {
		return nil, e.failure(llm.KindProvider, "the list of models has another form; check the base URL and the provider", err)
	}
	return ids, nil
}

// errNoList says that a document has no list of models.
var errNoList = errors.New("it has no list of models")

func modelIDs(doc []byte) ([]string, error) {
	var list struct {
		Data   *[]struct{ ID string }
		Models *[]struct {
			Name    string
			Methods []string `json:"supportedGenerationMethods"`
		}
	}
	if err := json.Unmarshal(doc, &list); err != nil {
		return nil, err
	}
	ids := []string{}
	switch {
	case list.Data != nil:
		for _, m := range *list.Data {
			ids = append(ids, m.ID)
		}
	case list.Models != nil:
		for _, m := range *list.Models {
			if len(m.Methods) == 0 || strings.Contains(strings.Join(m.Methods, " "), "generateContent") {
				ids = append(ids, strings.TrimPrefix(m.Name, "models/"))
			}
		}
	default:
		return nil, errNoList
	}
	seen := make(map[string]bool, len(ids))
	return slices.DeleteFunc(ids, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again || !nameable(id)
	}), nil
}

// nameable reports whether a name can be shown, written into a setting and sent
// back: it says something, and nothing in it moves a cursor, hides a part of it
// or stands for a byte that was lost.
func nameable(id string) bool {
	return strings.TrimSpace(id) != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	})
}
