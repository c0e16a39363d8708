// Package syntax owns the languages that code is highlighted in: which
// language a fence word or a file name means, and its lexer.
//
// It knows nothing of colours, lines or Markdown. The definitions are those of
// the chroma module, taken out of it by this package's test (set_test.go): the
// module reads all of them at start-up when its package lexers is linked, which
// costs every run of the program what only a shown code block needs. So they
// are here as data (under LICENSE.chroma), and chroma's core runs them:
//
//	word → languages.txt → name → lexers.zip → lexer, compiled on first use
//
// Its laws:
//   - nothing is read, allocated or compiled before the first call of Lexer;
//   - every language, name and file name that the module knows is known here,
//     and its tokens are the module's, but for the languages that the test
//     names with their reason;
//   - the set in the tree is that of the module's version in go.mod.
package syntax
