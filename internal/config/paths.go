package config

import (
	"errors"
	"path/filepath"
)

// Paths are the folders of a user.
type Paths struct {
	// Config holds config.json and what the user wrote; Data holds sessions,
	// memory and history; State holds sockets and logs.
	Config, Data, State string
}

// File is the user's config file.
func (p Paths) File() string { return filepath.Join(p.Config, "config.json") }

// FindPaths reads the environment: ASSENT_HOME holds everything when it is
// set, else the XDG base directories are used, with their defaults below HOME.
// A relative XDG folder is ignored, as its specification says. The error says
// that there is no home to be found.
func FindPaths(env func(string) (string, bool), home string) (Paths, error) {
	if all, ok := env("ASSENT_HOME"); ok && all != "" {
		all, err := filepath.Abs(all)
		if err != nil {
			return Paths{}, err
		}
		return Paths{all, all, all}, nil
	}
	dir := func(name string, below ...string) string {
		if d, ok := env(name); ok && filepath.IsAbs(d) {
			return filepath.Join(d, "assent")
		}
		if home == "" {
			return ""
		}
		return filepath.Join(append(append([]string{home}, below...), "assent")...)
	}
	p := Paths{
		dir("XDG_CONFIG_HOME", ".config"),
		dir("XDG_DATA_HOME", ".local", "share"),
		dir("XDG_STATE_HOME", ".local", "state"),
	}
	if p.Config == "" || p.Data == "" || p.State == "" {
		return Paths{}, errors.New("find the config folder: neither ASSENT_HOME nor HOME is set; set ASSENT_HOME to a folder")
	}
	return p, nil
}

// ProjectFile is the config file of a project.
func ProjectFile(root string) string { return filepath.Join(root, ".assent", "config.json") }
