package gate

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/policy"
)

// ask puts a call before the user and turns the answer into a decision.
func (g *Gate) ask(ctx context.Context, t trial, d policy.Decision) policy.Decision {
	offer := t.offer(d)
	if g.options.Headless || g.options.Asker == nil {
		return alone(d, offer)
	}
	a, granted, err := g.put(ctx, t, Prompt{
		Request: t.request, Decision: d, Pattern: shown(t.request.Tool, offer), Offer: offer,
		Check: g.checker(t, offer),
	})
	switch {
	case ctx.Err() != nil:
		return deny(d, policy.ByUser, "the turn was cancelled while the user was asked")
	case granted != nil:
		return *granted
	case err != nil:
		return deny(d, policy.ByUser, fmt.Sprintf("the user could not be asked: %v", err))
	case a.Cancel:
		d = deny(d, policy.ByUser, "the user cancelled the turn")
		d.Cancel = true
		return d
	}
	if a.Fails != "" {
		return failing(d, a.Fails)
	}
	note := ""
	switch a.Choice {
	case Once:
	case Session, Project:
		note = g.grant(ctx, t, a, offer)
	default:
		return deny(d, policy.ByUser, said(a.Message))
	}
	g.repeat.approve(t.request)
	d.Verdict, d.By, d.Reason = policy.Allow, policy.ByUser, "the user allowed this call"+note
	return d
}

// failing is the decision about a call that would fail whatever the user said.
// One that comes too often is told so, as nobody sees it.
func failing(d policy.Decision, text string) policy.Decision {
	if d.By == policy.ByRepeat {
		text += "\n" + d.Reason + "; do something else, or say what is missing"
	}
	d = deny(d, d.By, "nobody was asked, since the call is certain to fail")
	d.Fails = text
	return d
}

// approve asks; an asker that breaks down has not answered.
func approve(ctx context.Context, asker Asker, p Prompt) (a Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			a, err = Answer{}, fmt.Errorf("asking broke down: %v", v)
		}
	}()
	return asker.Approve(ctx, p)
}

// offer is what "always" would add: nothing when it was not a rule that made
// the call ask, for then no rule would help.
func (t trial) offer(d policy.Decision) []policy.Rule {
	if d.By != policy.ByRule && d.By != policy.ByDefault {
		return nil
	}
	return t.rules.Always(t.request.call(), d, t.disk)
}

// shown writes an offer for the prompt: the bare pattern when it is one of the
// call's own tool.
func shown(tool string, offer []policy.Rule) string {
	if len(offer) == 1 && offer[0].Tool == tool && offer[0].Pattern != "" {
		return offer[0].Pattern
	}
	texts := make([]string, len(offer))
	for i, r := range offer {
		texts[i] = r.String()
	}
	return strings.Join(texts, "; ")
}

// grant makes the user's "always" hold and returns what is to be said about
// it. What was granted must cover the call itself; a pattern that does not is
// not kept, and the call is allowed once.
func (g *Gate) grant(ctx context.Context, t trial, a Answer, offer []policy.Rule) string {
	rules, err := t.chosen(a.Pattern, offer)
	if err != nil {
		return fmt.Sprintf(" once; the pattern was not kept: %v", err)
	}
	g.add(rules...)
	g.waiting.look()
	if a.Choice != Project {
		return " for this session"
	}
	if g.options.Remember == nil {
		return " for this session; there is no project to keep it for"
	}
	for _, r := range rules {
		if err := g.options.Remember(ctx, r); err != nil {
			return fmt.Sprintf(" for this session; it could not be kept for the project: %v", err)
		}
	}
	return " for this project"
}

// SaidNo is the reason of a denial that the user gave none for.
const SaidNo = "the user said no"

// said is the reason of a denial: what the user wrote, if anything.
func said(message string) string {
	if message = strings.TrimSpace(message); message != "" {
		return "the user says: " + message
	}
	return SaidNo
}

// alone denies what would ask when there is nobody to ask, and says what would
// have allowed it. What a hook or the repeat guard asked for stays theirs.
func alone(d policy.Decision, offer []policy.Rule) policy.Decision {
	switch d.By {
	case policy.ByRepeat:
		return deny(d, policy.ByRepeat, d.Reason+"; do something else, or say what is missing")
	case policy.ByHook:
		return deny(d, policy.ByHook, d.Reason+"; there is nobody to ask")
	default:
	}
	open := "--yolo"
	for i := len(offer) - 1; i >= 0; i-- {
		open = fmt.Sprintf("--allow '%s' or %s", offer[i], open)
	}
	if len(offer) > 1 {
		open = strings.Replace(open, "' or --allow", "' --allow", len(offer)-1)
	}
	return deny(d, policy.ByHeadless, fmt.Sprintf("%s, and there is nobody to ask; the user can allow it with %s", d.Reason, open))
}
