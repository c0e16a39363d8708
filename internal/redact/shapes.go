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

// The alphabets of keys. A hyphen stands last.
var (
	alnum  = bytesOf("A-Za-z0-9")
	word   = bytesOf("A-Za-z0-9_")
	dashed = bytesOf("A-Za-z0-9_-")
	dotted = bytesOf("A-Za-z0-9_.-")
	slack  = bytesOf("A-Za-z0-9-")
	upper  = bytesOf("A-Z0-9")
	hex    = bytesOf("a-f0-9")
	base64 = bytesOf("A-Za-z0-9+/=")
	bearer = bytesOf("A-Za-z0-9._~+/=-")
)

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
	{kind: "Anthropic key", prefix: "sk-ant-", set: dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-proj-", set: dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-svcacct-", set: dashed, min: 20},
	{kind: "OpenAI key", prefix: "sk-admin-", set: dashed, min: 20, mixed: true},
	{kind: "OpenRouter key", prefix: "sk-or-v1-", set: hex, min: 32},
	{kind: "provider key", prefix: "sk-", set: dashed, min: 20, apart: true, mixed: true},
	{kind: "Google key", prefix: "AIza", set: dashed, min: 35, exact: true, apart: true},
	{kind: "Google OAuth token", prefix: "ya29.", set: dashed, min: 30, apart: true},
	{kind: "Google client secret", prefix: "GOCSPX-", set: dashed, min: 20},
	{kind: "Groq key", prefix: "gsk_", set: alnum, min: 40, apart: true},
	{kind: "xAI key", prefix: "xai-", set: alnum, min: 40, apart: true},
	{kind: "Perplexity key", prefix: "pplx-", set: alnum, min: 40, apart: true},
	{kind: "Cerebras key", prefix: "csk-", set: alnum, min: 40, apart: true},
	{kind: "NVIDIA key", prefix: "nvapi-", set: dashed, min: 40, apart: true},
	{kind: "Replicate token", prefix: "r8_", set: alnum, min: 37, exact: true, apart: true},
	{kind: "Hugging Face token", prefix: "hf_", set: alnum, min: 30, apart: true},
	{kind: "Tavily key", prefix: "tvly-", set: dashed, min: 28, apart: true},
	{kind: "GitHub token", prefix: "github_pat_", set: word, min: 36},
	{kind: "GitHub token", prefix: "ghp_", set: alnum, min: 36},
	{kind: "GitHub token", prefix: "gho_", set: alnum, min: 36},
	{kind: "GitHub token", prefix: "ghu_", set: alnum, min: 36},
	{kind: "GitHub token", prefix: "ghs_", set: alnum, min: 36},
	{kind: "GitHub token", prefix: "ghr_", set: alnum, min: 36},
	{kind: "GitLab token", prefix: "glpat-", set: dashed, min: 20},
	{kind: "GitLab token", prefix: "gldt-", set: dashed, min: 20, apart: true},
	{kind: "GitLab token", prefix: "glrt-", set: dashed, min: 20, apart: true},
	{kind: "GitLab token", prefix: "glptt-", set: alnum, min: 40},
	{kind: "AWS key id", prefix: "AKIA", set: upper, min: 16, exact: true, apart: true},
	{kind: "AWS key id", prefix: "ASIA", set: upper, min: 16, exact: true, apart: true},
	{kind: "Slack token", prefix: "xoxb-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xoxp-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xoxa-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xoxr-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xoxs-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xoxe.xoxp-", set: slack, min: 20},
	{kind: "Slack token", prefix: "xapp-", set: slack, min: 20},
	{kind: "Slack webhook", prefix: "hooks.slack.com/services/", set: bytesOf("A-Za-z0-9/"), min: 30},
	{kind: "Discord webhook", prefix: "discord.com/api/webhooks/", set: bytesOf("A-Za-z0-9_/-"), min: 60},
	{kind: "npm token", prefix: "npm_", set: alnum, min: 36, exact: true},
	{kind: "PyPI token", prefix: "pypi-AgEI", set: dashed, min: 50},
	{kind: "Stripe key", prefix: "sk_live_", set: alnum, min: 16},
	{kind: "Stripe key", prefix: "rk_live_", set: alnum, min: 16},
	{kind: "Stripe key", prefix: "sk_test_", set: alnum, min: 16},
	{kind: "Stripe key", prefix: "rk_test_", set: alnum, min: 16},
	{kind: "Stripe webhook secret", prefix: "whsec_", set: base64, min: 24},
	{kind: "SendGrid key", prefix: "SG.", set: dotted, min: 64, apart: true, mixed: true},
	{kind: "DigitalOcean token", prefix: "dop_v1_", set: hex, min: 64},
	{kind: "DigitalOcean token", prefix: "doo_v1_", set: hex, min: 64},
	{kind: "Databricks token", prefix: "dapi", set: hex, min: 32, exact: true, apart: true},
	{kind: "Docker token", prefix: "dckr_pat_", set: dashed, min: 20},
	{kind: "Shopify token", prefix: "shpat_", set: hex, min: 32},
	{kind: "Linear key", prefix: "lin_api_", set: alnum, min: 32},
	{kind: "Figma token", prefix: "figd_", set: dashed, min: 36},
	{kind: "Supabase token", prefix: "sbp_", set: hex, min: 40, apart: true},
	{kind: "Grafana token", prefix: "glsa_", set: word, min: 32},
	{kind: "Vault token", prefix: "hvs.", set: dashed, min: 24, apart: true},
	{kind: "Atlassian token", prefix: "ATATT3", set: bytesOf("A-Za-z0-9_=-"), min: 60},
	{kind: "Postman key", prefix: "PMAK-", set: slack, min: 50},
	{kind: "PlanetScale token", prefix: "pscale_tkn_", set: dashed, min: 32},
	{kind: "Sentry token", prefix: "sntrys_", set: bytesOf("A-Za-z0-9+/=_"), min: 60},
	{kind: "age key", prefix: "AGE-SECRET-KEY-1", set: upper, min: 58, exact: true},
}
