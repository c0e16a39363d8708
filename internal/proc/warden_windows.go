package proc

// warden is not needed here: a job ends with the last handle to it, which the
// system closes when this program dies.
type warden struct{}

var watch warden //nolint:gochecknoglobals // see warden_unix.go

func (*warden) begin(string)       {}
func (*warden) leads(string, int)  {}
func (*warden) forget(string, int) {}
