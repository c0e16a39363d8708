package script

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assent/internal/llm"
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
		return nil, fmt.Errorf("read script %s: %w", name, err)
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
		if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return line{}, fmt.Errorf("unknown field %s; the fields are %s", field, fields)
		}
		return line{}, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return line{}, fmt.Errorf("want one JSON object a line")
	}
	return l, l.check()
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
		return fmt.Errorf("unknown stop %q; use one of %v", l.Stop, stops)
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
		return fmt.Errorf("unknown error.kind %q; use one of %v", l.Error.Kind, kinds)
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
