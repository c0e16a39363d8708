package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"strings"
	"testing"

	"assent/internal/picture"
)

// claimsJPEG is a JPEG that claims a frame and holds nothing: the marker of its
// kind, and how often each component is sampled in a block.
func claimsJPEG(marker byte, w, h int, components ...byte) []byte {
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(components))}
	for i, sampled := range components {
		frame = append(frame, byte(i+1), sampled, 0)
	}
	data := append([]byte{0xff, 0xd8, 0xff, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(frame)+2))...)
	return append(append(data, frame...), scan...)
}

// scan is the header of a pass that is not there.
var scan = []byte{0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0}

// interlaced makes a PNG claim that it comes in passes.
func interlaced(data []byte) []byte {
	data = bytes.Clone(data)
	data[28] = 1
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// What a decoder holds depends on the form as much as on the pixels, and one
// file of a repository must not take the memory of a machine.
func TestFitRefusesWhatTakesTooMuchMemory(t *testing.T) {
	t.Parallel()
	const base, progressive = 0xc0, 0xc2
	for _, c := range []struct {
		name  string
		data  []byte
		large bool
		most  string
	}{
		{"baseline, 48 million", claimsJPEG(base, 8000, 6000, 0x22, 0x11, 0x11), false, ""},
		{"progressive, 48 million", claimsJPEG(progressive, 8000, 6000, 0x22, 0x11, 0x11), true, "at most 34 million"},
		{"progressive, 24 million", claimsJPEG(progressive, 6000, 4000, 0x22, 0x11, 0x11), false, ""},
		{"progressive in full colour, 24 million", claimsJPEG(progressive, 6000, 4000, 0x11, 0x11, 0x11), true, "at most 17 million"},
		{"progressive in grey, 48 million", claimsJPEG(progressive, 8000, 6000, 0x22), false, ""},
		{"four inks, 48 million", claimsJPEG(base, 8000, 6000, 0x11, 0x11, 0x11, 0x11), true, "at most 32 million"},
		{"PNG, 48 million", claims(t, 8000, 6000), false, ""},
		{"PNG in passes, 48 million", interlaced(claims(t, 8000, 6000)), true, "at most 32 million"},
	} {
		_, err := picture.Fit(c.data, goOn)
		if err == nil {
			t.Fatalf("%s: it was read", c.name)
		}
		if large := (*picture.LargeError)(nil); errors.As(err, &large) != c.large || !strings.Contains(err.Error(), c.most) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Many passes over many pixels take minutes; over few they do not.
func TestFitRefusesWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	large := append(claimsJPEG(0xc2, 6000, 4000, 0x22, 0x11, 0x11), bytes.Repeat(scan, 60)...)
	if _, err := picture.Fit(large, goOn); err == nil || !strings.Contains(err.Error(), "goes over its pixels too often") {
		t.Errorf("%v", err)
	}
	few := append(claimsJPEG(0xc2, 2400, 1600, 0x22, 0x11, 0x11), bytes.Repeat(scan, 60)...)
	if _, err := picture.Fit(few, goOn); err == nil || strings.Contains(err.Error(), "too often") {
		t.Errorf("%v", err)
	}
}

// Whoever gives up is not kept waiting, wherever the work is.
func TestFitStops(t *testing.T) {
	t.Parallel()
	given := errors.New("given up")
	for name, data := range map[string][]byte{
		"decoding": asPNG(t, noise(2001, 60)), "scaling": asPNG(t, image.NewGray(image.Rect(0, 0, 4100, 300))),
	} {
		asked := 0
		if _, err := picture.Fit(data, func() error { asked++; return nil }); err != nil || asked < 20 {
			t.Fatalf("%s: asked %d times, %v", name, asked, err)
		}
		for _, at := range []int{1, asked / 2, asked} {
			n := 0
			_, err := picture.Fit(data, func() error {
				if n++; n >= at {
					return given
				}
				return nil
			})
			if !errors.Is(err, given) || n > at+1 {
				t.Errorf("%s: told to stop at %d of %d it ended at %d with %v", name, at, asked, n, err)
			}
		}
	}
}

// An image that fits is told without decoding it.
func TestFits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data []byte
		fits bool
	}{
		"small": {asPNG(t, scene(40, 30)), true}, "wide": {asPNG(t, scene(2001, 3)), false},
		"no pixels": {claims(t, 100, 100), true}, "GIF": {asGIF(t, 1, 3, 3), false}, "text": {[]byte("hello"), false},
	} {
		if p, ok := picture.Fits(c.data); ok != c.fits || ok && (p.Changed() || !bytes.Equal(p.Data, c.data)) {
			t.Errorf("%s: %v, %+v", name, ok, p.Size)
		}
	}
}
