package search_test

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

// What read_file shows can be found and is shown the same, however the file is
// stored.
func TestGrepFindsInEveryEncoding(t *testing.T) {
	t.Parallel()
	files, want := map[string]string{}, map[string]string{}
	for name, c := range map[string]struct {
		enc  encoding.Encoding
		text string
	}{
		"le":     {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "premier\ndéjà vu key\n"},
		"be":     {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "premier\ndéjà vu key\n"},
		"lebare": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "premier\ndéjà vu key\n"},
		"bebare": {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "premier\ndéjà vu key\n"},
		"latin":  {charmap.ISO8859_1, "garçon, naïve façade\ndéjà vu key\n"},
		"sjis":   {japanese.ShiftJIS, "設定を読む\n名前 = 値 key\n"},
		"eucjp":  {japanese.EUCJP, "設定を読みます\n名前 = 値の一覧 key\n"},
		"euckr":  {korean.EUCKR, "설정을 읽습니다\n이름 = 값입니다 key\n"},
		"gb":     {simplifiedchinese.GB18030, "读取设置文件\n名称等于数值 key\n"},
		"koi8":   {charmap.KOI8R, "чтение настроек программы\nимя равно значению key\n"},
		"utf8":   {encoding.Nop, "plain\nnaïve 日本 key\n"},
	} {
		data, err := c.enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		files[name] = data
		_, line, _ := strings.Cut(c.text, "\n")
		want[name] = name + ":2: " + strings.TrimSuffix(line, "\n")
	}
	long, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(strings.Repeat("x", 3999) + "😀\nrare word\n")
	if err != nil {
		t.Fatal(err)
	}
	files["long"], want["long"] = long, "long:2: rare word" // a character stands across what is looked at first
	r := newRoom(t, files)
	for pattern, names := range map[string][]string{
		"key":           {"be", "bebare", "eucjp", "euckr", "gb", "koi8", "latin", "le", "lebare", "sjis", "utf8"},
		"(?i)DÉJÀ":      {"be", "bebare", "latin", "le", "lebare"},
		"名前":            {"eucjp", "sjis"},
		`\p{Hangul}+ =`: {"euckr"},
		"равно .*key":   {"koi8"},
		"等于":            {"gb"},
		`^名`:            {"eucjp", "gb", "sjis"},
		"日本":            {"utf8"},
	} {
		var list []string
		for _, n := range names {
			list = append(list, want[n])
		}
		if got := r.run("grep", args{"pattern": pattern}); got != lines(list...) {
			t.Errorf("%s:\n%s\nwant\n%s", pattern, got, lines(list...))
		}
	}
}
