package screen

// Early are the keys that came before the list that they are meant for. They
// are pressed when it is there.
type Early struct {
	// Enter says that what is under the cursor then is taken.
	Enter bool

	moves []string
}

// earlyMoves is how many moves of a cursor are kept.
const earlyMoves = 100

// add keeps a key; ok is false for one that is no choice in a list.
func (e Early) add(key string) (_ Early, ok bool) {
	if key == "enter" {
		e.Enter = true
		return e, true
	}
	if _, ok := moved(0, 0, key); !ok {
		return e, false
	}
	if len(e.moves) < earlyMoves && !e.Enter {
		e.moves = append(e.moves[:len(e.moves):len(e.moves)], key)
	}
	return e, true
}

// narrowed forgets the moves: a list that was narrowed since begins at its top.
func (e Early) narrowed() Early { return Early{Enter: e.Enter} }

// keys are the kept keys in their order.
func (e Early) keys() []string {
	if e.Enter {
		return append(e.moves[:len(e.moves):len(e.moves)], "enter")
	}
	return e.moves
}

// late presses the keys that came before the list of the open panel.
func (s State) late(e Early) (State, []Intent) {
	var intents []Intent
	for _, name := range e.keys() {
		var more []Intent
		switch p := s.Panel.(type) {
		case Picker:
			s, more = s.pressPicker(p, Key{Name: name})
		case Search:
			s, more = s.pressSearch(p, Key{Name: name})
		case Setup:
			s, more = s.pressSetup(p, Key{Name: name})
		case nil:
			return s, intents
		}
		intents = append(intents, more...)
	}
	return s, intents
}
