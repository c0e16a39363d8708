package providertest

import "testing"

// FuzzScript: any script is responses of known steps, or an error.
func FuzzScript(f *testing.F) {
	f.Add("text a\ncall list {}\n---\nwait x\n# no\nerror k \"m\"\n")
	f.Add("text \"a\\n\"\nfoo")
	f.Add("---\n---")
	f.Fuzz(func(t *testing.T, script string) {
		all, err := Parse(script)
		if err != nil {
			return
		}
		for _, r := range all {
			for _, s := range r.steps {
				if needs, ok := verbs[s.verb]; !ok || needs && s.text == "" && s.line == 0 {
					t.Fatalf("step %+v", s)
				}
			}
		}
	})
}
