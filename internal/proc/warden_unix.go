//go:build unix

package proc

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// warden is a small shell that outlives this program by a moment. It is told
// of every command, and when this program dies without ending them, killed
// perhaps, it does that. It learns of the death by the end of its input, which
// nobody else holds.
//
// It is best effort: a command runs also where no warden could be started.
type warden struct {
	mu    sync.Mutex
	input *os.File // nil: none runs
	pid   atomic.Int64
}

// watch is the one of this process: a process dies once.
var watch warden //nolint:gochecknoglobals // see above

// wardenScript reads "mark TOKEN", "group PID", "unmark TOKEN", "ungroup PID"
// and at the end of its input ends the groups and, where the system shows
// them, the processes whose environment holds a mark.
const wardenScript = `
trap '' HUP INT TERM
marks= groups=
without() { rest=; for x in $1; do [ "$x" = "$2" ] || rest="$rest $x"; done; }
while read -r verb word; do
  case $verb in
  mark) marks="$marks $word" ;;
  group) groups="$groups $word" ;;
  unmark) without "$marks" "$word"; marks=$rest ;;
  ungroup) without "$groups" "$word"; groups=$rest ;;
  esac
done
[ -n "$marks$groups" ] || exit 0
reach() {
  for g in $groups; do kill -s "$1" -- "-$g" 2>/dev/null; done
  [ -r /proc/self/environ ] || return 0
  for m in $marks; do
    for e in $(grep -lsF -- "$m" /proc/[0-9]*/environ 2>/dev/null); do
      e=${e#/proc/}
      kill -s "$1" "${e%/environ}" 2>/dev/null
    done
  done
}
# A program that is just being started shows no environment for a moment, so
# one look is not enough.
nap() { sleep "$1" 2>/dev/null || sleep 1; }
reach TERM; nap 0.1
reach TERM; nap 0.4
reach KILL; nap 0.1
reach KILL
`

// begin announces a command before it starts; mark is what its environment
// holds, "" where the system cannot show it.
func (w *warden) begin(mark string) { w.say("mark", mark) }

// leads names the group of a command that has started.
func (w *warden) leads(_ string, pid int) { w.say("group", fmt.Sprint(pid)) }

// forget says that nothing of a command is left. On Linux it comes before the
// leader is reaped, so that its number is not another's yet. Elsewhere waiting
// reaps, and a program that is killed in the moment between has its warden
// signal a group whose number may be another's by then. A pid of 0 did not
// start.
func (w *warden) forget(mark string, pid int) {
	w.say("unmark", mark)
	if pid != 0 {
		w.say("ungroup", fmt.Sprint(pid))
	}
}

// say tells the warden something, and starts it when none runs.
func (w *warden) say(verb, word string) {
	// The mark of a command that runs below another of this program's is
	// "outer:inner"; the last part is this one's.
	word = word[strings.LastIndexAny(word, "=:")+1:]
	if word == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.input == nil && !w.start() {
		return
	}
	_ = w.input.SetWriteDeadline(time.Now().Add(time.Second)) // pipes have deadlines
	if _, err := fmt.Fprintln(w.input, verb, word); err != nil {
		closeAll(w.input) // it was killed; the next command gets a new one
		w.input = nil
	}
}

// start starts the shell, in a session of its own so that no signal of a
// terminal reaches it, and without any file of ours but its input.
func (w *warden) start() bool {
	r, input, err := os.Pipe()
	if err != nil {
		return false
	}
	defer closeAll(r)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		closeAll(input)
		return false
	}
	defer closeAll(null)
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", wardenScript}, &os.ProcAttr{
		Dir: "/", Files: []*os.File{r, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		closeAll(input)
		return false
	}
	w.input = input
	w.pid.Store(int64(p.Pid))
	_ = p.Release() // it outlives this process, which therefore never waits for it
	return true
}
