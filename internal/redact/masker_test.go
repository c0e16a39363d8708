package redact_test

import (
	"strings"
	"sync"
	"testing"

	"assent/internal/redact"
)

// A key that is learned later is masked in what begins later.
func TestLearn(t *testing.T) {
	t.Parallel()
	m := redact.New("first-value")
	early := m.Stream()
	var wg sync.WaitGroup
	for _, v := range []string{"renewed-value", "other-value", "first-value", "short"} {
		wg.Go(func() { m.Learn(v) })
	}
	wg.Wait()
	got, n := m.String("first-value renewed-value other-value short")
	if n != 3 || strings.Contains(got, "value") || !strings.Contains(got, "short") {
		t.Errorf("%d masked: %q", n, got)
	}
	if got := early.Write("first-value and more ") + early.Flush(); strings.Contains(got, "first-value") {
		t.Errorf("a stream that had begun lost a value: %q", got)
	}
}
