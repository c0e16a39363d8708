package ink

// tint is one colour at three levels: 24 bits, an index of the 256 and a code
// of the 16, which the user's own terminal theme defines.
type tint struct {
	rgb  uint32
	idx  uint8
	ansi uint8
}

// ink is the colour of a role. A zero bg is the terminal's own. attr is added
// where a colour alone would not do: with 16 colours and with none.
type pigment struct {
	fg, bg tint
	attr   Attr
}

// palettes hold the colours of each theme. Every foreground has a contrast of
// at least 4.5 to 1 on the backgrounds that people use, which a test holds.
var palettes = [...][roles]pigment{
	Dark: {
		Dim:      {fg: tint{0x9a9fa8, 247, 0}, attr: Faint},
		Accent:   {fg: tint{0x8cb4ff, 111, 94}},
		Code:     {fg: tint{0xe3b778, 180, 33}},
		Link:     {fg: tint{0x6fc7e0, 80, 36}, attr: Underline},
		Good:     {fg: tint{0x85cf95, 114, 32}},
		Warn:     {fg: tint{0xeec06b, 221, 33}},
		Bad:      {fg: tint{0xf58f8f, 210, 91}},
		Add:      {fg: tint{0x85cf95, 114, 32}},
		Del:      {fg: tint{0xf58f8f, 210, 91}},
		AddMark:  {fg: tint{0xd2f8da, 194, 32}, bg: tint{0x215c35, 22, 0}, attr: Underline},
		DelMark:  {fg: tint{0xffe0e0, 224, 91}, bg: tint{0x73303a, 52, 0}, attr: Underline},
		Keyword:  {fg: tint{0xc9a0f0, 183, 95}},
		String:   {fg: tint{0xa9d38c, 150, 32}},
		Number:   {fg: tint{0xf2b18b, 216, 33}},
		Comment:  {fg: tint{0x9a9fa8, 247, 0}, attr: Faint},
		Func:     {fg: tint{0x8cb4ff, 111, 94}},
		TypeName: {fg: tint{0x7cd6cb, 116, 36}},
	},
	Light: {
		Dim:      {fg: tint{0x5f6570, 241, 0}, attr: Faint},
		Accent:   {fg: tint{0x2a4fc4, 25, 34}},
		Code:     {fg: tint{0x8a4b00, 94, 35}},
		Link:     {fg: tint{0x0a5f86, 24, 34}, attr: Underline},
		Good:     {fg: tint{0x1b6b33, 22, 32}},
		Warn:     {fg: tint{0x845000, 94, 35}},
		Bad:      {fg: tint{0xb3201f, 124, 31}},
		Add:      {fg: tint{0x1b6b33, 22, 32}},
		Del:      {fg: tint{0xb3201f, 124, 31}},
		AddMark:  {fg: tint{0x0b4a20, 22, 32}, bg: tint{0xc3ecce, 194, 0}, attr: Underline},
		DelMark:  {fg: tint{0x7a0f18, 88, 31}, bg: tint{0xffd9d7, 224, 0}, attr: Underline},
		Keyword:  {fg: tint{0x7a2aa3, 91, 35}},
		String:   {fg: tint{0x1b6b33, 22, 32}},
		Number:   {fg: tint{0x9a4200, 94, 31}},
		Comment:  {fg: tint{0x5f6570, 241, 0}, attr: Faint},
		Func:     {fg: tint{0x2a4fc4, 25, 34}},
		TypeName: {fg: tint{0x0c625f, 23, 36}},
	},
}
