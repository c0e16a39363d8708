package llmtest

import (
	"fmt"
	"reflect"
	"strings"

	"assent/internal/llm"
)

// Check says what a provider would refuse in a request: that it is not well
// formed, or that it changes what last, the request before it, had sent in the
// same epoch. last may be nil.
func Check(last *llm.Request, req llm.Request) error {
	if err := WellFormed(req.Items); err != nil {
		return err
	}
	offered := map[string]bool{}
	for _, t := range req.Tools {
		if offered[t.Name] || t.Name == "" {
			return fmt.Errorf("the tool %q is offered twice", t.Name)
		}
		offered[t.Name] = true
	}
	if last == nil {
		return nil
	}
	if req.Epoch != last.Epoch {
		if req.Epoch < last.Epoch || req.Reason == "" {
			return fmt.Errorf("epoch %d begins after epoch %d for the reason %q", req.Epoch, last.Epoch, req.Reason)
		}
		return nil
	}
	return extends(*last, req)
}

func extends(last, req llm.Request) error {
	switch {
	case last.Model != req.Model, last.System != req.System, last.Level != req.Level, !reflect.DeepEqual(last.Tools, req.Tools):
		return fmt.Errorf("model, system, level or tools changed within epoch %d", req.Epoch)
	case len(req.Items) < len(last.Items):
		return fmt.Errorf("%d items after %d within epoch %d", len(req.Items), len(last.Items), req.Epoch)
	}
	for i := range last.Items {
		if !reflect.DeepEqual(last.Items[i], req.Items[i]) {
			return fmt.Errorf("item %d changed within epoch %d:\n%#v\n%#v", i, req.Epoch, last.Items[i], req.Items[i])
		}
	}
	return nil
}

// WellFormed says what is wrong with items: every call must have one result
// right after its response, in the order of the calls, every id must be unique,
// and nothing may be empty.
func WellFormed(items []llm.Item) error {
	var open []llm.Call
	seen := map[string]bool{}
	if len(items) == 0 {
		return fmt.Errorf("there are no items")
	}
	for i, it := range items {
		if _, ok := it.(llm.Result); !ok && len(open) > 0 {
			return fmt.Errorf("item %d: the call %s has no result", i, open[0].ID)
		}
		switch it := it.(type) {
		case llm.User:
			if strings.TrimSpace(it.Text) == "" && len(it.Images) == 0 {
				return fmt.Errorf("item %d: an empty message", i)
			}
		case llm.Note:
			if strings.TrimSpace(it.Text) == "" {
				return fmt.Errorf("item %d: an empty note", i)
			}
		case llm.Assistant:
			if len(it.Parts) == 0 {
				return fmt.Errorf("item %d: an empty response", i)
			}
			open = it.Calls()
			for _, c := range open {
				if seen[c.ID] || c.ID == "" {
					return fmt.Errorf("item %d: the call id %q is not unique", i, c.ID)
				}
				seen[c.ID] = true
			}
		case llm.Result:
			switch {
			case len(open) == 0:
				return fmt.Errorf("item %d: a result of %s without its call", i, it.CallID)
			case open[0].ID != it.CallID:
				return fmt.Errorf("item %d: a result of %s where that of %s belongs", i, it.CallID, open[0].ID)
			case strings.TrimSpace(it.Output) == "" && len(it.Images) == 0:
				return fmt.Errorf("item %d: an empty result", i)
			}
			open = open[1:]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the last call %s has no result", open[0].ID)
	}
	return nil
}
