package workspace

import "os"

// Handle opens a folder of a root, for a walk that reaches everything below it
// through this handle. It is meant for reading: what is written through it is
// not recorded for Undo. The caller closes it.
func (w *Workspace) Handle(p Path) (*os.Root, error) {
	dir, base, _, err := w.parent(p, p.Real, false)
	if err != nil {
		return nil, failed("open", p, err)
	}
	defer dir.close()
	if base == "." {
		h, err := dir.OpenRoot(".")
		if err != nil {
			return nil, failed("open", p, err)
		}
		return h, nil
	}
	h, _, err := enter(dir.Root, base, false)
	if err != nil {
		return nil, failed("open", p, err)
	}
	return h, nil
}
