package provider

// Facts is what is known of a model. Zero means unknown.
type Facts struct {
	// ContextWindow and MaxOutput are in tokens.
	ContextWindow, MaxOutput int
	// Thinking says that the model can think before it answers.
	Thinking bool
	// Efforts are the vendor's words for how hard it may think, least first;
	// empty when the model takes none, or none are known.
	Efforts []string
	// Images says that the model sees pictures.
	Images bool
	// Price is nil when it is not known.
	Price *Price
	// Known says that the catalogue or the user names the model; for any other
	// a false above means unknown, not no.
	Known bool
}

// Price is what tokens cost, in USD per million, by class.
type Price struct {
	Input, Output, CacheRead, CacheWrite float64
}
