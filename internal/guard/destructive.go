package guard

import (
	"errors"
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// destructive is the guard of shell commands that cannot be undone.
type destructive struct{}

func (destructive) Name() string { return Destructive }

// finding is what is wrong with a command.
type finding struct{ reason, instead string }

const byUser = "ask the user to run it if that is really wanted"

func no(reason string) *finding { return &finding{reason: reason, instead: byUser} }

// view is one command as the checks see it: words as far as they are known.
type view struct {
	call   *Call
	script *shell.Script
	c      *shell.Command
	// index is the command's place in the script.
	index int
	// touched are the files of the script by the command that touches them; nil
	// when nobody has sorted them.
	touched map[int][]shell.File
	// connections are those of them that lead to elsewhere.
	connections []shell.File
	// name is the program's base name, args the literal text of its arguments.
	name string
	args []string
}

// Check looks at every command of a shell call.
func (destructive) Check(c Call) *Refusal {
	s := c.Plan.Script
	if s == nil {
		return nil
	}
	for _, err := range []error{shell.ErrTooDeep, shell.ErrNul} {
		if errors.Is(s.Err, err) {
			return &Refusal{Guard: Destructive, Part: cut(s.Source), Reason: "it cannot be checked: " + err.Error(), Instead: "write it in a simpler way"}
		}
	}
	if errors.Is(s.Err, shell.ErrTooLong) && len(s.Commands) == 0 {
		return &Refusal{Guard: Destructive, Part: cut(s.Source), Reason: "it cannot be checked: " + s.Err.Error(), Instead: "put it into a file with a write tool"}
	}
	touched := make(map[int][]shell.File, len(s.Files))
	var outside []shell.File
	for _, f := range s.Files {
		touched[f.Command] = append(touched[f.Command], f)
		if network(f.Path) {
			outside = append(outside, f)
		}
	}
	for i := range s.Commands {
		v := newView(&c, s, i)
		v.touched, v.connections = touched, outside
		if len(v.c.Words) > 0 && !v.c.Words[0].Static && v.fromFetcher(v.c.Words[0].Subst) {
			return &Refusal{Guard: Destructive, Part: v.c.Text, Reason: unseen.reason, Instead: unseen.instead}
		}
		if v.c.Veiled {
			return &Refusal{Guard: Destructive, Part: v.c.Text, Reason: "what it runs is put together by programs from texts of the script, so that it cannot be seen before it runs", Instead: "write out the command that is meant"}
		}
		if v.name == "" {
			continue
		}
		f := check(v)
		if f == nil {
			f = carried(v)
		}
		if f != nil {
			return &Refusal{Guard: Destructive, Part: v.c.Text, Reason: f.reason, Instead: f.instead}
		}
	}
	if r := emptied(c); r != nil {
		return r
	}
	return devices(c)
}

// cut shortens a text for a refusal.
func cut(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// newView is the view of a command of a script.
func newView(c *Call, s *shell.Script, index int) view {
	cmd := &s.Commands[index]
	v := view{call: c, script: s, c: cmd, index: index}
	if len(cmd.Words) == 0 || !cmd.Words[0].Static && cmd.Words[0].Text == "" {
		return v
	}
	v.name = shell.Program(cmd.Words[0].Text)
	if v.name == "git" || strings.HasPrefix(v.name, "git-") {
		v.name, v.args = gitArgs(v.name, cmd)
		return v
	}
	for _, w := range cmd.Words[1:] {
		v.args = append(v.args, w.Text)
	}
	return v
}

// checks in the order of how often they fire.
var checks = []func(view) *finding{
	deletes, empties, gits, downloads, databases, disks, permissions, power, bombs, services, elsewhere,
}

// option says whether an option is given before "--": a letter in a cluster of
// one dash, or a long name, perhaps cut short.
func (v view) option(letters string, long ...string) bool {
	for _, a := range v.args {
		if a == "--" {
			return false
		}
		if hasOption(a, letters, long...) {
			return true
		}
	}
	return false
}

func hasOption(a, letters string, long ...string) bool {
	if strings.HasPrefix(a, "--") {
		name, _, _ := strings.Cut(a, "=")
		return len(name) > 2 && slices.ContainsFunc(long, func(l string) bool { return strings.HasPrefix("--"+l, name) })
	}
	return len(a) > 1 && a[0] == '-' && strings.ContainsAny(a[1:], letters)
}

// operands are the arguments that are no options.
func (v view) operands() []string {
	var out []string
	for i, a := range v.args {
		if a == "--" {
			return append(out, v.args[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			out = append(out, a)
		}
	}
	return out
}

// begins says whether the first operands are these words.
func (v view) begins(words ...string) bool {
	ops := v.operands()
	return len(ops) >= len(words) && slices.Equal(ops[:len(words)], words)
}

var walkDeletes = &finding{"find -delete removes whatever it finds", "list the files first and delete them by name, or " + byUser}

// deletes is rm -r and -f in any spelling, find -delete, shred.
func deletes(v view) *finding {
	switch v.name {
	case "rm", "grm", "srm":
		if v.option("rRf", "recursive", "force") || v.name == "srm" {
			return &finding{
				"a recursive or forced delete cannot be undone",
				"delete single files by name, or " + byUser,
			}
		}
		if v.listed() {
			return walkDeletes
		}
		if slices.ContainsFunc(v.c.Words[1:], wholeFolder) {
			return &finding{"it deletes every file of a folder", "name the files, or a pattern of their names, or " + byUser}
		}
	case "rsync":
		if v.option("", "delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded") {
			return &finding{"rsync --delete removes whatever the source does not hold", walkDeletes.instead}
		}
		if v.option("", "remove-source-files") {
			return &finding{"rsync --remove-source-files deletes what it has copied", "copy the files without that option, or " + byUser}
		}
	case "rimraf", "del-cli", "shred", "gshred":
		return no("what " + v.name + " deletes cannot be brought back")
	case "find", "gfind", "bfs":
		if slices.Contains(v.args, "-delete") {
			return walkDeletes
		}
	case "unlink":
		if v.listed() {
			return walkDeletes
		}
		for _, w := range v.c.Words[1:] {
			if w.Glob {
				return no("it deletes whatever the pattern matches")
			}
		}
	}
	return nil
}

// disks is what overwrites devices and file systems as a whole.
func disks(v view) *finding {
	switch {
	case strings.HasPrefix(v.name, "mkfs"), v.name == "mke2fs", v.name == "mkswap", v.name == "wipefs", v.name == "blkdiscard", v.name == "newfs":
		return no("it overwrites a whole device")
	case v.name == "fdisk" || v.name == "sfdisk" || v.name == "gdisk" || v.name == "sgdisk" || v.name == "cfdisk" || v.name == "parted":
		if !v.option("lp", "list", "print") {
			return no("it changes the partitions of a device")
		}
	case v.name == "format" && slices.ContainsFunc(v.args, func(a string) bool { return len(a) == 2 && a[1] == ':' }):
		return no("it overwrites a whole device")
	case v.name == "diskutil" && len(v.args) > 0:
		if sub := strings.ToLower(v.args[0]); strings.HasPrefix(sub, "erase") || strings.HasPrefix(sub, "partition") || strings.HasPrefix(sub, "zero") || sub == "reformat" ||
			sub == "apfs" && len(v.args) > 1 && strings.HasPrefix(strings.ToLower(v.args[1]), "delete") {
			return no("it erases a device")
		}
	case v.name == "cryptsetup" && slices.ContainsFunc(v.args, func(a string) bool { return strings.EqualFold(a, "luksFormat") || strings.EqualFold(a, "erase") }):
		return no("it overwrites a whole device")
	case slices.Contains([]string{"lvremove", "vgremove", "pvremove"}, v.name), (v.name == "zpool" || v.name == "zfs") && v.begins("destroy"):
		return no("it removes a volume with all that it holds")
	case v.name == "hdparm" && slices.ContainsFunc(v.args, func(a string) bool { return strings.HasPrefix(a, "--security-erase") || a == "--trim-sector-ranges" }):
		return no("it erases a device")
	case v.name == "badblocks" && v.option("w"):
		return no("it overwrites a whole device")
	}
	return nil
}

// deviceNames begin the names of devices that hold file systems or memory.
var deviceNames = []string{
	"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper", "md", "dm-", "loop", "nbd", "sr", "mem", "kmem", "port", "block", "zd", "ram",
}

// devices is a write to a raw device by any command or redirection.
func devices(c Call) *Refusal {
	for _, f := range c.Plan.Script.Files {
		at := f.Path
		if !path.IsAbs(at) {
			at = path.Join(f.Dir, at)
		}
		if f.Write && path.Clean(at) == "/proc/sysrq-trigger" {
			return &Refusal{Guard: Destructive, Part: f.Path, Reason: "it tells the kernel to stop or to kill", Instead: byUser}
		}
		name, ok := strings.CutPrefix(path.Clean(at), "/dev/")
		if !f.Write || !ok || !slices.ContainsFunc(deviceNames, func(d string) bool { return strings.HasPrefix(name, d) }) {
			continue
		}
		part := f.Path
		if f.Command >= 0 && f.Command < len(c.Plan.Script.Commands) {
			part = c.Plan.Script.Commands[f.Command].Text
		}
		return &Refusal{Guard: Destructive, Part: part, Reason: "it overwrites the device " + f.Path, Instead: byUser}
	}
	return nil
}

// power is what turns the machine off.
func power(v view) *finding {
	switch v.name {
	case "loginctl":
		if v.begins("poweroff") || v.begins("reboot") || v.begins("halt") {
			return no("it turns the machine off")
		}
	case "shutdown", "reboot", "halt", "poweroff":
		if !v.option("c", "help", "show") || v.name != "shutdown" {
			return no("it turns the machine off")
		}
	case "init", "telinit":
		if v.begins("0") || v.begins("6") || v.begins("1") || v.begins("s") || v.begins("S") {
			return no("it turns the machine off")
		}
	case "systemctl":
		for _, a := range v.args {
			if slices.Contains([]string{"poweroff", "reboot", "halt", "kexec", "soft-reboot", "poweroff.target", "reboot.target", "halt.target", "rescue", "emergency"}, a) {
				return no("it turns the machine off")
			}
		}
	case "osascript":
		if text := strings.ToLower(strings.Join(v.args, " ")); strings.Contains(text, "tell app") && (strings.Contains(text, "shut down") || strings.Contains(text, "to restart")) {
			return no("it turns the machine off")
		}
	case "stop-computer", "restart-computer":
		return no("it turns the machine off")
	case "dbus-send", "busctl", "gdbus", "qdbus":
		if slices.ContainsFunc(v.args, func(a string) bool {
			return slices.Contains([]string{"PowerOff", "Reboot", "Halt", "KExec", "PowerOffWithFlags", "RebootWithFlags"}, a[strings.LastIndexByte(a, '.')+1:])
		}) {
			return no("it turns the machine off")
		}
	case "kill":
		if ops := v.args; len(ops) > 1 && ops[len(ops)-1] == "-1" {
			return no("it ends every process of the user")
		}
	}
	return nil
}

// bombs is a function that starts itself again beside itself.
func bombs(v view) *finding {
	bomb := no("it starts itself again without end")
	if v.c.Function != "" {
		self := func(c *shell.Command) bool {
			return len(c.Words) > 0 && c.Words[0].Text == v.c.Function && c.Function == v.c.Function
		}
		if self(v.c) && (v.c.Background || len(v.c.PipedFrom) > 0) {
			return bomb
		}
		for _, i := range v.c.PipedFrom {
			if self(&v.script.Commands[i]) {
				return bomb
			}
		}
	}
	code := strings.Join(strings.Fields(strings.Join(v.args, " ")), " ")
	for _, mark := range []string{"fork while fork", "fork while 1", "while True: os.fork()", "while 1: os.fork()", "loop { fork }", "loop{fork}"} {
		if shell.Launcher(v.name) && strings.Contains(code, mark) {
			return bomb
		}
	}
	return nil
}

// services is what destroys things that are kept elsewhere.
func services(v view) *finding {
	switch v.name {
	case "terraform", "tofu", "terragrunt":
		if v.begins("destroy") || v.begins("run-all", "destroy") || v.begins("apply") && v.option("", "destroy") || slices.Contains(v.args, "-destroy") && !v.begins("plan") {
			return no("it destroys infrastructure")
		}
	case "pulumi", "cdk", "eksctl":
		if v.begins("destroy") || v.name == "eksctl" && v.begins("delete") {
			return no("it destroys infrastructure")
		}
	case "kubectl", "oc":
		if sub := shell.Subcommand(append([]string{v.name}, v.args...)); len(sub) > 1 && sub[1] == "delete" {
			return no("it deletes what runs in a cluster")
		}
	case "docker", "podman", "nerdctl":
		sub := shell.Subcommand(append([]string{"docker"}, v.args...))
		for _, pair := range [][2]string{{"system", "prune"}, {"volume", "rm"}, {"volume", "remove"}, {"volume", "prune"}} {
			if len(sub) > 2 && sub[1] == pair[0] && sub[2] == pair[1] {
				return no("it deletes the data of containers")
			}
		}
	case "npm", "pnpm", "yarn":
		sub := shell.Subcommand(append([]string{v.name}, v.args...))
		if len(sub) > 1 && sub[1] == "unpublish" || len(sub) > 2 && sub[1] == "npm" && sub[2] == "unpublish" {
			return no("what is unpublished is gone for everyone")
		}
	case "gh":
		if sub := shell.Subcommand(append([]string{"gh"}, v.args...)); len(sub) > 2 && sub[1] == "repo" && sub[2] == "delete" {
			return no("it deletes a repository for everyone")
		} else if len(sub) > 1 && sub[1] == "api" && slices.ContainsFunc(v.args, func(a string) bool {
			return strings.EqualFold(strings.TrimPrefix(strings.TrimPrefix(a, "-X"), "--method="), "DELETE")
		}) {
			return no("it deletes something at the forge")
		}
	case "aws":
		sub := shell.Subcommand(append([]string{"aws"}, v.args...))
		if len(sub) > 2 && sub[1] == "s3" && (sub[2] == "rb" && v.option("", "force") || sub[2] == "rm" && v.option("", "recursive")) {
			return no("it deletes a bucket or all below a key")
		}
	}
	return nil
}

// leadsOut says whether an argument may name a place outside the workspace.
func (v view) leadsOut(name string) bool {
	if v.c.Remote {
		return false
	}
	for _, dir := range v.dirs() {
		if v.call.Paths.Place(name, dir).Outside {
			return true
		}
	}
	return false
}

// dirs are the folders that the command may run in.
func (v view) dirs() []string {
	if len(v.c.Dirs) > 0 {
		return v.c.Dirs
	}
	return []string{v.c.Dir}
}
