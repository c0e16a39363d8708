package gate

import (
	"context"
	"fmt"

	"assent/internal/policy"
)

// hooked is what the hooks said, or why they did not.
type hooked struct {
	HookVerdict
	failed error
}

// consult runs the hooks. One that breaks down has not agreed.
func consult(ctx context.Context, hooks Hooks, r Request) (said hooked) {
	defer func() {
		if p := recover(); p != nil {
			said = hooked{failed: fmt.Errorf("it broke down: %v", p)}
		}
	}()
	v, err := hooks.PreTool(ctx, r)
	return hooked{v, err}
}

// reason is the hook's own, or a general one.
func (h hooked) reason(general string) string {
	if h.Reason != "" {
		return h.Reason
	}
	return general
}

// fold joins what the hooks said with what the rules say. It lifts no deny.
func (h hooked) fold(d *policy.Decision) {
	switch {
	case d.Verdict == policy.Deny:
	case h.failed != nil:
		d.Verdict, d.By = policy.Ask, policy.ByHook
		d.Reason = fmt.Sprintf("a hook that must agree to this call failed: %v", h.failed)
	case h.Ask:
		d.Verdict, d.By, d.Reason = policy.Ask, policy.ByHook, h.reason("a hook wants this call to be asked about")
	case h.Allow && d.Verdict == policy.Ask:
		d.Verdict, d.By, d.Reason = policy.Allow, policy.ByHook, h.reason("a hook allowed this call")
	}
}
