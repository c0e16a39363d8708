// Package ignore owns git's ignore rules, to the letter, and those of
// .assentignore, which may re-include what git ignores.
//
// It must never know a file system: it is given the text of ignore files.
//
//	top := ignore.Top(ignore.Options{Exclude: infoExclude, Global: excludesFile})
//	folder := top.Enter("", gitignore, assentignore)  // the root
//	sub := folder.Enter("sub", …)                     // one level down
//	sub.Ignored("main.o", false)
//
// A walker goes down with Folder values, which are never changed once made and
// may be used by several goroutines.
//
// Laws:
//
//   - Without .assentignore files the answers are those of
//     "git check-ignore --no-index".
//   - Once a folder is ignored, so is all below it. Only a .assentignore line
//     that names a place below it with a path, such as !build/keep/, leads
//     into it; the rest of it stays ignored.
//   - Of the files that say something about a path the nearest decides, in it
//     the last line. Every .assentignore goes before every .gitignore, these
//     before .git/info/exclude, and that before core.excludesFile.
//   - No pattern can take long, whatever is in it.
package ignore
