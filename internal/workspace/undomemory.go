package workspace

import "slices"

// memory is what a journal leads to. Replaying is all that changes it, so that
// what is known now and what the next run reads are the same.
type memory struct {
	turns []*turn // oldest first
	// undone are the turns that Redo brings back, the next one last.
	undone []*turn
}

// turn is the memory of one turn.
type turn struct {
	id     string
	files  []*change
	undone bool
}

func (t *turn) find(path string) *change {
	for _, c := range t.files {
		if c.path == path {
			return c
		}
	}
	return nil
}

// change is what a turn did to one file, from before its first change to after
// its last.
type change struct {
	path          string
	before, after state
	made          []string // folders that were made for it, outermost first
}

// entries are a journal that leads to the memory as it is.
func (m *memory) entries() []entry {
	var list []entry
	for _, t := range m.turns {
		for _, c := range t.files {
			list = append(list, entry{Turn: t.id, Path: rawPath(c.path), Before: &c.before, After: c.after})
			if len(c.made) > 0 {
				list = append(list, entry{Turn: t.id, Path: rawPath(c.path), Made: rawPaths(c.made)})
			}
		}
	}
	for _, t := range m.undone {
		list = append(list, entry{Turn: t.id, Mark: markUndone})
	}
	return list
}

// replay takes one journal entry in. Lines before it may be lost: what needs
// them is left out, and no other turn is taken for the one that it names.
func (m *memory) replay(e entry) {
	if e.Mark != "" {
		m.mark(e)
		return
	}
	i := slices.IndexFunc(m.turns, func(t *turn) bool { return t.id == e.Turn && !t.undone })
	if i < 0 {
		if e.Settled {
			return
		}
		// A change after an undo: what was undone cannot be redone any more.
		m.turns = slices.DeleteFunc(m.turns, func(t *turn) bool { return t.undone })
		m.undone = nil
		if e.Before == nil {
			return
		}
		m.turns = append(m.turns, &turn{id: e.Turn})
		i = len(m.turns) - 1
	}
	t := m.turns[i]
	c := t.find(string(e.Path))
	switch {
	case len(e.Made) > 0:
		if c != nil {
			c.made = append(c.made, plainPaths(e.Made)...)
		}
	case c != nil:
		c.after = e.After
	case e.Before != nil:
		t.files = append(t.files, &change{path: string(e.Path), before: *e.Before, after: e.After})
	}
	if !e.Settled {
		return
	}
	t.files = slices.DeleteFunc(t.files, func(f *change) bool { return f == c && c.before.same(c.after) && len(c.made) == 0 })
	if len(t.files) == 0 {
		m.turns = slices.Delete(m.turns, i, i+1)
	}
}

// mark takes in what became of a whole turn.
func (m *memory) mark(e entry) {
	named := func(undone bool) func(*turn) bool {
		return func(t *turn) bool { return t.id == e.Turn && t.undone == undone }
	}
	switch e.Mark {
	case markUndone:
		if i := slices.IndexFunc(m.turns, named(false)); i >= 0 {
			m.turns[i].undone = true
			m.undone = append(m.undone, m.turns[i])
		}
	case markRedone:
		if i := slices.IndexFunc(m.undone, named(true)); i >= 0 {
			m.undone[i].undone = false
			m.undone = slices.Delete(m.undone, i, i+1)
		}
	case markForgotten:
		if i := slices.IndexFunc(m.turns, func(t *turn) bool { return t.id == e.Turn }); i >= 0 {
			m.turns = slices.Delete(m.turns, i, i+1)
			m.undone = slices.DeleteFunc(m.undone, func(t *turn) bool { return !slices.Contains(m.turns, t) })
		}
	}
}

// hashes are the contents that some turn still needs.
func (m *memory) hashes() map[string]bool {
	used := map[string]bool{}
	for _, t := range m.turns {
		for _, c := range t.files {
			used[c.before.Hash], used[c.after.Hash] = true, true
		}
	}
	return used
}
