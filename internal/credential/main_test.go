package credential_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assent/internal/credential"
)

// TestMain lets the test binary play other processes: the variable says what.
func TestMain(m *testing.M) {
	role := os.Getenv("CREDENTIAL_TEST_ROLE")
	if role == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := play(role, os.Getenv("CREDENTIAL_TEST_DIR"), bufio.NewReader(os.Stdin)); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// script makes a new key each time, not quickly, and counts.
const script = `echo run >>runs; n=$(wc -l <runs | tr -d ' '); sleep 0.1; echo "{\"key\":\"key-$n\",\"expiresIn\":3600}"`

// stuck hangs the first time that it renews, and says so.
const stuck = `if test -e first && ! test -e begun; then echo >begun; sleep 60; fi; echo >first; ` + script

// shared is the source that all processes of a test have.
func shared(dir, script string) *credential.Source {
	return credential.New(credential.Options{Command: []string{"sh", "-c", script}, Dir: dir, Cache: filepath.Join(dir, "cache"), Provider: "openai"})
}

// play is one process: it says what it has, and goes on at a line.
func play(role, dir string, in *bufio.Reader) error {
	ctx := context.Background()
	s := shared(dir, map[string]string{"renew": script, "stuck": stuck}[role])
	first := ""
	if role != "store" {
		key, err := s.Get(ctx, false)
		if err != nil {
			return err
		}
		first = key
	}
	fmt.Println("ready", first)
	if _, err := in.ReadString('\n'); err != nil {
		return err
	}
	if role == "store" {
		name := fmt.Sprint("p", os.Getpid())
		where, err := credential.NewVault(&ring{away: true}, dir).Store(ctx, name, "k-"+name)
		fmt.Println(where)
		return err
	}
	key, err := s.Get(ctx, true) // the server has refused the first
	fmt.Println(key)
	return err
}

// process is another one that runs.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

// begin starts a process and waits until it is ready.
func begin(t *testing.T, role, dir string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.CommandContext(t.Context(), self)}
	p.Env = append(os.Environ(), "CREDENTIAL_TEST_ROLE="+role, "CREDENTIAL_TEST_DIR="+dir)
	p.Stderr = &p.err
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if line := p.line(t); !strings.HasPrefix(line, "ready") {
		t.Fatalf("it said %q", line)
	}
	return p
}

// line is the next that the process says.
func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Errorf("%v: %s", err, &p.err)
	}
	return strings.TrimSpace(line)
}

// goOn lets the process renew or store.
func (p *process) goOn(t *testing.T) {
	t.Helper()
	if _, err := fmt.Fprintln(p.in); err != nil {
		t.Fatal(err)
	}
}
