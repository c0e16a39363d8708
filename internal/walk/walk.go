package walk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"assent/internal/crew"
	"assent/internal/ignore"
)

// Options says what a walk shows. The zero value shows every file.
type Options struct {
	// Rules are the ignore rules that hold in the root without its own files,
	// see Rules; nil ignores nothing. The root's own and those of the folders
	// below are read on the way.
	Rules *ignore.Folder
	// Skip is asked about each entry that is not ignored; what it skips is not
	// shown, a folder not entered. It is called from several goroutines.
	Skip func(rel string, typ fs.FileMode) bool
	// Dirs shows folders too, before what they hold.
	Dirs bool
	// Depth is how many levels below the root are shown; 0 is all.
	Depth int
	// Workers is how many goroutines walk; 0 is one for each processor.
	Workers int
}

// Counts tells what a walk did not show by itself.
type Counts struct {
	// Ignored counts what the ignore rules hide, a folder once. Unreadable
	// counts folders that could not be opened or listed.
	Ignored, Unreadable int
}

// Entry is a file or folder of a walk. It may be used until fn returns.
type Entry struct {
	// Rel is the path relative to the root, slash separated; Name its last
	// part.
	Rel, Name string
	// Type holds the type bits; a link is not followed.
	Type fs.FileMode

	in *folder
}

// Info tells size and time of the entry itself, not of what a link leads to.
func (e Entry) Info() (size int64, modified time.Time, err error) { return e.in.stat(e.Name) }

// ErrTooLarge says that a file is over the limit of a read.
var ErrTooLarge = errors.New("the file is too large")

// ErrNotRegular says that what was to be read is not a regular file.
var ErrNotRegular = errors.New("not a regular file")

// Read reads a regular file of at most so many bytes into buf, or into a larger
// buffer where that is too small, and returns what holds the content.
func (e Entry) Read(buf []byte, most int64) ([]byte, error) {
	if !e.Type.IsRegular() {
		return nil, ErrNotRegular
	}
	return e.in.read(e.Name, buf, most)
}

// Walk shows what lies below an open folder. Fn may be called by several
// goroutines at once. It may return fs.SkipDir for a folder, and fs.SkipAll to
// end the walk; any other error ends it and is returned. When the context ends
// the walk does, with the context's error.
func Walk(ctx context.Context, root *os.Root, o Options, fn func(Entry) error) (Counts, error) {
	top, err := openTop(root)
	if err != nil {
		return Counts{}, err
	}
	w := &walk{ctx: ctx, o: o, fn: fn}
	w.wake = sync.NewCond(&w.mu)
	w.push(work{open: &place{folder: top, depth: 1}})
	n := o.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	ended := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		defer close(ended)
		w.stop(ctx.Err())
	})
	w.all(n, func() {
		if !unhook() {
			<-ended
		}
	})
	if errors.Is(w.err, fs.SkipAll) {
		w.err = nil
	}
	return Counts{int(w.ignored.Load()), int(w.unreadable.Load())}, w.err
}

// all lets so many work, to the end, and then closes what is left. A panic,
// which is mostly fn's, ends the walk and goes on to its caller.
func (w *walk) all(n int, unhook func()) {
	defer func() {
		unhook()
		for _, left := range w.stack {
			left.close()
		}
	}()
	var workers crew.Group
	for range n {
		workers.Go(func() {
			ended := false
			defer func() {
				if !ended {
					w.stop(fs.SkipAll)
				}
			}()
			w.work()
			ended = true
		})
	}
	workers.Wait()
}

type walk struct {
	ctx                 context.Context
	o                   Options
	fn                  func(Entry) error
	ignored, unreadable atomic.Int64
	stopped             atomic.Bool

	mu    sync.Mutex
	wake  *sync.Cond
	stack []work
	busy  int
	err   error
}

// place is a folder of the walk. Its handle is closed when nobody needs it.
type place struct {
	*folder        // nil until it is opened
	above   *place // whose handle opens this one; nil for the root
	name    string
	rel     string
	rules   *ignore.Folder // that hold in it, once it was opened
	depth   int            // of its entries
	// users are the work that waits for it and the folders below that are not
	// open yet.
	users atomic.Int32
}

// work is a folder to open, or a batch of entries to show.
type work struct {
	open    *place
	batch   *place
	entries []Entry
}

func (k work) close() {
	if k.open != nil {
		k.open.release()
	}
	if k.batch != nil {
		k.batch.release()
	}
}

// release ends one use of a place. The place that was not opened yet holds the
// one above.
func (p *place) release() {
	if p.users.Add(-1) > 0 {
		return
	}
	if p.folder != nil {
		p.close()
	} else if p.above != nil {
		p.above.release()
	}
}

func (w *walk) push(list ...work) {
	for _, k := range list {
		if k.open != nil {
			k.open.users.Add(1)
		}
		if k.batch != nil {
			k.batch.users.Add(1)
		}
	}
	w.mu.Lock()
	w.stack = append(w.stack, list...)
	w.mu.Unlock()
	w.wake.Broadcast()
}

func (w *walk) stop(err error) {
	w.mu.Lock()
	if w.err == nil {
		w.err = err
	}
	w.stopped.Store(true)
	w.mu.Unlock()
	w.wake.Broadcast()
}

// work takes from the stack until nothing is left and nobody can add to it.
func (w *walk) work() {
	for {
		w.mu.Lock()
		for len(w.stack) == 0 && w.busy > 0 && !w.stopped.Load() {
			w.wake.Wait()
		}
		if len(w.stack) == 0 || w.stopped.Load() {
			w.mu.Unlock()
			w.wake.Broadcast()
			return
		}
		k := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.busy++
		w.mu.Unlock()

		if k.open != nil {
			w.open(k.open)
		} else {
			w.show(k.entries)
		}
		k.close()

		w.mu.Lock()
		w.busy--
		w.mu.Unlock()
	}
}

// batch is how many entries of a large folder one worker takes at a time.
const batch = 256

// open opens and lists a folder and shows or hands on what is in it.
func (w *walk) open(p *place) {
	if p.folder == nil {
		f, err := p.above.enter(p.name)
		if err != nil {
			w.unreadable.Add(1)
			return
		}
		p.folder = f
		p.above.release()
	}
	list, err := p.list()
	if err != nil {
		if p.above == nil {
			w.stop(err)
			return
		}
		w.unreadable.Add(1) // what was listed before counts
	}
	if w.o.Rules != nil {
		w.enter(p, list)
	}
	var files []Entry
	var below []work
	for _, e := range list {
		if w.stopped.Load() {
			break
		}
		if next := w.sort(p, e, &files); next != nil {
			p.users.Add(1) // until next is opened
			below = append(below, work{open: next})
		}
	}
	for len(files) > batch {
		below = append(below, work{batch: p, entries: files[:batch]})
		files = files[batch:]
	}
	if len(below) > 0 {
		w.push(below...)
	}
	w.show(files)
}

// enter reads the ignore files of a folder.
func (w *walk) enter(p *place, list []fs.DirEntry) {
	var git, own []byte
	for _, e := range list {
		if !e.Type().IsRegular() {
			continue // a link in its place is not followed, as in git
		}
		switch e.Name() {
		case ignore.GitFile:
			git, _ = p.read(e.Name(), nil, mostRules) // unreadable is no rules
		case ignore.OwnFile:
			own, _ = p.read(e.Name(), nil, mostRules)
		}
	}
	if p.above == nil {
		p.rules = w.o.Rules.Enter("", git, own)
	} else {
		p.rules = p.above.rules.Enter(p.name, git, own)
	}
}

// mostRules is the largest ignore file that is read.
const mostRules = 4 << 20

// sort decides about one entry: a folder to enter is returned, a file to show
// is added to files.
func (w *walk) sort(p *place, e fs.DirEntry, files *[]Entry) *place {
	name, dir := e.Name(), e.IsDir()
	if name == ".git" {
		return nil
	}
	rel := name
	if p.rel != "" {
		rel = p.rel + "/" + name
	}
	deeper := dir && (w.o.Depth == 0 || p.depth < w.o.Depth)
	shown := true
	if w.o.Rules != nil && p.rules.Ignored(name, dir) {
		w.ignored.Add(1)
		if !deeper || !p.rules.Leads(name) {
			return nil
		}
		shown = false // entered only for what is re-included below
	}
	if w.o.Skip != nil && w.o.Skip(rel, e.Type()) {
		return nil
	}
	entry := Entry{Rel: rel, Name: name, Type: e.Type(), in: p.folder}
	if !dir {
		*files = append(*files, entry)
		return nil
	}
	if shown && w.o.Dirs {
		switch err := w.fn(entry); {
		case errors.Is(err, fs.SkipDir):
			return nil
		case err != nil:
			w.stop(err)
			return nil
		}
	}
	if !deeper {
		return nil
	}
	return &place{above: p, name: name, rel: rel, depth: p.depth + 1}
}

func (w *walk) show(list []Entry) {
	for _, e := range list {
		if w.stopped.Load() {
			return
		}
		if err := w.fn(e); err != nil && !errors.Is(err, fs.SkipDir) {
			w.stop(err)
			return
		}
	}
}
