package app

import (
	"context"
	"encoding/json"
	"errors"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tools/files"
)

// asking shows, with a call that edits a file, what it makes of the file as it
// is, and says when it would fail. It reads through the gate of what the user
// attaches: who is asked about a file may see it, secrets apart.
type asking struct {
	gate.Asker
	c *conversation
}

// Approve is the asker's, with more to judge by.
func (a asking) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	diff, err := files.Shown(p.Request.Tool, p.Request.Input, func(path string) ([]byte, error) { return a.read(ctx, path) })
	switch {
	case err != nil:
		p.Decision.Reason = "this call would fail: " + err.Error()
	case diff != "":
		p.Request.Detail, p.Exact = diff, true
	}
	return a.Asker.Approve(ctx, p)
}

// shownFile is the largest file of which an edit is shown in place.
const shownFile = 1 << 20

func (a asking) read(ctx context.Context, path string) ([]byte, error) {
	input, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		return nil, err
	}
	a.c.reader.Begin()
	grant, decision := a.c.reader.Decide(ctx, gate.Request{
		ID: "show", Tool: "read_file", Effect: policy.Read, Input: input,
		Plan: policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: path, Access: policy.AccessRead}}},
	})
	if grant == nil {
		return nil, errors.New(decision.Reason)
	}
	hands, err := grant.Spend("read_file", input)
	if err != nil {
		return nil, err
	}
	defer hands.Close()
	f, err := hands.Read(path, shownFile)
	return f.Data, err
}
