package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"assent/internal/host"
)

// chatServer answers Chat Completions one after another and keeps the bodies.
type chatServer struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

func newChatServer(t *testing.T, answers ...string) *chatServer {
	t.Helper()
	s := &chatServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.Method != http.MethodPost || len(s.bodies) >= len(answers) {
			http.NotFound(w, r)
			return
		}
		s.bodies = append(s.bodies, string(body))
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", answers[len(s.bodies)-1])
	}))
	t.Cleanup(s.Close)
	return s
}

// sent are the images of a request, as they crossed the wire.
func (s *chatServer) sent(t *testing.T, i int) (images [][]byte) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if i >= len(s.bodies) {
		t.Fatalf("only %d requests were made", len(s.bodies))
	}
	var doc any
	if err := json.Unmarshal([]byte(s.bodies[i]), &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if url, ok := v["url"].(string); ok {
				_, text, _ := strings.Cut(url, ";base64,")
				data, err := base64.StdEncoding.DecodeString(text)
				if err != nil {
					t.Error(err)
				}
				images = append(images, data)
			}
			for _, below := range v {
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(doc)
	return images
}

func say(text string) string {
	return `{"choices":[{"delta":{"content":"` + text + `"},"finish_reason":"stop"}]}`
}

func bigPicture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 900))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fits checks that one image crossed the wire within the limits of servers.
func fits(t *testing.T, images [][]byte) {
	t.Helper()
	if len(images) != 1 {
		t.Fatalf("%d images crossed the wire", len(images))
	}
	c, err := png.DecodeConfig(bytes.NewReader(images[0]))
	if err != nil || c.Width != 2000 || c.Height != 600 {
		t.Errorf("%d×%d crossed the wire, %v", c.Width, c.Height, err)
	}
}

// EDIT-30: an image over the limit is scaled before it reaches a server.
func TestAReadImageIsScaledOnTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("shot.png", bigPicture(t))
	s := newChatServer(t,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read_file","arguments":"{\"path\":\"shot.png\"}"}}]},"finish_reason":"tool_calls"}]}`,
		say("seen"))
	code, err := w.run(Flags{Provider: "custom-openai", BaseURL: s.URL, Model: "m"}, "look")
	if err != nil || code != 0 {
		t.Fatal(code, err, w.err.String())
	}
	fits(t, s.sent(t, 1))
	if !strings.Contains(s.bodies[1], "3000×900") || !strings.Contains(s.bodies[1], "2000×600") {
		t.Errorf("the model is not told of both sizes: %.2000s", s.bodies[1])
	}
}

// The same when the user names it in a prompt.
func TestAnAttachedImageIsScaledOnTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("shot.png", bigPicture(t))
	s := newChatServer(t, say("seen"))
	h := w.open(Flags{Provider: "custom-openai", BaseURL: s.URL, Model: "m", Dir: w.root})
	e := ask[host.Expansion](t, h, host.Expand{Word: "@shot.png"})
	if !e.OK || len(e.Images) != 1 || !strings.Contains(e.Text, "2000×600") {
		t.Fatalf("%v, %q, %d images", e.OK, e.Text, len(e.Images))
	}
	c := h.Events()
	if err := h.Do(t.Context(), host.Submit{Text: "see @shot.png", Expanded: "see @shot.png\n" + e.Text, Images: e.Images}); err != nil {
		t.Fatal(err)
	}
	follow(t, c)
	fits(t, s.sent(t, 0))
}
