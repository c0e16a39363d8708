package tui_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui"
)

// paper is a terminal that only prints.
type paper struct {
	mu   sync.Mutex
	text strings.Builder
	time *clock // nil for none
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.Contains(string(b), "deny and say what to do instead") {
		defer p.time.wrote()
	}
	return p.text.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// lines is a run of the front as lines.
type lines struct {
	paper
	t    *testing.T
	host *fake
	in   *pipe
	done chan struct{}
	code int
	from int // where see goes on
}

func playLines(t *testing.T, change func(*tui.Options)) *lines {
	t.Helper()
	l := &lines{paper: paper{time: &clock{}}, t: t, host: newFake(), in: newPipe(), done: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	o := tui.Options{In: l.in, Out: &l.paper, Now: l.time.now, Plain: true, Version: "1.2.3", Size: func() (int, int) { return 80, 24 }}
	if change != nil {
		change(&o)
	}
	go func() {
		defer close(l.done)
		l.code, _ = tui.Run(ctx, l.host, o)
	}()
	t.Cleanup(func() {
		stop()
		_ = l.in.Close()
		<-l.done
	})
	return l
}

// see waits for a text behind what was seen before.
func (l *lines) see(text string) {
	l.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if at := strings.Index(l.String()[l.from:], text); at >= 0 {
			l.from += at + len(text)
			return
		}
	}
	l.t.Fatalf("never: %q behind:\n%s\n--- in:\n%s\ndone: %v", text, l.String()[:l.from], l.String()[l.from:], l.host.done())
}

func (l *lines) say(line string) { _, _ = l.in.Write([]byte(line + "\n")) }

func (l *lines) did(want string) {
	l.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(strings.Join(l.host.done(), "\n"), want) {
			return
		}
	}
	l.t.Fatalf("never did %s: %v", want, l.host.done())
}

// TUI-26, TUI-27: lines only, numbered choices, nothing that turns.
func TestPlain(t *testing.T) {
	t.Parallel()
	l := playLines(t, func(o *tui.Options) { o.Agents = []string{"default", "plan"} })
	l.see("assent 1.2.3")
	l.see("> ")
	l.say("go on")
	l.did(submit("go on"))
	l.host.tell(event.Text{Text: "An **answer**.\n\nMore\n"})
	l.see("An answer.")
	l.host.tell(asks("1")...)
	l.see("rm build/one.js")
	l.see("3  p  always allow bash(npm test *) in this project")
	l.time.unguard(t)
	l.say("please wait")
	l.did(submit("please wait"))
	l.say("3")
	l.did(`Decide{ID:"1", Choice:"project", Pattern:"npm test *"`)
	if running := "* bash npm test && rm build/one.js ..."; strings.Contains(l.String(), running) {
		t.Errorf("a call that waits is said to run:\n%s", l.String())
	} else {
		l.host.tell(event.ToolRun{ID: "1", Name: "bash"})
		l.see(running)
	}
	l.host.tell(asks("2")...)
	l.see("deny and say what to do instead")
	l.time.unguard(t)
	l.say("d use make")
	l.did(`Decide{ID:"2", Choice:"deny", Pattern:"", Message:"use make"`)
	if n := strings.Count(l.String(), "* bash"); n != 1 {
		t.Errorf("%d calls are said to run, 1 did:\n%s", n, l.String())
	}
	l.host.finish()
	l.see("done")
	l.say("/agent")
	l.see("1. default")
	l.say("plan")
	l.did(`Use{Agent:"plan"`)
	l.say("/model")
	l.see("2. model-2")
	l.say("2")
	l.did(`Use{Agent:"", Provider:"maker", Model:"model-2", Level:""}`)
	l.say("/exit")
	<-l.done
	l.see("assent -r 0123456789")
	for _, bad := range []string{"\x1b", "\r", "\b"} {
		if strings.Contains(l.String(), bad) {
			t.Errorf("%q in:\n%s", bad, l.String())
		}
	}
}

// A choice is confirmed by a line, since no status shows it.
func TestPlainConfirmsAChoice(t *testing.T) {
	t.Parallel()
	l := playLines(t, nil)
	l.see("> ")
	l.say("/model model-9")
	l.did(`Use{Agent:"", Provider:"", Model:"model-9", Level:""}`)
	l.see("From now on: model model-9")
	l.say("/agent plan")
	l.see("From now on: agent plan")
	if got := l.String(); strings.Count(got, "From now on") != 2 {
		t.Errorf("told too much:\n%s", got)
	}
}

// The set-up in lines; a key is never shown.
func TestPlainSetup(t *testing.T) {
	t.Parallel()
	next := newFake()
	l := playLines(t, func(o *tui.Options) {
		o.Setup = true
		o.Reopen = func(context.Context, tui.Target) (tui.Host, string, error) { return next, "", nil }
	})
	l.host.mu.Lock()
	l.host.answer = func(q host.Query) (host.Answer, error) {
		if _, ok := q.(host.Providers); ok {
			return host.ProviderList{Providers: []host.Provider{{Name: "maker", KeyEnv: "MAKER_KEY"}}}, nil
		}
		return nil, nil
	}
	l.host.mu.Unlock()
	l.see("Choose a provider")
	l.see("2. demo")
	l.say("1")
	l.see("it is not shown")
	l.say("secret-key-value")
	l.see("1. model-1")
	l.say("2")
	l.see("assent 1.2.3")
	l.say("hello")
	for end := time.Now().Add(patience); len(next.done()) == 0 && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
	}
	if got := strings.Join(l.host.done(), " "); !strings.Contains(got, `Configure{Field:"apiKey", Value:"secret-key-value"}`) || !strings.Contains(got, `Configure{Field:"model", Value:"model-2"}`) {
		t.Errorf("stored %s", got)
	}
	if len(next.done()) == 0 || strings.Contains(l.String(), "secret-key-value") {
		t.Errorf("sent %v, printed:\n%s", next.done(), l.String())
	}
}

func TestPlainInputEnds(t *testing.T) {
	t.Parallel()
	l := playLines(t, nil)
	l.see("> ")
	_ = l.in.Close()
	<-l.done
	if l.code != 0 {
		t.Errorf("exit %d", l.code)
	}
}

// In lines a name is as good as a number: an exact one, or the only one that
// fits, is taken, a command is no model, and what is not listed is asked about.
func TestPlainSetupByNames(t *testing.T) {
	t.Parallel()
	l := playLines(t, func(o *tui.Options) { o.Setup = true })
	l.host.mu.Lock()
	l.host.answer = func(q host.Query) (host.Answer, error) {
		switch q.(type) {
		case host.Providers:
			return host.ProviderList{Providers: []host.Provider{{Name: "own", Keyless: true, Running: true}, {Name: "other", KeyEnv: "K"}}}, nil
		case host.Models:
			return host.ModelList{Models: []host.Model{{Provider: "own", ID: "fake-a-large"}, {Provider: "own", ID: "fake-a"}}}, nil
		}
		return nil, nil
	}
	l.host.mu.Unlock()
	l.see("type its number or its name")
	l.say("o")
	l.see("No provider is called o: type")
	l.say("good-key-" + "123456789012")
	l.see("That looks like a key")
	l.say("oth")
	l.see("Type or paste the key of other; it is not shown. /back goes back.")
	l.say("/back")
	l.say("OWN")
	l.see("Choose a model")
	l.say("fake")
	l.see("1. fake-a-large")
	l.say("/model")
	l.see("/model is a command, and the set-up is open")
	l.say("nope")
	l.see("own does not list nope; enter again takes it all the same")
	l.say("fake-a")
	l.did(`Configure{Field:"model", Value:"fake-a"}`)
}

// An endpoint of one's own in lines: its address may stay, a key may be left out.
func TestPlainSetupOfAnEndpointOfOnesOwn(t *testing.T) {
	t.Parallel()
	l := playLines(t, func(o *tui.Options) { o.Setup = true })
	l.host.mu.Lock()
	l.host.answer = func(q host.Query) (host.Answer, error) {
		if _, ok := q.(host.Providers); ok {
			return host.ProviderList{Providers: []host.Provider{{Name: "own", NeedsURL: true, BaseURL: "http://localhost:7"}}}, nil
		}
		return nil, nil
	}
	l.host.mu.Unlock()
	l.see("Choose a provider")
	l.say("1")
	l.see("an empty line keeps http://localhost:7")
	l.say("good")
	l.see("an address begins with https:// or http://")
	l.say("localhost:8")
	l.see("or an empty line for none")
	l.say("")
	l.see("1. model-1")
}

// What is no answer is said to be none and told where it went; yes and no are
// answers, and deny with a reason asks for it.
func TestPlainSaysWhatIsNoAnswer(t *testing.T) {
	t.Parallel()
	l := playLines(t, nil)
	l.see("> ")
	l.say("go on")
	l.did(submit("go on"))
	ask := func(id string) {
		l.host.tell(asks(id)...)
		l.see("deny and say what to do instead")
		l.time.unguard(t)
	}
	ask("1")
	l.say("bogus")
	l.see("This is no answer (answers are yes, no, y, a, p, n, d and 1 to 5); queued: bogus")
	l.say("yes")
	l.did(`Decide{ID:"1", Choice:"once"`)
	ask("2")
	l.say("No")
	l.did(`Decide{ID:"2", Choice:"deny", Pattern:"", Message:""`)
	ask("3")
	l.say("5")
	l.see("What is to be done instead? An empty line only denies.")
	l.say("use make")
	l.did(`Decide{ID:"3", Choice:"deny", Pattern:"", Message:"use make"`)
	l.say("and then this")
	l.see("Queued: and then this")
}
