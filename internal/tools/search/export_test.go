package search

// WithoutRipgrep leaves ripgrep alone where it is installed.
func WithoutRipgrep(o Options) Options {
	o.alone = true
	return o
}
