// Package history owns the prompts that a user typed in a project, for recall
// with the arrow keys: one JSONL file a project.
//
// It knows nothing of sessions or of what became of a prompt.
//
// Laws: several processes may add at once and lose nothing; a prompt that
// repeats the newest one is not added again; loading reads the end of the file
// only, so its cost does not grow with the file.
package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"assent/internal/jsonl"
	"assent/internal/whole"
)

// Most is how many prompts Load gives when it is not told.
const Most = 1000

// maxPrompt is the longest prompt in bytes that is kept: a paste of some
// thousand lines is. A longer one is data rather than something to recall.
const maxPrompt = 1 << 20

// maxRead bounds how much of the file a Load reads, pastes left out: of lines
// longer than a paste has the newest mostPastes count, and as many times maxRead
// of them are passed over, so that a few large ones hide no earlier prompt.
const (
	maxRead    = 16 << 20
	paste      = 64 << 10
	mostPastes = 8
)

// File is the history of one project. It is a value and holds nothing open.
type File struct {
	// Path is the file, history/<project>.jsonl.
	Path string
	// Redact masks secrets before a prompt is kept; nil masks nothing.
	Redact func(string) string
	// Now is the clock; nil takes the system's.
	Now func() time.Time
}

// entry is a line of the file.
type entry struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// Add keeps a prompt. Blank ones, those over 1 MiB and a repetition of the
// newest are passed over. It waits for other processes until ctx ends.
func (f File) Add(ctx context.Context, prompt string) error {
	prompt = strings.TrimRight(prompt, " \t\r\n")
	if f.Redact != nil {
		prompt = f.Redact(prompt)
	}
	if strings.TrimSpace(prompt) == "" || len(prompt) > maxPrompt {
		return nil
	}
	last, err := f.Load(1)
	if err != nil {
		return err
	}
	if len(last) == 1 && last[0] == prompt {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(entry{Time: f.now().UTC(), Text: prompt}); err != nil {
		return fmt.Errorf("keep prompt: %w", err)
	}
	if err := jsonl.Append(ctx, f.Path, bytes.TrimSpace(b.Bytes())); err != nil {
		return fmt.Errorf("keep prompt: %w", err)
	}
	return nil
}

func (f File) now() time.Time {
	if f.Now == nil {
		return time.Now()
	}
	return f.Now()
}

// Load gives the newest n prompts, the oldest of them first; 0 takes Most.
// Lines that cannot be read are passed over. A missing file is an empty
// history.
func (f File) Load(n int) ([]string, error) {
	if n == 0 {
		n = Most
	}
	file, err := whole.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load prompts: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("load prompts: %w", err)
	}
	var prompts []string
	t := jsonl.NewTail(file, info.Size())
	pastes, short := 0, 0
	for len(prompts) < n {
		line, ok := t.Next()
		if !ok || short > maxRead || info.Size()-line.Offset > mostPastes*maxRead {
			break
		}
		if len(line.Data) <= paste {
			short += len(line.Data)
		} else if pastes++; pastes > mostPastes {
			continue
		}
		var e entry
		if json.Unmarshal(line.Data, &e) != nil || strings.TrimSpace(e.Text) == "" {
			continue
		}
		// Two processes may have added the same at once.
		if k := len(prompts); k > 0 && prompts[k-1] == e.Text {
			continue
		}
		prompts = append(prompts, e.Text)
	}
	if t.Err() != nil {
		return nil, fmt.Errorf("load prompts: %w", t.Err())
	}
	slices.Reverse(prompts)
	return prompts, nil
}
