package redact_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
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

// A value is masked as well when a command turns it around or encodes it.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"own-" + "k3y/with+odd=signs&more", "sk-" + strings.Repeat("aB3", 40)} {
		m := redact.New(key)
		runes := []byte(key)
		slices.Reverse(runes)
		upper := strings.ToUpper(hex.EncodeToString([]byte(key)))
		texts := map[string]string{
			"reversed": "\n" + string(runes) + "\n", "hex": hex.EncodeToString([]byte(key)) + "0a", "capital hex": "0x" + upper,
			"in JSON": strings.NewReplacer("&", `\u0026`, "/", `\/`).Replace(key), "in HTML": strings.ReplaceAll(key, "&", "&amp;"),
			"in an address": "https://x.example/?k=" + url.QueryEscape(key) + "&y=1",
		}
		for at := range 4 {
			long := strings.Repeat("x", at) + key + "\nand more"
			texts[fmt.Sprintf("base64 behind %d", at)] = base64.StdEncoding.EncodeToString([]byte(long))
			texts[fmt.Sprintf("base64url behind %d", at)] = base64.RawURLEncoding.EncodeToString([]byte(long))
		}
		var lines []string
		for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(key+"\n"))), 76) {
			lines = append(lines, string(part))
		}
		if len(lines) > 1 {
			texts["base64 in lines"] = strings.Join(lines, "\n")
		}
		for name, text := range texts {
			got, n := m.String(text)
			if n == 0 || longest(got, text) > 30 {
				t.Errorf("%s of %d bytes: %d masked: %q", name, len(key), n, got)
			}
			if again, _ := m.String(got); again != got {
				t.Errorf("%s: masking again changes %q to %q", name, got, again)
			}
		}
	}
	if got, n := redact.New("short-ow").String("wo-trohs"); n != 0 {
		t.Errorf("a short spelling hits words: %q", got)
	}
}

// longest is the length of the longest piece of the masked text that is of the
// text, apart from what stands around it.
func longest(got, text string) int {
	most := 0
	for _, piece := range strings.Split(got, "[redacted]") {
		if strings.Contains(text, piece) {
			most = max(most, len(strings.TrimSpace(piece)))
		}
	}
	return most
}

// BenchmarkKeyed masks the output of a build, by a masker that knows no key
// and by one that knows ten. The two must cost about the same.
func BenchmarkKeyed(b *testing.B) {
	text := strings.Repeat("ok  \texample.com/project/internal/package\t0.042s\ncompile: 3f2a9c0d61 -> Build/Output_7.o (1,204 bytes)\n", 10_000)
	for _, n := range []int{0, 10} {
		b.Run(fmt.Sprintf("%d-keys", n), func(b *testing.B) {
			m := redact.New(keys(n)...)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				st := m.Stream()
				st.Write(text)
				st.Flush()
			}
		})
	}
}

// keys makes so many keys of no known shape.
func keys(n int) []string {
	out := make([]string, n)
	for i := range out {
		sum := sha256.Sum256([]byte{byte(i)})
		out[i] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return out
}
