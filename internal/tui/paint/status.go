package paint

import (
	"fmt"
	"strings"

	"assent/internal/tui/ink"
	"assent/internal/tui/screen"
)

// status is the line below the prompt: agent, model, thinking, context, cost,
// time. Where it does not fit the least important parts go.
func status(s screen.State, st Style) []ink.Line {
	v := s.Status()
	share, role := "", ink.Dim
	if v.Share >= 0 {
		share = fmt.Sprintf("ctx %d%%", v.Share)
		switch v.Heat {
		case screen.Amber:
			role = ink.Warn
		case screen.Red:
			role = ink.Bad
		case screen.Calm:
		}
	}
	cost := ""
	if v.HasCost {
		cost = dollars(v.CostUSD)
		if v.AtLeast {
			cost += "+"
		}
	}
	yolo := ""
	if v.Mode.Yolo {
		yolo = "yolo"
	}
	level := string(v.Mode.Level)
	time := ""
	if v.Elapsed > 0 {
		time = seconds(v.Elapsed)
	}
	asking := ""
	if len(v.Asking) > 0 {
		asking = "asking for " + ink.OneLine(strings.Join(v.Asking, ", "))
	}
	parts := []weighed{
		{5, ink.S(ink.OneLine(v.Mode.Agent), ink.Dim)},
		{4, ink.S(modelName(v.Mode.Model), ink.Dim)},
		{1, ink.S(ink.OneLine(level), ink.Dim)},
		{9, ink.B(yolo, ink.Warn)},
		{8, ink.S(share, role)},
		{3, ink.S(cost, ink.Dim)},
		{2, ink.S(time, ink.Dim)},
		{6, ink.S(asking, ink.Dim)},
	}
	line := fitParts(parts, st)
	if len(line) == 0 {
		return nil
	}
	return []ink.Line{row(indent(), line, st)}
}

// modelName is the last part of a model's id: what people call it.
func modelName(id string) string {
	id = ink.OneLine(id)
	return id[strings.LastIndexByte(id, '/')+1:]
}

// weighed is a part of a line and how much it matters.
type weighed struct {
	weight int
	span   ink.Span
}

// fitParts joins parts and leaves out the lightest until they fit.
func fitParts(parts []weighed, st Style) []ink.Span {
	for {
		spans := make([]ink.Span, len(parts))
		for i, p := range parts {
			spans[i] = p.span
		}
		line := dots(st, spans...)
		if len(parts) < 2 || ink.Line(line).Width() <= room(st) {
			return line
		}
		light := 0
		for i, p := range parts {
			if p.weight < parts[light].weight {
				light = i
			}
		}
		parts = append(parts[:light:light], parts[light+1:]...)
	}
}

// hint says what the keys do now.
func hint(s screen.State, st Style) []ink.Line {
	text := s.Hint()
	if p, ok := s.Panel.(screen.Setup); text == "" || ok && p.Loading == text {
		return nil // the panel says it
	}
	for _, shorter := range s.Hints() {
		if text = shorter; ink.Width(text) <= room(st) {
			break
		}
	}
	for ink.Width(text) > room(st) && strings.ContainsAny(text, ",;") {
		text = text[:strings.LastIndexAny(text, ",;")] // what comes first matters most
	}
	role := ink.Dim
	if s.Armed {
		role = ink.Warn
	}
	return []ink.Line{row(indent(), []ink.Span{ink.S(text, role)}, st)}
}
