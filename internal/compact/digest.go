package compact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/llm"
)

// digestHeading begins the list of calls of a summary.
const digestHeading = "Calls made in that part, oldest first:"

// Compose makes the note that stands for the plan's Leave: a summary that a
// model wrote, or none, and the list of the calls that left, so that nothing is
// done twice because it was forgotten. It stays within the plan's room, and
// carries the calls that an earlier summary listed.
func (p Plan) Compose(written string) string {
	room := max(p.Summary, 100) * perToken
	before, calls := cutDigest(Previous(p.Leave))
	if strings.TrimSpace(written) == "" {
		written = before
	}
	written, _ = cutDigest(written)
	calls = append(calls, digest(p.Leave)...)
	var b strings.Builder
	b.WriteString(Heading)
	if written = strings.TrimSpace(written); written != "" {
		b.WriteString("\n" + clip(written, room*2/3))
	}
	list := fitLines(calls, room-b.Len())
	if len(list) > 0 {
		b.WriteString("\n\n" + digestHeading + "\n" + strings.Join(list, "\n"))
	}
	return b.String()
}

// cutDigest splits a summary from the list of calls at its end.
func cutDigest(text string) (written string, calls []string) {
	written, list, ok := strings.Cut(text, digestHeading)
	if !ok {
		return text, nil
	}
	for line := range strings.Lines(list) {
		if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "- ") {
			calls = append(calls, line)
		}
	}
	return written, calls
}

// unlisted says how many calls had no room.
const unlisted = "- (%d earlier calls)"

// fitLines keeps the newest lines that fit, and counts the others.
func fitLines(lines []string, room int) []string {
	earlier := 0
	if len(lines) > 0 {
		if _, err := fmt.Sscanf(lines[0], unlisted, &earlier); err == nil {
			lines = lines[1:]
		}
	}
	room -= len(unlisted) + 8
	i := len(lines)
	for i > 0 && room >= len(lines[i-1])+1 {
		i--
		room -= len(lines[i]) + 1
	}
	if earlier += i; earlier == 0 {
		return lines
	}
	return append([]string{fmt.Sprintf(unlisted, earlier)}, lines[i:]...)
}

// digest lists the calls of items, one line each.
func digest(items []llm.Item) []string {
	ended := map[string]llm.Result{}
	for _, it := range items {
		if r, ok := it.(llm.Result); ok {
			ended[r.CallID] = r
		}
	}
	var lines []string
	for _, it := range items {
		a, ok := it.(llm.Assistant)
		if !ok {
			continue
		}
		for _, c := range a.Calls() {
			line := fmt.Sprintf("- %s %s", c.Name, oneLine(compactInput(c.Input), 120))
			if r, ok := ended[c.ID]; ok {
				line += ": " + string(r.Status)
				if r.Status != llm.StatusOK {
					line += ", " + oneLine(r.Output, 160)
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func compactInput(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > limit {
		return head(s, limit) + "…"
	}
	return s
}
