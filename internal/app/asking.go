package app

import (
	"context"
	"errors"

	"assent/internal/gate"
	"assent/internal/policy"
)

// asking shows, with a call that changes files, what it makes of them as they
// are, and asks nobody about one that is certain to fail: its model gets the
// error at once. It knows by trying the call with hands that change nothing.
type asking struct {
	gate.Asker
	c *conversation
}

// Approve is the asker's, with more to judge by.
func (a asking) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	t := a.c.try(ctx, p.Request)
	switch {
	case t.err != nil && t.told != "":
		return gate.Answer{Fails: t.told}, nil
	case t.err != nil:
		p.Decision.Reason = "this call would fail: " + oneLine(t.err.Error())
	case t.diff != "":
		p.Request.Detail, p.Exact = t.diff, true
	}
	return a.Asker.Approve(ctx, p)
}

// trial is what came of trying a call.
type trial struct {
	// diff is what it would change.
	diff string
	// err is why it would fail; told is that as its model may read it, empty
	// when reading the files would ask as well.
	err  error
	told string
}

// errNoChange says that a call would leave everything as it is.
var errNoChange = errors.New("nothing would be changed")

// try tries a call that writes files; the zero trial says nothing of it. A
// file that may not be read is compared with nothing.
func (c *conversation) try(ctx context.Context, r gate.Request) trial {
	grant := c.gate.Try(r)
	if grant == nil {
		return trial{}
	}
	t, _ := c.tools.Find(r.Tool) // none refuses every call
	planned, err := t.Prepare(r.ID, r.Input)
	if err != nil {
		return trial{}
	}
	result, err := planned.Run(ctx, grant)
	switch {
	case ctx.Err() != nil:
		return trial{}
	case err == nil && grant.Changes() > 0:
		return trial{diff: result.Diff}
	case err == nil:
		err = errors.Join(errNoChange, errors.New(result.Output))
	}
	return trial{err: err, told: c.tellable(ctx, r, grant, err)}
}

// tellable is an error of a trial for the model. What the error says of files
// comes from reading them, so it is the gate of reading that lets it through: a
// path that may not be read tells nothing but that, where that is why the call
// fails; of another reason, such as whether there is a file, the user decides.
func (c *conversation) tellable(ctx context.Context, r gate.Request, tried *gate.Grant, err error) string {
	r.Tool, r.Effect = "read_file", policy.Read
	var paths []policy.Subject
	for _, s := range r.Plan.Subjects {
		if s.Kind == policy.KindPath {
			s.Access = policy.AccessRead
			paths = append(paths, s)
		}
	}
	r.Plan = policy.Plan{Subjects: paths}
	d := c.gate.Explain(ctx, r)
	_, unread := errors.AsType[*gate.DeniedError](err)
	switch {
	case d.Verdict == policy.Deny && unread:
		return d.Reason
	case d.Verdict == policy.Allow && tried.Reads(r.Tool) == policy.Allow:
		return err.Error()
	}
	return "" // reading asks, or the paths lead elsewhere by now
}
