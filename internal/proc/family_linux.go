package proc

import (
	"maps"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// ours is what this process, as a parent, must know of all its children. The
// kernel keeps one list of children for a process, so there is one of these.
var ours = &family{} //nolint:gochecknoglobals // mirrors state that the kernel keeps once for a process

// family tells the children that this package started from those that were
// handed to this process because their own parents died.
type family struct {
	mu      sync.Mutex
	adopts  bool
	leaders map[int]*tree
	dead    map[int]death
}

type death struct {
	start uint64
	seen  time.Time
}

// adopt makes this process the one that orphans of its commands are handed to.
// Without it they go to process 1 and can no longer be told from strangers
// once they cleared their environment. An old kernel refuses; the marks work
// without. The caller holds mu.
func (f *family) adopt() {
	if !f.adopts {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // see above
		f.adopts = true
	}
}

// add notes a leader; the caller holds mu.
func (f *family) add(t *tree) {
	if f.leaders == nil {
		f.leaders = map[int]*tree{}
	}
	t.alone = len(f.leaders) == 0
	for _, other := range f.leaders {
		other.alone = false
	}
	f.leaders[t.leader] = t
}

func (f *family) remove(t *tree) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.leaders, t.leader)
}

// house is a copy of what a look at the processes needs.
type house struct {
	self, session int
	warden        int
	leaders       map[int]bool
	alone         bool
}

func (f *family) view(t *tree) house {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := house{self: os.Getpid(), warden: int(watch.pid.Load()), leaders: map[int]bool{}, alone: t.alone}
	h.session, _ = unix.Getsid(0) // cannot fail for this process
	for pid := range maps.Keys(f.leaders) {
		h.leaders[pid] = true
	}
	return h
}

// foundling reports whether a child of ours was handed to us and can only have
// come from the one command that runs.
func (h house) foundling(p process) bool {
	return h.alone && p.pid != h.warden && p.parent == h.self && p.session != h.session && !h.leaders[p.pid] && !h.leaders[p.session] &&
		p.environCleared()
}

// reap takes a dead child that was handed to us from the process list. One
// that no command is known to have started is given a second first, so that
// whoever else might have started it can ask for its end.
func (f *family) reap(p process, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead == nil {
		f.dead = map[int]death{}
	}
	d, seen := f.dead[p.pid]
	if !seen || d.start != p.start {
		d = death{p.start, time.Now()}
		f.dead[p.pid] = d
	}
	if session, _ := unix.Getsid(0); !known && (p.session == session || time.Since(d.seen) < time.Second) {
		return
	}
	_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil) // already gone is as good
	delete(f.dead, p.pid)
}
