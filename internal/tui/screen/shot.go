package screen

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"assent/internal/host"
)

// shotLimit is how many pictures are kept for the prompts that may name them.
const shotLimit = 8

// shot is a picture whose path was pasted.
type shot struct {
	// path is where it is, literal how that was pasted, name how it stands in
	// the prompt; empty while the host has not said what it is.
	path, literal, name string
	attachment
}

// pastePicture takes the pasted path of an image: it stands there as it came
// until the host has found the image.
func (s State) pastePicture(text string) (State, []Intent, bool) {
	file, ok := picturePath(text)
	if prompt := strings.TrimSpace(s.Editor.Text); !ok || strings.HasPrefix(prompt, "!") || isCommand(prompt) {
		return s, nil, false
	}
	s.shots = s.heldShots()
	if len(s.shots) >= shotLimit {
		return s.interject(Notice{"The prompt names " + strconv.Itoa(shotLimit) + " images already; this one stays a path."}), []Intent{Insert{text}}, true
	}
	s.shots = append(s.shots, shot{path: file, literal: strings.TrimSpace(text)})
	return s, []Intent{Insert{text}, Ask{host.Picture{Path: file}}}, true
}

// heldShots are the pictures with room for one more, unless the prompt names as many
// as are kept: those that it does not name give way, oldest first.
func (s State) heldShots() []shot {
	extra := len(s.shots) - shotLimit + 1
	return slices.DeleteFunc(slices.Clone(s.shots), func(p shot) bool {
		if extra <= 0 || strings.Contains(s.Editor.Text, cmp.Or(p.name, p.literal)) {
			return false
		}
		extra--
		return true
	})
}

// pictureCame takes in whether a pasted path is that of an image. If so it
// stands there by its name, and goes along with the prompt that names it.
func (s State) pictureCame(file string, x host.Expansion, err error) (State, []Intent) {
	i := slices.IndexFunc(s.shots, func(p shot) bool { return p.path == file && p.name == "" })
	if i < 0 {
		return s, nil
	}
	found := s.shots[i]
	s.shots = slices.Delete(slices.Clone(s.shots), i, i+1)
	if err != nil {
		s = s.interject(Notice{"Could not attach " + clipHead(file, titleBytes) + ": " + clipHead(err.Error(), noticeLimit) + ". It stays a path."})
	} else if x.OK {
		found.name = s.shotName(path.Base(strings.ReplaceAll(file, `\`, "/")))
		found.attachment = attachment{x.Label, x.Text, x.Images}
		s.shots = append(s.shots, found)
	}
	s = s.sentPicture(found)
	s, set := s.showPicture(found)
	s, out := s.releaseSent()
	return s, append(set, out...)
}

// showPicture puts the name of a picture in the place of its path.
func (s State) showPicture(p shot) (State, []Intent) {
	at := strings.LastIndex(s.Editor.Text, p.literal)
	if p.name == "" || at < 0 {
		return s, nil
	}
	end, cursor := at+len(p.literal), s.Editor.Cursor
	switch {
	case cursor >= end:
		cursor += len(p.name) - len(p.literal)
	case cursor > at:
		cursor = at + len(p.name)
	}
	return s.setText(s.Editor.Text[:at]+p.name+s.Editor.Text[end:], cursor)
}

// sentPicture gives a picture to the prompt that was sent before it was found.
func (s State) sentPicture(found shot) State {
	i := slices.IndexFunc(s.sent, func(p sent) bool { return slices.Contains(p.pictures, found.literal) })
	if i < 0 {
		return s
	}
	s.sent = slices.Clone(s.sent)
	p := &s.sent[i]
	p.pictures = slices.DeleteFunc(slices.Clone(p.pictures), func(l string) bool { return l == found.literal })
	if found.name != "" {
		p.text = strings.Replace(p.text, found.literal, found.name, 1)
		p.shown = strings.Replace(p.shown, found.literal, found.name, 1)
		p.added = append(slices.Clip(p.added), found.attachment)
	}
	return s
}

// pictured adds to a prompt the pictures that it names, and waits for those
// whose path it holds.
func (s State) pictured(p sent) sent {
	for _, x := range s.shots {
		switch {
		case x.name != "" && strings.Contains(p.shown, x.name):
			p.added = append(slices.Clip(p.added), x.attachment)
		case x.name == "" && strings.Contains(p.shown, x.literal):
			p.pictures = append(slices.Clip(p.pictures), x.literal)
		}
	}
	return p
}

// shotName is a name that no other picture has.
func (s State) shotName(base string) string {
	base = strings.NewReplacer("[", "(", "]", ")").Replace(firstLine(base, titleLimit))
	name := "[image " + base + "]"
	for n := 2; slices.ContainsFunc(s.shots, func(p shot) bool { return p.name == name }); n++ {
		name = "[image " + base + " (" + strconv.Itoa(n) + ")]"
	}
	return name
}

// unpictured is a text with the paths of pictures in the place of their names:
// what is left of them when they are gone.
func (s State) unpictured(text string) string {
	for _, p := range s.shots {
		if p.name != "" {
			text = strings.ReplaceAll(text, p.name, p.literal)
		}
	}
	return text
}

// picturePath reads a pasted text as the path of an image: bare, in quotes,
// with blanks escaped, or as a file URL, as terminals and file managers write
// what is dropped.
func picturePath(text string) (string, bool) {
	const longest = 4096
	t := strings.TrimSpace(text)
	if len(t) > longest || strings.ContainsAny(t, "\n\r") {
		return "", false
	}
	quoted := len(t) > 1 && (t[0] == '\'' || t[0] == '"') && t[len(t)-1] == t[0]
	if quoted {
		t = t[1 : len(t)-1]
	}
	if rest, ok := strings.CutPrefix(t, "file://"); ok {
		rest = strings.TrimPrefix(rest, "localhost")
		if t, ok = unpercent(rest); !ok {
			return "", false
		}
		if len(t) > 2 && t[0] == '/' && t[2] == ':' {
			t = t[1:] // a drive
		}
	} else if !quoted && !drive(t) {
		t = unslash(t)
	}
	if !strings.ContainsAny(t, `/\`) {
		return "", false // a name alone is a word
	}
	switch strings.ToLower(path.Ext(t)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return t, true
	}
	return "", false
}

// drive reports whether a path is one of Windows, where a backslash escapes
// nothing.
func drive(t string) bool {
	return len(t) > 2 && t[1] == ':' && (t[2] == '\\' || t[2] == '/') || strings.HasPrefix(t, `\\`)
}

// unslash takes away the backslashes of a shell's escapes.
func unslash(t string) string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] == '\\' && i+1 < len(t) {
			i++
		}
		b.WriteByte(t[i])
	}
	return b.String()
}

// unpercent decodes the path of a URL.
func unpercent(t string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] != '%' {
			b.WriteByte(t[i])
			continue
		}
		if i+2 >= len(t) {
			return "", false
		}
		n, err := strconv.ParseUint(t[i+1:i+3], 16, 8)
		if err != nil || n < 0x20 {
			return "", false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), true
}
