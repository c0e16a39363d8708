// Package tool is what a tool is: a schema from a struct, a plan that says
// what a call would touch, and a run that is given the hands for exactly that.
//
// It owns the definition of a tool and the checking of its arguments. It must
// never know a particular tool, nor decide whether a call may run: there is no
// registry here, only a list that the builder of the program holds.
//
//	Define[In](definition, plan, run) → Tool
//	Tool.Prepare(id, input)           → Planned, or an InvalidError for the model
//	Planned.Request()                 → what the gate decides
//	Planned.Run(ctx, grant)           → Result, or an error for the model
//
// Laws: a plan is pure and is made from the same bytes that run; arguments that
// break the schema never reach a plan; a run without a grant for its own call
// does nothing.
package tool
