package proc

import (
	"cmp"
	"os"
	"slices"
	"strings"
)

// noEditor is the value of every editor variable: it fails at once and says
// what to do, whether it is run by a shell or split at blanks.
const noEditor = `false || echo 'There is no editor here: pass the text by an option, such as git commit -m or --no-edit.' >&2 && false`

// quiet are the variables that keep programs from asking, paging and drawing.
// They hold for every command, whatever the user's own environment says.
var quiet = []string{
	"TERM=dumb",
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat", "SYSTEMD_PAGER=cat", "DELTA_PAGER=cat", "AWS_PAGER=",
	"GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never",
	"GIT_EDITOR=" + noEditor, "GIT_SEQUENCE_EDITOR=" + noEditor, "EDITOR=" + noEditor, "VISUAL=" + noEditor,
	"GIT_MERGE_AUTOEDIT=no",
	"SSH_ASKPASS_REQUIRE=never",
	"DEBIAN_FRONTEND=noninteractive", "NEEDRESTART_MODE=a", "UCF_FORCE_CONFFOLD=1",
	"GH_PROMPT_DISABLED=1", "TF_INPUT=0", "PIP_NO_INPUT=1", "POETRY_NO_INTERACTION=1", "COMPOSER_NO_INTERACTION=1",
	"npm_config_yes=true", "npm_config_update_notifier=false", "npm_config_fund=false",
	"COREPACK_ENABLE_DOWNLOAD_PROMPT=0", "NG_CLI_ANALYTICS=false", "HOMEBREW_NO_ENV_HINTS=1",
}

// withheld are the variables that no command gets: this program's own key.
var withheld = []string{"ASSENT_API_KEY"}

// Environ returns the environment of this process as commands get it: all that
// the terminal gave it, without the program's own key, and with prompts,
// pagers and editors turned off. Nothing is cached: PATH and the rest are what
// they are now. Which start-up files a shell reads on top is said at Shell.
func Environ() []string { return clean(os.Environ(), "") }

// clean prepares an environment for commands that run in a folder.
func clean(env []string, dir string) []string {
	env = slices.DeleteFunc(slices.Clone(env), secret)
	env = append(env, quiet...)
	if get(env, "GIT_SSH_COMMAND") == "" && get(env, "GIT_SSH") == "" && !configuresSSH(env, dir) {
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return env
}

// secret says whether a variable is withheld. Capitals do not count: on Windows
// a variable has none of its own.
func secret(v string) bool {
	name, _, _ := strings.Cut(v, "=")
	return slices.ContainsFunc(withheld, func(w string) bool { return strings.EqualFold(w, name) })
}

// get returns the last value of a variable.
func get(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if n, value, _ := strings.Cut(v, "="); n == name {
			return value
		}
	}
	return ""
}

// environment is what one command gets.
func environment(s Spec, mark string) []string {
	env := append(clean(os.Environ(), cmp.Or(s.Dir, ".")), s.Env...)
	if mark != "" {
		env = append(env, mark)
	}
	return env
}

// markName is the variable that marks the processes of a command where the
// platform can read it back. A command that runs this program again hands the
// outer marks on.
const markName = "ASSENT_PROC"
