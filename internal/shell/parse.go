package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Errors of a script that is wholly unknown, besides those of its syntax.
var (
	// ErrTooLong is for a text longer than Options.MaxLength.
	ErrTooLong = errors.New("it is longer than can be checked")
	// ErrTooDeep is for commands in commands without end, or too many.
	ErrTooDeep = errors.New("it holds more commands in commands than can be checked")
	// ErrNul is for a text with a NUL, which shells read in different ways.
	ErrNul = errors.New("it holds a NUL character")
	// ErrBackslash is for a text that ends in a backslash.
	ErrBackslash = errors.New("it ends in a backslash, so that it is not complete")
	// ErrComment is for a comment that ends in a backslash: some readers take
	// the next line for a part of it, the shell does not.
	ErrComment = errors.New("it holds a comment that ends in a backslash, which readers of shell text understand in different ways")
	// ErrReturn is for a text with a carriage return: to the shell it is a
	// character like any other, so that a line does not end where it seems to.
	ErrReturn = errors.New("it holds a carriage return: write lines that end in a line feed alone")
)

const (
	defaultLength = 10_000
	mostLength    = 200_000 // beyond it not even a guess is made
	mostDepth     = 12
	mostNested    = 1_000 // brackets in brackets: the parser takes memory for each
	mostCommands  = 2_000
	mostWork      = 200_000
	stepWork      = 10 // what a statement costs, beside its words
)

// reader is the state of one Parse.
type reader struct {
	out *Script
	o   Options
	// src is the text that is being walked: the whole, or that of a wrapper.
	src   string
	vars  map[string]*variable
	names map[string]bool
	// stands are the texts that aliases stand for, and the programs that hash
	// gives a name.
	stands  map[string][]string
	sources map[*syntax.CallExpr]*syntax.Stmt
	// held are the commands whose output a variable holds.
	held map[string][]int
	// aliases are those that the script gives to git.
	aliases map[string]string
	// written are the files that the script wrote a known text to, calls what it
	// gives to functions and to set.
	written map[string]string
	calls   []called
	depth   int
	// worked counts the work of the whole Parse, that of copies of the reader
	// included.
	worked *int
	err    error
	// positional says that $1 and the like have values of the script's making,
	// wanders that a function changes the folder, quiet that nothing is kept.
	// globs that patterns match in another way than usual.
	positional, wanders, quiet, globs bool
	// inQuotes says that what is read stands in double quotes, matching that it
	// is a pattern for a text and not for names of files.
	inQuotes, matching bool
	// shifts says that the script changes how texts are compared or counted.
	shifts bool
	// bomb says that some static text would run a command if it were taken for
	// arithmetic.
	bomb bool
	// staged are the files that the script makes git keep.
	staged []staged
	// open are the descriptors that exec opened for reading.
	open map[string]stdin
	// copies are the programs that the script gave another name.
	copies map[string]string
	// loops are those whose turns are known.
	loops []turning
	// touched counts the files that are touched, also where none is noted.
	touched int
	// listens says that some process may read commands from a descriptor, pipes
	// that one may from a pipe with a name.
	listens, pipes bool
	// spills says that all output goes into a process; outs are the files that
	// exec opened for writing, by their descriptors.
	spills bool
	outs   map[string]string
	// reopened counts the times that exec changed the standard input.
	reopened int
	// loose are assignments that stand alone.
	loose []Assign
}

// Parse reads command text. It never fails: a text that cannot be read has
// Err and is wholly unknown. What can be guessed of it is listed all the same,
// for what looks for harm.
func Parse(src string, o Options) *Script {
	out := &Script{Source: src}
	most := o.MaxLength
	if most <= 0 {
		most = defaultLength
	}
	if len(src) > max(most, mostLength) {
		out.Err = ErrTooLong
		return out
	}
	worked := 0
	out.Commands = make([]Command, 0, 1+strings.Count(src, "\n")+len(src)/32)
	r := &reader{
		out: out, o: o, worked: &worked,
		vars: map[string]*variable{}, names: map[string]bool{}, stands: map[string][]string{}, held: map[string][]int{}, aliases: map[string]string{}, written: map[string]string{}, sources: map[*syntax.CallExpr]*syntax.Stmt{},
		open: map[string]stdin{}, copies: map[string]string{}, outs: map[string]string{},
	}
	sc := newScope()
	if err := r.script(src, &sc); err != nil {
		out.Err = err
		r.salvage(src, newScope())
	}
	switch {
	case !r.work(0):
		out.Err = r.err
	case len(src) > most:
		out.Err = ErrTooLong
	}
	if len(out.Commands) == 0 && len(r.loose) > 0 {
		c := Command{Assigns: r.loose}
		c.Text = assignText(r.loose)
		out.Commands = append(out.Commands, c)
	}
	return out
}

// script parses a text and walks it in a scope.
func (r *reader) script(src string, sc *scope) error {
	if r.depth >= mostDepth || len(src) > mostLength {
		r.err = ErrTooDeep
		return nil
	}
	switch {
	case strings.IndexByte(src, 0) >= 0:
		return ErrNul
	case strings.IndexByte(src, '\r') >= 0:
		return ErrReturn
	case nested(src) > mostNested:
		r.err = ErrTooDeep
		return nil
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return readError(err)
	}
	if bare := strings.TrimRight(src, "\\"); (len(src)-len(bare))%2 == 1 {
		return ErrBackslash
	}
	if hidesLine(src) {
		return ErrComment
	}
	if (r.o.Plain || plainShell(sc.wrapper)) && bashOnly(f) {
		return ErrDialect
	}
	*r.worked += len(src) / 5
	old := r.src
	r.src = src
	r.depth++
	r.collect(f)
	r.stmts(f.Stmts, sc)
	r.depth--
	r.src = old
	return nil
}

// nested is how many brackets stand in brackets at most, those in quotes counted
// as well. It is told before the text is parsed, for what the parser needs grows
// much faster than the text when brackets stay open.
func nested(src string) int {
	most, depth := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '{':
			if plain := (i == 0 || src[i-1] != '$') && i+1 < len(src) && strings.IndexByte(" \t\n", src[i+1]) < 0; plain {
				continue // a letter of a word
			}
			fallthrough
		case '(', '[':
			depth++
			most = max(most, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return most
}

func readError(err error) error {
	if syntax.IsIncomplete(err) {
		return errors.New("it is not complete")
	}
	var syn syntax.ParseError
	if errors.As(err, &syn) {
		return fmt.Errorf("line %d, column %d: %s", syn.Pos.Line(), syn.Pos.Col(), syn.Text)
	}
	var lang syntax.LangError
	if errors.As(err, &lang) {
		return fmt.Errorf("line %d, column %d: it is not written for this shell", lang.Pos.Line(), lang.Pos.Col())
	}
	return errors.New("it is not shell syntax")
}

// step counts a statement or what costs as much, and says whether the reader
// may go on.
func (r *reader) step() bool {
	if len(r.out.Commands) > mostCommands {
		r.err = ErrTooDeep
	}
	return r.work(stepWork)
}

// work counts parts of words, or what costs as much, and says whether the
// reader may go on. The count is shared with copies of the reader, so that what
// only a copy could not finish ends the whole.
func (r *reader) work(n int) bool {
	if *r.worked += n; *r.worked > mostWork {
		r.err = ErrTooDeep
	}
	return r.err == nil
}

// hidesLine says whether a comment may end in a backslash.
func hidesLine(src string) bool {
	for rest := src; ; {
		end := strings.Index(rest, "\\\n")
		if end < 0 {
			return false
		}
		line := rest[strings.LastIndexByte(rest[:end], '\n')+1 : end]
		for i := strings.IndexByte(line, '#'); i >= 0; {
			if i == 0 || strings.IndexByte(" \t;&|()<>`{}", line[i-1]) >= 0 {
				return true
			}
			next := strings.IndexByte(line[i+1:], '#')
			if next < 0 {
				break
			}
			i += 1 + next
		}
		rest = rest[end+2:]
	}
}
