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
//	                       └ too many pixels, too much memory or work: refuse
//	                         else decode ─ scale ─ turn ─ encode, smaller until it fits
//
// Laws: an image within the limits keeps its bytes; whatever is returned is
// within them; what its decoder would need too much memory or time for is
// refused from the header, by its form, before a pixel is decoded; the work ends
// soon after it is told to stop; what was done is said in the result, so that a
// model which counts pixels knows that they were scaled.
package picture
