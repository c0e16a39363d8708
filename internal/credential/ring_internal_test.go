package credential

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// TestWhatIsNoKeyring: a machine without a keyring is told from one whose
// keyring cannot be used.
func TestWhatIsNoKeyring(t *testing.T) {
	t.Parallel()
	_, none := exec.LookPath("a-program-that-is-not-there")
	_, gone := os.Open("/a-folder-that-is-not-there/bus")
	for _, c := range []struct {
		name string
		err  error
		none bool
	}{
		{"no entry", keyring.ErrNotFound, true},
		{"another system", keyring.ErrUnsupportedPlatform, true},
		{"no program that starts a bus", none, true},
		{"no socket", &net.OpError{Op: "dial", Err: gone}, true},
		{"nobody at the socket", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, true},
		{"no address", errors.New("dbus: couldn't determine address of session bus"), true},
		{"nobody keeps secrets", dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}, true},
		{"nobody keeps secrets, wrapped", fmt.Errorf("ask: %w", dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}), true},
		{"locked", dbus.Error{Name: "org.freedesktop.Secret.Error.IsLocked"}, false},
		{"not allowed", dbus.Error{Name: "org.freedesktop.DBus.Error.AccessDenied"}, false},
		{"no answer", dbus.Error{Name: "org.freedesktop.DBus.Error.NoReply"}, false},
		{"dismissed", errors.New("failed to unlock correct collection"), false},
		{"not permitted", fs.ErrPermission, false},
	} {
		if got := fault(c.err); (got == nil) != c.none || got != nil && (!errors.Is(got, ErrRing) || !strings.Contains(got.Error(), c.err.Error())) {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// TestTheAccountIsPartOfTheName: what may choose whose key is made, and nothing
// that differs from terminal to terminal.
func TestTheAccountIsPartOfTheName(t *testing.T) {
	t.Parallel()
	env := []string{"AWS_PROFILE=old", "TERM=x", "WINDOWID=1", "CLOUDSDK_CONFIG=c", "WHO=w", "THEM=t", "AWS_PROFILE=new", "OPENSSL=1", "SHLVL=2"}
	got := fmt.Sprint(account(env, []string{"sh", "-c", "x --for $WHO ${THEM}"}))
	if want := "[AWS_PROFILE=new CLOUDSDK_CONFIG=c THEM=t WHO=w]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
