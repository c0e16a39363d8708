package files_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&long, "line %d\n", i+1)
	}
	w := newWorld(t, map[string]string{
		"a.go": "package a\n\n\tfunc f() {}\n", "long": long.String(), "wide": strings.Repeat("é", 3000) + "\nx\n",
		"empty": "", "open": "no end", "crlf": "\xEF\xBB\xBFa\r\nb\r\n", "mixed": "a\r\nb\n", "latin": "caf\xE9\n",
		"broken": "日本\xFF語\n", "bin": "a\x00b", "dir/x": "", "doc.pdf": "%PDF-1.7 ...",
	})
	for _, c := range []struct {
		name  string
		input args
		want  string
	}{
		{"EDIT-10 tabs stay", args{"path": "a.go"}, "1→package a\n2→\n3→\tfunc f() {}"},
		{"part", args{"path": "long", "offset": 10, "limit": 2}, "10→line 10\n11→line 11\n[lines 10 to 11 of 2500; go on with offset 12]"},
		{"the end", args{"path": "long", "offset": 2500}, "2500→line 2500"},
		{"empty", args{"path": "empty"}, "[the file is empty]"},
		{"no end", args{"path": "open"}, "1→no end\n[no line end after the last line]"},
		{"EDIT-05 mark hidden", args{"path": "crlf"}, "1→a\n2→b\n[CRLF line ends; edits keep them]"},
		{"mixed", args{"path": "mixed"}, "1→a\n2→b\n[mixed line ends: 1 CRLF, 1 LF]"},
		{"latin", args{"path": "latin"}, "1→café\n[stored as iso-8859-1; edits are written back in it]"},
		{"broken", args{"path": "broken"}, "1→日本\uFFFD語\n[1 byte not valid UTF-8, shown as \uFFFD; edits elsewhere leave them alone]"},
	} {
		if got := w.run("read_file", c.input).Output; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	r := w.run("read_file", args{"path": "long"})
	if !strings.HasSuffix(r.Output, "2000→line 2000\n[lines 1 to 2000 of 2500; go on with offset 2001]") || r.Summary != "lines 1-2000 of 2500" {
		t.Errorf("%q %q", r.Output[len(r.Output)-100:], r.Summary)
	}
	w.says(w.run("read_file", args{"path": "wide"}), "1→"+strings.Repeat("é", 2000)+"… [line cut: 3000 characters in all]\n2→x")
	w.fails("read_file", args{"path": "long", "offset": 2501}, "offset 2501 is past the end; it has 2500 lines")
	w.says(w.run("read_file", args{"path": "long", "offset": 0, "limit": 0}), "1→line 1\n")
	w.fails("read_file", args{"path": "dir"}, "is a directory", "list_dir")
	w.fails("read_file", args{"path": "bin"}, "bin (3 bytes): binary data")
	w.fails("read_file", args{"path": "doc.pdf"}, "PDF")
	w.fails("read_file", args{"path": "none"}, "no such file")
	if err := os.Truncate(filepath.Join(w.dir, "bin"), 21<<20); err != nil {
		t.Fatal(err)
	}
	w.fails("read_file", args{"path": "bin"}, "too large (22.0 MB, at most 20.0 MB)", "grep")
}

// A read is bounded also when every line is long.
func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": strings.Repeat(strings.Repeat("x", 1900)+"\n", 1000)})
	r := w.run("read_file", args{"path": "f"})
	if len(r.Output) > 170_000 || !strings.Contains(r.Output, "of 1000; go on with offset") {
		t.Errorf("%d bytes", len(r.Output))
	}
}

func pngOf(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// EDIT-30, EDIT-31: what a provider would refuse becomes a copy that it takes,
// and the model is told what it sees.
func TestReadImages(t *testing.T) {
	t.Parallel()
	small := pngOf(t, 30, 20)
	noise := make([]byte, 4<<20)
	heavy := small[:len(small)-12] + chunk("teXt", noise) + small[len(small)-12:]
	bomb := small[:16] + "\x00\x01\x00\x00\x00\x01\x00\x00" + small[24:]
	bomb = bomb[:8] + chunk("IHDR", []byte(bomb[16:29])) + bomb[33:]
	webp := "RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x1f\x03\x00\x57\x02\x00"
	w := newWorld(t, map[string]string{
		"ok.png": small, "no-suffix": small, "tall.png": pngOf(t, 2, 8001), "heavy.png": heavy, "bad.png": small[:16], "x.webp": webp,
		"x.svg": "<svg/>\n", "bomb.png": bomb,
	})
	for _, c := range []struct{ path, output, data string }{
		{"ok.png", "[ok.png: PNG image, 30×20, ", small},
		{"no-suffix", "[no-suffix: PNG image, 30×20, ", small},
		{"x.webp", "[x.webp: WebP image, 800×600, ", webp},
		{"tall.png", "[tall.png: PNG image, 2×8001, ", ""},
		{"heavy.png", "[heavy.png: PNG image, 30×20, 4.2 MB; shown as a PNG of 30×20]", ""},
	} {
		r := w.run("read_file", args{"path": c.path})
		if len(r.Images) != 1 || !strings.HasPrefix(r.Output, c.output) || r.Images[0].Name != c.path {
			t.Errorf("%s: %d images, %s", c.path, len(r.Images), r.Output)
			continue
		}
		data := r.Images[0].Data
		if c.data != "" && string(data) != c.data {
			t.Errorf("%s was changed without need", c.path)
		}
		if c.data == "" {
			conf, err := png.DecodeConfig(bytes.NewReader(data))
			if err != nil || max(conf.Width, conf.Height) > 2000 || len(data) > 100_000 {
				t.Errorf("%s became %d bytes of %+v, %v", c.path, len(data), conf, err)
			}
		}
	}
	if r := w.run("read_file", args{"path": "x.svg"}); r.Images != nil || r.Output != "1→<svg/>" {
		t.Errorf("%+v", r)
	}
	w.fails("read_file", args{"path": "bomb.png"}, "read bomb.png: 65536×65536 pixels are too many", "smaller copy")
	w.fails("read_file", args{"path": "bad.png"}, "read bad.png: it begins like a PNG image but cannot be read as one: its end is missing")
}

// chunk is a PNG chunk.
func chunk(kind string, data []byte) string {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
	b.WriteString(kind)
	b.Write(data)
	_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(append([]byte(kind), data...)))
	return b.String()
}

func TestReadMany(t *testing.T) {
	t.Parallel()
	contents := map[string]string{"pic": pngOf(t, 3, 3)}
	var in []args
	for i := range 18 {
		name := fmt.Sprint("f", i)
		contents[name] = fmt.Sprintf("one %d\ntwo %d\n", i, i)
		in = append(in, args{"path": name, "offset": 2})
	}
	in = append(in, args{"path": "none"}, args{"path": "pic"})
	w := newWorld(t, contents)
	r := w.run("read_many_files", args{"files": in})
	want := ""
	for i := range 18 {
		want += fmt.Sprintf("==> f%d <==\n2→two %d\n\n", i, i)
	}
	if !strings.HasPrefix(r.Output, want+"==> none <==\nerror: none: no such file") || len(r.Images) != 1 || r.Failed || r.Summary != "19 files, 1 failed" {
		t.Errorf("%s\n%s", r.Output, r.Summary)
	}
	if r := w.run("read_many_files", args{"files": []args{{"path": "none"}}}); !r.Failed {
		t.Error("nothing was read, and it did not fail")
	}
}

func TestListDir(t *testing.T) {
	t.Parallel()
	contents := map[string]string{".gitignore": "out/\n", "out/x": "", "src/a/b.go": "", "src/c.go": "", "README": "", ".env": "K=1", "odd\nname": ""}
	for i := range 320 {
		contents[fmt.Sprintf("many/%03d", i)] = ""
	}
	w := newWorld(t, contents)
	if err := os.Symlink("README", filepath.Join(w.dir, "link")); err != nil {
		t.Skip(err)
	}
	r := w.run("list_dir", args{})
	want := ".gitignore\nREADME\nlink@\nmany/\n\"odd\\nname\"\nsrc/\n[1 ignored by git not shown; include_ignored shows them]\n[1 not shown because they may not be read]"
	if r.Output != want || r.Summary != "6 entries" {
		t.Errorf("%s\nwant %s", r.Output, want)
	}
	w.says(w.run("list_dir", args{"path": "src", "depth": 6}), "a/\n  b.go\nc.go")
	w.says(w.run("list_dir", args{"include_ignored": true}), "out/")
	w.says(w.run("list_dir", args{"path": "many"}), "000\n", "299\n[20 not shown: at most 300 entries")
	r = w.run("list_dir", args{"depth": 3})
	w.says(r, "src/", "not shown: only 1 level fit")
	if strings.Contains(r.Output, "000") || strings.Contains(r.Output, "c.go") {
		t.Error("a level was shown in part")
	}
	w.fails("list_dir", args{"path": "README"}, "is a file", "read_file")
	w.fails("list_dir", args{"path": "none"}, "no such")
}
