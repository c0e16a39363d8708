package screen

// Panel is what is open above the prompt and takes the keys before it.
//
//sumtype:decl
type Panel interface{ panel() }

// Picker lets the user choose from a list that narrows as they type.
type Picker struct {
	Kind  PickerKind
	Title string
	// Filter is what was typed to narrow it.
	Filter Line
	// Items are those that fit the filter, Cursor the one under it.
	Items  []Item
	Cursor int
	// Loading says that the list is still being asked for, Early what was
	// pressed before it came; Note is why there is none.
	Loading bool
	Early   Early
	Note    string

	all   []Item
	lower []string
}

// PickerKind is what a picker chooses.
type PickerKind int

// The kinds of pickers.
const (
	PickAgent PickerKind = iota
	PickLevel
	PickModel
	PickSession
	PickTheme
)

// Item is a line of a list: what it says, what is said of it, and what is
// taken when it is chosen.
type Item struct{ Label, Detail, Value string }

// Search looks for an earlier prompt.
type Search struct {
	Query Line
	// Found are the prompts that hold the query, newest first, Cursor the one
	// under it.
	Found   []string
	Cursor  int
	Loading bool
	// Early is what was pressed before there was anything found.
	Early Early

	all, lower []string
}

// Setup is the first run, and /provider: choose a provider, give its key,
// choose a model. What is typed as a key is never part of what can be drawn.
type Setup struct {
	Step SetupStep
	// First says that nothing can be asked before it is done.
	First bool
	// Items are the lines of the step's list, Cursor the one under it.
	Items  []Item
	Cursor int
	// Filter narrows the list.
	Filter Line
	// Provider is the chosen one. URL is its address while it is typed.
	Provider string
	URL      Line
	// KeyEnv names the variable that also gives the key; KeyLength is how many
	// characters were typed.
	KeyEnv    string
	KeyLength int
	// Loading says what is waited for, Early what was pressed before a list
	// came, Note what went wrong.
	Loading string
	Early   Early
	Note    string

	setup
}

// SetupStep is where the set-up stands.
type SetupStep int

// The steps of the set-up.
const (
	SetupProvider SetupStep = iota
	SetupURL
	SetupKey
	SetupModel
)

func (Picker) panel() {}
func (Search) panel() {}
func (Setup) panel()  {}

// Menu completes the word at the cursor. It is open when it has items.
type Menu struct {
	Kind MenuKind
	// Items are what fits, best first; Cursor is the one under it.
	Items   []Item
	Cursor  int
	Loading bool
	// Early is the key that waits for the items: tab or enter.
	Early string

	token token
	from  int   // where the completion begins
	shut  token // closed by the user; it stays so until the word is left
	quiet bool  // closed by a recalled text: until that is changed
}

// Open reports whether there is something to choose.
func (m Menu) Open() bool { return len(m.Items) > 0 }

// MenuKind is what a menu completes.
type MenuKind int

// The kinds of menus.
const (
	NoMenu       MenuKind = iota
	CommandMenu           // "/": commands
	ArgumentMenu          // what follows a command
	PathMenu              // "@": files and folders
	ContextMenu           // "#": what a word stands for
)
