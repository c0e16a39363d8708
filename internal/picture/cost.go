package picture

import (
	"bytes"
	"encoding/binary"
)

// memory is about how many bytes the decoder holds at once for an image, the
// image itself included.
func (h header) memory(data []byte) int64 {
	pixels := int64(h.Width) * int64(h.Height)
	switch h.MIME {
	case "image/jpeg":
		return h.frame.memory(pixels)
	case "image/png":
		each := int64(4)
		if h.deep {
			each = 8
		}
		if len(data) > 28 && data[28] != 0 { // its passes are kept beside it
			each *= 2
		}
		return pixels * each
	case "image/gif":
		return pixels * 2
	}
	return pixels * 8 // pixels, and what they are made of
}

// work is how many pixels the decoder goes over.
func (h header) work() int64 {
	return int64(h.Width) * int64(h.Height) * int64(max(1, h.scans))
}

// frame is what a JPEG says of its pixels.
type frame struct {
	// samples belong to each block of so many pixels: a colour may have fewer
	// than the brightness has.
	samples, block int64
	// progressive says that the pixels come a few bits at a time, so that the
	// decoder holds the coefficients of all of them to the end.
	progressive bool
	// copied says that the decoder makes a second image of another form.
	copied bool
}

// memory is what the decoder holds: a byte a sample, and four a coefficient.
func (f frame) memory(pixels int64) int64 {
	each := int64(1)
	if f.progressive {
		each += 4
	}
	n := pixels * f.samples * each / max(1, f.block)
	if f.copied {
		n += pixels * 4
	}
	return n
}

// segments reads what the header of a JPEG says before the pixels begin: how
// it is turned, 1 where it does not say, and its frame.
func segments(data []byte) (turn int, f frame) {
	turn = 1
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker, length := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == 0xff { // fill
			at++
			continue
		}
		if marker == 0xda || length < 2 || at+2+length > len(data) {
			break // the pixels begin, or the header is cut
		}
		segment := data[at+4 : at+2+length]
		switch marker {
		case 0xc0, 0xc1, 0xc2:
			f.shape(segment)
			f.progressive = marker == 0xc2
		case 0xe1:
			if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && turn == 1 {
				turn = turned(tiff)
			}
		case 0xee:
			if bytes.HasPrefix(segment, []byte("Adobe")) && len(segment) > 11 && segment[11] == 0 {
				f.copied = true // it is not kept as brightness and colour
			}
		}
		at += 2 + length
	}
	return turn, f
}

// shape reads the components of a frame: an identity, and how many samples it
// has in a block, across and down.
func (f *frame) shape(segment []byte) {
	if len(segment) < 6 {
		return
	}
	n := int(segment[5])
	if len(segment) < 6+3*n {
		return
	}
	f.copied = f.copied || n == 4 || n == 3 && segment[6] == 'R' && segment[9] == 'G' && segment[12] == 'B'
	if n == 1 {
		f.samples, f.block = 1, 1
		return
	}
	across, down := int64(1), int64(1)
	f.samples = 0
	for i := range n {
		h, v := int64(segment[6+3*i+1]>>4), int64(segment[6+3*i+1]&15)
		across, down = max(across, h), max(down, v)
		f.samples += h * v
	}
	f.block = across * down
}
