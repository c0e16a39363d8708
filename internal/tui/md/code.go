package md

import (
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"assent/internal/tui/ink"
	"assent/internal/tui/syntax"
)

// The bounds of what is highlighted, in bytes: highlighting costs about two
// milliseconds a kilobyte, and its patterns may be slow on a long line.
const (
	maxCode     = 64 << 10
	maxCodeLine = 2 << 10
)

// Code is a text of a language as highlighted spans, a line each. The language
// is a name or a file name; an unknown one gives plain spans. The text is
// clean.
func Code(language, code string) []ink.Line {
	code = strings.TrimSuffix(code, "\n")
	tokens := tokenise(language, code)
	if tokens == nil {
		var lines []ink.Line
		for line := range strings.SplitSeq(code, "\n") {
			lines = append(lines, ink.Line{{Text: line}})
		}
		return lines
	}
	lines := []ink.Line{nil}
	for _, t := range tokens {
		look := lookOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part != "" {
				n := len(lines) - 1
				lines[n] = append(lines[n], ink.Span{Text: part, Look: look})
			}
		}
	}
	return lines
}

// quietEnds tells for an offset into a code, behind a line end, whether that
// line end is outside of comments and strings.
func quietEnds(language, code string) func(at int) bool {
	var loud [][2]int
	at := 0
	for _, t := range tokenise(language, code) {
		if t.Type.InSubCategory(chroma.LiteralString) || t.Type.InCategory(chroma.Comment) {
			loud = append(loud, [2]int{at, at + len(t.Value)})
		}
		at += len(t.Value)
	}
	return func(at int) bool {
		return !slices.ContainsFunc(loud, func(r [2]int) bool { return r[0] < at && at <= r[1] })
	}
}

// tokenise splits code into tokens; nil when it cannot. A lexer that panics or
// changes the text is as good as none: lexers are many and of many hands.
func tokenise(language, code string) (tokens []chroma.Token) {
	if language == "" || len(code) > maxCode || longLine(code) {
		return nil
	}
	lexer := syntax.Lexer(language)
	if lexer == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			tokens = nil
		}
	}()
	it, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return nil
	}
	at := 0
	for t := it(); t != chroma.EOF; t = it() {
		if t.Value == "" {
			continue
		}
		rest := code[min(at, len(code)):]
		if !strings.HasPrefix(rest, t.Value) {
			// Some lexers end the text with a line end of their own.
			if strings.TrimSuffix(t.Value, "\n") != rest {
				return nil
			}
			t.Value = rest
		}
		at += len(t.Value)
		tokens = append(tokens, t)
	}
	if at != len(code) {
		return nil
	}
	return tokens
}

func longLine(s string) bool {
	for len(s) > maxCodeLine {
		n := strings.IndexByte(s, '\n')
		if n < 0 || n > maxCodeLine {
			return true
		}
		s = s[n+1:]
	}
	return false
}

// lookOf is how a kind of token is drawn. Most code stays in the terminal's
// own colour, so that what stands out means something.
func lookOf(t chroma.TokenType) ink.Look {
	for ; t != 0; t = t.Parent() {
		if l, ok := looks[t]; ok {
			return l
		}
	}
	return ink.Look{}
}

// looks gives kinds of tokens their role; the others are plain.
var looks = map[chroma.TokenType]ink.Look{
	chroma.Comment:             {Role: ink.Comment, Attr: ink.Italic},
	chroma.CommentPreproc:      {Role: ink.Keyword},
	chroma.CommentPreprocFile:  {Role: ink.String},
	chroma.Keyword:             {Role: ink.Keyword},
	chroma.KeywordConstant:     {Role: ink.Number},
	chroma.KeywordType:         {Role: ink.TypeName},
	chroma.OperatorWord:        {Role: ink.Keyword},
	chroma.NameFunction:        {Role: ink.Func},
	chroma.NameFunctionMagic:   {Role: ink.Func},
	chroma.NameBuiltin:         {Role: ink.Func},
	chroma.NameBuiltinPseudo:   {Role: ink.Number},
	chroma.NameDecorator:       {Role: ink.Func},
	chroma.NameClass:           {Role: ink.TypeName},
	chroma.NameException:       {Role: ink.TypeName},
	chroma.NameTag:             {Role: ink.Keyword},
	chroma.NameAttribute:       {Role: ink.TypeName},
	chroma.NameConstant:        {Role: ink.Number},
	chroma.NameEntity:          {Role: ink.Number},
	chroma.LiteralString:       {Role: ink.String},
	chroma.LiteralStringEscape: {Role: ink.Number},
	chroma.LiteralNumber:       {Role: ink.Number},
	chroma.LiteralDate:         {Role: ink.Number},
	chroma.GenericDeleted:      {Role: ink.Del},
	chroma.GenericInserted:     {Role: ink.Add},
	chroma.GenericHeading:      {Role: ink.Accent, Attr: ink.Bold},
	chroma.GenericSubheading:   {Role: ink.Accent},
	chroma.GenericEmph:         {Attr: ink.Italic},
	chroma.GenericStrong:       {Attr: ink.Bold},
	chroma.GenericPrompt:       {Role: ink.Dim},
}
