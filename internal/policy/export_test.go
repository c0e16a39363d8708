package policy

// WithoutSecrets turns the layer of secret files off.
func WithoutSecrets(r Rules) Rules {
	r.open = true
	return r
}
