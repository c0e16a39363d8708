package policy_test

import (
	"strconv"
	"testing"

	"assent/internal/policy"
	"assent/internal/shell"
)

// typical is a command of nearly 400 characters as models write them.
const typical = `cd internal/shell && go build ./... && go vet ./... && for f in *.go; do gofmt -l "$f"; done; ` +
	`go test -race -count=1 -run 'TestParse|TestWalk' ./... 2>&1 | tee /tmp/test.log | tail -n 40; ` +
	`git status --porcelain | grep -v '^??' | cut -c4- | sort | head -20; git diff --stat HEAD~1 -- . | tail -1`

func manyRules() policy.Rules {
	o := policy.Options{Tools: []policy.Tool{{Name: "read_file", Effect: policy.Read}, {Name: "write_file", Effect: policy.Write}, {Name: "bash", Effect: policy.Exec}}}
	for i := range 100 {
		o.Rules = append(o.Rules, policy.Rule{Tool: "bash", Pattern: "tool" + strconv.Itoa(i) + " *", Verdict: policy.Allow, Layer: policy.LayerUser})
	}
	return policy.New(o)
}

// plain is a command of 300 characters that runs three programs.
const plain = `cd internal/shell && go test -race -count=1 -run 'TestParse|TestWalk' ./... && git commit -m ` +
	`"Read what a redirection of a compound command writes. The file of a brace group was judged as if it belonged ` +
	`to the last command in it, so a rule for that command let it pass. It is a subject of its own now, with its folder."`

// BenchmarkParseAndDecide decides by 100 rules, without a file system.
func BenchmarkParseAndDecide(b *testing.B) {
	for _, c := range []struct{ name, command string }{
		{"300-characters-3-commands", plain}, {"400-characters-13-commands", typical},
	} {
		b.Run(c.name, func(b *testing.B) {
			rules := manyRules()
			b.ReportAllocs()
			for b.Loop() {
				plan := policy.ShellPlan(c.command, shell.Options{})
				rules.Decide(policy.Call{Tool: "bash", Effect: policy.Exec, Plan: plan}, nil)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		shell.Parse(typical, shell.Options{})
	}
}
