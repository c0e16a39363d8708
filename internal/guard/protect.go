package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assent/internal/policy"
	"assent/internal/shell"
)

// protect is the guard of files that only their owners should write.
type protect struct {
	own     []string
	except  []policy.Pattern
	ignored func(string) bool
}

// ownFiles are the agent's own files in a project.
var ownFiles = []string{".assent/config.json", ".assent/hooks.json", ".assent/plugins", ".assent/agents"}

func newProtect(o Options) protect {
	p := protect{ignored: o.Ignored}
	for _, own := range append(slices.Clone(ownFiles), o.Own...) {
		p.own = append(p.own, strings.TrimSuffix(path.Clean(own), "/"))
	}
	for _, e := range o.Except {
		p.except = append(p.except, policy.Compile(e))
	}
	return p
}

func (protect) Name() string { return Protect }

// Check looks at every path that the call writes, and at this program itself.
func (p protect) Check(c Call) *Refusal {
	if r := p.starts(c); r != nil {
		return r
	}
	if r := p.linked(c); r != nil {
		return r
	}
	for _, s := range c.Plan.Subjects {
		if s.Kind != policy.KindPath || s.Access != policy.AccessWrite {
			continue
		}
		if r := p.subject(c, s); r != nil {
			return r
		}
	}
	return nil
}

// subject looks at one thing that a call would write.
func (p protect) subject(c Call, s policy.Subject) *Refusal {
	how := direct
	if s.File != nil {
		if s.File.Path != "" && c.Plan.Script != nil && !s.File.Redirect {
			how = byCommand(c.Plan.Script, s.File)
		}
	}
	if s.Unknown != "" || s.File != nil && s.File.Unknown != "" {
		return p.refuse(s.Text, policy.Spelling{Rel: strings.TrimLeft(s.Text, "*/")}, how)
	}
	names := []string{s.Text}
	if s.File != nil && s.File.Glob {
		list, whole := c.Paths.Expand(s.Text, s.Dir)
		names = append(names, list...)
		if !whole && globbed(s.Text) {
			return p.refuse(s.Text, policy.Spelling{Rel: ".git/" + s.Text}, how)
		}
	}
	for _, name := range names {
		for _, spelling := range c.Paths.Place(name, s.Dir).Spellings {
			if r := p.refuse(s.Text, spelling, how); r != nil {
				return r
			}
		}
	}
	return nil
}

// way is how a path is written.
type way int

const (
	direct  way = iota // a write tool, a redirection, tee
	content            // a command that puts content into it
	moves              // a command that makes, removes or generates it
)

// byCommand says how a command writes the paths in its arguments.
func byCommand(s *shell.Script, f *shell.File) way {
	if f.Command < 0 || f.Command >= len(s.Commands) || len(s.Commands[f.Command].Words) == 0 {
		return content
	}
	switch shell.Program(s.Commands[f.Command].Words[0].Text) {
	case "rm", "rmdir", "unlink", "mkdir", "touch", "chmod", "chown", "chgrp", "find", "go", "git", "tar", "unzip":
		return moves
	}
	return content
}

// globbed says whether a shell pattern could stand for a path below .git.
func globbed(pattern string) bool {
	for _, part := range strings.Split(pattern, "/") {
		if ok, err := path.Match(part, ".git"); err == nil && ok && strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

func (p protect) refuse(text string, s policy.Spelling, how way) *Refusal {
	for _, e := range p.except {
		if e.Match(s.Rel) || s.Abs != "" && e.Match(s.Abs) {
			return nil
		}
	}
	reason, instead := p.why(s, how)
	if reason == "" {
		return nil
	}
	return &Refusal{Guard: Protect, Part: text, Reason: reason, Instead: instead}
}

// why says why a path is protected and what to do; the reason is empty for every other.
func (p protect) why(s policy.Spelling, how way) (reason, instead string) {
	for _, name := range []string{s.Rel, s.Abs} {
		parts := strings.Split(strings.ToLower(name), "/")
		if slices.Contains(parts, ".git") {
			return "it is git's own", "use git commands"
		}
	}
	for _, own := range p.own {
		for _, name := range []string{s.Rel, s.Abs, s.Home} {
			if name != "" && (strings.EqualFold(name, own) || len(name) > len(own) && strings.EqualFold(name[:len(own)+1], own+"/")) {
				return "it is the agent's own configuration", "ask the user to change it"
			}
		}
	}
	if how == moves {
		return "", ""
	}
	parts := strings.Split(s.Rel, "/")
	base := parts[len(parts)-1]
	if owner, ok := lockFiles[base]; ok {
		return "it is a lock file", fmt.Sprintf("let %s write it", owner)
	}
	for _, part := range parts[:len(parts)-1] {
		if dependencyFolders[part] {
			return "it belongs to an installed dependency", "change the dependency or its version, and install it again"
		}
	}
	if how != direct || p.ignored == nil {
		return "", ""
	}
	for _, part := range parts[:len(parts)-1] {
		if generatedFolders[part] && p.ignored(s.Rel) {
			return "it is generated output, which git ignores", "change the source and build again"
		}
	}
	return "", ""
}

// lockFiles and who writes them.
var lockFiles = map[string]string{
	"package-lock.json": "npm install", "npm-shrinkwrap.json": "npm shrinkwrap", "yarn.lock": "yarn install", "pnpm-lock.yaml": "pnpm install",
	"bun.lock": "bun install", "bun.lockb": "bun install", "deno.lock": "deno", "Cargo.lock": "cargo", "go.sum": "go mod tidy", "go.work.sum": "go work sync",
	"poetry.lock": "poetry lock", "Pipfile.lock": "pipenv lock", "uv.lock": "uv lock", "pdm.lock": "pdm lock", "pixi.lock": "pixi", "conda-lock.yml": "conda-lock",
	"composer.lock": "composer", "Gemfile.lock": "bundle", "mix.lock": "mix deps.get", "rebar.lock": "rebar3", "pubspec.lock": "dart pub get",
	"Podfile.lock": "pod install", "Package.resolved": "swift package resolve", "Cartfile.resolved": "carthage", "flake.lock": "nix flake update",
	"packages.lock.json": "dotnet restore", "paket.lock": "paket", "gradle.lockfile": "gradle", ".terraform.lock.hcl": "terraform init",
	"Chart.lock": "helm dependency update", "stack.yaml.lock": "stack", "conan.lock": "conan", "buf.lock": "buf", "gems.locked": "bundle", "shard.lock": "shards",
}

// dependencyFolders hold what package managers install.
var dependencyFolders = map[string]bool{
	"node_modules": true, "bower_components": true, "jspm_packages": true, "site-packages": true, "dist-packages": true,
	".venv": true, "venv": true, "virtualenv": true, "Pods": true, "elm-stuff": true, ".bundle": true, ".pnpm-store": true, "__pypackages__": true,
}

// generatedFolders hold what builds make, where git ignores them.
var generatedFolders = map[string]bool{
	"dist": true, "build": true, "out": true, "target": true, "vendor": true, ".next": true, ".nuxt": true, ".output": true, ".svelte-kit": true,
	"coverage": true, "htmlcov": true, ".nyc_output": true, ".turbo": true, ".parcel-cache": true, ".cache": true, "__pycache__": true, ".gradle": true,
	"_build": true, ".dart_tool": true, "DerivedData": true, ".pytest_cache": true, ".mypy_cache": true, ".ruff_cache": true, ".tox": true, "obj": true,
	"storybook-static": true, ".angular": true, ".astro": true, ".vite": true, "generated": true, ".terraform": true, ".serverless": true, "bin": true,
	"deps": true, "_site": true, "public": true, "site": true,
}
