package picture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// decode reads the pixels, scaled down to the longest side, and upright.
func decode(stop Stop, h header, data []byte) (image.Image, error) {
	var img image.Image
	var err error
	r := &heeding{stop, bytes.NewReader(data)}
	switch h.MIME {
	case "image/png":
		img, err = png.Decode(r)
	case "image/jpeg":
		img, err = jpeg.Decode(r)
	case "image/gif":
		img, err = gif.Decode(r) // the first frame
	default:
		img, err = webp.Decode(r)
	}
	if err != nil {
		return nil, err
	}
	if b := img.Bounds(); b.Empty() {
		return nil, errors.New("its first frame has no pixels")
	}
	if img, err = scaled(stop, img, MaxSide); err != nil {
		return nil, err
	}
	return upright(img, h.turn), nil
}

// heeding reads until it is told to stop: a decoder has no other ear.
type heeding struct {
	stop Stop
	r    io.Reader
}

// Read reads, or gives the error of stop.
func (h *heeding) Read(p []byte) (int, error) {
	if err := h.stop(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}

// upright undoes one of the eight orientations.
func upright(img image.Image, turn int) image.Image {
	if turn == 1 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	size := image.Rect(0, 0, w, h)
	if turn >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	to := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := x, y
			if turn >= 5 { // mirrored at the diagonal
				tx, ty = y, x
			}
			if turn == 2 || turn == 3 || turn == 6 || turn == 7 {
				tx = size.Dx() - 1 - tx
			}
			if turn == 3 || turn == 4 || turn == 7 || turn == 8 {
				ty = size.Dy() - 1 - ty
			}
			to.Set(tx, ty, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return to
}

// shrink encodes an image until it is within the limit of bytes: without loss
// where it came so, then with more and more, then smaller.
func shrink(stop Stop, p Picture, img image.Image) (Picture, error) {
	if p.MIME != "image/jpeg" {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			return Picture{}, err
		}
		if small(b.Len()) {
			return p.as("image/png", img, b.Bytes()), nil
		}
		img = onWhite(img)
	}
	for {
		for _, quality := range []int{88, 70, 50} {
			if err := stop(); err != nil {
				return Picture{}, err
			}
			var b bytes.Buffer
			if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
				return Picture{}, err
			}
			if small(b.Len()) {
				return p.as("image/jpeg", img, b.Bytes()), nil
			}
		}
		long := max(img.Bounds().Dx(), img.Bounds().Dy())
		var err error
		if img, err = scaled(stop, img, max(1, long*2/3)); err != nil {
			return Picture{}, err
		}
	}
}

func small(n int) bool { return base64.StdEncoding.EncodedLen(n) <= MaxEncoded }

// as is the picture as a copy of it.
func (p Picture) as(mime string, img image.Image, data []byte) Picture {
	b := img.Bounds()
	p.Data, p.Size = data, Size{MIME: mime, Width: b.Dx(), Height: b.Dy(), Bytes: len(data)}
	return p
}

// onWhite gives what is transparent the colour of paper.
func onWhite(img image.Image) image.Image {
	to := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(to, to.Bounds(), img, img.Bounds().Min, draw.Over)
	return to
}
