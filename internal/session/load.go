package session

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"assent/internal/crew"
	"assent/internal/jsonl"
	"assent/internal/whole"
)

// Faults are the lines of a file that could not be used.
type Faults struct {
	// List holds at most the first thousand, Count all.
	List  []jsonl.Fault
	Count int
}

// String says in one line what was skipped; empty when nothing was.
func (f Faults) String() string {
	if f.Count == 0 {
		return ""
	}
	var b strings.Builder
	noun := "lines"
	if f.Count == 1 {
		noun = "line"
	}
	fmt.Fprintf(&b, "%d damaged %s skipped, the rest was loaded: ", f.Count, noun)
	for i, fault := range f.List {
		if i == 5 {
			fmt.Fprintf(&b, "; and %d more", f.Count-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(fault.String())
	}
	return b.String()
}

// Load reads a session's file without locking it. Damage costs the damaged
// lines only; the error is one of the medium.
func Load(path string) (Tree, Faults, error) {
	f, err := whole.Open(path)
	if err != nil {
		return Tree{}, Faults{}, fmt.Errorf("load session: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Tree{}, Faults{}, fmt.Errorf("load session: %w", err)
	}
	_, id, _ := splitName(filepath.Base(path))
	t, faults, err := read(f, id, info.Size())
	if err != nil {
		return Tree{}, Faults{}, fmt.Errorf("load session %s: %w", path, err)
	}
	t.blob, t.faults = Artifacts{Dir: artifactsOf(path)}.Read, faults
	return t, faults, nil
}

// batch is a run of lines that one goroutine decodes.
type batch struct {
	lines   []jsonl.Line
	data    []byte
	entries []Entry
	kinds   []jsonl.Kind
	done    chan struct{}
}

// maxFaults bounds the list that is kept; the count goes on.
const maxFaults = 1000

// batchBytes is how much text a batch holds before it is handed on.
const batchBytes = 512 << 10

// read decodes a file of about size bytes, which is that of the session id
// (empty: of the one in its header), on all processors and joins the
// records in file order. Its goroutines end before it returns.
func read(r io.Reader, id string, size int64) (Tree, Faults, error) {
	s := jsonl.NewScanner(r)
	batches := 1 + size/batchBytes
	workers := min(runtime.GOMAXPROCS(0), 4, int(batches))
	room := int(min(size, batchBytes+batchBytes/4))
	work := make(chan *batch)
	order := make(chan *batch, 2*workers)
	var all crew.Group
	defer all.Wait() // with what one of them panicked with
	defer func() {
		for range order { // what is left when this breaks down
		}
	}()
	for range workers {
		all.Go(func() {
			defer func() {
				for b := range work { // one that breaks down holds nobody up
					close(b.done)
				}
			}()
			for b := range work {
				b.decoded()
			}
		})
	}
	all.Go(func() {
		defer close(order)
		defer close(work)
		for {
			b := fill(s, room)
			if len(b.lines) == 0 {
				return
			}
			order <- b
			work <- b
		}
	})
	t := Tree{ID: id}
	var bad Faults
	for b := range order {
		<-b.done
		if t.index == nil {
			t.expect(size, b)
		}
		t.take(b, &bad)
	}
	// The scanner is ours again: order is closed when its goroutine ends.
	bad.List = append(bad.List, s.Faults()...)
	bad.Count += s.FaultCount()
	slices.SortFunc(bad.List, func(a, b jsonl.Fault) int { return cmp.Compare(a.Offset, b.Offset) })
	return t, bad, s.Err()
}

// fill copies lines into a batch, for the scanner reuses its buffer.
func fill(s *jsonl.Scanner, room int) *batch {
	b := &batch{done: make(chan struct{}), data: make([]byte, 0, room)}
	var ends []int
	for len(b.data) < batchBytes {
		l, ok := s.Next()
		if !ok {
			break
		}
		b.data = append(b.data, l.Data...)
		ends = append(ends, len(b.data))
		b.lines = append(b.lines, l)
	}
	from := 0
	for i, end := range ends {
		b.lines[i].Data = b.data[from:end:end]
		from = end
	}
	return b
}

// decoded decodes the lines, and says so whatever comes of it.
func (b *batch) decoded() {
	defer close(b.done)
	b.decode()
}

func (b *batch) decode() {
	b.entries = make([]Entry, len(b.lines))
	b.kinds = make([]jsonl.Kind, len(b.lines))
	for i, l := range b.lines {
		b.entries[i], b.kinds[i] = decode(l.Data)
	}
}

// take adds a batch to the tree; the lines that it has to refuse are faults.
func (t *Tree) take(b *batch, bad *Faults) {
	for i, l := range b.lines {
		kind := b.kinds[i]
		if kind == "" {
			kind = t.accept(b.entries[i])
		}
		if kind == "" {
			continue
		}
		if n := len(t.Entries); l.Ended && (kind == jsonl.Malformed || kind == jsonl.Invalid) && (len(t.gaps) == 0 || t.gaps[len(t.gaps)-1] != n) {
			t.gaps = append(t.gaps, n) // a torn line was never acknowledged
		}
		if bad.Count++; len(bad.List) < maxFaults {
			bad.List = append(bad.List, l.Fault(kind))
		}
	}
}

// misnamed is a header with another id than the file is named after. The id of
// a session is a name of files, so the one that counts is that of its file; all
// else of the header does as well.
const misnamed jsonl.Kind = "only its id, which is another session's"

// accept adds an entry or says why not.
func (t *Tree) accept(e Entry) jsonl.Kind {
	if h, ok := e.Record.(Header); ok {
		if len(t.Entries) > 0 {
			return jsonl.Misplaced
		}
		t.Header = h
		if t.ID == "" {
			t.ID = e.ID
		}
		if t.ID != e.ID {
			t.add(e)
			return misnamed
		}
	}
	if !t.add(e) {
		return jsonl.Duplicate
	}
	return ""
}
