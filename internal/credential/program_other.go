//go:build !darwin

package credential

// programIsRing is false: the only program that is run here would start the bus
// on which a keyring is to be found.
const programIsRing = false
