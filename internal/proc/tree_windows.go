package proc

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a job object: every process that a member starts is a member, and
// ending the job ends them all, also when this program dies. A child that the
// leader starts in the instant before it is put into the job escapes it, so
// the tree below the leader is ended by taskkill as well.
type tree struct {
	job windows.Handle
	pid int
}

func newTree() *tree { return &tree{} }

func (*tree) mark() string     { return "" }
func (*tree) holds([]*os.File) {}

func (*tree) configure(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
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
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(t.pid))
	if err == nil {
		_ = windows.AssignProcessToJobObject(job, h) // else taskkill alone ends it
		_ = windows.CloseHandle(h)
	}
	return nil
}

func (t *tree) await(cmd *exec.Cmd) { _ = cmd.Wait() } // its state tells how it ended

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime  int64
	faults, totalProcesses, activeProcesses, endedProcesses uint32
}

const basicAccounting = 1

func (t *tree) count() int {
	var a accounting
	err := windows.QueryInformationJobObject(t.job, basicAccounting, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	if err != nil {
		return 0
	}
	return int(a.activeProcesses)
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
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(t.pid)).Run() //nolint:noctx // gone already is what we want
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
