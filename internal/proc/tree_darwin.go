package proc

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree ends the leader's group and, best effort, those descendants that left
// it: whoever can be reached through parents while these live, and whoever was
// reached so before. A daemon that was orphaned before anyone looked escapes.
type tree struct {
	leader int
	known  map[int]time.Time
}

func newTree() *tree { return &tree{known: map[int]time.Time{}} }

func (*tree) mark() string            { return "" }
func (*tree) holds([]*os.File)        {}
func (*tree) configure(cmd *exec.Cmd) { detach(cmd) }
func (*tree) close()                  {}

func (t *tree) start(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	t.leader = cmd.Process.Pid
	return nil
}

func (t *tree) await(cmd *exec.Cmd) { _ = cmd.Wait() } // its state tells how it ended

// members lists the living processes of the tree by process id and group.
func (t *tree) members() map[int]int {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	in := map[int]int{}
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			pid, group := int(p.Proc.P_pid), int(p.Eproc.Pgid)
			began := time.Unix(p.Proc.P_starttime.Unix())
			_, has := in[pid]
			_, child := in[int(p.Eproc.Ppid)]
			known, ok := t.known[pid]
			if has || p.Proc.P_stat == zombie || !child && group != t.leader && !(ok && known.Equal(began)) {
				continue
			}
			in[pid], grew = group, true
			t.known[pid] = began
		}
	}
	return in
}

// zombie is the state of a dead process that was not reaped (SZOMB).
const zombie = 5

func (t *tree) count() int { return len(t.members()) }

// left names the members that live.
func (t *tree) left() (list []Remnant) {
	for pid := range t.members() {
		r := Remnant{PID: pid}
		if p, err := unix.SysctlKinfoProc("kern.proc.pid", pid); err == nil {
			r.User = userName(strconv.FormatUint(uint64(p.Eproc.Ucred.Uid), 10))
		}
		list = append(list, r)
	}
	return list
}

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

func (t *tree) signal(s syscall.Signal) {
	members := t.members()
	inGroup := false
	for pid, group := range members {
		if group == t.leader {
			inGroup = true
		} else {
			_ = unix.Kill(pid, s) // gone already is what we want
		}
	}
	if inGroup {
		_ = unix.Kill(-t.leader, s) // the number is reserved while a member lives
	}
}

func (t *tree) gone(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for t.count() > 0 {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}
