package notes

import (
	"context"
	"fmt"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// CurrentTime is the tool that tells the time. Now is the clock.
func CurrentTime(now func() time.Time) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "current_time", Effect: policy.State, Set: tool.Session,
		Description: "The current date and time.",
	}, nil, func(context.Context, gate.Hands, struct{}) (tool.Result, error) {
		t := now()
		_, week := t.ISOWeek()
		text := fmt.Sprintf("%s (%s, week %d); %s UTC", t.Format(time.RFC3339), t.Weekday(), week, t.UTC().Format("2006-01-02 15:04:05"))
		return tool.Result{Output: text, Summary: t.Format("2006-01-02 15:04 MST")}, nil
	})
}
