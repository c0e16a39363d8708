package policy

import (
	"fmt"
	"slices"
	"strings"
)

// CheckTool says whether a tool key can match any tool: a known name, a key
// with "*" that matches one, or a key of MCP tools, whose names are not known
// before their servers answer. The error names the nearest valid name.
func CheckTool(key string, tools []string) error {
	if strings.HasPrefix(key, "mcp__") || slices.Contains(tools, key) {
		return nil
	}
	if strings.Contains(key, "*") {
		p := Compile(key)
		if slices.ContainsFunc(tools, p.Match) || p.Match("mcp__") || strings.HasPrefix("mcp__", strings.TrimRight(key, "*")) {
			return nil
		}
	}
	return fmt.Errorf("unknown tool %q in a permission%s: valid names are %s and mcp__*", key, nearby(key, tools), strings.Join(tools, ", "))
}

// ParseRule reads a rule as --allow and --deny take it: "bash(git *)",
// "write_file(docs/*)" or a tool's name alone. tools are the valid names; nil
// skips that check.
func ParseRule(text string, v Verdict, l Layer, source string, tools []string) (Rule, error) {
	text = strings.TrimSpace(text)
	tool, pattern, table := strings.Cut(text, "(")
	if table {
		inner, closed := strings.CutSuffix(pattern, ")")
		if !closed {
			return Rule{}, fmt.Errorf("read the rule %q from %s: the bracket is not closed: write tool(pattern)", text, source)
		}
		if inner == "" {
			return Rule{}, fmt.Errorf("read the rule %q from %s: the pattern is empty: write %s(*) or %s", text, source, tool, tool)
		}
		pattern = inner
	}
	tool = strings.TrimSpace(tool)
	if tool == "" {
		return Rule{}, fmt.Errorf("read the rule %q from %s: it names no tool: write tool(pattern), such as bash(git *)", text, source)
	}
	if tools != nil {
		if err := CheckTool(tool, tools); err != nil {
			return Rule{}, fmt.Errorf("read the rule %q from %s: %w", text, source, err)
		}
	}
	return Rule{Tool: tool, Pattern: pattern, Verdict: v, Layer: l, Source: source}, nil
}

func nearby(word string, valid []string) string {
	if near := Nearest(word, valid); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// Nearest returns the valid word that is most like a word, empty when none
// comes near.
func Nearest(word string, valid []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, v := range valid {
		if d := distance(strings.ToLower(word), strings.ToLower(v)); d < least {
			best, least = v, d
		}
	}
	return best
}

// distance counts the edits (insert, delete, replace, swap of neighbours)
// between two words.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return max(len(x), len(y))
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
