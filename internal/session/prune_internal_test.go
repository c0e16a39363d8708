package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// How late it is says the first session that was used a day ago: what was
// written before it is not read, however much there is.
func TestTheWitnessIsFoundWithoutReadingAll(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now()
	made := func(name string, wrote, used time.Duration) string {
		t.Helper()
		s := Store{Dir: filepath.Join(dir, name), Now: func() time.Time { return now.Add(-used) }}
		l, err := s.Create(t.TempDir())
		if err == nil {
			err = l.Append(User{Text: "hello"})
		}
		if err == nil {
			err = l.Close()
		}
		if err == nil {
			err = os.Chtimes(l.Path(), now.Add(-wrote), now.Add(-wrote))
		}
		if err != nil {
			t.Fatal(err)
		}
		return l.Path()
	}
	const day = 24 * time.Hour
	files := []string{
		made("never read", 40*day, 2*day), // its records would say another time
		made("of a while ago", 20*day, 20*day),
		made("of now", 0, 0),
		made("the witness", 3*day, 3*day),
		made("copied back", time.Hour, 30*day),
	}
	got := Store{Dir: dir, Now: func() time.Time { return now }}.witness(byWrite(files))
	if d := now.Sub(got).Round(time.Hour); d != 3*day {
		t.Errorf("the witness was used %v ago", d)
	}
}
