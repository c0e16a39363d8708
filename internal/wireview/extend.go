package wireview

import (
	"bytes"
	"fmt"
	"slices"

	"assent/internal/llm"
)

// PrefixError says that a request changes what was already sent although no
// new epoch began. The caller begins one and sends the request again.
type PrefixError struct {
	// Field names the first difference, for instance "system" or "items[4]".
	Field string
	Epoch int
}

// Error names the field and the epoch.
func (e *PrefixError) Error() string {
	return fmt.Sprintf("extend the last request: %s differs within epoch %d", e.Field, e.Epoch)
}

// extends proves that next only adds items to last. Strings and slices that
// share their memory compare at once, so the proof costs a few nanoseconds an
// item and not its length.
func extends(last, next llm.Request) error {
	differs := func(field string) error { return &PrefixError{field, last.Epoch} }
	switch {
	case last.Model != next.Model:
		return differs("model")
	case last.Level != next.Level:
		return differs("level")
	case last.System != next.System:
		return differs("system")
	case len(last.Tools) != len(next.Tools):
		return differs("tools")
	case len(last.Items) > len(next.Items):
		return differs(fmt.Sprintf("items[%d]", len(next.Items)))
	}
	for i := range last.Tools {
		if !sameSpec(last.Tools[i], next.Tools[i]) {
			return differs(fmt.Sprintf("tools[%d] (%s)", i, next.Tools[i].Name))
		}
	}
	for i := range last.Items {
		if !sameItem(last.Items[i], next.Items[i]) {
			return differs(fmt.Sprintf("items[%d]", i))
		}
	}
	return nil
}

func sameSpec(a, b llm.Spec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

func sameItem(a, b llm.Item) bool {
	switch a := a.(type) {
	case llm.User:
		b, ok := b.(llm.User)
		return ok && a.Text == b.Text && slices.EqualFunc(a.Images, b.Images, sameImage)
	case llm.Note:
		return a == b
	case llm.Assistant:
		b, ok := b.(llm.Assistant)
		return ok && a.Provider == b.Provider && a.Model == b.Model && a.Stop == b.Stop &&
			slices.EqualFunc(a.Parts, b.Parts, samePart)
	case llm.Result:
		b, ok := b.(llm.Result)
		return ok && a.CallID == b.CallID && a.Name == b.Name && a.Status == b.Status &&
			a.Output == b.Output && slices.EqualFunc(a.Images, b.Images, sameImage)
	}
	return false
}

func samePart(a, b llm.Part) bool {
	switch a := a.(type) {
	case llm.Text:
		b, ok := b.(llm.Text)
		return ok && a.Text == b.Text && sameOpaque(a.Opaque, b.Opaque)
	case llm.Reasoning:
		b, ok := b.(llm.Reasoning)
		return ok && a.Text == b.Text && sameOpaque(a.Opaque, b.Opaque)
	case llm.Call:
		b, ok := b.(llm.Call)
		return ok && a.ID == b.ID && a.Name == b.Name && bytes.Equal(a.Input, b.Input) &&
			sameOpaque(a.Opaque, b.Opaque)
	}
	return false
}

func sameOpaque(a, b llm.Opaque) bool {
	return a.Provider == b.Provider && a.Model == b.Model && bytes.Equal(a.Data, b.Data)
}

func sameImage(a, b llm.Image) bool {
	return a.MIME == b.MIME && a.Name == b.Name && bytes.Equal(a.Data, b.Data)
}
