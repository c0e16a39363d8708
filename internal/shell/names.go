package shell

import "strings"

// harmlessNames are variables whose assignment before a command does not
// change what is run or written.
var harmlessNames = map[string]bool{
	"CI": true, "DEBUG": true, "LANG": true, "LANGUAGE": true, "TZ": true, "TERM": true, "NO_COLOR": true,
	"FORCE_COLOR": true, "CLICOLOR": true, "CLICOLOR_FORCE": true, "COLORTERM": true, "COLUMNS": true, "LINES": true,
	"GOOS": true, "GOARCH": true, "GOARM": true, "GOAMD64": true, "CGO_ENABLED": true, "GOMAXPROCS": true, "GOGC": true,
	"GOTRACEBACK": true, "GODEBUG": true, "NODE_ENV": true, "RUST_LOG": true, "RUST_BACKTRACE": true,
	"AWS_PROFILE": true, "AWS_REGION": true, "AWS_DEFAULT_REGION": true, "PYTHONUNBUFFERED": true,
	"PYTHONDONTWRITEBYTECODE": true, "PYTHONHASHSEED": true,
	"DJANGO_DEBUG": true, "RAILS_ENV": true, "RACK_ENV": true, "MIX_ENV": true, "APP_ENV": true, "ENVIRONMENT": true,
	"VERBOSE": true, "LOG_LEVEL": true, "LOGLEVEL": true, "PORT": true, "SOURCE_DATE_EPOCH": true,
	"KUBE_NAMESPACE": true, "DOCKER_BUILDKIT": true, "COMPOSE_PROJECT_NAME": true, "HUSKY": true,
	"GIT_TERMINAL_PROMPT": true, "CARGO_TERM_COLOR": true, "CARGO_INCREMENTAL": true,
	"TEST_ENV": true, "DEBIAN_FRONTEND": true, "NPM_CONFIG_LOGLEVEL": true, "JEST_WORKERS": true,
	"UPDATE_SNAPSHOTS": true,
}

// quieting says whether an assignment makes git write less: any other value of
// that name lets it write its index again.
func quieting(a Assign) bool { return a.Name == "GIT_OPTIONAL_LOCKS" && a.Static && a.Value == "0" }

// harmless says whether an assignment of that name changes nothing that
// matters.
func (r *reader) harmless(name string) bool {
	if harmlessNames[name] || strings.HasPrefix(name, "LC_") {
		return true
	}
	for _, h := range r.o.Harmless {
		if h == name {
			return true
		}
		if prefix, ok := strings.CutSuffix(h, "*"); ok && prefix != "" && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// commandingNames are variables that make other programs run something else,
// load something else or write elsewhere.
var commandingNames = map[string]bool{
	"PATH": true, "IFS": true, "ENV": true, "SHELL": true, "SHELLOPTS": true, "BASHOPTS": true, "CDPATH": true,
	"GLOBIGNORE": true, "PROMPT_COMMAND": true, "PS0": true, "PS1": true, "PS2": true, "PS4": true, "HOME": true,
	"FPATH": true, "ZDOTDIR": true, "PAGER": true, "EDITOR": true, "VISUAL": true, "BROWSER": true, "LESS": true,
	"LESSOPEN": true, "LESSCLOSE": true, "LESSEDIT": true, "MORE": true, "MANPATH": true, "MANOPT": true,
	"NODE_OPTIONS": true, "NODE_PATH": true, "CLASSPATH": true, "JAVA_HOME": true, "JAVA_OPTS": true,
	"JAVA_TOOL_OPTIONS": true, "_JAVA_OPTIONS": true, "JDK_JAVA_OPTIONS": true, "MAVEN_OPTS": true, "GRADLE_OPTS": true,
	"RUBYOPT": true, "RUBYLIB": true, "PERL5OPT": true, "PERL5LIB": true, "PERL5DB": true, "PERLLIB": true,
	"PHPRC": true, "PHP_INI_SCAN_DIR": true, "GOFLAGS": true, "GOTOOLCHAIN": true, "GOROOT": true, "GOPATH": true,
	"GOBIN": true, "GOENV": true, "GOPROXY": true, "CC": true, "CXX": true, "LD": true, "AR": true, "CFLAGS": true,
	"CXXFLAGS": true, "LDFLAGS": true, "RUSTC": true, "RUSTC_WRAPPER": true, "RUSTFLAGS": true, "RUSTDOC": true,
	"MAKEFLAGS": true, "MAKEFILES": true, "GNUMAKEFLAGS": true, "MFLAGS": true, "CMAKE_PREFIX_PATH": true,
	"TAR_OPTIONS": true, "TAPE": true, "GZIP": true, "ZIPOPT": true, "UNZIPOPT": true, "RSYNC_RSH": true, "RSH": true,
	"RSYNC_CONNECT_PROG": true, "CVS_RSH": true, "SVN_SSH": true, "SVN_EDITOR": true, "HGEDITOR": true, "HGMERGE": true,
	"SSH_ASKPASS": true, "SUDO_ASKPASS": true, "SSH_AUTH_SOCK": true, "GREP_OPTIONS": true, "RIPGREP_CONFIG_PATH": true,
	"WGETRC": true, "CURL_HOME": true, "GNUPGHOME": true, "XDG_CONFIG_HOME": true, "XDG_CONFIG_DIRS": true,
	"XDG_DATA_HOME": true, "XDG_DATA_DIRS": true, "TMPDIR": true, "GCONV_PATH": true, "LOCPATH": true, "NLSPATH": true,
	"HOSTALIASES": true, "RES_OPTIONS": true, "MALLOC_TRACE": true, "TERMINFO": true, "TERMCAP": true, "TERMPATH": true,
	"VIMINIT": true, "EXINIT": true, "MYVIMRC": true, "EMACSLOADPATH": true, "FCEDIT": true, "SYSTEMD_EDITOR": true,
	"KUBE_EDITOR": true, "KUBECONFIG": true, "DOCKER_HOST": true, "DOCKER_CONFIG": true, "AWS_CONFIG_FILE": true,
	"PIP_INDEX_URL": true, "PIP_EXTRA_INDEX_URL": true, "PSQLRC": true, "PSQL_PAGER": true,
	"FZF_DEFAULT_COMMAND": true, "FZF_DEFAULT_OPTS": true, "INPUTRC": true, "HISTFILE": true, "MAILCAPS": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "ALL_PROXY": true, "http_proxy": true, "https_proxy": true, "all_proxy": true,
	"BAT_PAGER": true, "DELTA_PAGER": true, "GH_PAGER": true, "GH_EDITOR": true, "GH_BROWSER": true, "AWS_PAGER": true,
	"MANPAGER": true, "MANROFFOPT": true, "GROFF_COMMAND_PREFIX": true, "TEXINPUTS": true, "DIRENV_CONFIG": true,
	"OPENSSL_CONF": true, "SSLKEYLOGFILE": true,
}

// commandingPrefixes begin families of such variables.
var commandingPrefixes = []string{
	"BASH_", "LD_", "DYLD_", "GIT_", "PYTHON", "npm_config_", "NPM_CONFIG_", "CARGO_", "ASSENT_", "MSYS_",
	"GUIX_", "NIX_", "PERL_", "UV_", "POETRY_", "PIP_",
}

// zshNames are further variables that do so in zsh: lists that are tied to
// others, tables of what names mean, hooks and what runs without a command.
var zshNames = map[string]bool{
	"path": true, "fpath": true, "cdpath": true, "module_path": true, "manpath": true, "fignore": true, "histchars": true, "prompt": true,
	"aliases": true, "galiases": true, "saliases": true, "dis_aliases": true, "dis_galiases": true, "dis_saliases": true,
	"functions": true, "dis_functions": true, "builtins": true, "dis_builtins": true, "commands": true, "options": true, "nameddirs": true,
	"reswords": true, "modules": true, "keymaps": true, "widgets": true,
	"NULLCMD": true, "READNULLCMD": true, "MODULE_PATH": true, "PROMPT": true, "PROMPT2": true, "PROMPT3": true, "PROMPT4": true,
	"SPROMPT": true, "RPROMPT": true, "RPS1": true,
	"chpwd_functions": true, "precmd_functions": true, "preexec_functions": true, "periodic_functions": true, "zshaddhistory_functions": true,
	"zshexit_functions": true, "zsh_directory_name_functions": true,
}

// changing says whether an assignment of that name changes what later commands
// run, in the shell that runs it.
func (r *reader) changing(name string, sc *scope) bool {
	zsh := r.o.Zsh || sc != nil && strings.HasPrefix(sc.wrapper, "zsh")
	return (commanding(name) || zsh && zshNames[name]) && !r.harmless(name)
}

// commanding says whether a variable of that name changes what other commands
// run.
func commanding(name string) bool {
	if commandingNames[name] {
		return true
	}
	for _, p := range commandingPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
