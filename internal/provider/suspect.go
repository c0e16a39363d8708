package provider

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// maxTrials bounds how often a request is sent to find which of its images is
// bad. A refusal costs no answer, only the way there.
const maxTrials = 5

// suspect is an image that may have been refused.
type suspect struct {
	digest digest
	name   string
	image  llm.Image
}

// trial is the search for the bad one of several images, where the server does
// not say which it is: each request leaves other ones out, until it is taken.
type trial struct {
	groups [][]suspect
	next   int // the group to leave out next
}

// badImage tells a refusal of an image.
func badImage(api *APIError) bool {
	text := strings.ToLower(api.Param + " " + api.Code + " " + api.Message)
	return has(text, "image", "inline_data", "inlinedata") &&
		has(text, "could not process", "invalid", "exceed", "unsupported", "not supported", "too large", "too small",
			"unable to process", "failed to", "not valid", "cannot be", "could not be", "corrupt", "does not match", "cannot read", "not a valid", "at most", "does not support",
			"no endpoints found", "maximum")
}

// sightless tells that the model takes no image at all.
func sightless(api *APIError) bool {
	return has(strings.ToLower(api.Message), "does not support image", "not support image", "no endpoints found")
}

// suspects are the images of items that are not left out, each once.
func (q *Quarantine) suspects(items []llm.Item) []suspect {
	var all []suspect
	seen := map[digest]bool{}
	for _, it := range items {
		for _, img := range Images(it) {
			d := sha256.Sum256(img.Data)
			if !seen[d] && !q.images[d] {
				seen[d] = true
				all = append(all, suspect{digest: d, name: cmp.Or(img.Name, "the image"), image: img})
			}
		}
	}
	return all
}

// leave leaves images out and names them.
func (q *Quarantine) leave(all []suspect) string {
	if q.images == nil {
		q.images = map[digest]bool{}
	}
	names := make([]string, len(all))
	for i, s := range all {
		q.images[s.digest], names[i] = true, s.name
	}
	return strings.Join(names, ", ")
}

// isolate leaves the image out that a refusal is about: the one at the place
// that it names, else one after the other of those that were not taken before.
func (q *Quarantine) isolate(api *APIError, req llm.Request, body func() []byte) string {
	before := q.trial
	if before != nil {
		for _, s := range before.groups[before.next-1] { // it was another one
			delete(q.images, s.digest)
		}
	}
	all := q.suspects(req.Items)
	said := "refused an image (" + clip(api.Message, 200) + ")"
	if body != nil {
		if named := placed(api, body(), all); len(named) > 0 {
			q.trial = nil
			return said + "; going on without " + q.leave(named)
		}
	}
	if before != nil {
		if before.next < len(before.groups) {
			before.next++
			return "refused an image again; trying without " + q.leave(before.groups[before.next-1]) + " in place of it"
		}
		q.trial = nil
		return "refused every try; going on without " + q.leave(slices.Concat(before.groups...))
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(s suspect) bool { return q.taken[s.digest] })
	if len(fresh) == 0 {
		fresh = all
	}
	switch {
	case len(fresh) == 0:
		return ""
	case len(fresh) == 1, sightless(api):
		return said + "; going on without " + q.leave(fresh)
	}
	order(fresh, api)
	q.trial = &trial{next: 1}
	for n := min(maxTrials, len(fresh)); n > 0; n-- {
		size := (len(fresh) + n - 1) / n
		q.trial.groups, fresh = append(q.trial.groups, fresh[:size]), fresh[size:]
	}
	return said + "; trying without " + q.leave(q.trial.groups[0])
}

// order puts first what is more likely bad: an image that is not what it says
// it is, and a large one where the refusal is about size.
func order(all []suspect, api *APIError) {
	size := has(strings.ToLower(api.Message), "exceed", "too large", "maximum", "bytes", "size", "at most")
	odd := func(s suspect) int {
		if http.DetectContentType(s.image.Data) == s.image.MIME {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b suspect) int {
		if c := cmp.Compare(odd(a), odd(b)); c != 0 || !size {
			return c
		}
		return cmp.Compare(len(b.image.Data), len(a.image.Data))
	})
}

// placed returns the images at the place in a body that a refusal names, as in
// "messages.2.content.0.image.source" or "input[2].content[1].image_url".
func placed(api *APIError, body []byte, all []suspect) []suspect {
	for _, text := range []string{api.Param, api.Message} {
		for _, lead := range []string{"messages", "input", "contents"} {
			_, rest, ok := strings.Cut(text, lead)
			if !ok {
				continue
			}
			at, ok := walk(body, lead, rest)
			if !ok {
				continue
			}
			named := slices.DeleteFunc(slices.Clone(all), func(s suspect) bool {
				return !bytes.Contains(at, wireview.AppendBase64(nil, s.image.Data))
			})
			if len(named) > 0 {
				return named
			}
		}
	}
	return nil
}

// walk follows a path through a document. Words that are no field there, such as
// the type of a block, are skipped; false when the path names no place in a
// list.
func walk(doc json.RawMessage, lead, path string) (at json.RawMessage, ok bool) {
	var top map[string]json.RawMessage
	if json.Unmarshal(doc, &top) != nil || len(top[lead]) == 0 {
		return nil, false
	}
	at = top[lead]
	end := strings.IndexFunc(path, func(r rune) bool {
		return !strings.ContainsRune("._[]", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end >= 0 {
		path = path[:end]
	}
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if n, err := strconv.Atoi(word); err == nil {
			var list []json.RawMessage
			if json.Unmarshal(at, &list) != nil || n < 0 || n >= len(list) {
				return nil, false
			}
			at, ok = list[n], true
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(at, &object) == nil && len(object[word]) > 0 {
			at = object[word]
		}
	}
	return at, ok
}
