package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"assent/internal/config"
	"assent/internal/medium"
)

// ConfigPath prints where the user's config file is.
func (a *App) ConfigPath(asJSON bool) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	if asJSON {
		return a.json(map[string]string{"config": p.File(), "data": p.Data, "state": p.State})
	}
	_, err = fmt.Fprintln(a.env.Out, p.File())
	return err
}

// setting is a field as `config show` prints it.
type setting struct {
	Field  string `json:"field"`
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// ConfigShow prints every field that is set, its value and where it came from.
func (a *App) ConfigShow(f Flags, asJSON bool) error {
	l, err := a.load(f)
	if err != nil {
		return err
	}
	list := []setting{}
	for _, d := range config.Docs() {
		value, ok := shown(l.Config, d.Name)
		if !ok {
			continue
		}
		source := l.Source[d.Name]
		if source == "" {
			source = "default"
		}
		list = append(list, setting{d.Name, value, source})
	}
	if asJSON {
		return a.json(struct {
			Settings []setting `json:"settings"`
			Held     []string  `json:"held"`
			Idle     []string  `json:"idle"`
		}{list, append([]string{}, l.Held...), append([]string{}, l.Idle...)})
	}
	rows := [][]string{{"FIELD", "VALUE", "SOURCE"}}
	for _, s := range list {
		if s.Field == "permission" { // each rule has a place of its own
			for _, r := range l.Permission {
				rows = append(rows, []string{s.Field, clip(r.String()+" "+r.Verdict, 60), cmp.Or(r.Source, s.Source)})
			}
			continue
		}
		rows = append(rows, []string{s.Field, clip(cell(s.Value), 60), s.Source})
	}
	if err := a.table(rows...); err != nil {
		return err
	}
	// They are sentences, and would make every row of the table as wide.
	for _, h := range l.Held {
		if _, err := fmt.Fprintln(a.env.Out, "held: "+printable(h)); err != nil {
			return err
		}
	}
	for _, note := range l.Idle {
		if _, err := fmt.Fprintln(a.env.Out, "no effect: "+printable(note)); err != nil {
			return err
		}
	}
	return nil
}

// shown is the value of a field, masked where it holds a secret; ok is false when
// there is nothing to show.
func shown(c config.Config, field string) (value any, ok bool) {
	rules := make([]string, len(c.Permission))
	for i, r := range c.Permission {
		rules[i] = r.String() + " " + r.Verdict
	}
	values := map[string]any{
		"provider": c.Provider, "model": c.Model, "baseUrl": c.BaseURL, "agent": c.Agent, "thinking": c.Thinking,
		"subagentModel": c.SubagentModel, "registryUrl": c.RegistryURL, "theme": c.Theme, "proxy": c.Proxy, "caFile": c.CAFile,
		"credential": cmp.Or(c.CredentialLine, strings.Join(c.Credential, " ")), "permission": strings.Join(rules, "; "),
		"toolSets": strings.Join(c.ToolSets, ", "), "readOnly": strings.Join(c.ReadOnly, "; "), "trust": strings.Join(c.Trust, ", "),
	}
	switch field {
	case "apiKey":
		return config.Mask(c.APIKey), c.APIKey != ""
	case "maxSteps":
		return c.Steps(0), c.Steps(0) != 0
	case "maxCostUsd":
		return c.MaxCostUSD, c.MaxCostUSD != 0
	case "toolSets":
		return values[field], c.ToolSets != nil
	}
	if v, known := values[field]; known {
		if text, ok := v.(string); ok {
			v = config.Shown(field, text)
		}
		return v, v != ""
	}
	if c.Source[field] != "" {
		return held(c, field), true
	}
	return nil, false
}

// held is the value of a field that is no word and no list of words.
func held(c config.Config, field string) any {
	raw := func(list ...config.Raw) any {
		var all []json.RawMessage
		for _, r := range list {
			all = append(all, r.JSON)
		}
		if len(all) == 1 {
			return all[0]
		}
		return all
	}
	values := map[string]any{
		"guards": c.Guards, "plugins": c.Plugins, "models": c.Models, "retry": c.Retry, "shell": c.Shell, "sessions": c.Sessions, "hooks": raw(c.Hooks...),
		"ask": raw(c.Ask), "notifications": raw(c.Notifications), "keymaps": raw(c.Keymaps),
	}
	if v, known := values[field]; known {
		return v
	}
	return "set" // what it holds may be secret, or is shown as permission
}

// cell is a value in a row.
func cell(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// ConfigGet prints one field of the user's file, a text as it is or as JSON.
func (a *App) ConfigGet(field string, asJSON bool) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	path, err := known(field)
	if err != nil {
		return err
	}
	value, ok, err := config.Get(p.File(), path)
	if err != nil {
		return &UsageError{err}
	}
	if !ok {
		return fmt.Errorf("%s is not set in %s", field, p.File())
	}
	var text string
	if !asJSON && json.Unmarshal([]byte(value), &text) == nil {
		value = Plain(text)
	}
	_, err = fmt.Fprintln(a.env.Out, value)
	return err
}

// ConfigUnset removes one field of the user's file and keeps the rest.
func (a *App) ConfigUnset(ctx context.Context, field string) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	path, err := known(field)
	if err != nil {
		return err
	}
	there, err := config.Unset(ctx, p.File(), path)
	if err != nil {
		return &UsageError{err}
	}
	if !there {
		_, err = fmt.Fprintf(a.env.Out, "%s is not set in %s\n", field, p.File())
	}
	return err
}

// ConfigSet sets one field of the user's file and keeps the rest.
func (a *App) ConfigSet(ctx context.Context, field, value string) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	path, err := known(field)
	if err != nil {
		return err
	}
	err = config.Set(ctx, p.File(), path, value, a.words())
	var faults config.Faults
	if errors.As(err, &faults) {
		return &UsageError{fmt.Errorf("nothing was changed: %w", faults)}
	}
	return err
}

// known is the path of a field; one that does not exist is refused, with the
// nearest that does.
func known(field string) ([]string, error) {
	path, err := config.ParsePath(field)
	if err != nil {
		return nil, &UsageError{err}
	}
	name := path[0]
	var names []string
	for _, d := range config.Docs() {
		names = append(names, d.Name)
		if d.Name == name {
			return path, nil
		}
	}
	if strings.HasPrefix(name, "x-") || name == "$schema" {
		return path, nil
	}
	return nil, &UsageError{unknownWord("field", name, names)}
}

// ConfigCheck lists every fault of the user's and the project's file, or of
// one file.
func (a *App) ConfigCheck(dir string, files []string, asJSON bool) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	project := ""
	if len(files) == 0 {
		r, err := root(dir)
		if err != nil {
			return err
		}
		project = config.ProjectFile(r)
		files = []string{p.File(), project}
	} else if _, err := os.Stat(files[0]); err != nil {
		return usagef("check the config %s: %w", files[0], medium.Plain(err, "file or folder"))
	}
	faults := config.Faults{}
	for _, f := range files {
		found, idle, err := config.Check(f, f == project, a.words())
		if err != nil {
			return &UsageError{err}
		}
		for _, note := range idle {
			if _, err := fmt.Fprintln(a.env.Err, printable(note)); err != nil {
				return err
			}
		}
		faults = append(faults, found...)
	}
	if asJSON {
		if err := a.json(faultRows(faults)); err != nil {
			return err
		}
	} else if len(faults) == 0 {
		_, err := fmt.Fprintln(a.env.Out, "no faults")
		return err
	}
	if len(faults) > 0 {
		return &UsageError{faults}
	}
	return nil
}

// faultRow is a fault as JSON.
type faultRow struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

func faultRows(faults config.Faults) []faultRow {
	rows := make([]faultRow, len(faults))
	for i, f := range faults {
		rows[i] = faultRow(f)
	}
	return rows
}

// ConfigSchema prints the JSON Schema of the file.
func (a *App) ConfigSchema() error {
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	_, err = a.env.Out.Write(schema)
	return err
}
