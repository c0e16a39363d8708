package provider

import (
	"assent/internal/llm"
)

// ItemWriter writes the items of one batch in the form of a wire.
type ItemWriter interface {
	// User is said by the user's side: a prompt with its images, or a note.
	User(text string, images []llm.Image)
	Assistant(llm.Assistant)
	Result(llm.Result)
}

// WriteItems hands a batch to a writer, item by item.
func WriteItems(w ItemWriter, items []llm.Item) {
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			w.User(it.Text, it.Images)
		case llm.Note:
			w.User(it.Text, nil)
		case llm.Assistant:
			w.Assistant(it)
		case llm.Result:
			w.Result(it)
		}
	}
}
