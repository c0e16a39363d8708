package screen

import (
	"slices"
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
)

// sentLimit is how many prompts may be on their way to the host.
const sentLimit = 256

// sent is a prompt between enter and the moment it enters the conversation.
type sent struct {
	// text is the whole prompt; shown is what stood in the editor, with its
	// pastes by name and the paths that were picked.
	text, shown string
	pastes      []paste
	refs        []ref
	// words are what is still asked for, added what was found, kept the output
	// of commands that goes along.
	words       []string
	added, kept []attachment
	// pictures are the pasted paths of which it is not known yet whether they
	// are images.
	pictures []string
	// output says that it waits for that of the command that runs.
	output bool
	// steer says that it goes into the running turn; released that the host has
	// it.
	steer, released bool
}

// attachment is a text that goes with a prompt, and the images that it speaks
// of.
type attachment struct {
	label, text string
	images      []llm.Image
}

// enter sends what is in the prompt: a command, a command of the user's own,
// or a prompt.
func (s State) enter(steer bool) (State, []Intent) {
	text := s.Editor.Text
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return s.promote()
	case strings.HasPrefix(trimmed, "!"):
		return s.bang(trimmed)
	case isCommand(trimmed):
		return s.command(trimmed)
	}
	return s.send(steer)
}

// awaited reports whether a prompt waits for the output of the running command.
func (s State) awaited() bool {
	return slices.ContainsFunc(s.sent, func(p sent) bool { return p.output })
}

// newline breaks the line where enter was pressed after a backslash.
func (s State) newline() (State, []Intent) {
	before, after := s.Editor.Text[:s.Editor.Cursor], s.Editor.Text[s.Editor.Cursor:]
	before = strings.TrimSuffix(before, `\`) + "\n"
	return s.setText(before+after, len(before))
}

// continues reports whether the cursor stands behind a backslash that ends its
// line.
func (e Snapshot) continues() bool {
	after := e.Text[e.Cursor:]
	return strings.HasSuffix(e.Text[:e.Cursor], `\`) && (after == "" || after[0] == '\n')
}

// send hands the prompt over. It goes at once when nothing has to be asked
// for first; prompts keep their order.
func (s State) send(steer bool) (State, []Intent) {
	if len(s.sent) >= sentLimit {
		return s.interject(Notice{"Too many prompts are waiting; this one stays here."}), nil
	}
	p := sent{shown: s.Editor.Text, steer: steer && s.working() && !s.Turn.Cancelling, kept: s.kept}
	p.text, p.pastes = s.pastes.expand(p.shown)
	p.refs = slices.DeleteFunc(slices.Clone(s.refs), func(r ref) bool { return !stands(p.shown, r.form) })
	p.words = mentions(p.shown, p.refs)
	if i := slices.Index(p.words, "#last"); i >= 0 && s.last.command != "" {
		p.words = slices.Delete(p.words, i, i+1)
		p.added = append(slices.Clip(p.added), s.last.attachment())
	}
	if s.Shell.Command != "" && s.Shell.Keep {
		p.output = !s.awaited()
		if p.output {
			s = s.interject(Notice{"The prompt waits for the output of " + firstLine(s.Shell.Command, titleLimit) + "; ctrl+c ends that."})
		}
	}
	s.kept, s.refs = nil, nil
	p = s.pictured(p)
	prompt := s.unpictured(p.text)
	s.sent = append(slices.Clip(s.sent), p)
	s = s.remember(prompt)
	var intents []Intent
	for _, w := range p.words {
		intents = append(intents, Ask{host.Expand{Word: w}})
	}
	s, cleared := s.setText("", 0)
	s, out := s.releaseSent()
	return s, slices.Concat(cleared, intents, out, []Intent{Ask{host.Remember{Prompt: prompt}}})
}

// expanded takes in what a word stands for.
func (s State) expanded(word string, x host.Expansion, err error) (State, []Intent) {
	s.sent = slices.Clone(s.sent)
	for i := range s.sent {
		p := &s.sent[i]
		at := slices.Index(p.words, word)
		if at < 0 {
			continue
		}
		p.words = slices.Delete(slices.Clone(p.words), at, at+1)
		switch {
		case err != nil:
			s = s.interject(Notice{"Could not add " + word + ": " + clipHead(err.Error(), noticeLimit)})
		case x.OK:
			p.added = append(slices.Clip(p.added), attachment{x.Label, x.Text, x.Images})
		}
	}
	return s.releaseSent()
}

// releaseSent gives the host the prompts that are ready, in order.
func (s State) releaseSent() (State, []Intent) {
	var intents []Intent
	for i := range s.sent {
		p := s.sent[i]
		if p.released {
			continue
		}
		if len(p.words)+len(p.pictures) > 0 || p.output {
			break
		}
		s.sent = slices.Clone(s.sent)
		s.sent[i].released = true
		added := once(p.kept, p.added)
		expanded, images := attach(p.text, added), pictures(added)
		switch {
		case p.steer && (i > 0 || len(s.Queue) > 0):
			intents = append(intents, Do{host.Steer{Text: p.text, Expanded: expanded, Images: images}})
		case p.steer:
			intents = append(intents, Do{host.Submit{Text: p.text, Expanded: expanded, Images: images}}, Do{host.Promote{}})
		default:
			intents = append(intents, Do{host.Submit{Text: p.text, Expanded: expanded, Images: images}})
		}
		if len(added) > 0 {
			s = s.interject(Attached{labels(added)})
		}
	}
	return s, intents
}

// once is what was kept and what was added, each text one time: #last names
// what goes along anyway.
func once(kept, added []attachment) []attachment {
	all := slices.Clone(kept)
	for _, a := range added {
		same := func(b attachment) bool { return a.label == b.label && a.text == b.text && len(a.images) == 0 }
		if !slices.ContainsFunc(all, same) {
			all = append(all, a)
		}
	}
	return all
}

func labels(list []attachment) []string {
	var out []string
	for _, a := range list {
		out = append(out, clipHead(a.label, titleBytes))
	}
	return out
}

// pictures are the images of what was added.
func pictures(list []attachment) (all []llm.Image) {
	for _, a := range list {
		all = append(all, a.images...)
	}
	return all
}

// attach is a prompt with what was added to it; empty when nothing was.
func attach(text string, added []attachment) string {
	if len(added) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(text)
	for _, a := range added {
		b.WriteString("\n\n--- " + a.label + " ---\n")
		b.WriteString(a.text)
	}
	return b.String()
}

// working reports whether a turn runs or is about to.
func (s State) working() bool {
	return s.Turn.Busy || len(s.sent) > len(s.Queue)
}

// cancel ends the turn and brings the waiting prompts back. They are taken out
// of the queue before the turn ends, so that none of them begins. Do{Cancel}
// is the last intent.
func (s State) cancel() (State, []Intent) {
	var intents []Intent
	var back []sent
	s.sent = slices.DeleteFunc(slices.Clone(s.sent), func(p sent) bool {
		if !p.released {
			back = append(back, p)
		}
		return !p.released
	})
	if len(back) > 0 {
		s, intents = s.regain(back)
	}
	s.Turn.Cancelling = s.Turn.Busy
	return s, append(intents, TakeBack{All: true}, Do{host.Cancel{}})
}

// TookBack puts prompts that came out of the queue, oldest first, into the
// editor, above what is there.
func TookBack(s State, texts []string) (State, []Intent) {
	var back []sent
	for _, text := range texts {
		i := slices.IndexFunc(s.sent, func(p sent) bool { return p.released && p.text == text })
		if i < 0 {
			back = append(back, sent{text: text})
			continue
		}
		back = append(back, s.sent[i])
		s.sent = slices.Delete(slices.Clone(s.sent), i, i+1)
	}
	if len(back) == 0 {
		return s, nil
	}
	return s.regain(back)
}

// unprompted prints a prompt that was not sent, where it cannot be put back.
func (s State) unprompted(text string) State {
	return s.interject(Notice{"Not sent, type it again if it is to be: " + clipHead(text, noticeLimit)})
}

// regain puts prompts back into the editor as they stood there.
func (s State) regain(back []sent) (State, []Intent) {
	if s.options.Lines {
		for _, p := range back {
			s = s.unprompted(p.text)
			s.kept = slices.Concat(p.kept, s.kept)
		}
		return s, nil
	}
	var parts []string
	for _, p := range back {
		shown := p.shown
		if shown == "" {
			s, shown = s.fold(p.text)
		} else {
			s.pastes, shown = s.pastes.restore(p.pastes, shown, s.Editor.Text)
		}
		parts = append(parts, shown)
		s.refs = slices.Concat(s.refs, p.refs)
		s.kept = slices.Concat(p.kept, s.kept)
	}
	if s.Editor.Text != "" {
		parts = append(parts, s.Editor.Text)
	}
	return s.setQuietly(strings.Join(parts, "\n"))
}

// Refused takes in that the host did not carry out a command. A prompt comes
// back into the editor; an approval that nobody waits for is gone.
func Refused(s State, c host.Command, err error) (State, []Intent) {
	switch c := c.(type) {
	case host.Submit:
		s = s.interject(Failure{Message: clipHead(err.Error(), noticeLimit)})
		return TookBack(s, []string{c.Text})
	case host.Steer:
		s = s.interject(Failure{Message: clipHead(err.Error(), noticeLimit)})
		return TookBack(s, []string{c.Text})
	case host.Promote, host.Decide, host.Interrupt:
		return s, nil // what it was meant for is over
	default:
		s.Turn.Cancelling = false
		return s.interject(Failure{Message: clipHead(err.Error(), noticeLimit)}), nil
	}
}

// arrived finds the prompt that has entered the conversation: the one with its
// text, else the oldest that the host has and that does not wait in its queue.
func (s State) arrived(text string) int {
	i := slices.IndexFunc(s.sent, func(p sent) bool { return p.released && p.text == text })
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(s.sent, func(p sent) bool { return p.released && !slices.Contains(s.Queue, p.text) })
}

// unsent keeps prompts that the host took and then could not begin: they are
// in the history, where up finds them.
func (s State) unsent() State {
	if s.Turn.Busy {
		return s
	}
	i := slices.IndexFunc(s.sent, func(p sent) bool { return p.released && !slices.Contains(s.Queue, p.text) })
	if i < 0 {
		return s
	}
	text := s.sent[i].text
	s.sent = slices.Delete(slices.Clone(s.sent), i, i+1)
	if s.options.Lines {
		return s.unprompted(text)
	}
	return s.remember(text).interject(Notice{"The prompt was not taken; up brings it back."})
}

// setText changes the prompt; the menu follows it.
func (s State) setText(text string, cursor int) (State, []Intent) {
	s = s.put(text, cursor)
	s, intents := s.complete()
	return s, append([]Intent{SetText{text, cursor}}, intents...)
}

// setQuietly changes the prompt to a text that the user did not just type: no
// menu opens over it, so that up and down go on.
func (s State) setQuietly(text string) (State, []Intent) {
	s = s.put(text, len(text))
	t := wordAt(s.Editor)
	s.Menu = Menu{token: t, shut: t, quiet: true}
	return s, []Intent{SetText{text, len(text)}}
}

func (s State) put(text string, cursor int) State {
	s.Editor = Snapshot{
		Text: text, Cursor: cursor,
		Top: !strings.Contains(text[:cursor], "\n"), Bottom: !strings.Contains(text[cursor:], "\n"),
	}
	return s
}
