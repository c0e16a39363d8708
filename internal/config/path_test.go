package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/config"
)

func TestPathsOfFields(t *testing.T) {
	t.Parallel()
	tests := []struct {
		field string
		want  []string
		fault string
	}{
		{"theme", []string{"theme"}, ""},
		{"sessions.keepDays", []string{"sessions", "keepDays"}, ""},
		{`models."gpt-5.2".contextWindow`, []string{"models", "gpt-5.2", "contextWindow"}, ""},
		{`models."a\"b.c"`, []string{"models", `a"b.c`}, ""},
		{`models.in"side`, []string{"models", `in"side`}, ""},
		{"", []string{""}, ""},
		{"a.", []string{"a", ""}, ""},
		{`models."gpt`, nil, "not closed"},
		{`models."gpt"x`, nil, "a dot must follow"},
	}
	for _, tt := range tests {
		t.Run(tt.field, func(t *testing.T) {
			t.Parallel()
			got, err := config.ParsePath(tt.field)
			if tt.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Errorf("%q %v", got, err)
				}
				return
			}
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%q %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestAJoinedPathIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "path")
		for i := range path {
			path[i] = strings.ToValidUTF8(path[i], "")
		}
		if got, err := config.ParsePath(config.JoinPath(path...)); err != nil || !slices.Equal(got, path) {
			t.Fatalf("%q came back as %q, %v", path, got, err)
		}
	})
}

func TestSetAFieldOfAModelWithDots(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	path, err := config.ParsePath(`models."gpt-5.2".contextWindow`)
	if err != nil {
		t.Fatal(err)
	}
	if err := config.Set(t.Context(), file, path, "1000", config.Words{}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"gpt-5.2"`) {
		t.Errorf("%s %v", text, err)
	}
}
