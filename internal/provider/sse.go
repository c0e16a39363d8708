package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Event is one server-sent event.
type Event struct {
	// Name is the event field; empty when the server sends none.
	Name string
	// Data is the data field, several lines joined by a newline. It is valid
	// until the next event is read.
	Data []byte
	// Whole says that the server answered with one JSON document instead of a
	// stream of events; Data is that document.
	Whole bool
}

// errTooLarge bounds what a server can make us hold.
var errTooLarge = errors.New("event too large")

// garbageError is a body that is no event stream and no JSON.
type garbageError struct {
	html bool
	text string
}

func (e *garbageError) Error() string { return fmt.Sprintf("not a model response: %q", e.text) }

// readEvents yields the events of a body until its end or a read error, which
// it yields last. Lines may be of any length up to max bytes an event and end
// in LF or CR LF. A body that is one JSON document is yielded as one whole
// event, a body that is neither as a *garbageError.
func readEvents(r io.Reader, max int) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		er := eventReader{br: bufio.NewReaderSize(r, 32<<10), max: max}
		if done, err := er.sniff(yield); done || err != nil {
			if err != nil {
				yield(Event{}, err)
			}
			return
		}
		for {
			line, err := er.line()
			if err != nil {
				er.end(err, yield)
				return
			}
			if len(line) > 0 {
				if err := er.field(line); err != nil {
					yield(Event{}, err)
					return
				}
				continue
			}
			if er.has {
				if !yield(er.take(), nil) {
					return
				}
			}
			er.reset()
		}
	}
}

// eventReader assembles events from lines; its buffers are reused.
type eventReader struct {
	br   *bufio.Reader
	max  int
	long []byte // a line that did not fit br
	data []byte
	name string
	has  bool
	seen bool // a known field was read: this is an event stream
	junk []byte
}

// sniff looks at the first bytes: a JSON document or a web page is no stream.
func (er *eventReader) sniff(yield func(Event, error) bool) (done bool, err error) {
	if bom, _ := er.br.Peek(1); len(bom) == 1 && bom[0] == 0xEF {
		if b, _ := er.br.Peek(3); bytes.Equal(b, []byte("\xEF\xBB\xBF")) {
			_, _ = er.br.Discard(3)
		}
	}
	var first byte
	for {
		b, err := er.br.Peek(1)
		if err != nil {
			return true, eofIsNil(err)
		}
		first = b[0]
		if first != ' ' && first != '\n' && first != '\r' && first != '\t' {
			break
		}
		_, _ = er.br.Discard(1)
	}
	switch first {
	case '{', '[':
		doc, err := io.ReadAll(io.LimitReader(er.br, int64(er.max)+1))
		if err != nil {
			return true, err
		}
		if len(doc) > er.max {
			return true, errTooLarge
		}
		if !json.Valid(doc) {
			return true, &garbageError{text: clip(string(doc), 120)}
		}
		yield(Event{Data: doc, Whole: true}, nil)
		return true, nil
	case '<':
		page, err := io.ReadAll(io.LimitReader(er.br, 4<<10))
		if err != nil {
			return true, err
		}
		return true, &garbageError{html: true, text: pageTitle(page)}
	}
	return false, nil
}

// line returns the next line without its end; it is valid until the next call.
func (er *eventReader) line() ([]byte, error) {
	line, err := er.br.ReadSlice('\n')
	if err == nil {
		return trimEOL(line), nil
	}
	er.long = append(er.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(er.long) > er.max {
			return nil, errTooLarge
		}
		line, err = er.br.ReadSlice('\n')
		er.long = append(er.long, line...)
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(er.long) == 0) {
		return nil, err
	}
	return trimEOL(er.long), nil // a last line without an end; EOF comes next
}

func trimEOL(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// field reads one line of an event.
func (er *eventReader) field(line []byte) error {
	key, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(key) {
	case "event":
		er.seen = true
		if er.name != string(value) {
			er.name = intern(value)
		}
	case "data":
		er.seen = true
		if er.has {
			er.data = append(er.data, '\n')
		}
		er.has = true
		er.data = append(er.data, value...)
		if len(er.data) > er.max {
			return errTooLarge
		}
	case "", "id", "retry": // a comment, or what a client that never reconnects ignores
		er.seen = true
	default:
		if len(er.junk) < 200 {
			er.junk = append(append(er.junk, line...), ' ')
		}
	}
	return nil
}

func (er *eventReader) take() Event { return Event{Name: er.name, Data: er.data} }

func (er *eventReader) reset() {
	er.data, er.has, er.name = er.data[:0], false, ""
}

// end handles the end of the body: an event without its closing blank line
// counts when it is whole.
func (er *eventReader) end(err error, yield func(Event, error) bool) {
	if !errors.Is(err, io.EOF) {
		yield(Event{}, err)
		return
	}
	if er.has && (json.Valid(er.data) || string(er.data) == "[DONE]") {
		yield(er.take(), nil)
		return
	}
	if !er.seen && len(er.junk) > 0 {
		yield(Event{}, &garbageError{text: clip(string(er.junk), 120)})
	}
}

// eofIsNil drops the plain end of a body.
func eofIsNil(err error) error {
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// intern returns names that occur all the time without a copy.
func intern(name []byte) string {
	switch string(name) {
	case "content_block_delta":
		return "content_block_delta"
	case "ping":
		return "ping"
	case "response.output_text.delta":
		return "response.output_text.delta"
	case "response.function_call_arguments.delta":
		return "response.function_call_arguments.delta"
	case "response.reasoning_summary_text.delta":
		return "response.reasoning_summary_text.delta"
	}
	return string(name)
}

// keepAlive tells an event that only keeps the connection open: one without
// data, or named so in its event field or its type.
func keepAlive(ev Event) bool {
	switch {
	case len(ev.Data) == 0:
		return true
	case ev.Name != "":
		return aliveWord(ev.Name)
	case ev.Whole || len(ev.Data) > 100:
		return false
	}
	alive := false
	err := Fields(ev.Data, func(name, value []byte) bool {
		if string(name) != "type" {
			return true
		}
		alive = aliveWord(Unquote(value))
		return false
	})
	return alive && err == nil
}

func aliveWord(word string) bool { return word == "ping" || word == "keepalive" || word == "heartbeat" }
