package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// ErrDialect is for a text that a plain sh reads in another way than bash.
var ErrDialect = errors.New("it is written for bash, and the sh that runs it here reads it in another way")

// bashOnly says whether a tree holds what a plain sh does not know: ((a > b))
// writes a file there, and $'\” ends at another place.
func bashOnly(root syntax.Node) bool {
	found := false
	syntax.Walk(root, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause, *syntax.CoprocClause, *syntax.ProcSubst, *syntax.ExtGlob, *syntax.CStyleLoop, *syntax.ArrayExpr:
			found = true
		case *syntax.SglQuoted:
			found = found || n.Dollar
		case *syntax.DblQuoted:
			found = found || n.Dollar
		case *syntax.ArithmExp:
			found = found || n.Bracket
		case *syntax.FuncDecl:
			found = found || n.RsrvWord
		case *syntax.ForClause:
			found = found || n.Select || n.Braces
		case *syntax.Assign:
			found = found || n.Append || n.Index != nil
		case *syntax.BinaryCmd:
			found = found || n.Op == syntax.PipeAll
		case *syntax.CaseItem:
			found = found || n.Op != syntax.Break
		case *syntax.Word:
			found = found || hasBrace(n) && braceExpands(n)
		case *syntax.Redirect:
			switch n.Op {
			case syntax.WordHdoc, syntax.RdrAll, syntax.AppAll:
				found = true
			}
			found = found || n.N != nil && strings.HasPrefix(n.N.Value, "{")
		case *syntax.ParamExp:
			found = found || n.Slice != nil || n.Repl != nil || n.Index != nil || n.Excl || n.Names != 0
			found = found || n.Exp != nil && n.Exp.Op >= syntax.UpperFirst
		}
		return !found
	})
	return found
}

// plainShell says whether a wrapper is a shell that may know only what sh does.
func plainShell(wrapper string) bool {
	switch name, _, _ := strings.Cut(wrapper, " "); name {
	case "sh", "dash", "ash", "busybox":
		return true
	}
	return false
}

// braceExpands says whether a word holds a brace expansion.
func braceExpands(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") && (strings.Contains(l.Value, ",") || strings.Contains(l.Value, "..")) {
			return true
		}
	}
	return false
}
