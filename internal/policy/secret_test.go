package policy_test

import (
	"testing"

	"assent/internal/policy"
)

// A copy that an editor or a person kept of a secret is one.
func TestSecretCopies(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".env~", ".env.~1~", "#.env#", ".#.env", ".env.swp", "..env.swp", ".env.bak", "a/server.key~", ".server.key.swp", "server.pem.bak", ".netrc.orig",
		".npmrc.swp", ".npmrc~", ".id_rsa.swo", "#.netrc#", ".ENV~", "credentials.json.old", "prod.env~", ".pypirc.save",
	} {
		if !policy.Secret(name) {
			t.Errorf("%s is taken for no secret", name)
		}
	}
	for _, name := range []string{"a.go~", "#a.go#", ".env.example~", ".env.sample.bak", "env~", "~", "#", "##", ".swp", "keys.old", "a.key.go", "environment.bak", ".bak"} {
		if policy.Secret(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}
