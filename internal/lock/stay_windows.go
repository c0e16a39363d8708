package lock

// heldStay says that a file that is open cannot be removed.
const heldStay = true
