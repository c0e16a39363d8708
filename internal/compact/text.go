package compact

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assent/internal/llm"
)

// errorHead is how much of a failed result stays, so that what failed is not
// tried again unchanged.
const errorHead = 300

// stubSize is about what the line of a stub takes, in tokens.
const stubSize = 40

// stub is the line that stands for a result.
func stub(r llm.Result, name string) llm.Result {
	where := "it is not kept"
	if name != "" {
		where = fmt.Sprintf("read_output with the id %q shows it", name)
	}
	text := fmt.Sprintf("[%d characters left out to save room; %s]", utf8.RuneCountInString(r.Output), where)
	if len(r.Images) > 0 {
		text = fmt.Sprintf("[%d images and %s", len(r.Images), text[1:])
	}
	if r.Status != llm.StatusOK && r.Output != "" {
		text = head(r.Output, errorHead) + "\n" + text
	}
	r.Output, r.Images = text, nil
	return r
}

// clip cuts a text to its head and tail; a limit of 0 leaves it.
func clip(s string, limit int) string {
	if limit <= 0 || len(s) <= limit {
		return s
	}
	first, last := head(s, limit*2/3), foot(s, limit/3)
	return first + fmt.Sprintf("\n[%d characters left out to save room]\n", utf8.RuneCountInString(s[len(first):len(s)-len(last)])) + last
}

// head and foot cut at whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func foot(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// within keeps the user's messages within a budget: the first, which usually
// says what it is all about, then the newest; one that does not fit is cut, and
// those between leave with a word.
func within(said []llm.Item, budget int) []llm.Item {
	if Tokens(said...) <= budget || len(said) == 0 {
		return said
	}
	fit := func(it llm.Item, room int) (llm.Item, int) {
		u := it.(llm.User)
		if Tokens(u) > room {
			u.Images = nil
			u.Text = clip(u.Text, max(room-perItem, 0)*perToken)
		}
		return u, Tokens(u)
	}
	first, used := fit(said[0], max(budget/2, 64))
	var newest []llm.Item
	i := len(said) - 1
	for ; i > 0 && used < budget; i-- {
		it, n := fit(said[i], max(budget-used, 64))
		newest = append(newest, it)
		used += n
	}
	out := []llm.Item{first}
	if i > 0 {
		out = append(out, llm.Note{Text: fmt.Sprintf("[%d messages of the user left out to save room]", i)})
	}
	for j := len(newest) - 1; j >= 0; j-- {
		out = append(out, newest[j])
	}
	return out
}

// Heading begins every summary, so that a later one can extend it.
const Heading = "Summary of the earlier part of this conversation, which is no longer shown:"

// Previous returns the newest summary among items that leave, without its
// heading; empty when there is none.
func Previous(leave []llm.Item) string {
	text := ""
	for _, it := range leave {
		if n, ok := it.(llm.Note); ok {
			if s, ok := strings.CutPrefix(n.Text, Heading); ok {
				text = strings.TrimSpace(s)
			}
		}
	}
	return text
}
