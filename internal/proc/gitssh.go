package proc

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assent/internal/gitconfig"
)

// Bounds of what is read of git's configuration: of one file, and how many.
const (
	mostConfig  = 1 << 20
	mostConfigs = 50
)

// configuresSSH reports whether git's configuration may name an ssh command of
// its own in a folder, which the variable would override. Without a terminal
// that ssh cannot prompt either, so it is no harm to think so of a file that is
// included on a condition.
func configuresSSH(env []string, dir string) bool {
	if slices.ContainsFunc(env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_CONFIG_") && strings.Contains(strings.ToLower(v), "sshcommand")
	}) {
		return true
	}
	home := get(env, "HOME")
	files := []string{"/etc/gitconfig", filepath.Join(home, ".gitconfig")}
	if x := get(env, "XDG_CONFIG_HOME"); x != "" {
		files = append(files, filepath.Join(x, "git", "config"))
	} else {
		files = append(files, filepath.Join(home, ".config", "git", "config"))
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"} {
		if file := get(env, name); file != "" {
			files = append(files, file)
		}
	}
	files = append(files, repositoryConfig(get(env, "GIT_DIR"), dir)...)
	for i := 0; i < len(files) && i < mostConfigs; i++ {
		text := readBounded(files[i])
		if bytes.Contains(bytes.ToLower(text), []byte("sshcommand")) {
			return true
		}
		for _, include := range includes(text, files[i], home) {
			if !slices.Contains(files, include) {
				files = append(files, include)
			}
		}
	}
	return false
}

// repositoryConfig are the files that configure the repository of a folder:
// the folder may lie deep in it, and may be a work tree whose repository is
// elsewhere.
func repositoryConfig(gitDir, dir string) []string {
	switch {
	case gitDir != "" && filepath.IsAbs(gitDir):
	case gitDir != "":
		gitDir = filepath.Join(dir, gitDir)
	case dir == "":
		return nil
	default:
		if gitDir = findGitDir(dir); gitDir == "" {
			return nil
		}
	}
	common := gitDir
	if text := strings.TrimSpace(string(readBounded(filepath.Join(gitDir, "commondir")))); text != "" {
		common = joined(gitDir, text)
	}
	return []string{filepath.Join(common, "config"), filepath.Join(gitDir, "config.worktree")}
}

// findGitDir looks for the repository from a folder upwards.
func findGitDir(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		at := filepath.Join(dir, ".git")
		if info, err := os.Stat(at); err == nil {
			if info.IsDir() {
				return at
			}
			if to, ok := strings.CutPrefix(string(readBounded(at)), "gitdir:"); ok {
				return joined(dir, strings.TrimSpace(to))
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// includes are the files that a configuration of git takes in.
func includes(text []byte, file, home string) (list []string) {
	for v := range gitconfig.Parse(text) {
		if !strings.HasPrefix(v.Section, "include") || v.Name != "path" || v.Value == "" {
			continue
		}
		value := v.Value
		if below, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, below)
		}
		list = append(list, joined(filepath.Dir(file), value))
	}
	return list
}

// joined is a path as it is meant in a folder.
func joined(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readBounded reads the beginning of a regular file; what cannot be read is
// empty, as it is to git.
func readBounded(name string) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer closeAll(f)
	text, _ := io.ReadAll(io.LimitReader(f, mostConfig)) // a part is better than nothing
	return text
}
