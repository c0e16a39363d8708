package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a job object: every process that a member starts is a member, and
// ending the job ends them all, also when this program dies. The leader is put
// into it before its first instruction, so that nothing it starts escapes.
type tree struct {
	job windows.Handle
	pid int
}

func newTree() *tree { return &tree{} }

func (*tree) mark() string     { return "" }
func (*tree) holds([]*os.File) {}

func (*tree) configure(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
		HideWindow:    true,
	}
}

func (t *tree) start(cmd *exec.Cmd) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		_ = windows.CloseHandle(job) // nothing is in it
		return err
	}
	t.job, t.pid = job, cmd.Process.Pid
	if err = t.admit(); err == nil {
		err = resume(uint32(t.pid))
	}
	if err != nil {
		_ = cmd.Process.Kill() // it has done nothing yet
		_ = cmd.Wait()         // how it ended is known
		t.close()
		return fmt.Errorf("put it under control: %w", err)
	}
	return nil
}

// admit puts the leader into the job.
func (t *tree) admit() error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(t.pid))
	if err != nil {
		return err
	}
	err = windows.AssignProcessToJobObject(t.job, h)
	return errors.Join(err, windows.CloseHandle(h))
}

// resume lets a process run that was made to wait before its first
// instruction, when it has one thread. The handle of that is not handed out by
// the standard library, so the system's list is asked.
func resume(pid uint32) error {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(list) }() // it was only read
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(list, &entry); err == nil; err = windows.Thread32Next(list, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		return errors.Join(err, windows.CloseHandle(thread))
	}
	return err
}

func (t *tree) await(cmd *exec.Cmd) { _ = cmd.Wait() } // its state tells how it ended

// members is JOBOBJECT_BASIC_PROCESS_ID_LIST, with room for as many as are
// ever told apart.
type members struct {
	all, listed uint32
	ids         [256]uintptr
}

// count is the number of processes in the job, without the one that the system
// adds to serve a console, which ends with the last that uses it.
func (t *tree) count() int {
	var m members
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&m)), uint32(unsafe.Sizeof(m)), nil)
	switch {
	case errors.Is(err, windows.ERROR_MORE_DATA):
		return int(m.all)
	case err != nil:
		return 0
	}
	n := 0
	for _, id := range m.ids[:min(int(m.listed), len(m.ids))] {
		if !servesConsole(uint32(id)) {
			n++
		}
	}
	return n
}

// servesConsole says whether a process is the system's own conhost.
func servesConsole(pid uint32) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(h) }() // it was only asked
	var name [windows.MAX_PATH]uint16
	n := uint32(len(name))
	dir, dirErr := windows.GetSystemDirectory()
	if dirErr != nil || windows.QueryFullProcessImageName(h, 0, &name[0], &n) != nil {
		return false
	}
	return strings.EqualFold(windows.UTF16ToString(name[:n]), filepath.Join(dir, "conhost.exe"))
}

// left names the leader when it, or another of its job, lives.
func (t *tree) left() []Remnant {
	if t.count() == 0 {
		return nil
	}
	return []Remnant{{PID: t.pid}}
}

// end ends the job at once: there is no gentle way that console programs
// without a console would hear.
func (t *tree) end(grace time.Duration) {
	_ = windows.TerminateJobObject(t.job, 1)
	for deadline := time.Now().Add(grace); t.count() > 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
}

func (t *tree) close() { _ = windows.CloseHandle(t.job) }

// status reads how a leader ended.
func status(s *os.ProcessState) (exit int, signal string) {
	if s == nil {
		return -1, ""
	}
	return s.ExitCode(), ""
}
