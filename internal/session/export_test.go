package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/session"
)

// sample is a session with one of everything that a reader sees.
func sample() session.Tree {
	cost := 0.0312
	var tree session.Tree
	at := time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)
	for i, r := range []session.Record{
		session.Header{Version: 1, CWD: "/home/u/src/shop", Created: at, Program: "1.2.3"},
		session.Model{Provider: "anthropic", Model: "model-5", Level: llm.LevelHigh},
		session.User{Text: "The total in `cart.go` is wrong when a discount applies.\n\nPlease fix it.", Images: []session.Image{{MIME: "image/png", Name: "screen.png", Artifact: "shot.png"}}},
		session.Assistant{Text: "I'll look at the cart and at its tests.", Stop: llm.StopCalls, Model: "model-5", Calls: []session.SaidCall{
			{ID: "c1", Name: "read_file", Input: json.RawMessage(`{"path":"cart.go"}`)},
			{ID: "c2", Name: "bash", Input: json.RawMessage(`{"command":"go test ./...","timeout":60000}`)},
		}},
		session.Call{CallID: "c1", Name: "read_file", Decide: "allow", By: "default"},
		session.Call{CallID: "c2", Name: "bash", Title: "go test ./...", Decide: "allow", By: "rule", Rule: "bash(go *)", Source: "config.json:7"},
		session.Result{CallID: "c1", Status: llm.StatusOK, Output: "     1\tpackage shop\n     2\t\n     3\tfunc Total(c Cart) int {", Summary: "41 lines"},
		session.Result{CallID: "c2", Status: llm.StatusError, Output: "--- FAIL: TestTotal\n    want 90, got 100", Summary: "exit 1", DurationMS: 2345, Artifact: "c2.txt"},
		session.Steer{Text: "Keep the rounding as it is."},
		session.Assistant{Text: "The discount is *read* but never **applied**:\n\n```go\nreturn sum // no discount\n```\n\n| case | want | got |\n|---|--:|--:|\n| 10 % of 100 | 90 | 100 |\n", Stop: llm.StopCalls, Calls: []session.SaidCall{
			{ID: "c3", Name: "edit_file", Input: json.RawMessage(`{"path":"cart.go","old_string":"return sum","new_string":"return sum - sum*c.Discount/100"}`)},
			{ID: "c4", Name: "bash", Input: json.RawMessage(`{"command":"git push"}`)},
			{ID: "c5", Name: "bash", Input: json.RawMessage(`{"command":"sleep`)},
		}},
		session.Call{CallID: "c3", Decide: "allow", By: "user"},
		session.Result{CallID: "c3", Status: llm.StatusOK, Output: "Replaced 1 occurrence.", Summary: "+1 −1", Diff: "--- a/cart.go\n+++ b/cart.go\n@@ -3,3 +3,3 @@\n func Total(c Cart) int {\n-\treturn sum\n+\treturn sum - sum*c.Discount/100\n }\n", DurationMS: 3},
		session.Call{CallID: "c4", Decide: "deny", By: "guard", Reason: "pushing needs to be asked for"},
		session.Result{CallID: "c4", Status: llm.StatusDenied, Output: "Refused by a guard: pushing needs to be asked for."},
		session.Notice{Text: "The conversation is sent anew: another model."},
		session.Summary{Text: "Goal: fix the total."},
		session.Assistant{Text: "The total is right now (`cart.go:3`). I did not push.", Stop: llm.StopEnd},
		session.Usage{Input: 1200, CacheRead: 10800, Output: 640, Reasoning: 100, CostUSD: &cost},
		session.Timing{Reason: "stop", DurationMS: 61500, Steps: 3, Turns: 1},
		session.User{Text: "Thanks. And the docs?"},
		session.Assistant{Text: "They need no change", Stop: llm.StopLength},
		session.User{Text: "Are you sure?"},
		session.Agent{Agent: "review"},
		session.Assistant{Calls: []session.SaidCall{{ID: "c6", Name: "bash", Input: json.RawMessage(`{"command":"grep -c TODO cart.go","timeout":5000}`)}}, Stop: llm.StopCalls},
		session.Call{CallID: "c6", Decide: "allow", By: "yolo", Reason: "no rule speaks of it"},
		session.Result{CallID: "c6", Status: llm.StatusOK, Output: "0\n[exit code 1, 12ms]", Summary: "exit 1, 12ms, 1 line", Exit: 1, DurationMS: 1912},
		session.Timing{Reason: "cancelled", DurationMS: 4000, Steps: 1, Turns: 3},
		session.User{Text: "Go on."},
		session.Assistant{Text: "It was on", Stop: llm.StopLength, Void: true},
		session.Assistant{Text: "It was only the one place.", Stop: llm.StopEnd},
		session.Timing{Reason: "error", Error: "the server is overloaded (given up after 5 tries)", Kind: llm.KindProvider, DurationMS: 2000, Steps: 1, Turns: 4},
	} {
		e := session.Entry{Meta: session.Meta{ID: "id" + "abcdefghijklmnopqrstuvwxyzABCDEFGH"[i:i+1], Time: at.Add(time.Duration(i) * 7 * time.Second)}, Record: r}
		if i > 0 {
			e.Parent = tree.Entries[i-1].ID
		} else {
			e.ID = "0199a1b2-0000-7000-8000-000000000000"
			tree.ID = e.ID
		}
		tree = session.Grow(tree, e)
	}
	return session.WithBlobs(tree, blob)
}

var onePixel = []byte("\x89PNG\r\n\x1a\n")

func blob(name string) ([]byte, error) {
	if name != "shot.png" {
		return nil, errors.New("gone")
	}
	return onePixel, nil
}

func export(tb testing.TB, tree session.Tree, format session.Format) string {
	tb.Helper()
	var b bytes.Buffer
	if err := session.Export(&b, tree, format); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestExport(t *testing.T) {
	t.Parallel()
	for _, format := range session.Formats() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			got := export(t, sample(), format)
			path := filepath.Join("testdata", "export."+string(format))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; look at it and run with -update", path)
			}
		})
	}
	var b bytes.Buffer
	if err := session.Export(&b, sample(), "pdf"); err == nil || !strings.Contains(err.Error(), "md, json or html") {
		t.Errorf("pdf: %v", err)
	}
	if err := session.Export(&b, session.Tree{ID: "x"}, "md"); err == nil {
		t.Error("an empty session")
	}
}

func TestExportFile(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	im, err := l.Image("image/png", "a.png", onePixel)
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, session.User{Text: "see", Images: []session.Image{im}})
	shut(t, l)
	appendTo(t, l.Path(), "garbage\n")
	tree, _ := load(t, l.Path())
	path := filepath.Join(t.TempDir(), "out.html")
	for _, replace := range []bool{false, true} {
		if err := session.ExportFile(path, tree, session.HTML, replace); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.ExportFile(path, tree, session.Markdown, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that exists: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	inert(t, page)
	if !strings.Contains(page, "data:image/png;base64,") || !strings.Contains(page, "1 damaged line skipped") {
		t.Errorf("no image, or no word on the damage:\n%s", page)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if err := session.ExportFile(filepath.Join(t.TempDir(), "none", "x"), tree, session.JSON, false); err == nil {
		t.Error("no folder, no error")
	}
}

func TestTheJSONExportHoldsTheRecords(t *testing.T) {
	t.Parallel()
	tree := sample()
	var out struct {
		ID, Title string
		Turns     int
		Session   session.Header
		Records   []struct{ Type, ID, Parent string }
	}
	if err := json.Unmarshal([]byte(export(t, tree, "json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.ID != tree.ID || out.Turns != 4 || out.Session.CWD == "" || len(out.Records) != len(tree.Entries) || out.Records[2].Type != "user" {
		t.Errorf("%+v", out)
	}
}

// What a reader must not miss stands in the line of a call, not behind it.
func TestThePageSaysHowItEnded(t *testing.T) {
	t.Parallel()
	page := export(t, sample(), "html")
	for _, want := range []string{
		`<details class="call exit">`, `<span class="note">exit 1, 12ms, 1 line</span>`, `<p class="decision">ok · allowed by --yolo</p>`,
		`<span class="note">refused by a guard</span>`, `<span class="note">interrupted</span>`, `<span class="note">exit 1 · 2.3 s</span>`,
		`<details class="call ok" open>`, "The user cancelled this turn.", "From here on: the agent review", "<code>cart.go</code> is wrong",
		"command: grep -c TODO cart.go\ntimeout: 5000",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// hostile is what a model, a tool or a file may put into any text.
var hostile = []string{
	`<script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`</pre></details></main><script>alert(1)</script>`,
	`</style><script>alert(1)</script>`,
	`"><svg onload=alert(1)>`,
	`[click](javascript:alert(1))`,
	`[click](  JaVaScRiPt:alert(1))`,
	`[click](data:text/html;base64,PHNjcmlwdD4=)`,
	`<javascript:alert(1)>`,
	`![pic](https://evil.example/track.png)`,
	`![p](javascript:alert(1))`,
	`<https://evil.example/"onmouseover="alert(1)>`,
	"```html\n<script>alert(1)</script>\n```",
	"```\"><script>alert(1)</script>\nx\n```",
	`<iframe src="https://evil.example"></iframe>`,
	`<a href="x" onclick="alert(1)">y</a>`,
	`<!-- --><script>alert(1)</script>`,
	`<style>@import url(https://evil.example/x.css)</style>`,
	`<meta http-equiv=refresh content="0;url=https://evil.example">`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`{{.CSS}}`,
	"\x00\u202e\ufeff<script>",
	`<base href="https://evil.example/">`,
	`[x]: javascript:alert(1)` + "\n\n[x]",
	`# <script>alert(1)</script>`,
	`| a | <script>alert(1)</script> |` + "\n|---|---|\n| <img src=x onerror=alert(1)> | b |",
	`- [ ] <form action="https://evil.example"><input autofocus onfocus=alert(1)>`,
}

// everywhere puts a text into every field that an export shows.
func everywhere(s string) session.Tree {
	var tree session.Tree
	input, _ := json.Marshal(map[string]string{"path": s, s: s})
	for i, r := range []session.Record{
		session.Header{Version: 1, CWD: s},
		session.Model{Model: s},
		session.User{Text: s, Images: []session.Image{{MIME: s, Name: s, Artifact: "shot.png"}, {MIME: "image/png", Name: s, Artifact: "none"}}},
		session.Assistant{Text: s, Stop: llm.Stop(s), Calls: []session.SaidCall{{ID: "c", Name: s, Input: input}, {ID: "d", Name: s, Input: json.RawMessage(s)}}},
		session.Call{CallID: "c", Title: s, Decide: "allow", By: "rule", Rule: s, Source: s, Reason: s},
		session.Result{CallID: "c", Status: llm.Status(s), Output: s, Summary: s, Diff: "+" + s + "\n-" + s + "\n@@" + s, Artifact: s},
		session.Steer{Text: s},
		session.Summary{Text: s},
		session.Notice{Text: s},
		session.Title{Title: s},
		session.User{Text: s},
		session.User{Text: s},
	} {
		e := session.Entry{Meta: session.Meta{ID: string(rune('a' + i))}, Record: r}
		if i > 0 {
			e.Parent = tree.Entries[i-1].ID
		}
		tree = session.Grow(tree, e)
	}
	tree.ID = s
	return session.WithBlobs(tree, blob)
}

// inert fails when a page could run, fetch or submit anything.
func inert(t interface {
	Helper()
	Fatalf(string, ...any)
}, page string,
) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	allowed := strings.Fields("html head body meta title style main header section details summary nav ol ul li a p span b code pre h1 h2 h3 h4 h5 h6 dl dt dd div time figure img figcaption footer em strong del hr br blockquote table thead tbody tr th td input")
	styles := 0
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			if !slices.Contains(allowed, n.Data) {
				t.Fatalf("element <%s>", n.Data)
			}
			if n.Data == "style" {
				styles++
			}
			for _, a := range n.Attr {
				checkAttribute(t, n, a)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	if styles != 1 {
		t.Fatalf("%d style elements", styles)
	}
}

func checkAttribute(t interface {
	Helper()
	Fatalf(string, ...any)
}, n *html.Node, a html.Attribute,
) {
	t.Helper()
	if strings.HasPrefix(strings.ToLower(a.Key), "on") {
		t.Fatalf("<%s %s=%q>", n.Data, a.Key, a.Val)
	}
	switch a.Key {
	case "href":
		u, err := url.Parse(a.Val)
		if n.Data != "a" || err == nil && !slices.Contains([]string{"", "http", "https", "mailto", "ftp"}, u.Scheme) {
			t.Fatalf("<%s href=%q>", n.Data, a.Val)
		}
	case "src":
		if !strings.HasPrefix(a.Val, "data:image/png;base64,") {
			t.Fatalf("<%s src=%q>", n.Data, a.Val)
		}
	case "http-equiv":
		if a.Val != "Content-Security-Policy" {
			t.Fatalf("<meta http-equiv=%q>", a.Val)
		}
	case "type":
		if n.Data != "input" || a.Val != "checkbox" {
			t.Fatalf("<%s type=%q>", n.Data, a.Val)
		}
	case "style":
		// Table cells carry their alignment; nothing else does.
		if n.Data != "td" && n.Data != "th" || !strings.HasPrefix(a.Val, "text-align:") {
			t.Fatalf("<%s style=%q>", n.Data, a.Val)
		}
	case "srcset", "action", "formaction", "background", "poster", "ping", "data", "xlink:href":
		t.Fatalf("<%s %s=%q>", n.Data, a.Key, a.Val)
	}
}

func TestThePageIsInert(t *testing.T) {
	t.Parallel()
	inert(t, export(t, sample(), "html"))
	for _, s := range hostile {
		inert(t, export(t, everywhere(s), "html"))
	}
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostile), rapid.SampledFrom([]string{"<", ">", "\"", "'", "`", "\n", "\n\n", "](", "![", "<a ", "&", "="}), rapid.String()), 1, 6).Draw(rt, "text")
		inert(rt, export(t, everywhere(strings.Join(pieces, "")), "html"))
	})
}

// What was said can be read in the page, whatever it is.
func TestThePageShowsWhatWasSaid(t *testing.T) {
	t.Parallel()
	page := export(t, everywhere("a <b>bold</b> & \"quoted\" thing"), "html")
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	// title, h1, prompts ×3, steer, answer, call names, output, diff ×3, …
	if n := strings.Count(text.String(), `a <b>bold</b> & "quoted" thing`); n < 12 {
		t.Errorf("shown %d times", n)
	}
}

// A text cannot leave its place in the Markdown: fences are longer than what
// they hold, and every line of a prompt is quoted.
func TestMarkdownKeepsTextsInTheirPlace(t *testing.T) {
	t.Parallel()
	out := export(t, everywhere("```\n# not a heading\n````"), "md")
	if !strings.Contains(out, "\n`````\n```\n# not a heading\n````\n`````\n") {
		t.Errorf("fence: %s", out)
	}
	if !strings.Contains(out, "> ```\n> # not a heading\n> ````") {
		t.Errorf("quote: %s", out)
	}
}

// What the user cancelled did not meet the model's limit, though it is stored so.
func TestExportOfACancelledAnswer(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{"cancelled": "not finished", "timeout": "not finished", "length": "cut off at the model's limit"} {
		var tree session.Tree
		for i, r := range []session.Record{
			session.Header{},
			session.User{Text: "go"},
			session.Assistant{Text: "half", Stop: llm.StopLength},
			session.Timing{Reason: reason},
		} {
			e := session.Entry{Meta: session.Meta{ID: "id" + "abcdefghijklmnopqrstuvwxyzABCDEFGH"[i:i+1], Time: time.Unix(0, 0).UTC()}, Record: r}
			if i > 0 {
				e.Parent = tree.Entries[i-1].ID
			}
			tree = session.Grow(tree, e)
		}
		if got := export(t, tree, "md"); !strings.Contains(got, "*("+want+")*") {
			t.Errorf("%s: %s", reason, got)
		}
	}
}
