package compact

import (
	"fmt"
	"strings"

	"assent/internal/llm"
)

// Prompt is the message that asks a model for the summary of a plan's Leave:
// what is wanted, the summary so far, and the transcript. focus is what the
// user wants kept, and may be empty. It has at most limit estimated tokens,
// because a request for a summary that does not fit would help nobody: then
// results are cut first, and then the oldest part.
func (p Plan) Prompt(focus string, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `Below is the older part of a conversation between a user and a coding agent. It will no longer be shown to the agent, which has to go on working from your summary alone. Write it for the agent, in at most %d words, under exactly these headings, leaving out a heading that has nothing:

Goal: what the user wants, with their own words where they matter, and every fact and constraint they gave.
Decisions: what was decided, and why.
Done: what was done, with file paths, commands and their outcomes.
Failed: what was tried and did not work, and why, so that it is not tried again.
State: what is true now: files changed, tests passing or failing, commands running.
Next: what comes next, and what is still open.

Do not address the user, do not ask anything, and invent nothing.`, max(p.Summary, 100)/2)
	if focus != "" {
		fmt.Fprintf(&b, "\n\nThe user asks to keep above all: %s", focus)
	}
	before, _ := cutDigest(Previous(p.Leave))
	if before = strings.TrimSpace(before); before != "" {
		fmt.Fprintf(&b, "\n\nThe summary so far, which yours replaces and must contain:\n<summary>\n%s\n</summary>", before)
	}
	room := max(limit-Text(b.String())-64, 256) * perToken
	fmt.Fprintf(&b, "\n\n<transcript>\n%s</transcript>\n", p.transcript(room))
	return b.String()
}

// transcript writes the items that leave and what the user said among them.
func (p Plan) transcript(room int) string {
	for _, limit := range []int{8000, 2000, 500, 120} {
		text := transcript(p.left, limit)
		if len(text) <= room {
			return text
		}
		if limit == 120 {
			return "[the oldest part is left out]\n" + foot(text, room)
		}
	}
	return ""
}

func transcript(items []llm.Item, limit int) string {
	var b strings.Builder
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			fmt.Fprintf(&b, "USER: %s\n", clip(it.Text, limit*2))
		case llm.Note:
			if !strings.HasPrefix(it.Text, Heading) {
				fmt.Fprintf(&b, "NOTE: %s\n", clip(it.Text, limit))
			}
		case llm.Assistant:
			if text := it.Text(); text != "" {
				fmt.Fprintf(&b, "AGENT: %s\n", clip(text, limit*2))
			}
			for _, c := range it.Calls() {
				fmt.Fprintf(&b, "CALL %s: %s\n", c.Name, clip(compactInput(c.Input), limit))
			}
		case llm.Result:
			fmt.Fprintf(&b, "RESULT (%s): %s\n", it.Status, clip(it.Output, limit))
		}
	}
	return b.String()
}

// Blind replaces images by a line that names them, for a conversation whose
// images a provider rejects. It returns their names.
func Blind(items []llm.Item) (out []llm.Item, names []string) {
	out = make([]llm.Item, len(items))
	for i, it := range items {
		switch v := it.(type) {
		case llm.User:
			v.Text, v.Images, names = blinded(v.Text, v.Images, names)
			it = v
		case llm.Result:
			v.Output, v.Images, names = blinded(v.Output, v.Images, names)
			it = v
		case llm.Note, llm.Assistant:
		}
		out[i] = it
	}
	return out, names
}

func blinded(text string, images []llm.Image, names []string) (string, []llm.Image, []string) {
	for _, im := range images {
		name := im.Name
		if name == "" {
			name = im.MIME
		}
		names = append(names, name)
		text += fmt.Sprintf("\n[the image %s was left out: the provider did not accept it]", name)
	}
	return text, nil, names
}
