package amount_test

import (
	"testing"

	"assent/internal/amount"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0 lines":       amount.Of(0, "line"),
		"1 line":        amount.Of(1, "line"),
		"2 lines":       amount.Of(2, "line"),
		"1 process":     amount.Of(1, "process", "processes"),
		"3 processes":   amount.Of(3, "process", "processes"),
		"-1 lines":      amount.Of(-1, "line"),
		"was":           amount.Word(1, "was", "were"),
		"were":          amount.Word(2, "was", "were"),
		"1 path is":     amount.Of(1, "path is", "paths are"),
		"12345678 bits": amount.Of(12345678, "bit"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
