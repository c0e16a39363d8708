package files

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
)

// Limits of images, because providers refuse what is beyond them and a
// conversation that holds such an image would be refused for ever: bytes once
// encoded for the wire, pixels of one side.
const (
	maxImage = 5 << 20
	maxSide  = 8000
)

// checkImage refuses an image that a provider would refuse, and describes one
// that is fine.
func checkImage(path, mime string, data []byte) (string, error) {
	kind := strings.ToUpper(strings.TrimPrefix(mime, "image/"))
	c, err := dimensions(mime, data)
	if err != nil {
		return "", fmt.Errorf("%s begins like a %s image but cannot be read as one: %w", path, kind, err)
	}
	note := fmt.Sprintf("%s image, %d×%d, %s", kind, c.Width, c.Height, size(len(data)))
	const hint = "make a smaller copy and read that"
	switch {
	case c.Width > maxSide || c.Height > maxSide:
		return "", fmt.Errorf("%s (%s) is over %d pixels on a side, which models refuse; %s", path, note, maxSide, hint)
	case base64.StdEncoding.EncodedLen(len(data)) > maxImage:
		return "", fmt.Errorf("%s (%s) is over 5 MB once encoded, which models refuse; %s", path, note, hint)
	}
	return note, nil
}

func dimensions(mime string, data []byte) (image.Config, error) {
	switch mime {
	case "image/png":
		return png.DecodeConfig(bytes.NewReader(data))
	case "image/jpeg":
		return jpeg.DecodeConfig(bytes.NewReader(data))
	case "image/gif":
		return gif.DecodeConfig(bytes.NewReader(data))
	default:
		return webp(data)
	}
}

var errWebP = errors.New("its header is damaged")

// webp reads the size from the first chunk of a WebP file, of which there are
// three kinds: lossy, lossless and extended.
func webp(data []byte) (image.Config, error) {
	if len(data) < 30 {
		return image.Config{}, errWebP
	}
	body := data[20:]
	le := binary.LittleEndian
	switch string(data[12:16]) {
	case "VP8 ":
		if body[3] != 0x9d || body[4] != 0x01 || body[5] != 0x2a {
			return image.Config{}, errWebP
		}
		return image.Config{Width: int(le.Uint16(body[6:]) & 0x3fff), Height: int(le.Uint16(body[8:]) & 0x3fff)}, nil
	case "VP8L":
		if body[0] != 0x2f {
			return image.Config{}, errWebP
		}
		bits := le.Uint32(body[1:])
		return image.Config{Width: int(bits&0x3fff) + 1, Height: int(bits>>14&0x3fff) + 1}, nil
	case "VP8X":
		side := func(b []byte) int { return (int(b[0]) | int(b[1])<<8 | int(b[2])<<16) + 1 }
		return image.Config{Width: side(body[4:]), Height: side(body[7:])}, nil
	default:
		return image.Config{}, errWebP
	}
}
