package picture

import (
	"image"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/draw"
)

// The copy is that of the library's scaler with the same kernel, which holds
// 32 bytes for each pixel of the copy's width and the source's height.
func TestResampledIsTheLibrarysCopy(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	from := image.NewRGBA(image.Rect(0, 0, 91, 57))
	for i := 0; i < len(from.Pix); i += 4 {
		a := r.IntN(256)
		from.Pix[i], from.Pix[i+1], from.Pix[i+2], from.Pix[i+3] = uint8(r.IntN(a+1)), uint8(r.IntN(a+1)), uint8(r.IntN(a+1)), uint8(a)
	}
	for _, size := range []image.Point{{60, 38}, {90, 56}, {46, 57}, {91, 29}, {1, 57}} {
		want := image.NewRGBA(image.Rectangle{Max: size})
		draw.CatmullRom.Scale(want, want.Bounds(), from, from.Bounds(), draw.Src, nil)
		got, err := resampled(func() error { return nil }, from, size.X, size.Y)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.(*image.RGBA).Pix {
			if d := int(v) - int(want.Pix[i]); d < -2 || d > 2 {
				t.Fatalf("%v: byte %d is %d, the library's %d", size, i, v, want.Pix[i])
			}
		}
	}
}
