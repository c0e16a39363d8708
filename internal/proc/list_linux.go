package proc

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// process is a row of the kernel's process list.
type process struct {
	pid, parent, group, session int
	state                       byte
	start                       uint64 // in ticks since boot
}

// listProcesses lists the processes that started at a time or later.
func listProcesses(since uint64) []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer closeAll(dir)
	names, _ := dir.Readdirnames(-1) // a part of the list is better than none
	var list []process
	for _, n := range names {
		if n[0] < '0' || n[0] > '9' {
			continue
		}
		pid, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok && p.start >= since {
			list = append(list, p)
		}
	}
	return list
}

func procFile(pid int, name string) string { return path.Join("/proc", strconv.Itoa(pid), name) }

func readProcess(pid int) (process, bool) {
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, text)
}

// parseStat reads a line of /proc/PID/stat. The second field, the name in
// parentheses, may hold anything, blanks and parentheses included.
func parseStat(pid int, text []byte) (process, bool) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return process{}, false
	}
	f := strings.Fields(string(text[end+1:]))
	if len(f) < 20 {
		return process{}, false
	}
	p := process{pid: pid, state: f[0][0]}
	for i, to := range []*int{&p.parent, &p.group, &p.session} {
		n, err := strconv.Atoi(f[i+1])
		if err != nil {
			return process{}, false
		}
		*to = n
	}
	var err error
	p.start, err = strconv.ParseUint(f[19], 10, 64)
	return p, err == nil
}

// environHas reports whether the environment that a process began with
// carries a mark with this token. That of another user's process cannot be
// read, and does not count.
func (p process) environHas(token string) bool {
	for v := range bytes.SplitSeq(p.environ(), []byte{0}) {
		if marks, ok := bytes.CutPrefix(v, []byte(markName+"=")); ok {
			return slices.Contains(strings.Split(string(marks), ":"), token)
		}
	}
	return false
}

// environCleared reports whether the environment can be read and carries no
// mark at all.
func (p process) environCleared() bool {
	text, err := os.ReadFile(procFile(p.pid, "environ"))
	return err == nil && !bytes.HasPrefix(text, []byte(markName+"=")) && !bytes.Contains(text, []byte("\x00"+markName+"="))
}

func (p process) environ() []byte {
	text, _ := os.ReadFile(procFile(p.pid, "environ")) // unreadable is unmarked
	return text
}

// user is the number of the user that the process acts as, "" when it is gone.
// The owner of its folder would be root for every process that changed users.
func (p process) user() string {
	text, _ := os.ReadFile(procFile(p.pid, "status")) // see above
	_, line, _ := bytes.Cut(text, []byte("\nUid:"))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if ids := strings.Fields(string(line)); len(ids) > 1 { // real, effective, saved, of files
		return ids[1]
	}
	return ""
}

func pipeName(inode uint64) string { return "pipe:[" + strconv.FormatUint(inode, 10) + "]" }

// holdsAny reports whether standard output or error is one of the pipes.
func (p process) holdsAny(pipes []string) bool {
	for _, fd := range []string{"fd/1", "fd/2"} {
		if to, err := os.Readlink(procFile(p.pid, fd)); err == nil && slices.Contains(pipes, to) {
			return true
		}
	}
	return false
}

// signal signals the very process that was listed: a handle is opened and the
// start time compared, so that a number that was used anew in between is not
// hit.
func (p process) signal(s syscall.Signal) {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if err != nil {
		if err == unix.ENOSYS {
			_ = unix.Kill(p.pid, s) // gone already is what we want
		}
		return
	}
	defer func() { _ = unix.Close(fd) }() // nothing to lose
	if now, ok := readProcess(p.pid); ok && now.start == p.start {
		_ = unix.PidfdSendSignal(fd, s, nil, 0) // gone already is what we want
	}
}
