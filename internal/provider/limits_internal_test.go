package provider

import (
	"testing"
	"time"
)

func TestLimitsDefaults(t *testing.T) {
	t.Parallel()
	far, near := Limits{}.or(false), Limits{}.or(true)
	if far.Idle != 2*time.Minute || far.FirstByte != 5*time.Minute || near.FirstByte != 15*time.Minute || far.Quiet != 10*time.Minute {
		t.Errorf("limits are %+v and %+v", far, near)
	}
	if l := (Limits{Idle: time.Second, Quiet: time.Minute}).or(false); l.FirstByte != 2500*time.Millisecond || l.Quiet != time.Minute {
		t.Errorf("limits are %+v", l)
	}
}
