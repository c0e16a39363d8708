package app

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/amount"
	"assent/internal/event"
	"assent/internal/near"
)

// mostNear is how many models are named that an unknown one may stand for.
const mostNear = 3

// doubted is an id that no list of its provider's models has.
type doubted struct {
	id string
	// where says which list, near are those that may be meant.
	where string
	near  []string
	// firm says that the list is worth a second question: it is the vendor's, at
	// the vendor's own address. Any other server may take what it does not list.
	firm bool
}

// Error says which list lacks the model, and what is near.
func (d *doubted) Error() string {
	text := fmt.Sprintf("%q is not among %s", d.id, d.where)
	if len(d.near) > 0 {
		return text + "; near it: " + strings.Join(d.near, ", ")
	}
	return text + ", and none is near it; /models lists what the endpoint offers"
}

// reports keeps what a server said it offers.
func (m *models) reports(c choice, ids []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reported == nil {
		m.reported = map[route][]string{}
	}
	m.reported[route{c.preset.Name, c.baseURL, nil}] = ids
}

// doubt returns why a model is taken for one that does not exist; nil when it
// is known, or nothing is known of what there is. It asks no server.
func (m *models) doubt(c choice) *doubted {
	m.mu.Lock()
	reported := m.reported[route{c.preset.Name, c.baseURL, nil}]
	m.mu.Unlock()
	var listed []string
	if own := c.baseURL == c.preset.BaseURL; own {
		listed = m.catalogue.IDs(c.preset.Name)
	}
	all := slices.Concat(reported, listed)
	if len(all) == 0 || slices.Contains(all, c.model) || len(listed) > 0 && m.facts(c).Known {
		return nil
	}
	d := &doubted{id: c.model, firm: len(listed) > 0, near: alike(c.model, all)}
	switch {
	case len(reported) > 0:
		d.where = fmt.Sprintf("the %s that %s offers", amount.Of(len(reported), "model"), c.preset.Name)
	default:
		d.where = fmt.Sprintf("the %s that are known of %s", amount.Of(len(listed), "model"), c.preset.Name)
	}
	return d
}

// alike are the ids that a wrong one may stand for: those that hold it or are
// held by it, then those that differ least.
func alike(id string, all []string) []string {
	var found []string
	take := func(other string) {
		if len(found) < mostNear && !slices.Contains(found, other) {
			found = append(found, other)
		}
	}
	bare := strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	for _, other := range all {
		o := strings.ToLower(other)
		if len(bare) > 2 && (strings.Contains(o, bare) || strings.Contains(bare, o)) {
			take(other)
		}
	}
	for rest := slices.Clone(all); len(found) < mostNear; {
		other := near.Word(id, rest)
		if other == "" {
			break
		}
		take(other)
		rest = slices.DeleteFunc(rest, func(s string) bool { return s == other })
	}
	return found
}

// doubt refuses a model that was typed and that the vendor's list lacks, once:
// who says it again means it. One that another list lacks is only told of.
func (c *conversation) doubt(now, next choice) error {
	d := c.models.doubt(next)
	switch {
	case d == nil || next.model == now.model && next.preset.Name == now.preset.Name:
		return nil
	case !d.firm:
		c.tell(event.Notice{Text: d.Error() + ". It is used as it is."})
		return nil
	case c.insisted == [2]string{next.preset.Name, next.model}:
		return nil
	}
	c.insisted = [2]string{next.preset.Name, next.model}
	return fmt.Errorf("%w. /model %s again takes it all the same", d, next.model)
}
