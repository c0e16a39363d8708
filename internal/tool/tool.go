package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/policy"
)

// Sets of tools, the words of the `toolSets` configuration. Core and session
// are always on.
const (
	Core     = "core"
	EditPlus = "edit-plus"
	Git      = "git"
	Net      = "net"
	Session  = "session"
	MCP      = "mcp"
)

// Definition describes a tool. Only Name, Effect, Set and Description are
// needed.
type Definition struct {
	Name   string
	Effect policy.Effect
	Set    string
	// Description is what the model reads. Every byte of it is sent with every
	// request.
	Description string
	// Title names the load-bearing argument, the one that people are shown;
	// empty takes the first required one.
	Title string
	// Enums lists the allowed values of string arguments, and Bounds the limits
	// of numbers, strings and lists, by the argument's name. Dots lead into
	// objects and the elements of lists: "todos.status".
	Enums  map[string][]string
	Bounds map[string]Bound
	// Detail writes a call out in full for the person who decides it: a diff, a
	// command, a question. Nil shows the arguments.
	Detail func(input json.RawMessage) string
	// As names the tool that the gate judges instead of this one, for a tool
	// that calls others by name. It is pure. Nil or "" is this tool.
	As func(input json.RawMessage) string
}

// Bound limits an argument: the value of a number, the characters of a string,
// the elements of a list. A zero limit is none.
type Bound struct{ Min, Max int }

// Result is what a run gives back.
type Result struct {
	// Output is the text for the model.
	Output string
	Images []llm.Image
	// Summary is one line for people, Diff the unified diff of a change to
	// files.
	Summary string
	Diff    string
	// Exit is the exit code of a command that ran.
	Exit int
	// Failed says that the tool ran but did not do what was asked; Output says
	// why. Interrupted, that the user stopped it before its end.
	Failed, Interrupted bool
	// Raw is the whole output where Output was shortened, to be kept as an
	// artifact.
	Raw string
}

// Tool is one tool. Only Define and Raw make one; the zero value has no name
// and refuses every call.
type Tool struct{ t *core }

type core struct {
	Definition
	schema func() (*schema, error)
	// bind decodes checked input and returns its plan and its run.
	bind func(input json.RawMessage) (policy.Plan, runner, error)
}

type runner func(context.Context, gate.Hands) (Result, error)

// Define makes a tool whose arguments are the exported fields of In. The tag
// `jsonschema` describes a field, and `omitempty` makes it optional. Plan says
// what a call would touch, naming paths as the model wrote them; it is pure.
// Run does it with the hands that the gate granted; an error of it is a result
// for the model.
func Define[In any](d Definition, plan func(In) policy.Plan, run func(context.Context, gate.Hands, In) (Result, error)) Tool {
	return Tool{&core{
		Definition: d,
		schema:     sync.OnceValues(func() (*schema, error) { return schemaFor[In](d) }),
		bind: func(input json.RawMessage) (policy.Plan, runner, error) {
			var in In
			if err := decode(input, &in); err != nil {
				return policy.Plan{}, nil, err
			}
			var p policy.Plan
			if plan != nil {
				p = plan(in)
			}
			return p, func(ctx context.Context, h gate.Hands) (Result, error) { return run(ctx, h, in) }, nil
		},
	}}
}

// Raw makes a tool whose schema is known as JSON only, such as one of an MCP
// server. A schema that cannot be used for checking is sent to the model all
// the same, and the call's input is then checked to be an object only.
func Raw(d Definition, jsonSchema json.RawMessage, plan func(json.RawMessage) policy.Plan, run func(context.Context, gate.Hands, json.RawMessage) (Result, error)) Tool {
	return Tool{&core{
		Definition: d,
		schema:     sync.OnceValues(func() (*schema, error) { return schemaFrom(jsonSchema) }),
		bind: func(input json.RawMessage) (policy.Plan, runner, error) {
			var p policy.Plan
			if plan != nil {
				p = plan(input)
			}
			return p, func(ctx context.Context, h gate.Hands) (Result, error) { return run(ctx, h, input) }, nil
		},
	}}
}

// Name is the tool's name.
func (t Tool) Name() string {
	if t.t == nil {
		return ""
	}
	return t.t.Name
}

// Effect is what the tool can do to the world.
func (t Tool) Effect() policy.Effect {
	if t.t == nil {
		return ""
	}
	return t.t.Effect
}

// Set is the set that the tool belongs to.
func (t Tool) Set() string {
	if t.t == nil {
		return ""
	}
	return t.t.Definition.Set
}

// Spec describes the tool to a model. The schema is computed on first use.
func (t Tool) Spec() llm.Spec {
	s, err := t.t.schema()
	if err != nil {
		// A struct without a schema is a mistake in the program that
		// Check reports; the model gets a tool without arguments.
		return llm.Spec{Name: t.t.Name, Description: t.t.Description, Schema: json.RawMessage(`{"type":"object"}`)}
	}
	return llm.Spec{Name: t.t.Name, Description: t.t.Description, Schema: s.text}
}

// Check reports whether the tool's definition makes sense: a name, a known
// effect, a schema, and enums and bounds that name arguments.
func (t Tool) Check() error {
	switch {
	case t.t == nil || t.t.Name == "":
		return fmt.Errorf("check tool: it has no name")
	case t.t.Effect == "":
		return fmt.Errorf("check tool %s: it has no effect", t.t.Name)
	}
	if _, err := t.t.schema(); err != nil {
		return fmt.Errorf("check tool %s: %w", t.t.Name, err)
	}
	return nil
}

// Set is a list of tools; there is no registry.
type Set []Tool

// Find returns the tool of that name.
func (s Set) Find(name string) (Tool, bool) {
	for _, t := range s {
		if t.Name() == name && name != "" {
			return t, true
		}
	}
	return Tool{}, false
}

// Names lists the names in order.
func (s Set) Names() []string {
	names := make([]string, len(s))
	for i, t := range s {
		names[i] = t.Name()
	}
	return names
}

// Specs describes the tools to a model, in order.
func (s Set) Specs() []llm.Spec {
	specs := make([]llm.Spec, len(s))
	for i, t := range s {
		specs[i] = t.Spec()
	}
	return specs
}
