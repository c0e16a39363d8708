package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assent/internal/whole"
)

// A new file costs the same beside 20,000 others as beside none.
func BenchmarkClaimBesideMany(b *testing.B) {
	for _, others := range []int{0, 20_000} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			dir := b.TempDir()
			for i := range others {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("call_%d.txt", i)), nil, 0o600); err != nil {
					b.Fatal(err)
				}
			}
			n := 0
			for b.Loop() {
				n++
				if err := whole.Claim(filepath.Join(dir, fmt.Sprintf("new_%d.txt", n)), []byte("x"), 0o600); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
