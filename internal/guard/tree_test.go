package guard_test

import (
	"path"
	"slices"
	"strings"

	"assent/internal/policy"
)

// tree is a workspace that is a list of files: what a decision may ask of the
// disk, without one. Its root is /w and its home /home/u.
type tree struct {
	files []string
	links map[string]string
	// tracked are files that git tracks although they hold secrets.
	tracked []string
	// clean says that no file differs from the index.
	clean bool
}

// Tracked visits what git tracks: all but secrets, apart from those listed.
func (t tree) Tracked(name, dir string, which policy.Tracks, visit func(policy.Place) bool) policy.Tracking {
	if which.Repository {
		name, dir = ".", ""
	}
	t.Below(name, dir, func(p policy.Place) bool {
		rel := p.Spellings[0].Rel
		if policy.Secret(rel) && !slices.Contains(t.tracked, rel) || which.Changed && t.clean {
			return true
		}
		return visit(p)
	})
	return policy.TrackedAll
}

var disk = tree{
	files: []string{
		".env", ".env.example", ".git/config", ".git/hooks/pre-commit", ".gitignore", ".github/workflows/ci.yml", "Makefile", "README.md",
		"a.txt", "b.txt", "build/app.js", "build/one.js", "cmd/app/main.go", "config/server.pem", "config/app.yaml", "dist/index.html",
		"docs/guide.md", "docs/private/plan.md", "go.mod", "go.sum", "internal/x/x.go", "internal/x/x_test.go", "list.txt", "main.go", "main_test.go",
		"node_modules/left/index.js", "package-lock.json", "package.json", "private/x.txt", "script.sh", "secrets/credentials.json",
		"src/app.ts", "src/lib/.env.local", "src/lib/util.ts", "target/debug/app", "tools/gen.go", "x.go",
	},
	links: map[string]string{"link.txt": "private/x.txt", "out": "../elsewhere", "envlink": ".env"},
}

var lexical = policy.Lexical{Root: "/w", Home: "/home/u"}

func (t tree) Place(name, dir string) policy.Place {
	p := lexical.Place(name, dir)
	rel := p.Spellings[0].Rel
	for from, to := range t.links {
		if rel == from || strings.HasPrefix(rel, from+"/") {
			real := lexical.Place(to+strings.TrimPrefix(rel, from), "")
			p.Spellings = append(p.Spellings, real.Spellings...)
			p.Outside = p.Outside || real.Outside
		}
	}
	return p
}

func (t tree) Expand(pattern, dir string) ([]string, bool) {
	base := lexical.Place(".", dir).Spellings[0].Rel
	var out []string
	seen := map[string]bool{}
	for _, f := range append(slices.Clone(t.files), "link.txt", "envlink") {
		rel := f
		if base != "." {
			var ok bool
			if rel, ok = strings.CutPrefix(f, base+"/"); !ok {
				continue
			}
		}
		parts := strings.Split(rel, "/")
		for n := 1; n <= len(parts); n++ {
			name := strings.Join(parts[:n], "/")
			if seen[name] {
				continue
			}
			clean := strings.TrimPrefix(pattern, "./")
			if ok, err := path.Match(clean, name); err == nil && ok && hiddenToo(clean, name) {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out, !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "~") && !strings.Contains(pattern, "..")
}

// hiddenToo says whether the shell lets a pattern match names with a dot in
// front: only where the pattern has one itself.
func hiddenToo(pattern, name string) bool {
	p, n := strings.Split(pattern, "/"), strings.Split(name, "/")
	for i := range n {
		if strings.HasPrefix(n[i], ".") && (i >= len(p) || !strings.HasPrefix(p[i], ".")) {
			return false
		}
	}
	return true
}

func (t tree) Below(name, dir string, visit func(policy.Place) bool) bool {
	rel := lexical.Place(name, dir).Spellings[0].Rel
	if strings.HasPrefix(rel, "..") {
		return false
	}
	for _, f := range t.files {
		if rel == "." || f == rel || strings.HasPrefix(f, rel+"/") {
			if !visit(t.Place(f, "")) {
				return true
			}
		}
	}
	return true
}
