package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/config"
)

func TestAddressesAreShownWithoutTheirPassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address, shown string
		secrets        []string
	}{
		{"https://host/v1", "https://host/v1", nil},
		{"proxy.corp:3128", "proxy.corp:3128", nil},
		{"http://me:pass-word@host:3128", "http://me:****@host:3128", []string{"me:pass-word", "pass-word"}},
		{"me:pass-word@host:3128", "me:****@host:3128", []string{"me:pass-word", "pass-word"}},
		{"http://me:p%40ss@w@host", "http://me:****@host", []string{"me:p%40ss@w", "me:p@ss@w", "p%40ss@w", "p@ss@w"}},
		{"http://token@host/a@b", "http://****@host/a@b", []string{"token", "token"}},
		{"https://host/a@b?c:d", "https://host/a@b?****", nil},
		{"http://me:pass-word@host/v1?key=abc", "http://me:****@host/v1?****", []string{"me:pass-word", "pass-word"}},
		{"http://me:pa/ss@host", "http://me:****@host", []string{"me:pa/ss", "pa/ss"}},
		{"", "", nil},
	} {
		if got := config.MaskAddress(c.address); got != c.shown {
			t.Errorf("%s is shown as %s, want %s", c.address, got, c.shown)
		}
		if got := config.Secrets(c.address); !slices.Equal(got, c.secrets) {
			t.Errorf("%s holds %q, want %q", c.address, got, c.secrets)
		}
	}
}

func TestGetMasksWhatIsSecret(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	text := `{"proxy": "http://me:pass-word@host:1", "baseUrl": "https://me:pass-word@host/v1", "apiKey": "pass-word", "model": "me:pass@x"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"proxy": `"http://me:****@host:1"`, "baseUrl": `"https://me:****@host/v1"`, "apiKey": `"****"`, "model": `"me:pass@x"`,
	} {
		got, ok, err := config.Get(file, []string{field})
		if got != want || !ok || err != nil || strings.Contains(got, "pass-word") {
			t.Errorf("%s is %s, %v, %v; want %s", field, got, ok, err, want)
		}
	}
}
