package session

import (
	"maps"
	"slices"
)

// Tree is everything that a session's file holds. It is a value: appending to
// a log does not change a tree that was taken before.
type Tree struct {
	// ID is the id of the session.
	ID     string
	Header Header
	// Entries are the records in the order of the file, the header first.
	Entries []Entry
	index   map[string]int
	// blob reads an image beside the file, nil where there is none; faults are
	// the lines that were skipped.
	blob   func(name string) ([]byte, error)
	faults Faults
	// gaps are the places of lines that were there once and cannot be read:
	// how many entries come before each.
	gaps []int
}

// Branch is one path through a tree, from the root to a leaf.
type Branch struct {
	Entries []Entry
	// Blob reads an image beside the log; nil gives none.
	Blob func(name string) ([]byte, error)
	// Broken counts the places where a parent was missing and the order of the
	// file stood in for it.
	Broken int
	// lost are the entries, in their order, before which records may be
	// missing; the length of Entries stands for the end.
	lost []int
}

// Withdrawn holds the ids of the steers that were taken back before they
// entered the conversation.
func (b Branch) Withdrawn() map[string]bool {
	back := map[string]bool{}
	for _, e := range b.Entries {
		if w, ok := e.Record.(Withdrawn); ok {
			for _, id := range w.Steers {
				back[id] = true
			}
		}
	}
	return back
}

// expect makes room for a file of so many bytes of which some lines are known,
// so that a long one does not grow the tree again and again.
func (t *Tree) expect(size int64, b *batch) {
	good := 0
	for _, kind := range b.kinds {
		if kind == "" {
			good++
		}
	}
	if good == 0 || size <= int64(len(b.data)) {
		return
	}
	n := int(size / int64(len(b.data)/good+1))
	t.index, t.Entries = make(map[string]int, n), make([]Entry, 0, n+n/8)
}

// add puts an entry at the end; false means that its id was there before.
func (t *Tree) add(e Entry) bool {
	if _, there := t.index[e.ID]; there {
		return false
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[e.ID] = len(t.Entries)
	t.Entries = append(t.Entries, e)
	return true
}

func (t Tree) clone() Tree {
	t.index = maps.Clone(t.index)
	t.Entries = slices.Clip(t.Entries)
	return t
}

// Entry finds a record by its id.
func (t Tree) Entry(id string) (Entry, bool) {
	i, ok := t.index[id]
	if !ok {
		return Entry{}, false
	}
	return t.Entries[i], true
}

// Leaf is where a session goes on when it is opened: the newest record.
func (t Tree) Leaf() string {
	if len(t.Entries) == 0 {
		return ""
	}
	return t.Entries[len(t.Entries)-1].ID
}

// parent is the position of the record before entry i, -1 at the root. Where
// the parent is missing, or does not come earlier in the file, the record
// before it in the file stands in, so that one lost line does not hide what
// was said before it.
func (t Tree) parent(i int) (at int, broken bool) {
	id := t.Entries[i].Parent
	if i > 0 && id != "" && id == t.Entries[i-1].ID {
		return i - 1, false // as it nearly always is
	}
	if id == "" && i > 0 {
		if _, ok := t.Entries[0].Record.(Header); ok {
			return i - 1, true
		}
	}
	if id == "" {
		return -1, false
	}
	if p, ok := t.index[id]; ok && p < i {
		return p, false
	}
	return i - 1, true
}

// Branch gives the path from the root to a leaf; the empty id takes Leaf. An
// id that is not in the tree gives an empty branch.
func (t Tree) Branch(leaf string) Branch {
	if leaf == "" {
		leaf = t.Leaf()
	}
	i, ok := t.index[leaf]
	if !ok {
		return Branch{}
	}
	b := Branch{Blob: t.blob}
	length := 0
	for at := i; at >= 0; length++ {
		p, broken := t.parent(at)
		if broken {
			b.Broken++
		}
		at = p
	}
	b.Entries = make([]Entry, length)
	next, gaps := len(t.Entries), len(t.gaps) // the gaps from here on were seen
	for at := length; at >= 0; at-- {
		broken := false
		from := 0
		if at > 0 {
			b.Entries[at-1] = t.Entries[i]
			from = i
			i, broken = t.parent(i)
		}
		for ; gaps > 0 && t.gaps[gaps-1] > from; gaps-- {
			if t.gaps[gaps-1] <= next && (len(b.lost) == 0 || b.lost[len(b.lost)-1] != at) {
				b.lost = append(b.lost, at)
			}
		}
		if broken {
			b.lost = append(b.lost, at-1)
		}
		next = from
	}
	slices.Reverse(b.lost)
	return b
}

// Leaves lists the ends of all branches in the order of the file.
func (t Tree) Leaves() []string {
	inner := make([]bool, len(t.Entries))
	for i := range t.Entries {
		if p, _ := t.parent(i); p >= 0 {
			inner[p] = true
		}
	}
	var ids []string
	for i, e := range t.Entries {
		if !inner[i] {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Node is a prompt in the outline of a tree.
type Node struct {
	// ID is the record; Parent the record before it, where a new branch that
	// replaces this prompt begins.
	ID, Parent string
	// Text is the prompt.
	Text string
	// Label is the name it was given, or empty.
	Label string
	// Depth counts the prompts above it on its branch.
	Depth int
	// Active says that it lies on the branch of the leaf.
	Active bool
}

// Outline lists the prompts of all branches for people: each below the prompt
// that it follows, in the order of the file. The empty leaf takes Leaf.
func (t Tree) Outline(leaf string) []Node {
	active := map[string]bool{}
	for _, e := range t.Branch(leaf).Entries {
		active[e.ID] = true
	}
	labels := map[string]string{}
	above := make([]int, len(t.Entries)) // the prompt at or above each entry, -1: none
	children := map[int][]int{}
	for i, e := range t.Entries {
		above[i] = -1
		if p, _ := t.parent(i); p >= 0 {
			above[i] = above[p]
		}
		switch r := e.Record.(type) {
		case User:
			children[above[i]] = append(children[above[i]], i)
			above[i] = i
		case Label:
			labels[r.Target] = r.Label
		default:
		}
	}
	var nodes []Node
	type place struct{ at, depth int }
	stack := []place{}
	push := func(from, depth int) {
		for _, c := range slices.Backward(children[from]) {
			stack = append(stack, place{c, depth})
		}
	}
	push(-1, 0)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		e := t.Entries[p.at]
		nodes = append(nodes, Node{
			ID: e.ID, Parent: e.Parent, Text: e.Record.(User).Text,
			Label: labels[e.ID], Depth: p.depth, Active: active[e.ID],
		})
		push(p.at, p.depth+1)
	}
	return nodes
}
