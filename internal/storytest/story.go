package storytest

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Story is a story as it was read.
type Story struct {
	// Name is the file's without its ending, Promise what it shows.
	Name, Promise string
	Acts          []Act
	// Work are the files of the workspace, Left those that must be there
	// afterwards.
	Work, Left map[string]string
	// Want are the other things that must be true.
	Want []Claim
	// Config is the user's config, Log the listing of the session's log.
	Config, Log string

	file     string
	archive  *txtar.Archive
	sections map[string]string
}

// Act is something that the user does.
type Act struct{ Verb, Text string }

// Claim is a line of want; an empty Front means all.
type Claim struct{ Verb, Front, Text string }

// acts are the verbs, and whether a text follows: 0 never, 1 maybe, 2 always.
var acts = map[string]int{
	"prompt": 2, "queue": 2, "steer": 2, "resume": 2, "until": 2, "touch": 2,
	"allow": 0, "always": 0, "project": 0, "deny": 1, "interrupt": 0, "cancel": 0,
}

// claims are the verbs of want.
var claims = []string{"shows", "hides", "keeps", "missing", "answer", "exit"}

// secret is a text in the shape of a key.
func secret() string { return "sk-" + "ant-" + "api03-" + strings.Repeat("kQ7xV2", 6) }

// Read reads a story; an error names the file and what is wrong in it.
func Read(file string) (Story, error) {
	s := Story{
		Name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: file,
		Work: map[string]string{}, Left: map[string]string{}, sections: map[string]string{},
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == "-- --" { // Parse breaks down on it
			return s, fmt.Errorf("story %s: a section has no name", s.Name)
		}
	}
	s.archive = txtar.Parse(text)
	s.Promise = strings.TrimSpace(string(s.archive.Comment))
	for _, f := range s.archive.Files {
		if err := s.section(f.Name, strings.ReplaceAll(string(f.Data), "{{SECRET}}", secret())); err != nil {
			return s, fmt.Errorf("story %s: section %s: %w", s.Name, f.Name, err)
		}
	}
	switch {
	case s.Promise == "":
		return s, fmt.Errorf("story %s: say what it promises, above the first section", s.Name)
	case len(s.Acts) == 0 || s.Acts[0].Verb != "prompt":
		return s, fmt.Errorf("story %s: the first act is a prompt", s.Name)
	}
	return s, nil
}

func (s *Story) section(name, text string) error {
	head, rest, below := strings.Cut(name, "/")
	kind, _, _ := strings.Cut(head, ".")
	switch {
	case below && head == "work":
		if plain, encoded := strings.CutSuffix(rest, ".base64"); encoded {
			data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
			s.Work[plain] = string(data)
			return err
		}
		s.Work[rest] = text
	case below && head == "want":
		s.Left[rest] = text
	case name == "acts":
		return s.readActs(text)
	case name == "want":
		return s.readWant(text)
	case name == "config.json":
		s.Config = text
	case name == "log":
		s.Log = text
	case slices.Contains([]string{"model", "flags", "not"}, kind):
		s.sections[name] = text
	default:
		return fmt.Errorf("there is no such section")
	}
	return nil
}

// lines are the lines of a section without empty ones and remarks.
func lines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			list = append(list, line)
		}
	}
	return list
}

func (s *Story) readActs(text string) error {
	for _, line := range lines(text) {
		verb, rest, _ := strings.Cut(line, " ")
		needs, ok := acts[verb]
		if !ok || needs == 0 && rest != "" || needs == 2 && rest == "" {
			return fmt.Errorf("no act: %q", line)
		}
		s.Acts = append(s.Acts, Act{verb, rest})
	}
	return nil
}

func (s *Story) readWant(text string) error {
	for _, line := range lines(text) {
		verb, rest, _ := strings.Cut(line, " ")
		verb, front, _ := strings.Cut(verb, ".")
		if !slices.Contains(claims, verb) || rest == "" {
			return fmt.Errorf("no claim: %q", line)
		}
		if _, err := strconv.Atoi(rest); verb == "exit" && err != nil {
			return fmt.Errorf("no exit code: %q", line)
		}
		s.Want = append(s.Want, Claim{verb, front, rest})
	}
	return nil
}

// Model is what the scripted model says to a front.
func (s Story) Model(front string) string {
	if own, ok := s.sections["model."+front]; ok {
		return own
	}
	return s.sections["model"]
}

// Flags are the arguments for a front.
func (s Story) Flags(front string) []string {
	return slices.Concat(lines(s.sections["flags"]), lines(s.sections["flags."+front]))
}

// Not is why a front does not tell the story, "" when it does.
func (s Story) Not(front string) string { return strings.TrimSpace(s.sections["not."+front]) }

// Turns is how many turns the acts begin.
func (s Story) Turns() int {
	n := 0
	for _, a := range s.Acts {
		if a.Verb == "prompt" || a.Verb == "queue" || a.Verb == "resume" {
			n++
		}
	}
	return n
}

// keep writes the listing of the log into the file.
func (s Story) keep(log string) error {
	at := slices.IndexFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == "log" })
	if at < 0 {
		s.archive.Files = append(s.archive.Files, txtar.File{Name: "log"})
		at = len(s.archive.Files) - 1
	}
	s.archive.Files[at].Data = []byte(log)
	return os.WriteFile(s.file, txtar.Format(s.archive), 0o644)
}
