package provider

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// render returns the body of a request. Where the request breaks the prefix
// contract, the user is told which field differs and the view is rebuilt, so
// that the session goes on at the price of its cache and reasoning; anew is then
// why.
func render(v *wireview.View, req llm.Request, c wireview.Codec, emit func(llm.Chunk)) (body wireview.Body, anew string, err error) {
	body, err = v.Body(req, c)
	var broken *wireview.PrefixError
	if errors.As(err, &broken) {
		emit(llm.Warning{Text: "the conversation was rebuilt for the model: " + broken.Error()})
		v.Restart()
		anew = broken.Field + " differs from what was sent"
		body, err = v.Body(req, c)
	}
	if err != nil {
		return wireview.Body{}, "", &llm.Failure{Kind: llm.KindInternal, Message: "cannot build the request: " + err.Error(), Err: err}
	}
	return body, anew, nil
}

// badReasoning are the words with which servers refuse reasoning that they
// made themselves, for another model version or another prefix.
var badReasoning = []string{
	"bound to a different conversation", "invalid `signature`", "invalid signature", "signature in `thinking`",
	"blocks in the latest assistant message cannot be modified", "thought signature", "thought_signature",
	"encrypted content could not be", "encrypted_content", "reasoning' was provided without", "reasoning item",
}

// BadReasoning says that a server refused reasoning or signatures that were
// sent back to it. The view is restarted without them and the request sent
// once more.
func BadReasoning(err error) bool {
	f, ok := refusedShape(err)
	return ok && has(strings.ToLower(f.Message), badReasoning...)
}

// RefusedParam returns which of the names a refused request is about, empty
// when it is about none: the one that the server names as the parameter, else
// the one mentioned first in a text that says something is not taken.
func RefusedParam(err error, names ...string) string {
	f, ok := refusedShape(err)
	if !ok {
		return ""
	}
	text := strings.ToLower(f.Message)
	var api *APIError
	if errors.As(err, &api) {
		text = strings.ToLower(api.Message)
		for _, n := range names {
			if api.Param == n || strings.HasPrefix(api.Param, n+".") {
				return n
			}
		}
	}
	if !has(text, "not permitted", "not support", "unsupported", "unknown", "unrecognized", "unrecognised", "unexpected",
		"invalid", "not allowed", "does not match", "extra inputs", "not available", "must be", "maximum", "no longer") {
		return ""
	}
	best, at := "", len(text)
	for _, n := range names {
		if i := strings.Index(text, n); i >= 0 && i < at {
			best, at = n, i
		}
	}
	return best
}

// ShapeRefused says that a server refused the shape of a request, before any
// output; a changed one may be taken.
func ShapeRefused(err error) bool {
	_, ok := refusedShape(err)
	return ok
}

// refusedShape says that a server refused the shape of a request, before any
// output.
func refusedShape(err error) (*llm.Failure, bool) {
	var f *llm.Failure
	if !errors.As(err, &f) || f.Retryable || len(f.Partial) > 0 {
		return nil, false
	}
	return f, f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity
}

// Schema returns the schema of a tool's arguments; what is no JSON would spoil
// the whole request, so it becomes that of any object.
func Schema(t llm.Spec) json.RawMessage {
	if !json.Valid(t.Schema) {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Schema
}
