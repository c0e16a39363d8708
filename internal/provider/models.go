package provider

import (
	"context"
	"encoding/json"
	"strings"

	"assent/internal/llm"
)

// ModelIDs reads the list of models that a server reports, in the form of any
// wire; those that cannot answer are left out where the server says so. The
// error is a *llm.Failure or the context's.
func (e *Endpoint) ModelIDs(ctx context.Context, c Request) ([]string, error) {
	doc, err := e.Get(ctx, c)
	if err != nil {
		return nil, err
	}
	var list struct {
		Data   *[]struct{ ID string }
		Models *[]struct {
			Name    string
			Methods []string `json:"supportedGenerationMethods"`
		}
	}
	if err := json.Unmarshal(doc, &list); err != nil || list.Data == nil && list.Models == nil {
		return nil, e.failure(llm.KindProvider, "the list of models has another form; check the base URL and the provider", err)
	}
	ids := []string{}
	switch {
	case list.Data != nil:
		for _, m := range *list.Data {
			ids = append(ids, m.ID)
		}
	default:
		for _, m := range *list.Models {
			if len(m.Methods) == 0 || strings.Contains(strings.Join(m.Methods, " "), "generateContent") {
				ids = append(ids, strings.TrimPrefix(m.Name, "models/"))
			}
		}
	}
	return ids, nil
}
