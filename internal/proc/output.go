package proc

import (
	"bytes"
	"os"
	"sync"
	"time"
)

// stream tells the two streams of a command apart.
type stream int

const (
	streamOut stream = iota
	streamErr
)

// output drains both pipes of a command and keeps what they carry. Two readers
// hand chunks to one collector; the collector alone calls Out.
type output struct {
	tell   func([]byte)
	ends   [2]*os.File // read ends
	chunks chan chunk
	ended  chan struct{} // both readers have ended
	done   chan struct{} // the collector has ended

	held [2][]byte // of each stream, what waits for its rest; of the collector

	mu   sync.Mutex
	kept [2]*keeper // nil where the streams are kept as one
	all  *keeper
}

type chunk struct {
	from stream
	data []byte
}

// openOutput makes the pipes and returns their write ends, which the caller closes
// once the command has them.
func openOutput(s Spec) (*output, [2]*os.File, error) {
	o := &output{
		tell:   s.Out,
		chunks: make(chan chunk),
		ended:  make(chan struct{}),
		done:   make(chan struct{}),
		all:    newKeeper(s.MaxOutput),
	}
	if !s.Merged {
		o.kept = [2]*keeper{newKeeper(s.MaxOutput), newKeeper(s.MaxOutput)}
	}
	var w [2]*os.File
	for i := range w {
		var err error
		if o.ends[i], w[i], err = os.Pipe(); err != nil {
			for j := range i {
				closeAll(o.ends[j], w[j])
			}
			return nil, w, err
		}
	}
	return o, w, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // nothing was written through it that could be lost
		}
	}
}

// drain starts the readers and the collector. The standard output of a peer
// is left to who talks with it.
func (o *output) drain(peer bool) {
	var readers sync.WaitGroup
	for i, f := range o.ends {
		if peer && stream(i) == streamOut {
			continue
		}
		readers.Go(func() { o.read(stream(i), f) })
	}
	go func() {
		readers.Wait()
		close(o.ended)
		close(o.chunks)
	}()
	go func() {
		defer close(o.done)
		for c := range o.chunks {
			o.collect(c)
		}
		o.live(append(o.held[streamOut], o.held[streamErr]...))
	}()
}

// fill gives a result what was kept.
func (o *output) fill(r *Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r.Output, r.Truncated = o.all.bytes(), o.all.cut()
	if o.kept[streamOut] != nil {
		r.Stdout, r.Stderr = o.kept[streamOut].bytes(), o.kept[streamErr].bytes()
	}
}

// drop forgets what was kept.
func (o *output) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range []*keeper{o.all, o.kept[streamOut], o.kept[streamErr]} {
		if k != nil {
			k.drop()
		}
	}
}

func (o *output) read(from stream, f *os.File) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.Read(buf)
		if n > 0 {
			o.chunks <- chunk{from, append([]byte(nil), buf[:n]...)}
		}
		if err != nil {
			return
		}
	}
}

func (o *output) collect(c chunk) {
	o.mu.Lock()
	if k := o.kept[c.from]; k != nil {
		k.write(c.data)
	}
	o.all.write(c.data)
	o.mu.Unlock()
	if o.tell == nil {
		return
	}
	data := c.data
	if held := o.held[c.from]; len(held) > 0 {
		data = append(held, data...)
	}
	n := whole(data)
	o.held[c.from] = bytes.Clone(data[n:])
	o.live(data[:n])
}

func (o *output) live(b []byte) {
	if o.tell != nil && len(b) > 0 {
		o.tell(b)
	}
}

// finish takes what is in the pipes now, whoever may still hold their other
// ends, and ends the readers and the collector.
func (o *output) finish() {
	for _, f := range o.ends {
		// A reader that is busy finds what is buffered before it looks at the
		// deadline again; where a pipe knows no deadline, closing wakes it.
		if err := f.SetReadDeadline(time.Now().Add(lastRead)); err != nil {
			_ = f.Close()
		}
	}
	<-o.ended
	closeAll(o.ends[:]...)
	<-o.done
}
