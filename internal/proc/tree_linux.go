package proc

import (
	"crypto/rand"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree finds and ends everything that one command started.
//
// A process belongs to the tree when one of these holds, and each is proof,
// because only a descendant can have it:
//
//   - it is in the session or the group of the leader (which is not reaped
//     before the tree is ended, so that its number cannot be used anew);
//   - its environment carries the mark of this command;
//   - its standard output or error is a pipe of this command;
//   - its parent belongs to the tree;
//   - it was handed to this process when its parents died (this process is a
//     subreaper), in a session that is not ours, while no other command ran.
//     Every child process is started by this package, so it can have come from
//     nowhere else; when other commands ran it is left alone.
//
// What started before the leader did is never looked at.
type tree struct {
	token  string
	leader int
	born   uint64 // when the leader started, in ticks since boot
	pipes  []string
	known  map[int]uint64 // members seen and when they started
	alone  bool           // no other command ran at the same time; guarded by the family
}

func newTree() *tree {
	return &tree{token: rand.Text(), known: map[int]uint64{}}
}

func (t *tree) mark() string {
	if outer := os.Getenv(markName); outer != "" {
		return markName + "=" + outer + ":" + t.token
	}
	return markName + "=" + t.token
}

func (t *tree) configure(cmd *exec.Cmd) { detach(cmd) }

// holds notes the pipes that the command is given.
func (t *tree) holds(ends []*os.File) {
	for _, f := range ends {
		var st unix.Stat_t
		if unix.Fstat(int(f.Fd()), &st) == nil {
			t.pipes = append(t.pipes, pipeName(st.Ino))
		}
	}
}

// start starts the leader and notes it before anyone can take it for a
// process that was handed to us.
func (t *tree) start(cmd *exec.Cmd) error {
	ours.mu.Lock()
	defer ours.mu.Unlock()
	ours.adopt()
	if err := cmd.Start(); err != nil {
		return err
	}
	t.leader = cmd.Process.Pid
	if p, ok := readProcess(t.leader); ok {
		t.born = p.start
	}
	ours.add(t)
	return nil
}

// close forgets the leader, once it is reaped.
func (t *tree) close() { ours.remove(t) }

// await returns when the leader has ended, without reaping it.
func (t *tree) await(*exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, t.leader, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// members lists the living processes of the tree, the leader included.
func (t *tree) members() []process {
	all := listProcesses(t.born)
	if all == nil && unix.Kill(-t.leader, 0) == nil {
		// Without /proc nobody can be told apart; there is still the group.
		return []process{{pid: t.leader, group: t.leader}}
	}
	house := ours.view(t)
	in := map[int]bool{}
	for _, p := range all {
		if p.pid != house.self && (t.attached(p) || p.state != 'Z' && (t.marked(p) || house.foundling(p))) {
			in[p.pid] = true
		}
	}
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if !in[p.pid] && in[p.parent] {
				in[p.pid], grew = true, true
			}
		}
	}
	var living []process
	for _, p := range all {
		switch {
		case p.state == 'Z' || p.state == 'X':
			if p.parent == house.self && !house.leaders[p.pid] {
				ours.reap(p, in[p.pid])
			}
		case in[p.pid]:
			living = append(living, p)
			t.known[p.pid] = p.start
		}
	}
	return living
}

// attached reports whether a process is still in the leader's session or
// group, or was known before.
func (t *tree) attached(p process) bool {
	return p.pid == t.leader || p.session == t.leader || p.group == t.leader || t.known[p.pid] == p.start && p.start != 0
}

// marked reports whether a process that left session and group carries the
// mark or a pipe of this command.
func (t *tree) marked(p process) bool {
	return p.environHas(t.token) || p.holdsAny(t.pipes)
}

// count returns how many processes of the tree live, the leader not counted
// once it has ended.
func (t *tree) count() int { return len(t.members()) }

// left names the members that live.
func (t *tree) left() (list []Remnant) {
	for _, p := range t.members() {
		list = append(list, Remnant{p.pid, userName(p.user())})
	}
	return list
}

// end asks the tree to end, and after the grace makes it.
func (t *tree) end(grace time.Duration) {
	t.signal(unix.SIGTERM)
	if t.gone(grace) {
		return
	}
	for deadline := time.Now().Add(insist); time.Now().Before(deadline); {
		t.signal(unix.SIGKILL)
		if t.gone(20 * time.Millisecond) {
			return
		}
	}
}

// signal reaches the group in one stroke, so that nothing in it can fork away,
// and then each one that left it.
func (t *tree) signal(s syscall.Signal) {
	_ = unix.Kill(-t.leader, s) // no member is left: nothing to do
	for _, p := range t.members() {
		if p.group != t.leader {
			p.signal(s)
		}
	}
}

// gone waits until no member lives, and reports whether that came about.
func (t *tree) gone(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if t.count() == 0 {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
}
