package credential_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/credential"
)

// PROV-20: ten processes meet a refusal at once; one renews, all go on.
func TestTenProcessesRenewOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []*process
	for range 10 {
		all = append(all, begin(t, "renew", dir))
	}
	for _, p := range all {
		p.goOn(t)
	}
	for _, p := range all {
		if key := p.line(t); key != "key-2" {
			t.Errorf("got %q", key)
		}
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, &p.err)
		}
	}
	runs, err := os.ReadFile(filepath.Join(dir, "runs"))
	if err != nil || strings.Count(string(runs), "\n") != 2 {
		t.Errorf("the command ran %q, %v; want twice", runs, err)
	}
}

// One that is killed while it holds the lock and its command runs holds nobody
// up and loses nothing.
func TestAKilledRenewalHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := begin(t, "stuck", dir)
	p.goOn(t)
	for deadline := time.Now().Add(20 * time.Second); ; <-time.After(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the renewal never began")
		}
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // killed just now
	s := shared(dir, stuck)
	if key := get(t, s, false); key != "key-1" {
		t.Errorf("the key that was shared before is %q", key)
	}
	if key := get(t, s, true); key != "key-2" {
		t.Errorf("renewed to %q", key)
	}
}

// What a process that was killed between write and rename leaves holds a key,
// and goes with the next write.
func TestLeftoversOfAKilledWriterGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := shared(dir, script)
	get(t, s, false)
	cache := filepath.Join(dir, "cache")
	names := holding(t, cache, "key-1")
	if len(names) != 1 {
		t.Fatalf("the key is in %q", names)
	}
	v := credential.NewVault(&ring{away: true}, dir)
	for _, name := range []string{filepath.Join(cache, "."+names[0]+".new-ABC"), filepath.Join(dir, ".keys.json.new-ABC")} {
		if err := os.WriteFile(name, []byte("secret-word"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	get(t, s, true)
	store(t, v, "openai", "k", v.File())
	if left := append(holding(t, cache, "secret-word"), holding(t, dir, "secret-word")...); left != nil {
		t.Errorf("left are %q", left)
	}
}

// Ten processes that store a key each lose none.
func TestTenProcessesStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []*process
	for range 10 {
		all = append(all, begin(t, "store", dir))
	}
	for _, p := range all {
		p.goOn(t)
	}
	v := credential.NewVault(&ring{away: true}, dir)
	for _, p := range all {
		if where := p.line(t); where != v.File() {
			t.Errorf("stored at %q", where)
		}
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, &p.err)
		}
		name := fmt.Sprint("p", p.Process.Pid)
		stored(t, v, name, "k-"+name, v.File())
	}
}
