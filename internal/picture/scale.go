package picture

import (
	"image"
	"math"

	"golang.org/x/image/draw"
)

// scaled returns an image no longer than a side. It is halved first, which
// takes each pixel into account and little memory; what is left is below a
// factor of two and done with care, since text shall stay readable.
func scaled(stop Stop, img image.Image, side int) (image.Image, error) {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if max(w, h) <= side {
		return img, nil
	}
	for max(w, h) >= 2*side {
		w, h = max(1, w/2), max(1, h/2)
		to := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.ApproxBiLinear.Scale(to, to.Bounds(), img, img.Bounds(), draw.Src, nil)
		if err := stop(); err != nil {
			return nil, err
		}
		img = to
	}
	if long := max(w, h); long > side {
		return resampled(stop, img, max(1, w*side/long), max(1, h*side/long))
	}
	return img, nil
}

// resampled makes a smaller copy with the cubic kernel of Catmull and Rom, row
// by row: it holds the few rows that a row is made of, where a scaler of the
// library holds every row, at 32 bytes a pixel.
func resampled(stop Stop, img image.Image, w, h int) (image.Image, error) {
	b := img.Bounds()
	across, down := taps(b.Dx(), w), taps(b.Dy(), h)
	source := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	held := map[int][]float32{} // rows of the source, as wide as the copy
	var free [][]float32
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	sum := make([]float32, 4*w)
	for y, t := range down {
		if err := stop(); err != nil {
			return nil, err
		}
		clear(sum)
		for i, weight := range t.weights {
			row := held[t.first+i]
			if row == nil {
				draw.Draw(source, source.Bounds(), img, image.Pt(b.Min.X, b.Min.Y+t.first+i), draw.Src)
				if n := len(free); n > 0 {
					row, free = free[n-1], free[:n-1]
				} else {
					row = make([]float32, 4*w)
				}
				narrow(row, source.Pix, across)
				held[t.first+i] = row
			}
			for x, v := range row {
				sum[x] += weight * v
			}
		}
		for at, row := range held {
			if at < t.first {
				free = append(free, row)
				delete(held, at)
			}
		}
		level(to.Pix[y*to.Stride:][:4*w], sum)
	}
	return to, nil
}

// tap says of which pixels of a line one pixel of the copy is made.
type tap struct {
	first   int
	weights []float32
}

// taps are those of a line of n pixels that becomes one of m.
func taps(n, m int) []tap {
	list := make([]tap, m)
	scale := max(1, float64(n)/float64(m))
	for i := range list {
		centre := (float64(i)+0.5)*float64(n)/float64(m) - 0.5
		first, last := max(0, int(math.Ceil(centre-2*scale))), min(n-1, int(math.Floor(centre+2*scale)))
		t := tap{first: first, weights: make([]float32, 0, last-first+1)}
		total := float32(0)
		for at := first; at <= last; at++ {
			weight := float32(cubic(math.Abs(float64(at)-centre) / scale))
			t.weights = append(t.weights, weight)
			total += weight
		}
		for j := range t.weights {
			t.weights[j] /= total
		}
		list[i] = t
	}
	return list
}

// cubic is the kernel, by the distance from its middle.
func cubic(t float64) float64 {
	switch {
	case t < 1:
		return (1.5*t-2.5)*t*t + 1
	case t < 2:
		return ((-0.5*t+2.5)*t-4)*t + 2
	}
	return 0
}

// narrow resamples one row.
func narrow(row []float32, pix []uint8, across []tap) {
	for x, t := range across {
		var r, g, b, a float32
		for i, weight := range t.weights {
			p := pix[4*(t.first+i):][:4]
			r += weight * float32(p[0])
			g += weight * float32(p[1])
			b += weight * float32(p[2])
			a += weight * float32(p[3])
		}
		row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = r, g, b, a
	}
}

// level writes a row as pixels: the kernel swings over, and no colour is more
// than its alpha.
func level(pix []uint8, sum []float32) {
	for x := 0; x < len(pix); x += 4 {
		a := min(max(sum[x+3], 0), 255)
		for c := range 3 {
			pix[x+c] = uint8(min(max(sum[x+c], 0), a) + 0.5)
		}
		pix[x+3] = uint8(a + 0.5)
	}
}
