package files

import "sync"

// memory remembers contents by their hash, the newest up to a total size, so
// that a file that changed since it was read can be shown as a difference.
type memory struct {
	mu    sync.Mutex
	most  int
	total int
	texts map[string]string
	order []string // of arrival
}

func newMemory(most int) *memory { return &memory{most: most, texts: map[string]string{}} }

func (m *memory) put(hash, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.texts[hash]; ok || len(text) > m.most/4 {
		return
	}
	m.texts[hash] = text
	m.order = append(m.order, hash)
	m.total += len(text)
	for m.total > m.most {
		m.total -= len(m.texts[m.order[0]])
		delete(m.texts, m.order[0])
		m.order = m.order[1:]
	}
}

func (m *memory) get(hash string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, ok := m.texts[hash]
	return text, ok
}
