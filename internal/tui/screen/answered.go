package screen

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/host"
)

// Answered takes in the answer to a query, or the error in place of it.
func Answered(s State, q host.Query, a host.Answer, err error) (State, []Intent) {
	if s, intents, taken := s.setupAnswered(q, a, err); taken {
		return s, intents
	}
	switch q := q.(type) {
	case host.Paths:
		list, _ := a.(host.PathList)
		return s.pathsCame(list.Paths, err)
	case host.Fragments:
		list, _ := a.(host.FragmentList)
		return s.textsCame(list.Fragments)
	case host.Expand:
		x, _ := a.(host.Expansion)
		return s.expanded(q.Word, x, err)
	case host.Picture:
		x, _ := a.(host.Expansion)
		return s.pictureCame(q.Path, x, err)
	case host.History:
		list, _ := a.(host.PromptList)
		return s.history(list.Prompts)
	case host.Always:
		list, _ := a.(host.RuleList)
		return s.checked(q, list, err), nil
	case host.Remember:
		return s, nil // a prompt that is not remembered is no harm worth a line
	case host.Providers:
		list, _ := a.(host.ProviderList)
		return s.providers(list.Providers, err)
	default:
		return s.answeredCommand(q, a, err)
	}
}

// answeredCommand shows what a command asked for.
func (s State) answeredCommand(q host.Query, a host.Answer, err error) (State, []Intent) {
	s, name := s.answeredFor(q)
	if name == "" {
		return s.answeredPicker(a, q, err)
	}
	if err != nil {
		return s.interject(Failure{Message: clipHead(name+": "+err.Error(), noticeLimit)}), nil
	}
	switch a := a.(type) {
	case host.Page:
		s = s.interject(Page(a))
	case host.ModelList:
		s = s.interject(modelPage(a.Models))
	case host.SessionList:
		s = s.interject(sessionPage(a.Sessions))
	default: // nothing to show
	}
	return s, nil
}

// answeredFor says which command waited for the answer, and waits no longer.
func (s State) answeredFor(q host.Query) (State, string) {
	i := slices.IndexFunc(s.asked, func(a asking) bool { return a.query == q })
	if i < 0 {
		return s, ""
	}
	name := s.asked[i].name
	s.asked = slices.Delete(slices.Clone(s.asked), i, i+1)
	return s, name
}

// answeredPicker gives an open picker its lines.
func (s State) answeredPicker(a host.Answer, q host.Query, err error) (State, []Intent) {
	switch q.(type) {
	case host.Models:
		list, _ := a.(host.ModelList)
		return s.loaded(PickModel, models(list.Models), err)
	case host.Sessions:
		list, _ := a.(host.SessionList)
		return s.loaded(PickSession, sessions(list.Sessions), err)
	default:
		return s, nil
	}
}

// Asking names the commands that wait for an answer.
func (s State) Asking() []string {
	var names []string
	for _, a := range s.asked {
		names = append(names, a.name)
	}
	return names
}

// pageLines is how many lines a listed page has.
const pageLines = 200

func modelPage(list []host.Model) Page {
	if len(list) == 0 {
		return Page{"Models", "The endpoint reports no models."}
	}
	return Page{"Models", table("| model | provider | window |\n|---|---|---|\n", list, func(m host.Model) string {
		window := ""
		if m.Window > 0 {
			window = tokens(m.Window)
		}
		return fmt.Sprintf("| `%s` | %s | %s |\n", cell(m.ID), cell(m.Provider), window)
	})}
}

func sessionPage(list []host.SessionInfo) Page {
	if len(list) == 0 {
		return Page{"Sessions", "There are no earlier sessions here."}
	}
	return Page{"Sessions", table("| id | when | turns | title |\n|---|---|---|---|\n", list, func(x host.SessionInfo) string {
		return fmt.Sprintf("| `%s` | %s | %d | %s |\n", cell(x.ID), x.Updated.Format("2006-01-02 15:04"), x.Turns, cell(firstLine(x.Title, titleLimit)))
	})}
}

// table is a Markdown table of the first lines of a list.
func table[T any](head string, list []T, line func(T) string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, x := range list[:min(len(list), pageLines)] {
		b.WriteString(line(x))
	}
	if more := len(list) - pageLines; more > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", more)
	}
	return b.String()
}

// cell makes a text from outside fit for a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ", "`", "'").Replace(clipHead(s, titleBytes))
}
