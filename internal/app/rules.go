package app

import (
	"context"
	"path/filepath"

	"assent/internal/config"
	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/trust"
	"assent/internal/workspace"
)

// rules are the ordered rules of a run: the user's, the project's, the flags'.
func rules(l loaded, f Flags) (policy.Rules, error) {
	o := policy.Options{Tools: policyTools()}
	for _, r := range l.Permission {
		layer := policy.LayerUser
		switch {
		case r.Grant:
			layer = policy.LayerGrant
		case r.Project && r.Trusted:
			layer = policy.LayerProject
		case r.Project:
			layer = policy.LayerUntrusted
		}
		o.Rules = append(o.Rules, policy.Rule{Tool: r.Tool, Pattern: r.Pattern, Verdict: policy.Verdict(r.Verdict), Layer: layer, Source: r.Source})
	}
	for _, list := range []struct {
		texts   []string
		verdict policy.Verdict
		layer   policy.Layer
		flag    string
	}{
		{f.Allow, policy.Allow, policy.LayerAllow, "--allow"},
		{f.Deny, policy.Deny, policy.LayerDeny, "--deny"},
	} {
		for _, text := range list.texts {
			r, err := policy.ParseRule(text, list.verdict, list.layer, list.flag, toolNames())
			if err != nil { // it lists only the tools that there are
				_, err = policy.ParseRule(text, list.verdict, list.layer, list.flag, offeredNames())
				return policy.Rules{}, &UsageError{err}
			}
			o.Rules = append(o.Rules, r)
		}
	}
	return policy.New(o), nil
}

// guards are the builtin guards that are on. ignored says whether git ignores
// a path.
func guards(l loaded, ws *workspace.Workspace, ignored func(rel string) bool) []guard.Guard {
	o := guard.Options{Own: ownPaths(l, ws), Ignored: ignored, Except: l.Guards[guard.Protect].Except}
	for name, g := range l.Guards {
		if g.Off {
			o.Off = append(o.Off, name)
		}
	}
	return guard.Builtin(o)
}

// guardsOff names the guards that the user turned off, for the header.
func guardsOff(l loaded) []string {
	var off []string
	for name, g := range l.Guards {
		if g.Off {
			off = append(off, name)
		}
	}
	return off
}

// ownPaths are what no call may write: the agent's own folders and the config
// file itself, as the environment names them and as they are named after every
// link, and what a project brings that the user has to trust.
func ownPaths(l loaded, ws *workspace.Workspace) []string {
	var own []string
	for _, name := range []string{l.paths.Config, l.paths.Data, l.paths.State, l.paths.File()} {
		own = append(own, filepath.ToSlash(name))
		if p, err := ws.Resolve(name, ""); err == nil && p.Real != name {
			own = append(own, filepath.ToSlash(p.Real))
		}
	}
	return append(own, trust.Files...)
}

// remember appends a rule to the user's own config, under the project: never
// to a file in the repository.
func (a *App) remember(l loaded) func(context.Context, policy.Rule) error {
	return func(ctx context.Context, r policy.Rule) error {
		path := []string{"projects", l.root, "permission", r.Tool, r.Pattern}
		if r.Pattern == "" {
			path = path[:len(path)-1]
		}
		return config.Set(ctx, l.paths.File(), path, string(policy.Allow), a.words())
	}
}
