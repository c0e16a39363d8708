// Package picture makes the bytes of an image fit what model servers take.
//
// It owns the limits of images, the reading of their headers, and the making
// of a smaller copy. It must never know a file, a tool or a provider: bytes go
// in, bytes and what was done to them come out.
//
// The flow of [Fit]:
//
//	sniff the kind ─ read the header ─ within the limits: the same bytes
//	                       │ no
//	                       └ too many pixels: refuse ─ decode ─ turn ─ shrink ─ encode
//
// Laws: an image within the limits keeps its bytes; whatever is returned is
// within them; a size that cannot be held in memory is refused from the header,
// before a pixel is decoded; what was done is said in the result, so that a
// model which counts pixels knows that they were scaled.
package picture
