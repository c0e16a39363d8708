package app

import (
	"context"
	"testing"

	"assent/internal/host"
)

func TestHeaderSaysWhatHolds(t *testing.T) {
	t.Parallel()
	const asks = "asks before it writes files or runs commands"
	tests := []struct {
		name    string
		flags   func(*Flags)
		user    string
		project map[string]string
		want    string
	}{
		{name: "nothing set", want: asks},
		{name: "rules", flags: func(f *Flags) { f.Allow = []string{"bash(go *)"} }, want: asks + ", unless a rule says otherwise (/permissions lists 1)"},
		{name: "yolo has its own line", flags: func(f *Flags) { f.Yolo = true }, want: ""},
		{name: "an agent that reads", flags: func(f *Flags) { f.Agent = "plan" }, want: "this agent only reads, so nothing asks"},
		{name: "guards that are off", user: `{"guards":{"protect":false}}`, want: asks + "\nguards that are off: protect"},
		{
			name: "instructions and a project that is not trusted", project: map[string]string{"AGENTS.md": "be brief", ".assent/config.json": `{"permission":{"bash":"allow"}}`},
			want: asks + "\n" +
				"this project is not trusted: what .assent/config.json would loosen or run does not count (assent trust)\ninstructions: AGENTS.md",
		},
		{name: "instructions that are left out", flags: func(f *Flags) { f.NoInstructions = true }, project: map[string]string{"AGENTS.md": "be brief"}, want: asks},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := w.script(`{"text":"never"}`)
			if tt.flags != nil {
				tt.flags(&f)
			}
			if tt.user != "" {
				w.config(tt.user)
			}
			for name, text := range tt.project {
				w.write(name, text)
			}
			h := w.open(f)
			page, err := h.Ask(context.Background(), host.Report{Name: "header"})
			if err != nil || page.(host.Page).Markdown != tt.want {
				t.Errorf("got\n%v, %v\nwant\n%s", page, err, tt.want)
			}
		})
	}
}
