package provider_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

func refusal(param, text string) error {
	return &llm.Failure{Kind: llm.KindProvider, Status: 400, Message: text, Err: &provider.APIError{Param: param, Message: text}}
}

func TestQuarantineOfTools(t *testing.T) {
	t.Parallel()
	req := llm.Request{
		Tools: []llm.Spec{{Name: "read"}, {Name: "mcp_bad"}, {Name: "write"}},
		Items: []llm.Item{
			llm.User{Text: "a", Images: []llm.Image{{Name: "old.png", Data: []byte("old")}}},
			llm.Result{Images: []llm.Image{{Name: "new.png", Data: []byte("new")}}},
		},
	}
	for _, c := range []struct{ name, param, text, tool string }{
		{"anthropic (MCP-05)", "", "tools.1.custom.input_schema: JSON schema is invalid", "mcp_bad"},
		{"openai by name", "tools[1].function.parameters", "Invalid schema for function 'mcp_bad': x", "mcp_bad"},
		{"responses by name", "", "Invalid schema for function 'mcp_bad': x", "mcp_bad"},
		{"gemini", "", "* GenerateContentRequest.tools[0].function_declarations[1].parameters: bad", "mcp_bad"},
		{"nothing of tools", "", "temperature: must be a number", ""},
		{"out of range", "", "tools.9: bad", ""},
	} {
		var q provider.Quarantine
		told := q.Learn(refusal(c.param, c.text), req, nil)
		left := q.Tools(req.Tools)
		if (told != "") != (c.tool != "") || !strings.Contains(told, c.tool) || (c.tool != "") != (len(left) == 2) {
			t.Errorf("%s: told %q, left %v", c.name, told, left)
		}
	}
}

// image is a picture whose bytes say what they are, so that only its name is odd.
func image(name string) llm.Image {
	return llm.Image{MIME: "image/png", Name: name, Data: []byte("\x89PNG\r\n\x1a\n" + name)}
}

func shown(names ...string) llm.Item {
	var r llm.Result
	for _, n := range names {
		r.Images = append(r.Images, image(n))
	}
	return r
}

// left are the images of a request that are left out.
func left(q *provider.Quarantine, req llm.Request) string {
	var names []string
	for _, it := range req.Items {
		for _, img := range provider.Images(it) {
			if _, out := q.Image(img); out {
				names = append(names, img.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

// seek plays a server that refuses some images and names none, and returns what
// is left out when it takes the request, and after how many refusals.
func seek(t *testing.T, q *provider.Quarantine, req llm.Request, text string, bad ...string) (out string, refusals int) {
	t.Helper()
	for refusals <= 8 {
		out = left(q, req)
		if !slices.ContainsFunc(bad, func(name string) bool { return !slices.Contains(strings.Fields(out), name) }) {
			q.Accepted(req)
			return out, refusals
		}
		if refusals++; q.Learn(refusal("", text), req, nil) == "" {
			return out + " given up", refusals
		}
	}
	t.Fatalf("it looks for the image without end")
	return "", 0
}

// EDIT-30, EDIT-31: one bad image does not take the others with it.
func TestQuarantineOfImages(t *testing.T) {
	t.Parallel()
	const bad, size = "Could not process image", "image exceeds 5 MB maximum"
	four, twelve := []string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	for _, c := range []struct {
		name   string
		images []string
		text   string
		bad    []string
		out    string
		most   int
	}{
		{"the only one", four[:1], bad, four[:1], "a", 1},
		{"one of two", four[:2], bad, []string{"b"}, "b", 2},
		{"the last of four", four, bad, []string{"d"}, "d", 4},
		{"two of four", four, bad, []string{"b", "d"}, "a b c d", 5},
		{"one of many", twelve, bad, []string{"l"}, "k l", 5},
		{"the largest first", []string{"small", "the-largest-of-them", "smaller", "medium-one"}, size, []string{"the-largest-of-them"}, "the-largest-of-them", 1},
		{"a model without eyes", four, "This model does not support image input", four, "a b c d", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var q provider.Quarantine
			req := llm.Request{Items: []llm.Item{shown(c.images...)}}
			out, n := seek(t, &q, req, c.text, c.bad...)
			if out != c.out || n > c.most {
				t.Errorf("%q are left out after %d refusals, want %q after %d", out, n, c.out, c.most)
			}
			if out, n := seek(t, &q, req, c.text, c.bad...); out != c.out || n != 0 {
				t.Errorf("then %q after %d", out, n)
			}
		})
	}
	t.Run("what was taken before is not at fault", func(t *testing.T) {
		t.Parallel()
		var q provider.Quarantine
		long := llm.Request{Items: []llm.Item{llm.User{Text: "go"}, llm.Note{}, shown("old", "older"), llm.Note{}, llm.Note{}}}
		q.Accepted(long)
		for epoch, items := range [][]llm.Item{append(long.Items, shown("new")), {shown("old", "older"), shown("newer")}} { // extended, and compacted
			req := llm.Request{Epoch: epoch, Items: items}
			if out, n := seek(t, &q, req, bad, []string{"new", "newer"}[epoch]); n != 1 || strings.Contains(out, "old") {
				t.Errorf("%q are left out after %d refusals", out, n)
			}
		}
		if out, _ := seek(t, &q, long, bad, "old"); out != "old" {
			t.Errorf("%q are left out of what was taken before", out)
		}
		if q.Learn(refusal("", bad), llm.Request{Items: []llm.Item{llm.User{Text: "go"}}}, nil) != "" {
			t.Error("something is learned where there is no image")
		}
	})
}

// A server that names the place of an image is believed.
func TestQuarantineByPlace(t *testing.T) {
	t.Parallel()
	in := func(img llm.Image) string { return base64.StdEncoding.EncodeToString(img.Data) }
	a, b, c := in(image("a")), in(image("b")), in(image("c"))
	bodies := map[string]string{
		"messages": `{"messages":[{"content":[{"type":"image","source":{"data":"` + a + `"}},{"type":"text"}]},{"content":[{"type":"tool_result","content":[{"type":"text"},{"type":"image","source":{"type":"base64","data":"` + b + `"}},{"source":{"data":"` + c + `"}}]}]}]}`,
		"chat":     `{"messages":[{"content":"x"},{"content":[{"image_url":{"url":"data:image/png;base64,` + a + `"}},{"image_url":{"url":"data:image/png;base64,` + b + `"}},{"image_url":{"url":"data:x,` + c + `"}}]}]}`,
		"gemini":   `{"contents":[{"parts":[{"text":"x"},{"inlineData":{"data":"` + a + `"}}]},{"parts":[{"inlineData":{"data":"` + b + `"}},{"inlineData":{"data":"` + c + `"}}]}]}`,
		"input":    `{"input":[{"content":[{"image_url":"data:image/png;base64,` + a + `"}]},{"output":[{"image_url":"data:,` + b + `"},{"image_url":"data:,` + c + `"}]}]}`,
	}
	for _, tt := range []struct{ wire, param, text, out string }{
		{"messages", "", "messages.1.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes", "b"},
		{"messages", "", "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size", "a"},
		{"messages", "", "messages.1.content.0: the image cannot be read", "b c"},
		{"chat", "messages.[1].content.[2].image_url.url", "Invalid image", "c"},
		{"gemini", "", "Invalid value at 'contents[1].parts[0].inline_data.data': not a valid image", "b"},
		{"input", "input[1].output[1].image_url", "Invalid image data", "c"},
		{"input", "input", "Invalid image data", "a"}, // no place: the first is tried
		{"input", "input[7].output[99999999999999999999]", "Invalid image data", "a"},
	} {
		var q provider.Quarantine
		req := llm.Request{Items: []llm.Item{shown("a", "b", "c")}}
		told := q.Learn(refusal(tt.param, tt.text), req, func() []byte { return []byte(bodies[tt.wire]) })
		if out := left(&q, req); out != tt.out || !strings.Contains(told, strings.Fields(tt.out)[0]) {
			t.Errorf("%s %s: %q are left out, want %q; told %q", tt.param, tt.text, out, tt.out, told)
		}
	}
}
