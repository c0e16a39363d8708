package bash

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assent/internal/proc"
)

// TestEndedCommandsHoldLittle: what ended commands printed does not pile up,
// neither once it was shown nor when nobody asks for it.
func TestEndedCommandsHoldLittle(t *testing.T) {
	t.Parallel()
	const all = 30
	o := Options{Now: time.Now, Shorten: func(s, _ string) (string, bool) { return s, false }}
	j := &jobs{options: o}
	for i := range all {
		h, err := proc.Start(t.Context(), proc.Spec{Argv: []string{"/bin/sh", "-c", fmt.Sprint("echo printed", i)}, Merged: true})
		if err != nil {
			t.Skip(err)
		}
		h.Wait()
		j.list = append(j.list, &job{id: fmt.Sprint("bg", i), handle: h})
	}
	j.forget()
	for i, b := range j.list {
		kept, _, lost := b.handle.Output(0)
		if newest := i >= all-mostTexts; (len(kept) > 0) != newest || (lost == 0) != newest {
			t.Errorf("%s, of which nobody asked: %d bytes kept, %d lost", b.id, len(kept), lost)
		}
		shown := b.show(o).Output
		if !strings.Contains(shown, "has ended: exit code 0") || strings.Contains(shown, "not kept") == (len(kept) > 0) || strings.Contains(shown, "printed"+fmt.Sprint(i)) != (len(kept) > 0) {
			t.Errorf("%s shows %q", b.id, shown)
		}
		if kept, _, _ := b.handle.Output(0); len(kept) > 0 {
			t.Errorf("%s was shown after its end and still holds %d bytes", b.id, len(kept))
		}
		if again := b.show(o).Output; !strings.Contains(again, "(no new output)") || strings.Contains(again, "not kept") {
			t.Errorf("%s shows again %q", b.id, again)
		}
	}
}
