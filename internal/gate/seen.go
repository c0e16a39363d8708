package gate

import "sync"

// seen remembers, for each conversation, what content of a file its model last
// read or wrote. Staleness is judged by content, never by time stamps.
type seen struct {
	mu sync.Mutex
	by map[string]map[string]string // conversation → real path → hash
}

func (s *seen) get(who, file string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash, ok := s.by[who][file]
	return hash, ok
}

func (s *seen) mark(who, file string, data []byte) {
	s.put(who, file, Hash(data))
}

func (s *seen) put(who, file, hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(who, file, hash)
}

func (s *seen) set(who, file, hash string) {
	if s.by == nil {
		s.by = map[string]map[string]string{}
	}
	if s.by[who] == nil {
		s.by[who] = map[string]string{}
	}
	s.by[who][file] = hash
}

func (s *seen) move(who, from, to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hash, ok := s.by[who][from]; ok {
		delete(s.by[who], from)
		s.set(who, to, hash)
	}
}

func (s *seen) forget(who, file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by[who], file)
}
