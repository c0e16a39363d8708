// Package llm holds the words of a conversation with a model: items, parts,
// calls, results, usage, stop reasons, requests, chunks and failures.
//
// It owns values only. It knows nothing of a vendor, a file, a clock or a
// screen, and imports the standard library alone. Everything that a vendor
// needs back unchanged rides as Opaque on the part that it came with.
//
// The flow: the engine keeps a history of [Item]s that only grows and hands it
// in a [Request] to a model; the model streams [Chunk]s and returns a [Reply]
// or a [*Failure]; the reply's parts become the next [Assistant] item and each
// of its calls is later answered by one [Result] item.
package llm
