package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	readBuffer = 256 << 10
	// keepLong is how much of the buffer for long lines is kept between lines.
	keepLong = 4 << 20
)

// Scanner reads lines forward. Blank lines are passed over silently.
type Scanner struct {
	faults
	r      *bufio.Reader
	long   []byte
	number int
	offset int64
	err    error
	done   bool
}

// NewScanner reads from the beginning of a file.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, readBuffer)}
}

// Next gives the next line. It is false at the end or when the medium failed,
// which Err tells apart.
func (s *Scanner) Next() (Line, bool) {
	for !s.done {
		start := s.offset
		data, size, ended := s.read()
		s.offset += size
		if !ended {
			s.done = true
			if size == 0 {
				break
			}
		}
		s.number++
		if data == nil {
			s.add(Fault{Line: s.number, Offset: start, Bytes: size, Kind: TooLong})
			continue
		}
		if line, ok := trim(data, start == 0); ok {
			return Line{Number: s.number, Offset: start, Data: line, Ended: ended}, true
		}
	}
	return Line{}, false
}

// Err is the error of the medium that ended the scan early, or nil.
func (s *Scanner) Err() error { return s.err }

// read gives the bytes up to and with the next line end. data is nil when the
// line is over MaxLine, size counts its bytes all the same.
func (s *Scanner) read() (data []byte, size int64, ended bool) {
	if cap(s.long) > keepLong {
		s.long = nil
	}
	s.long = s.long[:0]
	tooLong := false
	for {
		piece, err := s.r.ReadSlice('\n')
		size += int64(len(piece))
		if size > MaxLine+1 {
			tooLong = true
		}
		switch {
		case tooLong:
			s.long = s.long[:0]
		case err == nil && len(s.long) == 0:
			return piece, size, true
		default:
			s.long = append(s.long, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
		}
		if tooLong {
			return nil, size, err == nil
		}
		return s.long, size, err == nil
	}
}

// trim takes off the line end, the blanks around a line and, at the head of a
// file, a byte order mark; ok is false when nothing is left.
func trim(line []byte, head bool) (rest []byte, ok bool) {
	if head {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	line = bytes.Trim(line, " \t\r\n")
	return line, len(line) > 0
}
