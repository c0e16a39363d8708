package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assent/internal/provider/providertest"
)

func TestMain(m *testing.M) {
	programs := map[string]func(){"assent": main, "assent-breaks": breaks}
	if _, ours := programs[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")]; !ours {
		heeding()
	}
	testscript.Main(m, programs)
}

// heeding has every program that the tests start begin with the signals as they
// are by default. What this process was told to ignore, as nohup and a shell's
// background do, they would ignore as well; a signal that is caught is not
// handed on.
func heeding() {
	caught := make(chan os.Signal, 1) // nobody reads it: ignored, as it was
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *updating,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("ASSENT_HOME", e.WorkDir+"/assent")
			e.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
			e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return os.MkdirAll(e.WorkDir+"/home", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve":    serve,
			"requests": requests,
			"events":   events,
			"field":    field,
		},
	})
}

// serve FILE starts a model server that plays the script in FILE and sets
// MODEL_URL; it lives as long as the script.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve FILE")
	}
	s, err := providertest.NewServer(ts.ReadFile(args[0]))
	ts.Check(err)
	h := httptest.NewServer(s)
	ts.Defer(func() {
		h.CloseClientConnections()
		h.Close()
	})
	ts.Setenv("MODEL_URL", h.URL)
	servers.put(ts, s)
}

// servers holds the model server of each script that runs.
var servers = registry{all: map[*testscript.TestScript]*providertest.Server{}}

// requests N [REGEXP]: the server was asked N times, and the last request
// matches. With "!" the last request does not match.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: requests N [REGEXP]")
	}
	s := servers.get(ts)
	if s == nil {
		ts.Fatalf("no server: begin with serve FILE")
	}
	all := s.Requests()
	if want, err := strconv.Atoi(args[0]); err != nil || len(all) != want {
		ts.Fatalf("the server was asked %d times, want %s", len(all), args[0])
	}
	if p := s.Problems(); len(p) > 0 {
		ts.Fatalf("the server refused: %s", strings.Join(p, "; "))
	}
	if len(args) == 1 {
		return
	}
	body := string(all[len(all)-1].Body)
	if found := regexp.MustCompile(args[1]).MatchString(body); found == neg {
		ts.Fatalf("match of %q in the last request is %t:\n%s", args[1], found, body)
	}
}

// events FILE TYPE...: the lines of FILE are JSON objects of these types in
// this order; "text+" stands for one or more. FILE may be stdout.
func events(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: events FILE TYPE...")
	}
	var got []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("no JSON: %s", line)
		}
		if n := len(got); n > 0 && got[n-1] == e.Type+"+" || n > 0 && got[n-1] == e.Type && (e.Type == "text" || e.Type == "tool-output") {
			got[n-1] = e.Type + "+"
			continue
		}
		got = append(got, e.Type)
	}
	for i, g := range got {
		got[i] = strings.TrimSuffix(g, "+")
	}
	if want := strings.Join(args[1:], " "); strings.Join(got, " ") != want {
		ts.Fatalf("events:\n  got  %s\n  want %s", strings.Join(got, " "), want)
	}
}

// field FILE TYPE PATH VALUE: the first line of a type (or with "-" the whole
// file as one object) has this value at a path of names and indexes.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: field FILE TYPE PATH VALUE")
	}
	doc, err := pick(ts.ReadFile(args[0]), args[1])
	ts.Check(err)
	got, err := walk(doc, args[2])
	ts.Check(err)
	if (got == args[3]) == neg {
		ts.Fatalf("%s of %s is %q, want %q", args[2], args[1], got, args[3])
	}
}

func pick(text, kind string) (any, error) {
	if kind == "-" {
		var v any
		return v, json.Unmarshal([]byte(text), &v)
	}
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		if v["type"] == kind {
			return v, nil
		}
	}
	return nil, fmt.Errorf("no line of type %s", kind)
}

func walk(v any, path string) (string, error) {
	for _, p := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[p]
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i >= len(at) {
				return "", fmt.Errorf("no element %s", p)
			}
			v = at[i]
		default:
			return "", fmt.Errorf("nothing at %s", p)
		}
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}
