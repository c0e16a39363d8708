package script

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"assent/internal/llm"
	"assent/internal/medium"
	"assent/internal/near"
)

// line is one response of a script.
type line struct {
	number    int
	Text      string  `json:"text"`
	Reasoning string  `json:"reasoning"`
	Calls     []call  `json:"calls"`
	Stop      string  `json:"stop"`
	Detail    string  `json:"detail"`
	DelayMs   int     `json:"delayMs"`
	ChunkMs   int     `json:"chunkMs"`
	Expect    texts   `json:"expect"`
	Match     string  `json:"match"`
	Usage     *usage  `json:"usage"`
	Cut       bool    `json:"cut"`
	Error     *broken `json:"error"`
}

type call struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
	Reasoning  int `json:"reasoning"`
}

type broken struct {
	Kind         llm.Kind `json:"kind"`
	Message      string   `json:"message"`
	Status       int      `json:"status"`
	Retryable    bool     `json:"retryable"`
	RetryAfterMs int      `json:"retryAfterMs"`
}

// texts is one text or a list of them.
type texts []string

// UnmarshalJSON reads either form.
func (t *texts) UnmarshalJSON(doc []byte) error {
	var one string
	if json.Unmarshal(doc, &one) == nil {
		*t = texts{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(doc, &many); err != nil {
		return fmt.Errorf("expect is a text or a list of texts")
	}
	*t = many
	return nil
}

const fields = "text, reasoning, calls, stop, detail, delayMs, chunkMs, expect, match, usage, cut, error"

// maxLine bounds one line of a script.
const maxLine = 64 << 20

// parse reads a script; an error names the script and the line.
func parse(name string, r io.Reader) ([]line, error) {
	var lines []line
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	for n := 1; sc.Scan(); n++ {
		text := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\xEF\xBB\xBF")))
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		l, err := parseLine(text)
		if err != nil {
			return nil, fmt.Errorf("read script %s: line %d: %w", name, n, err)
		}
		l.number = n
		lines = append(lines, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, plain(err))
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("read script %s: it holds no response; write one JSON object a line, for instance {\"text\": \"hello\"}", name)
	}
	return lines, nil
}

func parseLine(text []byte) (line, error) {
	if text[0] != '{' {
		return line{}, fmt.Errorf("want a JSON object with the fields %s", fields)
	}
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return line{}, faulty(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return line{}, fmt.Errorf("want one JSON object a line")
	}
	return l, l.check()
}

// faulty says what is wrong with a line, in the words of the format.
func faulty(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	field, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case unknown:
		return misnamed(strings.Trim(field, `"`))
	case errors.As(err, &kind):
		return fmt.Errorf("%s: want %s, got a %s", kind.Field, wanted(kind.Type), kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON object is not complete; write it on one line")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not valid JSON at character %d: %s", syntax.Offset, strings.TrimPrefix(syntax.Error(), "json: "))
	}
	return err
}

// misnamed says which fields there are, those of the object in which one is
// most like the word: the decoder does not tell in which it met it.
func misnamed(word string) error {
	groups := []struct{ of, names string }{
		{"a line", fields},
		{"a call", "id, name, input"},
		{"usage", "input, output, cacheRead, cacheWrite, reasoning"},
		{"error", "kind, message, status, retryable, retryAfterMs"},
	}
	var all []string
	for _, g := range groups {
		all = append(all, strings.Split(g.names, ", ")...)
	}
	meant := near.Word(word, all)
	for _, g := range groups {
		if meant != "" && slices.Contains(strings.Split(g.names, ", "), meant) {
			return fmt.Errorf("unknown field %q, did you mean %q? The fields of %s are %s", word, meant, g.of, g.names)
		}
	}
	return fmt.Errorf("unknown field %q; the fields are %s", word, fields)
}

// wanted names a type of the format.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}

// joined lists words.
func joined[W ~string](words []W) string {
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	return strings.Join(list, ", ")
}

// plain is why a script cannot be read, in words for people.
func plain(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MB", maxLine>>20)
	}
	return medium.Plain(err, "file")
}

// stops are the words of the field stop.
var stops = []llm.Stop{
	llm.StopEnd, llm.StopCalls, llm.StopLength, llm.StopRefusal, llm.StopFilter, llm.StopContext, llm.StopPause,
}

// kinds are the words of the field error.kind.
var kinds = []llm.Kind{
	llm.KindAuth, llm.KindRateLimit, llm.KindOverflow, llm.KindNetwork, llm.KindProvider, llm.KindPersistence, llm.KindInternal,
}

func (l *line) check() error {
	if l.Stop != "" && !slices.Contains(stops, llm.Stop(l.Stop)) {
		return fmt.Errorf("unknown stop %q; use one of: %s", l.Stop, joined(stops))
	}
	if l.DelayMs < 0 || l.ChunkMs < 0 {
		return fmt.Errorf("delayMs and chunkMs are milliseconds and cannot be below 0")
	}
	for i, c := range l.Calls {
		if c.Name == "" {
			return fmt.Errorf("calls[%d] has no name", i)
		}
	}
	if l.Error == nil {
		return nil
	}
	if l.Error.Kind == "" {
		l.Error.Kind = llm.KindProvider
	}
	if !slices.Contains(kinds, l.Error.Kind) {
		return fmt.Errorf("unknown error.kind %q; use one of: %s", l.Error.Kind, joined(kinds))
	}
	return nil
}

// input is the argument text of a call.
func (c call) input() string {
	var text string
	if len(c.Input) == 0 {
		return ""
	}
	if json.Unmarshal(c.Input, &text) == nil {
		return text
	}
	return string(c.Input)
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }
