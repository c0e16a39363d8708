package wireview

import "assent/internal/llm"

// Codec renders requests for one wire. It must be deterministic: the same
// items always give the same bytes.
type Codec interface {
	// Head returns everything before the first item. It is called once in an
	// epoch, so it may depend only on the model, system text, tools and level.
	// It ends with "[", or with an element of the list that the items extend.
	Head(req llm.Request) []byte
	// Items renders one batch: the items that were appended since the last
	// request, repaired, never empty. Elements are separated by commas, with
	// none before the first or after the last; the view puts the one between
	// batches. A codec may merge neighbours of a batch into one message, but
	// knows nothing of other batches.
	Items(items []llm.Item) Chunk
	// Tail returns everything after the last item. It is called for every
	// request, so what may change within an epoch belongs here.
	Tail(req llm.Request) []byte
}

// Chunk is a rendered batch.
type Chunk struct {
	// Bytes are never changed after they were handed over; empty when the
	// batch has nothing for this wire.
	Bytes []byte
	// Mark is the offset in Bytes where a cache mark may be spliced in, -1 when
	// there is none.
	Mark int
}
