package policy

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/near"
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
	return fmt.Errorf("unknown tool %q in a permission%s: valid names are %s and mcp__*", key, near.Aside(key, tools), strings.Join(tools, ", "))
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
