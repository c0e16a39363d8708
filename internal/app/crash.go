package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assent/internal/whole"
)

// Bounds of crash reports: the size of one in bytes before keys are masked, and how
// many are kept.
const (
	mostReport  = 1 << 20
	mostReports = 20
	// longestKey is a length in bytes above that of any key.
	longestKey = 16 << 10
)

// Crash keeps what is known of a panic that ended a turn or the program, and
// returns the error that says so.
func (a *App) Crash(p any, stack []byte) error {
	return fmt.Errorf("assent broke down: %s; the session is kept, and assent -c goes on with it", a.report(p, stack))
}

// survived keeps what is known of a panic that ended a call or a request only.
func (a *App) survived(p any, stack []byte) error {
	return fmt.Errorf("a part of assent broke down: %s", a.report(p, stack))
}

// report keeps what is known of a panic in a file of the state folder, which the
// user alone can read, and says what it was and where the file is. The report is
// masked like everything else that this process writes down, for the keys that
// this App came to know and those of the environment.
func (a *App) report(p any, stack []byte) string {
	a.learn()
	text := fmt.Sprintf("%s\n%s\n\npanic: %v\n\n%s", Version(a.env.Version), time.Now().UTC().Format(time.RFC3339), p, stack)
	text = a.masked(text)
	where := ""
	if paths, err := a.paths(); err == nil {
		file := filepath.Join(paths.State, "crashes", time.Now().UTC().Format("20060102-150405.000")+".txt")
		if whole.Mkdir(filepath.Dir(file)) == nil && whole.Replace(file, []byte(text), 0o600) == nil {
			where = "; the report is in " + file
			dropOld(filepath.Dir(file))
		}
	}
	return first(a.masked(fmt.Sprint(p))) + where
}

// masked is a text without keys, and not longer than a report may be. A key that
// stands where it is cut is not known by its beginning, so more is left out there
// than any key is long.
func (a *App) masked(text string) string {
	if len(text) <= mostReport {
		text, _ = a.mask.String(text)
		return text
	}
	text, _ = a.mask.String(text[:mostReport])
	return text[:max(0, len(text)-longestKey)]
}

// dropOld removes the oldest reports beyond those that are kept; their names
// are their times.
func dropOld(folder string) {
	_ = whole.SweepFolder(folder, time.Hour) // the next one tries again
	reports, _ := os.ReadDir(folder)         // by name
	reports = slices.DeleteFunc(reports, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) != ".txt" })
	for _, old := range reports[:max(0, len(reports)-mostReports)] {
		_ = os.Remove(filepath.Join(folder, old.Name())) // one that stays is no harm
	}
}

// first is the first line of what a panic said, at a bearable length.
func first(said string) string {
	const most = 200
	n := 0
	for i, r := range said {
		if r == '\n' || n == most {
			return said[:i]
		}
		n++
	}
	return said
}
