package redact_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/redact"
)

// random is text that looks like a key, made at run time so that no scanner
// takes this file for a leak.
func random(n int) string {
	const seed = "Zk3Jq8Xw1Rt6Bv0Nm5Hy2Lp9Gd4Sc7Fa"
	return strings.Repeat(seed, n/len(seed)+1)[:n]
}

func hexes(n int) string { return strings.Repeat("9f86d081884c7d65", n/16+1)[:n] }

func pem(kind string, lines int) string {
	body := strings.Repeat(base64.StdEncoding.EncodeToString([]byte(random(48)))+"\n", lines)
	return "-----BEGIN " + kind + "-----\n" + body + "c2hvcnQ=\n-----END " + kind + "-----"
}

func jwt() string {
	e := base64.RawURLEncoding
	return e.EncodeToString([]byte(`{"alg":"HS256"}`)) + "." + e.EncodeToString([]byte(`{"sub":"1","name":"x"}`)) + "." + random(43)
}

// known are credentials of each kind, with what stays readable.
func known() map[string]string {
	return map[string]string{
		"sk-ant-" + "api03-" + random(90):                                    "sk-ant-",
		"sk-" + "proj-" + random(60):                                         "sk-proj-",
		"sk-" + random(48):                                                   "sk-",
		"sk-" + hexes(32):                                                    "sk-",
		"sk-" + "or-v1-" + hexes(64):                                         "sk-or-v1-",
		"AIza" + random(35):                                                  "AIza",
		"gsk" + "_" + random(52):                                             "gsk_",
		"xai" + "-" + random(80):                                             "xai-",
		"ghp" + "_" + random(36):                                             "ghp_",
		"gho" + "_" + random(36):                                             "gho_",
		"ghs" + "_" + random(36):                                             "ghs_",
		"github" + "_pat_" + random(22) + "_" + random(59):                   "github_pat_",
		"glpat" + "-" + random(20):                                           "glpat-",
		"AKIA" + strings.ToUpper(random(16)):                                 "AKIA",
		"xoxb" + "-" + "123456789012-" + random(24):                          "xoxb-",
		"npm" + "_" + random(36):                                             "npm_",
		"hf" + "_" + random(34):                                              "hf_",
		"sk" + "_live_" + random(24):                                         "sk_live_",
		"SG" + "." + random(22) + "." + random(43):                           "SG.",
		"dop" + "_v1_" + hexes(64):                                           "dop_v1_",
		"r8" + "_" + random(37):                                              "r8_",
		jwt():                                                                "eyJ",
		pem("PRIVATE KEY", 6):                                                "",
		pem("RSA PRIVATE KEY", 24):                                           "",
		pem("OPENSSH PRIVATE KEY", 6):                                        "",
		pem("PGP PRIVATE KEY BLOCK", 40):                                     "",
		strings.ReplaceAll(pem("PRIVATE KEY", 6), "\n", `\n`):                "",
		"Authorization: Bearer " + random(30):                                "Authorization: Bearer ",
		`"authorization": "Bearer ` + random(30):                             `"authorization": "Bearer `,
		"Authorization: Basic " + "dXNlcjpwYXNzd29yZA==":                     "Authorization: Basic ",
		"bearer " + random(40):                                               "bearer ",
		"x-api-key: " + random(40):                                           "x-api-key: ",
		"aws_secret_access_key = " + random(38) + "+/":                       "aws_secret_access_key = ",
		`"SecretAccessKey": "` + random(40):                                  `"SecretAccessKey": "`,
		"postgres" + "://app:" + random(16) + "@db:5432/x":                   "postgres://app:",
		"https" + "://ghp" + "_" + random(36) + ":x-oauth-basic1@host/r.git": "https://ghp_",
	}
}

func TestKnownKeysAreMasked(t *testing.T) { // SEC-13
	t.Parallel()
	for key, keep := range known() {
		for _, around := range [][2]string{
			{"", ""},
			{"KEY=", "\n"},
			{`{"key":"`, `"}`},
			{"export A='", "'; run"},
			{"a\n", " b"},
			{`\n`, `\n`},
			{"\x1b[32m", "\x1b[0m"},
		} {
			text := around[0] + key + around[1]
			got, n := redact.String(text)
			if n == 0 || !strings.Contains(got, "[redacted") {
				t.Errorf("not masked: %q", text)
				continue
			}
			if secret := key[len(keep):]; len(secret) > 12 && strings.Contains(got, secret[:12]) {
				t.Errorf("%q shows the key", got)
			}
			if !strings.HasPrefix(got, around[0]+keep) || !strings.HasSuffix(got, around[1]) {
				t.Errorf("%q loses what is around the key", got)
			}
			if again, n := redact.String(got); again != got || n != 0 {
				t.Errorf("masking twice changes %q to %q", got, again)
			}
		}
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"sk-fading-circle-and-some-other-class-name-that-is-long", "task-management-for-everybody-in-2024",
		"risk-assessment-0123456789-0123", "sk-your-api-key-here", "ghp_short", "AKIA", "AKIAlowercase0123456789",
		"-----BEGIN CERTIFICATE-----\n" + random(64) + "\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n" + random(64) + "\n-----END PUBLIC KEY-----",
		`const begin = "-----BEGIN RSA PRIVATE KEY-----"` + "\n" + `const end = "-----END RSA PRIVATE KEY-----"`,
		"-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----",
		"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: required for this endpoint",
		"the bearer of this letter is unknownpersonhere", "Authorization: Basic authentication",
		"https://user:password@example.org/", "https://example.org:8080/a@b", "http://[::1]:80",
		"eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9.notjson.x", "sha256:" + hexes(64), "commit " + hexes(40),
		"npm_config_registry", "npm_package_dependencies_something_else_long_enough_x", "hf_hub_download(repo_id)",
		"x-api-key: see the documentation of it", "data:image/png;base64," + random(400), "SG.something.else",
		"aws_secret_access_key = os.environ['X']", "xai-org/grok", "dapi-server-name", "func sk_live_test() {}",
	} {
		if got, n := redact.String(text); got != text || n != 0 {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestUnendedPrivateKey(t *testing.T) {
	t.Parallel()
	whole := pem("RSA PRIVATE KEY", 8)
	cut := whole[:strings.Index(whole, "-----END")] // as `head` prints it
	got, n := redact.String("before\n" + cut + "after the key comes prose\n")
	if n != 1 || !strings.HasPrefix(got, "before\n[redacted private key]") || !strings.HasSuffix(got, "after the key comes prose\n") {
		t.Errorf("%d: %q", n, got)
	}
	var numbered strings.Builder // as read_file prints it
	for i, l := range strings.Split(cut, "\n") {
		numbered.WriteString("   " + string(rune('1'+i)) + "\t" + l + "\n")
	}
	if got, n := redact.String(numbered.String()); n != 1 || strings.Contains(got, random(10)) {
		t.Errorf("numbered: %d: %q", n, got)
	}
}

func TestOwnValues(t *testing.T) {
	t.Parallel()
	m := redact.New("correct horse", "correct horse battery staple", "short", "", "  padded-value  ")
	got, n := m.String("a correct horse battery staple, a correct horse, short, xpadded-valuex")
	if n != 3 || strings.Contains(got, "horse") || strings.Contains(got, "staple") || !strings.Contains(got, "short") || strings.Contains(got, "padded") {
		t.Errorf("%d: %q", n, got)
	}
}

func TestFindNamesPlaceAndKind(t *testing.T) {
	t.Parallel()
	key := "ghp" + "_" + random(40)
	text := "x=" + key + "; y=" + "AKIA" + strings.ToUpper(random(16)) + "."
	got := redact.Find(text)
	if len(got) != 2 || got[0].Kind != "GitHub token" || text[got[0].Start:got[0].End] != key || text[got[0].Start:got[0].Keep] != "ghp_" ||
		got[1].Kind != "AWS key id" || text[got[1].End:] != "." {
		t.Errorf("%+v", got)
	}
	long := "xoxb" + "-" + random(1000)
	if got := redact.Find(long); len(got) != 1 || got[0].End != len(long) {
		t.Errorf("a long key ends at %+v, not %d", got, len(long))
	}
}

// stream masks a text cut at the given places.
func stream(m *redact.Masker, text string, cuts []int) (string, int) {
	s := m.Stream()
	var out strings.Builder
	for _, c := range cuts {
		c = min(max(c, 0), len(text))
		out.WriteString(s.Write(text[:c]))
		text = text[c:]
	}
	out.WriteString(s.Write(text) + s.Flush())
	return out.String(), s.Count()
}

// TestChunksDoNotMatter: any cutting gives what the whole gives.
func TestChunksDoNotMatter(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"plain text\n", " ", "s", "sk-", "A", "-----BEGIN ", "-----", "PRIVATE KEY-----", "-----END ", "eyJ", ".", "://", ":", "@",
		"Authorization: ", "Bearer ", "x-api-key=", random(20), random(40), hexes(64), "correct ", "horse", " battery", "\n", `\n`,
		random(300), strings.Repeat(random(64)+"\n", 5),
	}
	for key := range known() {
		pieces = append(pieces, key)
	}
	m := redact.New("correct horse", "correct horse battery")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
		cuts := rapid.SliceOfN(rapid.IntRange(0, 80), 0, 60).Draw(t, "cuts")
		want, count := m.String(text)
		if got, n := stream(m, text, cuts); got != want || n != count {
			t.Fatalf("cut %v:\n%q\nwhole:\n%q", cuts, got, want)
		}
		if again, _ := m.String(want); again != want {
			t.Fatalf("not stable: %q, then %q", want, again)
		}
	})
}

// Parts of the greatest length are told by what follows them, also when it
// comes later.
func TestLongestPartsOfAnAddress(t *testing.T) {
	t.Parallel()
	for _, user := range []int{63, 64, 65} {
		for _, password := range []int{255, 256, 257} {
			text := "https" + "://" + random(user) + ":" + random(password) + "@host/ y"
			want, n := redact.String(text)
			if short := user <= 64 && password <= 256; n == 1 != short {
				t.Errorf("user of %d, password of %d bytes: %d masked", user, password, n)
			}
			cuts := make([]int, len(text))
			for i := range cuts {
				cuts[i] = 1
			}
			if got, _ := stream(redact.New(), text, cuts); got != want {
				t.Errorf("user of %d, password of %d bytes, byte by byte: %q", user, password, got)
			}
		}
	}
}

func TestStreamDoesNotStall(t *testing.T) {
	t.Parallel()
	s := redact.New().Stream()
	if got := s.Write("compiling package one\n"); got != "compiling package one\n" {
		t.Errorf("held back %q of an ordinary line", got)
	}
	held := 0
	for range 4000 {
		held += 16 - len(s.Write("-----BEGIN PRIVAT"[:16]))
		if held > 20<<10 {
			t.Fatalf("%d bytes are held back", held)
		}
	}
}

func FuzzStream(f *testing.F) {
	for key := range known() {
		f.Add("x "+key+" y", 7, 20)
	}
	m := redact.New("configured-secret")
	f.Fuzz(func(t *testing.T, text string, a, b int) {
		want, _ := m.String(text)
		if got, _ := stream(m, text, []int{a, b}); got != want {
			t.Fatalf("%q, whole %q", got, want)
		}
		var bytewise strings.Builder
		s := m.Stream()
		for i := range len(text) {
			bytewise.WriteString(s.Write(text[i : i+1]))
		}
		if got := bytewise.String() + s.Flush(); got != want {
			t.Fatalf("bytewise %q, whole %q", got, want)
		}
		last := 0
		for _, p := range m.Find(text) {
			if p.Start < last || p.Keep < p.Start || p.End < p.Keep || p.End > len(text) {
				t.Fatalf("span %+v of %d bytes", p, len(text))
			}
			last = p.Keep
		}
	})
}

func BenchmarkString(b *testing.B) {
	text := strings.Repeat("func main() { fmt.Println(\"ordinary source text\", x.y, a-b) } // comment\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.String(text)
	}
}
