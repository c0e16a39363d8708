package screen

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assent/internal/host"
)

// Bounds of what is kept of the user's own commands.
const (
	keptBytes = 64 << 10 // of one output that goes with a prompt
	keptLimit = 8        // outputs that go with one prompt
)

// last is the user's newest command, which "#last" stands for.
type last struct{ command, output string }

func (l last) attachment() attachment {
	return attachment{label: "output of " + firstLine(l.command, titleLimit), text: "$ " + l.command + "\n" + l.output}
}

// bang runs a command of the user's own: "!" shows its output, "!!" adds it to
// the next prompt as well.
func (s State) bang(text string) (State, []Intent) {
	text, _ = s.pastes.expand(text)
	command, keep := strings.CutPrefix(text[1:], "!")
	command = strings.TrimSpace(command)
	switch {
	case command == "":
		return s, nil
	case s.Shell.Command != "":
		return s.interject(Notice{"A command of yours is still running; ctrl+c ends it."}), nil
	case keep && len(s.kept) >= keptLimit:
		return s.interject(Notice{"The next prompt already carries " + strconv.Itoa(keptLimit) + " outputs."}), nil
	}
	s.Shell = ShellRun{Command: command, Keep: keep, Started: s.Now}
	s = s.remember(text)
	s, intents := s.setText("", 0)
	return s, append(intents, Shell{Command: command}, Ask{host.Remember{Prompt: text}})
}

// ShellOutput takes in live output of the user's command.
func ShellOutput(s State, chunk string) State {
	if s.Shell.Command == "" || chunk == "" {
		return s
	}
	s.Shell.out = s.Shell.out.write(chunk)
	s.Shell.Tail, s.Shell.Lines = s.Shell.out.tail(), s.Shell.out.total()
	return s
}

// ShellDone takes in that the user's command has ended: with what exit code,
// with what output, and why it could not run or was stopped. A prompt that
// waited for the output goes.
func ShellDone(s State, exit int, output string, err error) (State, []Intent) {
	run := s.Shell
	if run.Command == "" {
		return s, nil
	}
	s.Shell = ShellRun{}
	b := Ran{
		Command: run.Command, Output: clipTail(output, outputBytes), Lines: countLines(output), Exit: exit, Kept: run.Keep,
	}
	if err != nil {
		b.Err = clipHead(err.Error(), noticeLimit)
	}
	s.last = last{run.Command, strings.ToValidUTF8(clipTail(output, keptBytes), string(utf8.RuneError))}
	if run.Keep {
		a := s.last.attachment()
		if exit != 0 {
			a.text += "\n(exit code " + strconv.Itoa(exit) + ")"
		}
		s = s.keep(a)
	}
	return s.interject(b).releaseSent()
}

// keep adds an output to the prompt that waits for it, else to the next one.
func (s State) keep(a attachment) State {
	i := slices.IndexFunc(s.sent, func(p sent) bool { return p.output })
	if i < 0 {
		s.kept = append(slices.Clip(s.kept), a)
		return s
	}
	s.sent = slices.Clone(s.sent)
	p := &s.sent[i]
	p.kept, p.output = append(slices.Clip(p.kept), a), false
	return s
}
