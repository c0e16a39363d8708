package gate

import "assent/internal/workspace"

// Kept is what a change took the place of, until the change is final; see
// workspace.Kept. It works when the hands that made it have ended as well: what
// they began comes to an end, or back.
type Kept struct {
	h    Hands
	real string
	kept *workspace.Kept // nil when the change was only tried
	hash string          // that this conversation knew of the file
	seen bool
}

// SetAside takes a file or link that was planned to be written away from its
// name, as Remove does, until Drop; Restore takes it back.
func (h Hands) SetAside(name string) (Kept, error) {
	p, err := h.writable(name)
	if err != nil {
		return Kept{}, err
	}
	if h.s.tries() {
		return Kept{}, h.s.gate.options.Workspace.TryRemove(p)
	}
	k, err := h.s.gate.options.Workspace.SetAside(p)
	if err != nil {
		return Kept{}, err
	}
	who := h.s.request.conversation()
	hash, ok := h.s.gate.seen.get(who, p.Real)
	if !p.Link { // what a link leads to stays
		h.s.gate.seen.forget(who, p.Real)
	}
	return Kept{h: h, real: p.Real, kept: k, hash: hash, seen: ok}, nil
}

// Keep holds the file of a planned name, so that Restore takes back a Write
// without parting it from its other names.
func (h Hands) Keep(name string) (Kept, error) {
	p, err := h.writable(name)
	if err != nil || h.s.trial {
		return Kept{}, err
	}
	k, err := h.s.gate.options.Workspace.Keep(p)
	if err != nil {
		return Kept{}, err
	}
	hash, ok := h.s.gate.seen.get(h.s.request.conversation(), p.Real)
	return Kept{h: h, real: p.Real, kept: k, hash: hash, seen: ok}, nil
}

// Restore brings back what was kept.
func (k Kept) Restore() error {
	if k.kept == nil {
		return nil
	}
	if err := k.kept.Restore(); err != nil {
		return err
	}
	if k.seen {
		k.h.s.gate.seen.put(k.h.s.request.conversation(), k.real, k.hash)
	}
	return nil
}

// Drop gives up what was kept.
func (k Kept) Drop() error {
	if k.kept == nil {
		return nil
	}
	return k.kept.Drop()
}

// Vacancy is a place where nothing was before a change, until the change is
// final. It works when the hands that made it have ended, as Kept does; the zero
// value does nothing.
type Vacancy struct {
	h     Hands
	real  string
	place workspace.Vacancy
}

// Vacant keeps that nothing is where a planned name leads: Restore removes the
// file that the call puts there, through a link or not, and the folders that
// were made for it.
func (h Hands) Vacant(name string) (Vacancy, error) {
	p, err := h.writable(name)
	if err != nil || h.s.trial {
		return Vacancy{}, err
	}
	return Vacancy{h: h, real: p.Real, place: h.s.gate.options.Workspace.Vacancy(p)}, nil
}

// Unmake removes the folders that the place lacked, as far as they are empty.
func (v Vacancy) Unmake() { v.place.Unmake() }

// Restore takes away what this conversation put in the place. A file that others
// put there, or changed, stays: the error is workspace.ErrMeanwhile.
func (v Vacancy) Restore() error {
	if v.h.s == nil {
		return nil
	}
	seen, who := &v.h.s.gate.seen, v.h.s.request.conversation()
	hash, wrote := seen.get(who, v.real)
	err := v.place.Clear(func(data []byte) bool { return wrote && hash == Hash(data) })
	if err == nil {
		seen.forget(who, v.real)
	}
	return err
}
