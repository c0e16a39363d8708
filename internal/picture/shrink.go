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

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// decode reads the pixels, scaled down to the longest side, and upright.
func decode(h header, data []byte) (image.Image, error) {
	var img image.Image
	var err error
	r := bytes.NewReader(data)
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
	return upright(scaled(img, MaxSide), h.turn), nil
}

// scaled returns an image no longer than a side. It is halved first, which
// takes each pixel into account and little memory; what is left is below a
// factor of two and done with care, since text shall stay readable.
func scaled(img image.Image, side int) image.Image {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if max(w, h) <= side {
		return img
	}
	for max(w, h) >= 2*side {
		w, h = max(1, w/2), max(1, h/2)
		img = resized(draw.ApproxBiLinear, img, w, h)
	}
	if long := max(w, h); long > side {
		img = resized(draw.CatmullRom, img, max(1, w*side/long), max(1, h*side/long))
	}
	return img
}

func resized(s draw.Scaler, img image.Image, w, h int) image.Image {
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	s.Scale(to, to.Bounds(), img, img.Bounds(), draw.Src, nil)
	return to
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
func shrink(p Picture, img image.Image) (Picture, error) {
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
			var b bytes.Buffer
			if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
				return Picture{}, err
			}
			if small(b.Len()) {
				return p.as("image/jpeg", img, b.Bytes()), nil
			}
		}
		long := max(img.Bounds().Dx(), img.Bounds().Dy())
		img = scaled(img, max(1, long*2/3))
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
