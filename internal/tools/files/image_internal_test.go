package files

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"testing"
)

// While a large image is made smaller, one that fits is shown at once, and who
// gives up does not wait for the large one.
func TestImagesDoNotWaitForALargeOne(t *testing.T) {
	t.Parallel()
	encode := func(w, h int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	tools := tools{drawing: make(chan struct{}, 1)}
	tools.drawing <- struct{}{} // one is being made smaller
	if r, err := tools.picture(t.Context(), "a.png", encode(4, 4)); err != nil || len(r.Images) != 1 {
		t.Errorf("an image that fits: %+v, %v", r, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := tools.picture(ctx, "b.png", encode(2100, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("one that was given up: %v", err)
	}
	<-tools.drawing
	if r, err := tools.picture(t.Context(), "b.png", encode(2100, 4)); err != nil || len(r.Images) != 1 {
		t.Errorf("the next: %+v, %v", r, err)
	}
}
