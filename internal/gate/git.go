package gate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assent/internal/late"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/workspace"
)

// Errors of Git.
var (
	// ErrNoRepository says that the workspace is in no git repository.
	ErrNoRepository = errors.New("this folder is not in a git repository")
	// ErrGitMissing says that there is no git program.
	ErrGitMissing = errors.New("the git program was not found; install git, or use the file tools")
)

// GitRead is one reading git command.
type GitRead struct {
	// Sub is status, diff, log, show, blame, branch or rev-parse.
	Sub string
	// Flags are options; only those that can do nothing but read are taken.
	Flags []string
	// Revs name commits. They may not begin with "-" nor name a file inside a
	// commit.
	Revs []string
	// Paths are planned names; none is the whole workspace.
	Paths []string
}

// GitResult is what git said.
type GitResult struct {
	proc.Result
	// LeftOut is the number of changed files that were left out because they
	// may not be read.
	LeftOut int
}

// gitFlags lists, for each subcommand, the options that read only.
var gitFlags = map[string]func() *regexp.Regexp{
	"status":    late.Regexp(`^(--branch|--untracked-files=(no|normal|all))$`),
	"diff":      late.Regexp(`^(--staged|--stat(=\d+)?|--name-status|-U\d+)$`),
	"log":       late.Regexp(`^(-n\d+|--format=[^G]*|--date=(short|iso|relative)|--follow|--skip=\d+)$`),
	"show":      late.Regexp(`^(--stat(=\d+)?|--patch|--format=[^G]*|--date=(short|iso)|--no-patch)$`),
	"blame":     late.Regexp(`^(-L\d+,(\d+)?|--date=short|-s)$`),
	"branch":    late.Regexp(`^(--list|--remotes|--format=[^G]*|--sort=-?[a-z]+)$`),
	"rev-parse": late.Regexp(`^(--abbrev-ref|--short|--verify|--quiet)$`),
}

// gitFixed comes before every subcommand: nothing that a repository's own
// configuration names may run, no lock is taken, nothing is fetched.
var gitFixed = []string{
	"--no-pager", "--no-optional-locks",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
	"-c", "diff.external=", "-c", "diff.submodule=short", "-c", "diff.ignoreSubmodules=dirty",
	"-c", "status.submoduleSummary=false", "-c", "submodule.recurse=false",
	"-c", "log.showSignature=false", "-c", "protocol.allow=never",
	"-c", "color.ui=never", "-c", "color.status=never", "-c", "column.ui=never",
}

// gitEnv does the same for what only the environment sets.
var gitEnv = []string{
	"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_EXTERNAL_DIFF=",
	"GIT_LITERAL_PATHSPECS=0", "GIT_GLOB_PATHSPECS=0", "GIT_NOGLOB_PATHSPECS=0", "GIT_ICASE_PATHSPECS=0",
}

const (
	gitTimeout = 60 * time.Second
	gitOutput  = 4 << 20
	// mostLeftOut bounds the command line.
	mostLeftOut = 2000
)

// Git runs a reading git command in the workspace, with a fixed argument list
// and no shell. Files that may not be read are left out of what it shows and
// counted. The call must have planned to read what it asks about.
func (h Hands) Git(ctx context.Context, r GitRead) (GitResult, error) {
	if err := h.live(); err != nil {
		return GitResult{}, err
	}
	if e := h.s.request.Effect; e != policy.Read && e != policy.State {
		return GitResult{}, fmt.Errorf("run git %s: %w", r.Sub, ErrNotPlanned)
	}
	if err := r.check(); err != nil {
		return GitResult{}, err
	}
	specs, err := h.pathspecs(r.Paths)
	if err != nil {
		return GitResult{}, err
	}
	g := git{Context: ctx, gate: h.s.gate, tool: h.s.request.Tool, read: r, specs: specs}
	if err := g.locate(); err != nil {
		return GitResult{}, err
	}
	if err := g.disarm(); err != nil {
		return GitResult{}, err
	}
	return g.run()
}

// check refuses what is not a plain reading command.
func (r GitRead) check() error {
	flags, ok := gitFlags[r.Sub]
	if !ok {
		return fmt.Errorf("run git %s: only reading commands are run this way: %w", r.Sub, ErrNotPlanned)
	}
	for _, f := range r.Flags {
		if !flags().MatchString(f) || strings.Contains(f, "signature") {
			return fmt.Errorf("run git %s: the option %q is not one that only reads: %w", r.Sub, f, ErrNotPlanned)
		}
	}
	for _, v := range r.Revs {
		if err := checkRev(v); err != nil {
			return err
		}
	}
	return nil
}

func checkRev(v string) error {
	switch {
	case strings.HasPrefix(v, "-"):
		return fmt.Errorf("read revision %q: it begins with \"-\" and would be taken for an option", v)
	case v == "" || len(v) > 256 || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r == 0x7f || r == ':' || r == '\\' }):
		return fmt.Errorf("read revision %q: name one commit, branch or tag; give a file as path, not after a colon", v)
	}
	return nil
}

// pathspecs turns planned names into literal pathspecs relative to the root.
func (h Hands) pathspecs(names []string) ([]string, error) {
	if len(names) == 0 {
		names = []string{"."}
	}
	var specs []string
	for _, n := range names {
		p, plan, err := h.find(n)
		switch {
		case err != nil:
			return nil, err
		case !plan.read:
			return nil, fmt.Errorf("read %s: %w", n, ErrNotPlanned)
		case p.Root != 0 || strings.HasPrefix(p.Rel, "../"):
			return nil, fmt.Errorf("read %s with git: %w", n, workspace.ErrOutside)
		case p.Rel == ".":
			specs = append(specs, ".")
		default:
			specs = append(specs, ":(literal)"+p.Rel)
		}
	}
	return specs, nil
}

// git is one run.
type git struct {
	context.Context
	gate  *Gate
	tool  string
	read  GitRead
	specs []string
	// prefix is the workspace root relative to the top of the repository, with
	// a slash at its end, or empty.
	prefix string
	// extra are configuration overrides found necessary here.
	extra []string
}

// exec runs git with its fixed head.
func (g *git) exec(args ...string) (proc.Result, error) {
	argv := slices.Concat([]string{"git"}, gitFixed, g.extra, args)
	res, err := proc.Run(g, proc.Spec{
		Argv: argv, Dir: g.gate.options.Workspace.Root(), Env: gitEnv, Timeout: gitTimeout, MaxOutput: gitOutput,
	})
	if err != nil {
		if g.Err() != nil {
			return res, g.Err()
		}
		if errors.Is(err, proc.ErrNotFound) {
			return res, ErrGitMissing
		}
		return res, fmt.Errorf("run git %s: %w", g.read.Sub, err)
	}
	if g.Err() != nil {
		return res, g.Err()
	}
	if res.TimedOut {
		return res, fmt.Errorf("run git %s: it took longer than %s and was stopped", g.read.Sub, gitTimeout)
	}
	return res, nil
}

// locate finds the top of the repository and refuses one whose work tree is
// not around the workspace: its configuration could name any folder.
func (g *git) locate() error {
	res, err := g.exec("rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return err
	}
	if res.Exit != 0 {
		if strings.Contains(string(res.Stderr), "not a git repository") || strings.Contains(string(res.Stderr), "work tree") {
			return ErrNoRepository
		}
		return gitError(g.read.Sub, res)
	}
	top, prefix, ok := topOf(string(res.Stdout), g.gate.options.Workspace.Root())
	if !ok {
		return fmt.Errorf("run git %s: the repository keeps its work tree in %s, outside this folder", g.read.Sub, top)
	}
	g.prefix = prefix
	return nil
}

// disarm overrides the content filters that the repository's own configuration
// defines: they are commands that reading the work tree would run. Filters of
// the user's configuration stay.
func (g *git) disarm() error {
	for _, scope := range []string{"--local", "--worktree"} {
		res, err := g.exec("config", scope, "--includes", "-z", "--name-only", "--get-regexp", `^filter\.`)
		if err != nil {
			return err
		}
		if res.Truncated > 0 || res.Exit < 0 { // cut, or killed
			return fmt.Errorf("run git %s: what the repository configures of filters cannot be read, so they cannot be turned off; run it yourself", g.read.Sub)
		}
		names, bad := filters(res.Stdout)
		if bad != "" {
			return fmt.Errorf("run git %s: the repository configures a filter named %q, which cannot be turned off; run it yourself", g.read.Sub, bad)
		}
		for _, name := range names {
			for _, v := range []string{".clean=", ".smudge=", ".process=", ".required=false"} {
				g.extra = append(g.extra, "-c", "filter."+name+v)
			}
		}
	}
	return nil
}

func gitError(sub string, res proc.Result) error {
	text := strings.TrimSpace(string(res.Stderr))
	if first, _, more := strings.Cut(text, "\n"); more && len(text) > 400 {
		text = first
	}
	return fmt.Errorf("run git %s: %s (exit %d)", sub, strings.TrimPrefix(text, "fatal: "), res.Exit)
}
