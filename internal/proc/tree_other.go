//go:build unix && !linux && !darwin

package proc

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// tree ends the leader's group; what left the group escapes.
type tree struct{ leader int }

func newTree() *tree { return &tree{} }

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

// count cannot tell how many members live, only whether any does.
func (t *tree) count() int {
	if syscall.Kill(-t.leader, 0) != nil {
		return 0
	}
	return 1
}

// left names the leader when it, or another of its group, lives.
func (t *tree) left() []Remnant {
	if t.count() == 0 {
		return nil
	}
	return []Remnant{{PID: t.leader}}
}

func (t *tree) end(grace time.Duration) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		_ = syscall.Kill(-t.leader, s) // gone already is what we want
		for deadline := time.Now().Add(grace); t.count() > 0 && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
	}
}
