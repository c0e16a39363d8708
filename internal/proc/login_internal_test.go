package proc

import (
	"strings"
	"testing"
)

// FuzzLogin: whatever the profile files print, what is taken over are variables,
// none of those that every command gets anyway.
func FuzzLogin(f *testing.F) {
	f.Add([]byte("hello\n" + loginLine + "\nA=b\x00PATH=/x\nB=c\x00"))
	f.Add([]byte(loginLine + "\n=x\x00_=y\x00ASSENT_API_KEY=k\x00"))
	f.Add([]byte("A=b\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, v := range parseLogin(out) {
			name, _, ok := strings.Cut(v, "=")
			if !ok || name == "" || name == markName || name == "ASSENT_API_KEY" || name == "PWD" || strings.Contains(v, "\x00") || !strings.Contains(string(out), v) {
				t.Fatalf("%q is taken over", v)
			}
		}
	})
}
