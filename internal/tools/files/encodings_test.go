package files_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Every tool that writes keeps how a file is stored: its encoding, its mark and
// its line ends, to the byte.
func TestToolsKeepEncodings(t *testing.T) {
	t.Parallel()
	wide := func(o unicode.Endianness, b unicode.BOMPolicy) encoding.Encoding { return unicode.UTF16(o, b) }
	latin := [3]string{"déjà vu, garçon\r\nnaïve façade\r\nzweite Ähre\r\n", "naïve façade", "vécu à Orléans"}
	for _, stored := range []struct {
		name string
		enc  encoding.Encoding
		text [3]string // the whole, a line of it, and what is to take its place
	}{
		{"utf-16le with a mark", wide(unicode.LittleEndian, unicode.UseBOM), latin},
		{"utf-16be with a mark", wide(unicode.BigEndian, unicode.UseBOM), latin},
		{"utf-16le", wide(unicode.LittleEndian, unicode.IgnoreBOM), latin},
		{"utf-16be", wide(unicode.BigEndian, unicode.IgnoreBOM), latin},
		{"utf-8 with a mark", unicode.UTF8BOM, latin},
		{"latin-1", charmap.ISO8859_1, latin},
		{"windows-1252", charmap.Windows1252, [3]string{"“déjà” – vu\r\nl’été\r\n", "l’été", "d’“été”"}},
		{"shift_jis", japanese.ShiftJIS, [3]string{"設定を読む\r\n名前 = 値\r\n", "名前 = 値", "値 = 名前"}},
		{"euc-jp", japanese.EUCJP, [3]string{"設定を読む\n名前 = 値の一覧\n", "名前 = 値の一覧", "値 = 名前の一覧"}},
		{"euc-kr", korean.EUCKR, [3]string{"설정을 읽습니다\n이름 = 값입니다\n", "이름 = 값입니다", "값 = 이름입니다"}},
		{"gb18030", simplifiedchinese.GB18030, [3]string{"读取设置文件\n名称等于数值\n", "名称等于数值", "数值等于名称"}},
		{"koi8-r", charmap.KOI8R, [3]string{"чтение настроек программы\nимя равно значению\n", "имя равно значению", "значение равно имени"}},
		{"windows-1251", charmap.Windows1251, [3]string{"Чтение настроек программы\nИмя равно значению\n", "Имя равно значению", "Значение равно имени"}},
	} {
		whole, line, other := stored.text[0], stored.text[1], stored.text[2]
		bytes := func(text string) string {
			data, err := stored.enc.NewEncoder().String(text)
			if err != nil {
				t.Fatal(stored.name, err)
			}
			return data
		}
		want := strings.Replace(whole, line, other, 1)
		for _, c := range []struct {
			name, tool string
			input      args
		}{
			{"edit_file", "edit_file", args{"path": "f", "old_string": line, "new_string": other}},
			{"multi_edit", "multi_edit", args{"path": "f", "edits": []args{{"old_string": line, "new_string": "x"}, {"old_string": "x", "new_string": other}}}},
			{"apply_patch", "apply_patch", patch("*** Update File: f", "@@", "-"+line, "+"+other)},
			{"apply_patch, renamed", "apply_patch", patch("*** Update File: f", "*** Move to: g", "@@", "-"+line, "+"+other)},
			{"apply_patch, replaced", "apply_patch", patch("*** Add File: f", "+"+joined(want))},
			{"write_file", "write_file", args{"path": "f", "content": want}},
		} {
			t.Run(stored.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{"f": bytes(whole)})
				w.run(c.tool, c.input)
				name := "f"
				if c.name == "apply_patch, renamed" {
					name = "g"
				}
				w.holds(name, bytes(want))
			})
		}
	}
}

// joined are the lines of a text as a patch inserts them, without line ends.
func joined(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\r", ""), "\n", "\n+")
}
