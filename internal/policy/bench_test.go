package policy_test

import (
	"strconv"
	"testing"

	"assent/internal/policy"
	"assent/internal/shell"
)

// typical is a command of about 300 characters as models write them.
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

func BenchmarkParseAndDecide(b *testing.B) {
	rules := manyRules()
	b.ReportAllocs()
	for b.Loop() {
		plan := policy.ShellPlan(typical, shell.Options{})
		rules.Decide(policy.Call{Tool: "bash", Effect: policy.Exec, Plan: plan}, nil)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		shell.Parse(typical, shell.Options{})
	}
}
