package picture_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/picture"
)

func goOn() error { return nil }

// scene is a picture whose corners differ: red, green, blue, white from the
// upper left, row by row.
func scene(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := [2][2]color.RGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}}
			img.Set(x, y, c[2*y/h][2*x/w])
		}
	}
	return img
}

// noise is a picture that no encoding makes small.
func noise(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(img.Pix); i += 4 {
		binary.LittleEndian.PutUint32(img.Pix[i:], r.Uint32()|0xff<<24)
	}
	return img
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// turnedJPEG is a JPEG whose metadata says how it is turned.
func turnedJPEG(t testing.TB, img image.Image, turn byte) []byte {
	t.Helper()
	exif := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	exif[6+8+2+9] = turn
	head := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+2))...)
	return append(append(head, exif...), asJPEG(t, img)[2:]...)
}

func asGIF(t testing.TB, frames int, w, h int) []byte {
	t.Helper()
	var g gif.GIF
	for i := range frames {
		p := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White, color.RGBA{255, 0, 0, 255}})
		for j := range p.Pix {
			p.Pix[j] = uint8((i + 2) % 3)
		}
		g.Image, g.Delay = append(g.Image, p), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		data          []byte
		mime          string
		width, height int
		same, moving  bool
	}{
		{"fits", asPNG(t, scene(40, 30)), "image/png", 40, 30, true, false},
		{"at the limit", asPNG(t, scene(2000, 3)), "image/png", 2000, 3, true, false},
		{"one over the limit", asPNG(t, scene(2001, 3)), "image/png", 2000, 2, false, false},
		{"a screen", asPNG(t, scene(2560, 32)), "image/png", 2000, 25, false, false},
		{"four times too long", asPNG(t, scene(8000, 8)), "image/png", 2000, 2, false, false},
		{"a line", asPNG(t, scene(9000, 1)), "image/png", 2000, 1, false, false},
		{"a photograph", asJPEG(t, scene(2400, 48)), "image/jpeg", 2000, 40, false, false},
		{"deep colour", asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 2100, 4))), "image/png", 2000, 3, false, false},
		{"grey", asPNG(t, image.NewGray(image.Rect(0, 0, 2100, 4))), "image/png", 2000, 3, false, false},
		{"a still GIF", asGIF(t, 1, 30, 20), "image/png", 30, 20, false, false},
		{"a moving GIF", asGIF(t, 3, 30, 20), "image/png", 30, 20, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := picture.Fit(c.data, goOn)
			if err != nil {
				t.Fatal(err)
			}
			if p.MIME != c.mime || p.MIME != llm.ImageType(p.Data) || p.Width != c.width || p.Height != c.height {
				t.Errorf("%+v", p.Size)
			}
			if p.Changed() == c.same || bytes.Equal(p.Data, c.data) != c.same || p.Moving != c.moving {
				t.Errorf("changed: %v, moving: %v", p.Changed(), p.Moving)
			}
			if conf, _, err := image.DecodeConfig(bytes.NewReader(p.Data)); err != nil || conf.Width != p.Width || conf.Height != p.Height || p.Bytes != len(p.Data) {
				t.Errorf("says %+v, is %+v, %v", p.Size, conf, err)
			}
		})
	}
}

// EDIT-31: bytes count as much as pixels.
func TestFitBytes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data []byte
		mime string
	}{
		"PNG of noise": {asPNG(t, noise(1200, 1200)), "image/jpeg"},
		"metadata":     {append(turnedJPEG(t, scene(40, 20), 1), make([]byte, 4<<20)...), "image/jpeg"},
	} {
		p, err := picture.Fit(c.data, goOn)
		if err != nil {
			t.Fatal(name, err)
		}
		if n := base64.StdEncoding.EncodedLen(len(p.Data)); n > picture.MaxEncoded || p.MIME != c.mime || max(p.Width, p.Height) > picture.MaxSide {
			t.Errorf("%s became %+v, %d encoded", name, p.Size, n)
		}
	}
}

// corners names the colours of the corners, row by row.
func corners(t *testing.T, data []byte) string {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	var s strings.Builder
	for _, at := range []image.Point{{b.Dx() / 8, b.Dy() / 8}, {b.Dx() * 7 / 8, b.Dy() / 8}, {b.Dx() / 8, b.Dy() * 7 / 8}, {b.Dx() * 7 / 8, b.Dy() * 7 / 8}} {
		r, g, bl, _ := img.At(at.X, at.Y).RGBA()
		switch {
		case r > 0x8000 && g > 0x8000:
			s.WriteByte('w')
		case r > 0x8000:
			s.WriteByte('r')
		case g > 0x8000:
			s.WriteByte('g')
		case bl > 0x8000:
			s.WriteByte('b')
		}
	}
	return s.String()
}

// A copy has no metadata that would turn it, so it is turned itself. The table
// is that of the standard: what is stored, and where its first row and column
// belong.
func TestFitTurnsWhatItCopies(t *testing.T) {
	t.Parallel()
	for turn, want := range map[byte]string{
		0: "rgbw", 1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb", 9: "rgbw",
	} {
		p, err := picture.Fit(turnedJPEG(t, scene(2004, 40), turn), goOn)
		if err != nil {
			t.Fatal(err)
		}
		if got := corners(t, p.Data); got != want {
			t.Errorf("turned by %d it shows %s, want %s", turn, got, want)
		}
		if wide := turn < 5 || turn > 8; (p.Width == 2000) != wide {
			t.Errorf("turned by %d it is %d×%d", turn, p.Width, p.Height)
		}
	}
	small := turnedJPEG(t, scene(40, 20), 6)
	if p, err := picture.Fit(small, goOn); err != nil || !bytes.Equal(p.Data, small) {
		t.Errorf("what fits keeps its bytes and its metadata: %v", err)
	}
}

// claims is a PNG that claims a size and holds nothing.
func claims(t *testing.T, w, h uint32) []byte {
	t.Helper()
	data := asPNG(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestFitRefuses(t *testing.T) {
	t.Parallel()
	jpg := asJPEG(t, scene(2100, 16))
	scans := append(bytes.Clone(jpg[:len(jpg)-2]), bytes.Repeat([]byte{0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0}, 200)...)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"no image", []byte("hello"), "no PNG, JPEG, GIF or WebP image"},
		{"nothing", nil, "no PNG"},
		{"a bomb", claims(t, 60_000, 60_000), "60000×60000 pixels are too many"},
		{"a long bomb", claims(t, 1<<30, 3), "pixels are too many"},
		{"cut header", asPNG(t, scene(4, 4))[:20], "begins like a PNG image but cannot be read as one: its end is missing"},
		{"cut pixels", jpg[:len(jpg)/2], "begins like a JPEG image but cannot be read as one: its end is missing"},
		{"endless scans", scans, "goes over its pixels too often"},
	} {
		_, err := picture.Fit(c.data, goOn)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if large := (*picture.LargeError)(nil); errors.As(err, &large) != strings.Contains(c.want, "too many") {
			t.Errorf("%s: %T", c.name, err)
		}
	}
}

// FuzzFit holds the laws: nothing breaks, and what is returned fits.
func FuzzFit(f *testing.F) {
	f.Add(asPNG(f, scene(8, 8)))
	f.Add(asPNG(f, scene(2001, 2)))
	f.Add(turnedJPEG(f, scene(16, 8), 6))
	f.Add(asGIF(f, 2, 4, 4))
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x1f\x03\x00\x57\x02\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if conf, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && conf.Width*conf.Height > 1<<22 {
			t.Skip("true, and slow")
		}
		p, err := picture.Fit(data, goOn)
		if err != nil {
			return
		}
		if max(p.Width, p.Height) > picture.MaxSide || base64.StdEncoding.EncodedLen(len(p.Data)) > picture.MaxEncoded {
			t.Errorf("%+v does not fit", p.Size)
		}
		if p.MIME != llm.ImageType(p.Data) || p.MIME == "image/gif" || !p.Changed() && !bytes.Equal(p.Data, data) {
			t.Errorf("%+v from %+v", p.Size, p.From)
		}
	})
}
