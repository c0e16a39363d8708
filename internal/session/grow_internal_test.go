package session

import "bytes"

// Grow gives tests a tree without a file.
func Grow(t Tree, e Entry) Tree {
	t.accept(e)
	return t
}

// WithBlobs gives a tree images.
func WithBlobs(t Tree, blob func(string) ([]byte, error)) Tree {
	t.blob = blob
	return t
}

// Read gives tests a tree from the bytes of a file.
func Read(data []byte) (Tree, Faults, error) {
	return read(bytes.NewReader(data), "", int64(len(data)))
}
