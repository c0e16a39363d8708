package redact

// set is a set of bytes.
type set [256]bool

func bytesOf(ranges string) *set {
	var s set
	for i := 0; i < len(ranges); i++ {
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			for b := int(ranges[i]); b <= int(ranges[i+2]); b++ {
				s[b] = true
			}
			i += 2
			continue
		}
		s[ranges[i]] = true
	}
	return &s
}

// alphabets are the sets of bytes that credentials are made of, and some that
// stand around them.
type alphabets struct {
	alnum, word, dashed, dotted, slack, upper, hex, base64, bearer *set
	separators, blank, user, password, blockName                   *set
}

// in holds the alphabets. In a range a hyphen itself stands last.
var in = func() alphabets {
	return alphabets{
		alnum:  bytesOf("A-Za-z0-9"),
		word:   bytesOf("A-Za-z0-9_"),
		dashed: bytesOf("A-Za-z0-9_-"),
		dotted: bytesOf("A-Za-z0-9_.-"),
		slack:  bytesOf("A-Za-z0-9-"),
		upper:  bytesOf("A-Z0-9"),
		hex:    bytesOf("a-f0-9"),
		base64: bytesOf("A-Za-z0-9+/="),
		bearer: bytesOf("A-Za-z0-9._~+/=-"),

		separators: bytesOf(` "':=\`),
		blank:      bytesOf(" "),
		user:       bytesOf("A-Za-z0-9._%+-"),
		password:   bytesOf("A-Za-z0-9._~!&()*+,;=%^#?|-"),
		blockName:  bytesOf("A-Z0-9 "),
	}
}()

// shape is a credential that begins with a fixed text.
type shape struct {
	kind   string
	prefix string
	set    *set
	// min is how many bytes of the set follow the prefix at least; exact says
	// that it is that many and no more.
	min   int
	exact bool
	// apart says that the prefix may be part of an ordinary word, so that no
	// letter, digit or underscore may stand before it.
	apart bool
	// mixed says that words may follow the prefix too, so that what follows
	// must look random.
	mixed bool
}

// shapes are the known credentials; of two that begin alike the longer prefix
// stands first.
var shapes = []shape{
	{kind: "Anthropic key", prefix: "sk-ant-", set: in.dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-proj-", set: in.dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-svcacct-", set: in.dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-admin-", set: in.dashed, min: 20, mixed: true},
	{kind: "OpenRouter key", prefix: "sk-or-v1-", set: in.hex, min: 32},
	{kind: "provider key", prefix: "sk-", set: in.dashed, min: 20, apart: true, mixed: true},
	{kind: "Google key", prefix: "AIza", set: in.dashed, min: 35, exact: true, apart: true},
	{kind: "Google OAuth token", prefix: "ya29.", set: in.dashed, min: 30, apart: true},
	{kind: "Google client secret", prefix: "GOCSPX-", set: in.dashed, min: 20},
	{kind: "Groq key", prefix: "gsk_", set: in.alnum, min: 40, apart: true},
	{kind: "xAI key", prefix: "xai-", set: in.alnum, min: 40, apart: true},
	{kind: "Perplexity key", prefix: "pplx-", set: in.alnum, min: 40, apart: true},
	{kind: "Cerebras key", prefix: "csk-", set: in.alnum, min: 40, apart: true},
	{kind: "NVIDIA key", prefix: "nvapi-", set: in.dashed, min: 40, apart: true},
	{kind: "Replicate token", prefix: "r8_", set: in.alnum, min: 37, exact: true, apart: true},
	{kind: "Hugging Face token", prefix: "hf_", set: in.alnum, min: 30, apart: true},
	{kind: "Tavily key", prefix: "tvly-", set: in.dashed, min: 28, apart: true},
	{kind: "GitHub token", prefix: "github_pat_", set: in.word, min: 36},
	{kind: "GitHub token", prefix: "ghp_", set: in.alnum, min: 36},
	{kind: "GitHub token", prefix: "gho_", set: in.alnum, min: 36},
	{kind: "GitHub token", prefix: "ghu_", set: in.alnum, min: 36},
	{kind: "GitHub token", prefix: "ghs_", set: in.alnum, min: 36},
	{kind: "GitHub token", prefix: "ghr_", set: in.alnum, min: 36},
	{kind: "GitLab token", prefix: "glpat-", set: in.dashed, min: 20},
	{kind: "GitLab token", prefix: "gldt-", set: in.dashed, min: 20, apart: true},
	{kind: "GitLab token", prefix: "glrt-", set: in.dashed, min: 20, apart: true},
	{kind: "GitLab token", prefix: "glptt-", set: in.alnum, min: 40},
	{kind: "AWS key id", prefix: "AKIA", set: in.upper, min: 16, exact: true, apart: true},
	{kind: "AWS key id", prefix: "ASIA", set: in.upper, min: 16, exact: true, apart: true},
	{kind: "Slack token", prefix: "xoxb-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xoxp-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xoxa-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xoxr-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xoxs-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xoxe.xoxp-", set: in.slack, min: 20},
	{kind: "Slack token", prefix: "xapp-", set: in.slack, min: 20},
	{kind: "Slack webhook", prefix: "hooks.slack.com/services/", set: bytesOf("A-Za-z0-9/"), min: 30},
	{kind: "Discord webhook", prefix: "discord.com/api/webhooks/", set: bytesOf("A-Za-z0-9_/-"), min: 60},
	{kind: "npm token", prefix: "npm_", set: in.alnum, min: 36, exact: true},
	{kind: "PyPI token", prefix: "pypi-AgEI", set: in.dashed, min: 50},
	{kind: "Stripe key", prefix: "sk_live_", set: in.alnum, min: 16},
	{kind: "Stripe key", prefix: "rk_live_", set: in.alnum, min: 16},
	{kind: "Stripe key", prefix: "sk_test_", set: in.alnum, min: 16},
	{kind: "Stripe key", prefix: "rk_test_", set: in.alnum, min: 16},
	{kind: "Stripe webhook secret", prefix: "whsec_", set: in.base64, min: 24},
	{kind: "SendGrid key", prefix: "SG.", set: in.dotted, min: 64, apart: true, mixed: true},
	{kind: "DigitalOcean token", prefix: "dop_v1_", set: in.hex, min: 64},
	{kind: "DigitalOcean token", prefix: "doo_v1_", set: in.hex, min: 64},
	{kind: "Databricks token", prefix: "dapi", set: in.hex, min: 32, exact: true, apart: true},
	{kind: "Docker token", prefix: "dckr_pat_", set: in.dashed, min: 20},
	{kind: "Shopify token", prefix: "shpat_", set: in.hex, min: 32},
	{kind: "Linear key", prefix: "lin_api_", set: in.alnum, min: 32},
	{kind: "Figma token", prefix: "figd_", set: in.dashed, min: 36},
	{kind: "Supabase token", prefix: "sbp_", set: in.hex, min: 40, apart: true},
	{kind: "Grafana token", prefix: "glsa_", set: in.word, min: 32},
	{kind: "Vault token", prefix: "hvs.", set: in.dashed, min: 24, apart: true},
	{kind: "Atlassian token", prefix: "ATATT3", set: bytesOf("A-Za-z0-9_=-"), min: 60},
	{kind: "Postman key", prefix: "PMAK-", set: in.slack, min: 50},
	{kind: "PlanetScale token", prefix: "pscale_tkn_", set: in.dashed, min: 32},
	{kind: "Sentry token", prefix: "sntrys_", set: bytesOf("A-Za-z0-9+/=_"), min: 60},
	{kind: "age key", prefix: "AGE-SECRET-KEY-1", set: in.upper, min: 58, exact: true},
}
