package session

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
)

// maxProject is the longest project name in bytes.
const maxProject = 120

// Project names the folder of a workspace: its real path made readable, with a
// hash that keeps different paths apart on every file system. It depends on
// the text of the path only.
func Project(real string) string {
	sum := sha256.Sum256([]byte(real))
	var b strings.Builder
	for _, r := range filepath.ToSlash(real) {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	name := b.String()
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	if len(name) > maxProject {
		name = name[len(name)-maxProject:] // the end tells more than the beginning
	}
	name = strings.Trim(name, "-.")
	if name == "" {
		name = "root"
	}
	return name + "-" + hex.EncodeToString(sum[:6])
}

// RealPath is the path of a workspace after every link, as far as it can be
// told.
func RealPath(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

const stamp = "20060102T150405Z"

func fileName(id string, t time.Time) string {
	return t.UTC().Format(stamp) + "_" + id + ".jsonl"
}

// splitName reads <time>_<id>.jsonl. The id is a UUID as this program writes
// it: it becomes the name of a folder, so nothing else may pass for one.
func splitName(name string) (created time.Time, id string, ok bool) {
	name, ok = strings.CutSuffix(name, ".jsonl")
	if !ok {
		return time.Time{}, "", false
	}
	when, id, ok := strings.Cut(name, "_")
	if !ok || len(id) != 36 || uuid.Validate(id) != nil {
		return time.Time{}, "", false
	}
	created, err := time.Parse(stamp, when)
	return created, id, err == nil
}

// firstLine is the first line of a text that is not blank, without blanks
// around it.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}
