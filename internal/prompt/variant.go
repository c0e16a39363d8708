package prompt

import (
	"slices"
	"strings"
)

// variant is what an agent variant adds to the text that all share. The
// default adds nothing.
func variant(name string, o offered) string {
	switch name {
	case "quick":
		return `# Pace
You have few steps. Go straight to the files that matter, make the change, run the one check that covers it, and answer in a few lines. When it turns out to be bigger than that, stop and say so.`
	case "deep":
		lines := []string{
			"# Depth",
			"Take the time that the problem needs.",
			"- Trace the cause to its root, through every caller and every case, before you change anything; name what you ruled out.",
			"- Weigh at least two ways, and say why you took yours.",
			"- Look for the same fault elsewhere. Think of empty, huge, concurrent, interrupted and hostile input.",
		}
		if o["bash"] {
			lines = append(lines, "- Leave a test behind that fails without your change.")
		}
		return strings.Join(lines, "\n")
	case "plan":
		return `# Planning
You plan; you change nothing, and calls that would are refused. Read until you can name the files and functions that the work touches. Then give a plan that somebody else could carry out: the goal in a sentence, steps in order with the places they change, how each is checked, what could go wrong, what you assumed` + planQuestions(o) + `. No padding and no code beyond what a step needs to be clear.`
	case "review":
		return `# Reviewing
You review; you change nothing, and calls that would are refused. Look at the change in the light of the code around it. Report faults that you can show, the gravest first: where (path:line), what goes wrong and with which input, what would put it right. Check each against the code before you report it. Matters of taste only when the project's own rules name them. When you found nothing, say what you looked at.`
	}
	return ""
}

func planQuestions(o offered) string {
	if o["ask_user"] {
		return "; open choices go to the user first"
	}
	return ""
}

// skills lists the catalogue in a fixed order.
func skills(list []Skill) string {
	if len(list) == 0 {
		return ""
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	lines := []string{"# Skills", "When one of these fits the work, load it with skill before you begin:"}
	for _, s := range list {
		lines = append(lines, "- "+s.Name+": "+oneLine(s.Description, maxDescription))
	}
	return strings.Join(lines, "\n")
}

// servers names what mcp_list can look into.
func servers(list []Server) string {
	if len(list) == 0 {
		return ""
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	lines := []string{"# Servers", "More tools are behind mcp_list (what there is), mcp_inspect (its arguments) and mcp_call. Servers:"}
	for _, s := range list {
		line := "- " + s.Name
		if d := oneLine(s.Description, maxDescription); d != "" {
			line += ": " + d
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// maxDescription is how many letters of a foreign description are shown.
const maxDescription = 300

// oneLine makes a foreign text one line of at most n letters.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
