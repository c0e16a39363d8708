package policy

// Never says that no call of a tool can pass: the last rules about it deny
// whatever it would touch. Such a tool is not offered to a model. When in
// doubt it says no; a call is decided on its own anyway.
func (r Rules) Never(tool string) bool {
	never := false
	for i := range r.list {
		c := &r.list[i]
		switch {
		case !c.key.Match(tool):
		case c.Verdict != Deny:
			never = false
		case c.Pattern == "" || c.any:
			never = true
		}
	}
	return never
}
