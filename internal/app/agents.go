package app

import (
	"assent/internal/llm"
	"assent/internal/policy"
)

// agent is a variant: how long it may work, how hard it thinks and what it may
// do. Its words for the model are prompt's.
type agent struct {
	name  string
	steps int
	// level is the thinking level when the user set none.
	level llm.Level
	// effects are what it may do; nil is everything.
	effects []policy.Effect
}

// agents are the built-in variants. The step caps are engine.md's.
var agents = []agent{
	{name: "default", steps: 50, level: llm.LevelMedium},
	{name: "quick", steps: 12, level: llm.LevelLow},
	{name: "deep", steps: 80, level: llm.LevelHigh},
	{name: "plan", steps: 50, level: llm.LevelHigh, effects: looking},
	{name: "review", steps: 50, level: llm.LevelHigh, effects: looking},
}

// looking is what an agent may do that changes nothing.
var looking = []policy.Effect{policy.Read, policy.State}

// findAgent returns a variant by name.
func findAgent(name string) (agent, bool) {
	for _, a := range agents {
		if a.name == name {
			return a, true
		}
	}
	return agent{}, false
}

// mode is what the gate is told of an agent.
func (a agent) mode(readOnly []string) policy.Mode {
	m := policy.Mode{Name: a.name, Effects: a.effects, Leave: "the user can switch to another agent with /agent or --agent"}
	if a.effects != nil {
		m.ReadOnly = readOnly
	}
	return m
}

// holds reports whether a tool of this effect is offered to the agent. A shell
// is, where the user declared commands that only read.
func (a agent) holds(e policy.Effect, readOnly []string) bool {
	if a.effects == nil {
		return true
	}
	for _, own := range a.effects {
		if own == e {
			return true
		}
	}
	return e == policy.Exec && len(readOnly) > 0
}
