package app

import "testing"

// What the catalogue does not know of a model is said, not left blank.
func TestCellsOfAModelThatIsNotKnown(t *testing.T) {
	t.Parallel()
	if got := number(0) + " " + prices(modelRow{}); got != "unknown unknown" {
		t.Errorf("got %q", got)
	}
	one := 1.5
	if got := number(8000) + " " + prices(modelRow{InputPrice: &one, OutputPrice: &one}); got != "8000 1.5 / 1.5" {
		t.Errorf("got %q", got)
	}
}
