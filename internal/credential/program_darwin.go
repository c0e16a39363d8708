package credential

// programIsRing says that the keyring is a program, which fails when it is
// locked.
const programIsRing = true
