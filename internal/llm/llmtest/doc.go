// Package llmtest is a model that plays a script in process: text, reasoning
// and calls, and everything that goes wrong with a stream. It refuses malformed
// requests as a provider would: calls without results, results without calls,
// a prefix that changed within an epoch.
//
//	m := llmtest.New(t,
//		llmtest.Step{Calls: []llmtest.Call{{Name: "read_file", Input: `{"path":"a"}`}}},
//		llmtest.Step{Text: "done"},
//	)
//
// Every request is kept; tests look at what the model was sent.
package llmtest
