package bash

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"assent/internal/amount"
	"assent/internal/late"
	"assent/internal/proc"
	"assent/internal/tool"
)

// report words how a command ended, after what it printed. Of a command that
// ended with its turn only what it printed is told: who ended it knows why.
func report(o Options, command string, res proc.Result, timeout time.Duration, cancelled bool) tool.Result {
	whole := strings.TrimRight(proc.Clean(res.Output), "\n")
	short, cut := o.Shorten(whole, command)
	var r tool.Result
	if cut {
		r.Raw = whole
	}
	var parts []string
	if strings.TrimSpace(short) != "" {
		parts = append(parts, short)
	} else if !res.Interrupted && !res.TimedOut {
		parts = append(parts, "(no output)")
	}
	ending, failed := end(res, timeout)
	r.Failed, r.Interrupted = failed, res.Interrupted
	switch {
	case res.Interrupted && cancelled:
	case res.Interrupted:
		// What happened comes first: it is what the model must not miss.
		parts = append([]string{ending}, parts...)
	default:
		parts = append(parts, "["+ending+"]")
	}
	if res.Truncated > 0 {
		parts = append(parts, fmt.Sprintf("[it printed more than is kept: %d bytes in the middle were lost; write its output to a file to have all of it]", res.Truncated))
	}
	if n := res.Survivors - len(res.Left); n > 0 {
		parts = append(parts, fmt.Sprintf("[%s that it left running %s stopped; use background to keep a command running]",
			amount.Of(n, "process", "processes"), amount.Word(n, "was", "were")))
	}
	if l := left(res); l != "" {
		parts = append(parts, l)
	}
	if failed || res.Exit != 0 {
		if h := hint(whole); h != "" {
			parts = append(parts, "["+h+"]")
		}
	}
	r.Output = strings.Join(parts, "\n")
	r.Summary = summary(res, whole)
	if !failed && !res.Interrupted {
		r.Exit = res.Exit
	}
	return r
}

// left names what could not be ended, "" when nothing is left.
func left(res proc.Result) string {
	if len(res.Left) == 0 {
		return ""
	}
	var names []string
	for _, r := range res.Left[:min(len(res.Left), 5)] {
		name := fmt.Sprint(r.PID)
		if r.User != "" {
			name += " of " + r.User
		}
		names = append(names, name)
	}
	if n := len(res.Left) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("[%s could not be ended from here and still %s: %s; ask the user to end %s]",
		amount.Of(len(res.Left), "process", "processes"), amount.Word(len(res.Left), "runs", "run"), strings.Join(names, ", "), amount.Word(len(res.Left), "it", "them"))
}

// end says how the command ended, and whether that is a failure.
func end(res proc.Result, timeout time.Duration) (text string, failed bool) {
	took := res.Duration.Round(10 * time.Millisecond)
	switch {
	case res.TimedOut && len(res.Left) > 0:
		return fmt.Sprintf("it did not finish within %s, so its effects are unknown", timeout), true
	case res.TimedOut:
		return fmt.Sprintf("it did not finish within %s and was stopped with everything that it started, so its effects are unknown; "+
			"give a longer timeout (at most %d) or run it in the background", timeout, mostTimeout), true
	case res.Interrupted:
		return "The user interrupted this command. It did not finish, so its effects are unknown.", true
	case res.Signal != "":
		return fmt.Sprintf("it was ended by the signal %s after %s", res.Signal, took), true
	}
	// A command that ran and said no is a result, not a failure of the tool: that
	// word is kept for one whose effects are unknown.
	return fmt.Sprintf("exit code %d, %s", res.Exit, took), false
}

// summary is the one line for people.
func summary(res proc.Result, whole string) string {
	lines := 0
	if whole != "" {
		lines = strings.Count(whole, "\n") + 1
	}
	how := fmt.Sprintf("exit %d", res.Exit)
	switch {
	case res.TimedOut:
		how = "timed out"
	case res.Interrupted:
		how = "interrupted"
	case res.Signal != "":
		how = res.Signal
	}
	return fmt.Sprintf("%s, %s, %s", how, res.Duration.Round(10*time.Millisecond), amount.Of(lines, "line", "lines"))
}

// hints are what commands print when they wanted a person at a terminal, and
// what to do instead.
var hints = []struct {
	sign func() *regexp.Regexp
	text string
}{
	{
		late.Regexp(`(?i)sudo: (a terminal is required|a password is required|no tty present|no askpass)|must be run from a terminal|doas: a tty is required`),
		"there is no terminal to type a password on: ask the user to run this command",
	},
	{
		late.Regexp(`(?i)there is no editor here|problem with the editor|terminal is dumb, but|output is not to a terminal`),
		"there is no editor here: give the text by an option (git commit -m, git rebase with GIT_SEQUENCE_EDITOR=true, --no-edit)",
	},
	{
		late.Regexp(`(?i)terminal prompts disabled|could not read (Username|Password) for|permission denied \(publickey|host key verification failed`),
		"credentials cannot be asked for here: ask the user to log in or to run this command",
	},
	{
		late.Regexp(`(?i)inappropriate ioctl for device|not a tty|the input device is not a TTY|stdin is not a terminal`),
		"the program wants a terminal, and there is none: look for an option that makes it non-interactive",
	},
}

func hint(output string) string {
	for _, h := range hints {
		if h.sign().MatchString(output) {
			return h.text
		}
	}
	return ""
}
