package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// header is what is known of an image before a pixel of it is decoded.
type header struct {
	Size
	// moving is an animation, deep one with more than eight bits a channel.
	moving, deep bool
	// turn is the orientation of a JPEG's metadata, 1 to 8; 1 is upright.
	turn int
	// scans is how often a JPEG goes over its pixels, frame what it says of them.
	scans int
	frame frame
}

func readHeader(data []byte) (header, error) {
	mime, err := kind(data)
	if err != nil {
		return header{}, err
	}
	h := header{Size: Size{MIME: mime, Bytes: len(data)}, turn: 1}
	var c image.Config
	switch mime {
	case "image/png":
		c, err = png.DecodeConfig(bytes.NewReader(data))
	case "image/jpeg":
		c, err = jpeg.DecodeConfig(bytes.NewReader(data))
		h.turn, h.frame = segments(data)
		h.scans = bytes.Count(data, []byte{0xff, 0xda})
	case "image/gif":
		c, err = gif.DecodeConfig(bytes.NewReader(data))
		h.moving = movingGIF(data)
	default:
		c, err = webp.DecodeConfig(bytes.NewReader(data))
		h.moving = len(data) > 20 && string(data[12:16]) == "VP8X" && data[20]&2 != 0
	}
	if err == nil && (c.Width < 1 || c.Height < 1) {
		err = errors.New("it has no pixels")
	}
	if err != nil {
		return header{}, damaged(h.Size, err)
	}
	h.Width, h.Height = c.Width, c.Height
	h.deep = c.ColorModel == color.NRGBA64Model || c.ColorModel == color.RGBA64Model || c.ColorModel == color.Gray16Model
	return h, nil
}

// movingGIF reports whether a GIF holds a second frame. It walks over the
// blocks and decodes nothing.
func movingGIF(data []byte) bool {
	if len(data) < 13 {
		return false
	}
	at, frames := 13+colours(data[10]), 0
	for at < len(data) {
		switch data[at] {
		case 0x21: // an extension: its label, then pieces
			at += 2
		case 0x2c: // a frame
			if frames++; frames > 1 {
				return true
			}
			if at+9 >= len(data) {
				return false
			}
			at += 11 + colours(data[at+9]) // with the code size
		default:
			return false
		}
		for at < len(data) && data[at] != 0 {
			at += 1 + int(data[at])
		}
		at++
	}
	return false
}

// colours is the length of a colour table by its flags.
func colours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// turned reads the tag of orientation in a TIFF header.
func turned(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if b[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return 1
	}
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == 0x0112 {
			if n := int(order.Uint16(entries[8:])); n >= 1 && n <= 8 {
				return n
			}
			break
		}
		entries = entries[12:]
	}
	return 1
}
