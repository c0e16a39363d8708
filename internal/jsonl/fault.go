package jsonl

import "fmt"

// MaxLine is the longest line in bytes that a scan hands out; a longer one is
// skipped as a fault.
const MaxLine = 64 << 20

// maxFaults bounds the list of a scan; FaultCount goes on counting.
const maxFaults = 1000

// Kind says what is wrong with a line.
type Kind string

// Kinds of fault. Scans find Torn and TooLong; the others are what a reader of
// records finds in a line, see Line.Fault.
const (
	Torn      Kind = "torn"       // the last line ends in the middle
	TooLong   Kind = "too long"   // over MaxLine
	Malformed Kind = "malformed"  // not a JSON object
	Invalid   Kind = "invalid"    // JSON, but not the fields that its type needs
	Duplicate Kind = "duplicate"  // an id that was there before
	Misplaced Kind = "misplaced"  // a first line somewhere else, or none
	Unread    Kind = "unreadable" // the medium gave an error
)

// Fault is a line that could not be used. It never holds content.
type Fault struct {
	// Line counts from 1; 0 in a scan from the tail.
	Line int
	// Offset is where the line begins and Bytes its length without line end.
	Offset, Bytes int64
	Kind          Kind
}

// String gives the fault in one line.
func (f Fault) String() string {
	if f.Line == 0 {
		return fmt.Sprintf("line at byte %d (%d bytes): %s", f.Offset, f.Bytes, f.Kind)
	}
	return fmt.Sprintf("line %d (%d bytes): %s", f.Line, f.Bytes, f.Kind)
}

// Line is one line of a file, without its line end.
type Line struct {
	// Number counts from 1; 0 in a scan from the tail.
	Number int
	// Offset is where the line begins in the file.
	Offset int64
	// Data is valid until the next line is asked for.
	Data []byte
	// Ended says that a line end followed; false only for the last line.
	Ended bool
}

// faults is the bounded list that both scanners keep.
type faults struct {
	list  []Fault
	count int
}

func (f *faults) add(fault Fault) {
	f.count++
	if len(f.list) < maxFaults {
		f.list = append(f.list, fault)
	}
}

// Fault is the fault of a line whose content cannot be used. For a last line
// without line end the kind becomes Torn.
func (l Line) Fault(k Kind) Fault {
	if !l.Ended {
		k = Torn
	}
	return Fault{Line: l.Number, Offset: l.Offset, Bytes: int64(len(l.Data)), Kind: k}
}

// Faults lists what was skipped, at most the first thousand.
func (f *faults) Faults() []Fault { return f.list }

// FaultCount is how many lines were skipped.
func (f *faults) FaultCount() int { return f.count }
