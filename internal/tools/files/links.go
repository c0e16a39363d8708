package files

import (
	"fmt"
	"io/fs"

	"assent/internal/workspace"
)

// unlinked is a symbolic link that a patch deletes or renames. What it leads to
// is a file of its own, which a patch may change, delete or rename as well.
type unlinked struct {
	name string
	path workspace.Path
	// to is its new name, and entry where that stands; empty when it is deleted.
	to, entry string
}

// unlink stages that a link is deleted.
func (s *stage) unlink(name string, p workspace.Path) error {
	if err := s.vacated(name, p); err != nil {
		return err
	}
	s.links = append(s.links, &unlinked{name: name, path: p})
	return nil
}

// relink stages that a link gets another name. It leads where it led before;
// nothing is replaced.
func (s *stage) relink(name string, p workspace.Path, to string) error {
	if err := s.vacated(name, p); err != nil {
		return err
	}
	at, err := s.hands.Resolve(to)
	if err != nil {
		return err
	}
	taken := at.Exists || at.Link || s.made(at) != nil
	for _, f := range s.files {
		taken = taken || f.real == at.Real && f.exists
	}
	if taken {
		return fmt.Errorf("%s is a link and is not renamed to %s: %w; delete that in a patch of its own", name, to, fs.ErrExist)
	}
	s.links = append(s.links, &unlinked{name: name, path: p, to: to, entry: at.Entry()})
	return nil
}

// vacated is the error for a name that was a link which the patch deletes or
// renames: it cannot become something else in the same patch.
func (s *stage) vacated(name string, p workspace.Path) error {
	for _, l := range s.links {
		if l.path.Entry() == p.Entry() {
			return fmt.Errorf("%s is deleted or renamed earlier in this patch; use its name in another patch", name)
		}
	}
	return nil
}

// made is the link that gets a name by this patch, nil for none.
func (s *stage) made(p workspace.Path) *unlinked {
	for _, l := range s.links {
		if l.to != "" && l.entry == p.Entry() {
			return l
		}
	}
	return nil
}

func remade(name string) error {
	return fmt.Errorf("%s gets its name earlier in this patch; delete or rename it in another patch", name)
}
