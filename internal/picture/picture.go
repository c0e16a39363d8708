package picture

import (
	"encoding/base64"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"strings"

	"assent/internal/llm"
)

// The limits. Every server takes images within them, also when a request
// carries many, for which some take less than for one.
const (
	// MaxSide is the longest side, in pixels.
	MaxSide = 2000
	// MaxEncoded is the size in bytes once encoded as base64 for the wire.
	MaxEncoded = 5 << 20
	// MaxPixels is how many pixels an image may have to be decoded at all, and
	// MaxMemory how many bytes the decoder may hold for it at once. A form that
	// takes more bytes a pixel may have fewer of them: a photograph that comes
	// in ever finer passes takes up to fifteen, where a screenshot takes four.
	MaxPixels = 64 << 20
	MaxMemory = 256 << 20
)

// ErrKind says that bytes are no image of a kind that models see.
var ErrKind = errors.New("no PNG, JPEG, GIF or WebP image")

// maxScans is how often a JPEG may go over its pixels, and maxWork how many
// pixels that may be in all. A hostile one does so for minutes; the usual goes
// over them about ten times.
const (
	maxScans = 100
	maxWork  = 512 << 20
)

var errScans = errors.New("it goes over its pixels too often")

// LargeError is an image of more pixels than are decoded: at most Most of its
// form.
type LargeError struct{ Width, Height, Most int }

// Error names the size and the limit.
func (e *LargeError) Error() string {
	return fmt.Sprintf("%d×%d pixels are too many to scale down (at most %d million); make a smaller copy and use that", e.Width, e.Height, e.Most>>20)
}

// Size is what is said of an image before and after.
type Size struct {
	// MIME is the type by the first bytes.
	MIME          string
	Width, Height int
	Bytes         int
}

// Kind is the type for people: PNG, JPEG, GIF, WebP.
func (s Size) Kind() string {
	if s.MIME == "image/webp" {
		return "WebP"
	}
	return strings.ToUpper(strings.TrimPrefix(s.MIME, "image/"))
}

// Picture is an image that fits.
type Picture struct {
	// Data are its bytes; those given, when it fitted.
	Data []byte
	Size
	// From is what was given; equal to Size when nothing was done.
	From Size
	// Moving says that From is an animation; a changed one is its first frame.
	Moving bool
}

// Changed reports whether a copy was made.
func (p Picture) Changed() bool { return p.Size != p.From }

// Fits returns an image that is within the limits as it is, and false for any
// other. It decodes no pixel.
func Fits(data []byte) (Picture, bool) {
	h, err := readHeader(data)
	if err != nil {
		return Picture{}, false
	}
	return h.asIs(data)
}

// Stop is asked now and then whether to go on; its error ends the work.
type Stop func() error

// Fit returns the image within the limits. A GIF becomes a PNG of its first
// frame, since some servers take no GIF and others none that moves; a JPEG that
// is turned by its metadata is turned in the copy. The error is ErrKind, a
// *LargeError, that of stop, or says what is damaged. It may hold MaxMemory
// and half as much again; who runs several at once has to have that.
func Fit(data []byte, stop Stop) (Picture, error) {
	h, err := readHeader(data)
	if err != nil {
		return Picture{}, err
	}
	p, ok := h.asIs(data)
	if ok {
		return p, nil
	}
	if h.Width > MaxPixels/h.Height {
		return Picture{}, &LargeError{h.Width, h.Height, MaxPixels}
	}
	if n := h.memory(data); n > MaxMemory {
		return Picture{}, &LargeError{h.Width, h.Height, int(int64(h.Width*h.Height) * MaxMemory / n)}
	}
	if h.scans > maxScans || h.work() > maxWork {
		return Picture{}, damaged(h.Size, errScans)
	}
	img, err := decode(stop, h, data)
	if why := stop(); why != nil {
		return Picture{}, why
	}
	if err != nil {
		return Picture{}, damaged(h.Size, err)
	}
	return shrink(stop, p, img)
}

// asIs is the image with what it is, and whether it can stay so.
func (h header) asIs(data []byte) (Picture, bool) {
	p := Picture{Data: data, Size: h.Size, From: h.Size, Moving: h.moving}
	return p, fits(p) && h.MIME != "image/gif"
}

// fits reports whether an image is within the limits as it is.
func fits(p Picture) bool {
	return p.Width <= MaxSide && p.Height <= MaxSide && base64.StdEncoding.EncodedLen(len(p.Data)) <= MaxEncoded
}

// damaged says that an image cannot be read, without the words of a library.
func damaged(s Size, err error) error {
	why := "it is damaged"
	var form jpeg.UnsupportedError
	var shape png.UnsupportedError
	switch text := err.Error(); {
	case errors.Is(err, errScans):
		why = text
	case errors.As(err, &form), errors.As(err, &shape):
		why = "its form is not known here"
	case strings.Contains(text, "EOF"), strings.Contains(text, "short Huffman data"), strings.Contains(text, "not enough"):
		why = "its end is missing"
	}
	return fmt.Errorf("it begins like a %s image but cannot be read as one: %s; save it anew and use that", s.Kind(), why)
}

// kind is the type of bytes, an error for those of no image.
func kind(data []byte) (string, error) {
	if mime := llm.ImageType(data); mime != "" {
		return mime, nil
	}
	return "", ErrKind
}
