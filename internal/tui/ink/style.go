package ink

// Color is how much a terminal can show.
type Color uint8

// Colour levels, from none to all. Plain prints no escape at all and draws
// with ASCII only; Mono has bold and underline but no colour (NO_COLOR).
const (
	Plain Color = iota
	Mono
	ANSI16
	ANSI256
	TrueColor
)

// Theme says which background the colours must stand on.
type Theme uint8

// Themes.
const (
	Dark Theme = iota
	Light
)

// Style is the terminal as drawing sees it. The zero value draws plain text
// for 80 columns and 24 rows.
type Style struct {
	// Width and Height are the terminal's, in cells; 0 means 80 and 24.
	Width, Height int
	Theme         Theme
	Color         Color
	// Links says that the terminal understands hyperlinks (OSC 8).
	Links bool
}

// Cols is the width to which lines are wrapped: one less than the terminal's,
// because a line of exactly its width loses its last cell to an erase.
func (s Style) Cols() int {
	if s.Width <= 0 {
		return 79
	}
	return max(1, s.Width-1)
}

// Rows is the number of rows that a frame may take: one less than the
// terminal's, because a frame that fills it wipes what is above.
func (s Style) Rows() int {
	if s.Height <= 0 {
		return 23
	}
	return max(1, s.Height-1)
}

// Narrow returns the style for a part of a line: n cells less.
func (s Style) Narrow(n int) Style {
	s.Width = max(2, s.Cols()+1-n)
	return s
}

// Pick returns the glyph that the terminal can show: plain ones get ASCII.
func (s Style) Pick(glyph, ascii string) string {
	if s.Color == Plain {
		return ascii
	}
	return glyph
}

// Role is what a piece of text is for; the theme gives it its colour.
type Role uint8

// Roles.
const (
	Text    Role = iota // the terminal's own colour
	Dim                 // what may be overlooked
	Accent              // marks, headings, what is chosen
	Code                // inline code, paths
	Link                // what can be opened
	Good                // it worked, it is allowed
	Warn                // look here
	Bad                 // it failed, it is refused
	Add                 // an added line of a diff
	Del                 // a removed line
	AddMark             // the changed part of an added line
	DelMark             // the changed part of a removed line
	Keyword             // of code
	String
	Number
	Comment
	Func
	TypeName
	roles // their number
)

// Attr is a set of attributes.
type Attr uint8

// Attributes.
const (
	Bold Attr = 1 << iota
	Italic
	Underline
	Strike
	Faint
)

// Look is how a span is drawn.
type Look struct {
	Role Role
	Attr Attr
}

// With adds attributes to a look.
func (l Look) With(a Attr) Look { l.Attr |= a; return l }

// Span is a piece of text of one look. Its text is clean: see Clean.
type Span struct {
	Text string
	Look Look
	// Link is the address that the text opens, empty for none.
	Link string
}

// Line is what stands on one row.
type Line []Span

// S is a span of one role.
func S(text string, role Role) Span { return Span{Text: text, Look: Look{Role: role}} }

// B is a bold span of one role.
func B(text string, role Role) Span { return Span{Text: text, Look: Look{role, Bold}} }
