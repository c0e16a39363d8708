package app

import (
	"context"
	"fmt"
	"strconv"

	"assent/internal/config"
	"assent/internal/provider"
)

// modelRow is a model as `assent models --json` prints it.
type modelRow struct {
	ID            string   `json:"id"`
	Provider      string   `json:"provider"`
	ContextWindow int      `json:"contextWindow,omitempty"`
	MaxOutput     int      `json:"maxOutput,omitempty"`
	Thinking      bool     `json:"thinking"`
	Images        bool     `json:"images"`
	InputPrice    *float64 `json:"inputPrice,omitempty"`
	OutputPrice   *float64 `json:"outputPrice,omitempty"`
}

// Models prints the models that an endpoint reports.
func (a *App) Models(ctx context.Context, f Flags, args []string, asJSON bool) error {
	if len(args) > 0 {
		preset, err := provider.FindPreset(args[0])
		switch {
		case err != nil:
			return usagef("%s", config.Unknown("provider", args[0], Providers()))
		case preset.Wires[0] == provider.WireScript:
			return usagef("the provider %s plays a file and reports no models", args[0])
		}
		f.Provider = args[0]
	}
	l, err := a.load(f)
	if err != nil {
		return err
	}
	m, err := a.newModels(l)
	if err != nil {
		return err
	}
	if l.Model == "" {
		l.Model = anyModel
	}
	c, err := a.choose(ctx, l, m.catalogue)
	if err != nil {
		return err
	}
	lister, _, err := m.open(c)
	if err != nil {
		return err
	}
	if lister == nil {
		return usagef("the provider %s reports no models", c.preset.Name)
	}
	ids, err := lister.Models(ctx)
	if err != nil {
		return err
	}
	rows := make([]modelRow, 0, len(ids))
	for _, id := range ids {
		facts := m.catalogue.Lookup(c.preset.Name, id)
		r := modelRow{
			ID: id, Provider: c.preset.Name, ContextWindow: facts.ContextWindow, MaxOutput: facts.MaxOutput,
			Thinking: facts.Thinking, Images: facts.Images,
		}
		if facts.Price != nil {
			r.InputPrice, r.OutputPrice = &facts.Price.Input, &facts.Price.Output
		}
		rows = append(rows, r)
	}
	if asJSON {
		return a.json(rows)
	}
	out := [][]string{{"MODEL", "WINDOW", "THINKS", "SEES", "USD PER MILLION IN/OUT"}}
	for _, r := range rows {
		out = append(out, []string{r.ID, number(r.ContextWindow), yes(r.Thinking), yes(r.Images), prices(r)})
	}
	return a.table(out...)
}

// unknownCell stands for what the catalogue does not know of a model.
const unknownCell = "unknown"

func number(n int) string {
	if n == 0 {
		return unknownCell
	}
	return strconv.Itoa(n)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func prices(r modelRow) string {
	if r.InputPrice == nil || r.OutputPrice == nil {
		return unknownCell
	}
	return fmt.Sprintf("%g / %g", *r.InputPrice, *r.OutputPrice)
}
