package providertest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.NoLeak(m) }

// post asks a server and returns status and body.
func post(t *testing.T, s *providertest.Server, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestScriptErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"text a\nsing b": "line 2: unknown step", "text": "line 1: text needs a text", "text \"a": "line 1",
	} {
		if _, err := providertest.Parse(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", script, err)
		}
	}
}

// TestMalformedHistoriesAreRefused holds the server to what vendors refuse.
func TestMalformedHistoriesAreRefused(t *testing.T) {
	t.Parallel()
	const (
		msgs = `{"model":"m","max_tokens":9,"tools":[{"name":"f"}],"messages":[`
		chat = `{"model":"m","tools":[{"type":"function"}],"messages":[`
		resp = `{"model":"m","store":false,"tools":[{"type":"function"}],"input":[`
		gem  = `{"tools":[{"functionDeclarations":[]}],"contents":[`
		user = `{"role":"user","content":"hi"},`
		use  = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
		ask  = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
		gask = `{"role":"user","parts":[{"text":"hi"}]},`
	)
	for _, c := range []struct{ name, path, body, want string }{
		{"no JSON", "/v1/messages", `{`, "not JSON"},
		{"no messages", "/v1/messages", msgs + `]}`, "at least one message"},
		{"no limit", "/v1/messages", `{"model":"m","messages":[]}`, "max_tokens"},
		{"begins with the assistant", "/v1/messages", msgs + `{"role":"assistant","content":"x"}]}`, "first message"},
		{"ends with the assistant", "/v1/messages", msgs + user + `{"role":"assistant","content":"x"}]}`, "end with a user"},
		{"empty text", "/v1/messages", msgs + `{"role":"user","content":[{"type":"text","text":" "}]}]}`, "non-empty"},
		{"empty message", "/v1/messages", msgs + `{"role":"user","content":[]}]}`, "non-empty"},
		{"call without result", "/v1/messages", msgs + user + use + `,` + strings.TrimSuffix(user, ",") + `]}`, "calls without results"},
		{"result without call", "/v1/messages", msgs + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`, "does not answer"},
		{"no tools", "/v1/messages", strings.Replace(msgs, `"tools":[{"name":"f"}],`, "", 1) + user + use + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`, "must define tools"},
		{"odd id", "/v1/messages", msgs + user + strings.Replace(use, `"a"`, `"a|b"`, 1) + `]}`, "pattern"},
		{"input that is text", "/v1/messages", msgs + user + strings.Replace(use, `{}`, `"x"`, 1) + `]}`, "dictionary"},
		{"foreign signature", "/v1/messages", msgs + user + `{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"},{"type":"text","text":"x"}]},` + strings.TrimSuffix(user, ",") + `]}`, "signature"},
		{"chat: call without result", "/v1/chat/completions", chat + user + ask + `]}`, "calls without results"},
		{"chat: result without call", "/v1/chat/completions", chat + user + `{"role":"tool","tool_call_id":"a","content":"x"}]}`, "does not answer"},
		{"chat: arguments", "/v1/chat/completions", chat + user + strings.Replace(ask, `"{}"`, `"{"`, 1) + `]}`, "not JSON"},
		{"chat: empty answer", "/v1/chat/completions", chat + user + `{"role":"assistant","content":""}]}`, "empty"},
		{"chat: repeated id", "/v1/chat/completions", chat + user + ask + `,{"role":"tool","tool_call_id":"a","content":"x"},` + ask + `,{"role":"tool","tool_call_id":"a","content":"x"}]}`, "unique"},
		{"responses: reasoning alone", "/v1/responses", resp + user + `{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}]}`, "following item"},
		{"responses: reasoning of the server (CTX-06)", "/v1/responses", resp + user + `{"type":"reasoning","id":"r","summary":[]},{"role":"assistant","content":"x"}]}`, "not found"},
		{"responses: call without result", "/v1/responses", resp + user + `{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]}`, "calls without results"},
		{"gemini: unsigned call", "/v1beta/models/gemini-3-x:streamGenerateContent", gem + gask + `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`, "thought_signature"},
		{"gemini: empty", "/v1beta/models/x:streamGenerateContent", gem + `{"role":"user","parts":[]}]}`, "must not be empty"},
		{"nowhere", "/v1/other", `{}`, "not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := providertest.Start(t, "text fine\nrepeat")
			status, answer := post(t, s, c.path, c.body)
			if status < 400 || !strings.Contains(answer, c.want) {
				t.Errorf("status %d: %s, want %q", status, answer, c.want)
			}
			if p := s.Problems(); len(p) != 1 {
				t.Errorf("problems are %q", p)
			}
		})
	}
}

func TestScriptIsHeldToTheRequest(t *testing.T) {
	t.Parallel()
	const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
	s := providertest.Start(t, "expect bye\n---\ncall f {}\n---\nmatch nobody\ntext x\n---\nmatch hi\ntext found")
	if status, answer := post(t, s, "/v1/messages", body); status != http.StatusTeapot || !strings.Contains(answer, `\"bye\"`) {
		t.Errorf("status %d: %s", status, answer)
	}
	if _, answer := post(t, s, "/v1/messages", body); !strings.Contains(answer, "does not offer") {
		t.Errorf("a call that was not offered is made: %s", answer)
	}
	if _, answer := post(t, s, "/v1/messages", body); !strings.Contains(answer, "found") {
		t.Errorf("answer is %s", answer)
	}
	if status, _ := post(t, s, "/v1/messages", body); status != http.StatusTeapot || s.Left() != 1 {
		t.Errorf("status %d, %d left", status, s.Left())
	}
}

func TestChangedPrefixIsRefused(t *testing.T) {
	t.Parallel()
	const first = `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"hi"}`
	s := providertest.Start(t, "text a\nrepeat")
	s.Prefix = true
	for _, c := range []struct{ body, want string }{
		{first + `]}`, ""},
		{first + `,{"role":"assistant","content":"a"},{"role":"user","content":[{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]}]}`, ""},
		{first + `,{"role":"assistant","content":"a"},{"role":"user","content":[{"type":"text","text":"b"}]}]}`, ""},
		{first + `,{"role":"assistant","content":"A"},{"role":"user","content":"b"}]}`, "messages.1 changed"},
		{first + `]}`, "shorter"},
		{strings.Replace(first, `"s"`, `"t"`, 1) + `]}`, "system text"},
	} {
		status, answer := post(t, s, "/v1/messages", c.body)
		if (c.want == "") != (status == http.StatusOK) || !strings.Contains(answer, c.want) {
			t.Errorf("status %d: %s, want %q", status, answer, c.want)
		}
	}
}

func TestWaitAndRelease(t *testing.T) {
	t.Parallel()
	s := providertest.Start(t, "text a\nwait go\ntext b")
	s.Release("go")
	s.Release("go")
	if _, answer := post(t, s, "/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`); !strings.Contains(answer, `"b"`) {
		t.Errorf("answer is %s", answer)
	}
}
