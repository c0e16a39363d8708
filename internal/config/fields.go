package config

import (
	"os"
	"strings"

	"assent/internal/address"
	"assent/internal/medium"
)

// scope says what a project's file may do with a field.
type scope int

const (
	open    scope = iota // anyone may set it
	trusted              // only a trusted project
	never                // no project
)

// field is one field of the config: its name, what it is for, its JSON Schema,
// and how it is read.
type field struct {
	name, doc string
	schema    string
	project   scope
	// limits says what else a project may not do with it, for the document.
	limits string
	number bool
	// adds says that what one file says is added to what the others do.
	adds bool
	// later says what this version does not do yet, so that the field has no
	// effect; empty for a field that has. unsafe says that a user who sets it
	// relies on it, so that it is a fault.
	later  string
	unsafe bool
	set    func(*Config, node)
}

// The schemas of the simple forms.
const (
	aString  = `{"type":"string"}`
	aNumber  = `{"type":"number","minimum":0}`
	anObject = `{"type":"object"}`
	aList    = `{"type":"array","items":{"type":"string"}}`
)

// fields is the one table of config fields: loading, checking, editing, the
// schema and the documentation come from it.
var fields = []field{
	{name: "provider", doc: "preset name of the model provider", schema: aString, project: never, set: func(c *Config, n node) {
		set(&c.Provider, n.oneOf, "provider", n.r.sources.Words.Providers)
	}},
	{name: "model", doc: "model id", schema: aString, set: func(c *Config, n node) {
		if s, ok := n.str("a model id"); ok {
			c.Model = s
		}
	}},
	{name: "baseUrl", doc: "endpoint of the provider, with or without /v1", schema: aString, project: never, set: setURL(func(c *Config) *string { return &c.BaseURL })},
	{name: "apiKey", doc: "key of the provider; better in the environment or a credential command", schema: aString, project: never, set: func(c *Config, n node) {
		if s, ok := n.str("a key"); ok {
			c.APIKey = strings.TrimSpace(s)
		}
	}},
	{name: "credential", doc: "command whose output is the key", schema: `{"type":["string","array"],"items":{"type":"string"}}`, project: never, set: setCredential},
	{name: "agent", doc: "agent variant to start with", schema: aString, limits: "when trusted, or when you chose none", set: setAgent},
	{name: "thinking", doc: "how hard the model thinks", schema: `{"enum":["off","low","medium","high","max"]}`, set: func(c *Config, n node) {
		set(&c.Thinking, n.oneOf, "thinking level", n.r.sources.Words.Levels)
	}},
	{name: "toolSets", doc: "tool sets beside core and session", schema: aList, set: func(c *Config, n node) {
		if list, ok := n.strings("tool set", n.r.sources.Words.ToolSets); ok {
			c.ToolSets = list
		}
	}},
	{name: "permission", adds: true, doc: "ordered rules: tool to a decision, or to a table of pattern to decision; the last match wins", schema: anObject, limits: "ask and deny; allow when trusted", set: setPermission},
	{name: "projects", doc: "what you granted by project (real path): permission tables as above; an \"always for this project\" is appended here", schema: anObject, project: never, set: setProjects},
	{name: "readOnly", adds: true, doc: "command patterns that plan and review agents may run", schema: aList, project: trusted, set: func(c *Config, n node) {
		if list, ok := n.strings("command pattern", nil); ok {
			c.ReadOnly = append(c.ReadOnly, list...)
		}
	}},
	{name: "guards", doc: "builtin guards: false turns one off, except lists patterns it lets pass", schema: anObject, project: never, set: setGuards},
	{name: "plugins", adds: true, doc: "plugins by name, true or false", schema: `{"type":"object","additionalProperties":{"type":"boolean"}}`, project: trusted, later: "installs no plugins", set: setPlugins},
	{name: "hooks", adds: true, doc: "commands around the loop: event to a list of matcher and commands", schema: anObject, project: trusted, later: "runs no hooks", unsafe: true, set: func(c *Config, n node) {
		if raw, ok := n.object(); ok {
			c.Hooks = append(c.Hooks, raw)
		}
	}},
	{name: "maxSteps", doc: "most model requests of one turn; without it the agent's own cap holds", schema: `{"type":"integer","minimum":1}`, limits: "lower only", number: true, set: setMaxSteps},
	{name: "maxCostUsd", doc: "most a turn may cost, USD", schema: aNumber, limits: "lower only", number: true, set: setMaxCost},
	{name: "retry", doc: "tries: requests in all; maxWait: longest wait in seconds; idle: seconds of silence that end a stream", schema: `{"type":"object","properties":{"tries":{"type":"integer"},"maxWait":{"type":"integer"},"idle":{"type":"integer"}},"additionalProperties":false}`, project: trusted, set: setRetry},
	{name: "models", adds: true, doc: "facts of models by id, over the catalogue", schema: anObject, project: trusted, set: setModels},
	{name: "mcpServers", adds: true, doc: "MCP servers by name", schema: anObject, project: trusted, later: "starts no MCP servers", set: func(c *Config, n node) {
		if raw, ok := n.object(); ok {
			c.MCPServers = append(c.MCPServers, raw)
		}
	}},
	{name: "subagentModel", doc: "model for subagents", schema: aString, later: "has no subagents", set: func(c *Config, n node) {
		if s, ok := n.str("a model id"); ok {
			c.SubagentModel = s
		}
	}},
	{name: "registryUrl", doc: "index of skills and plugins, https", schema: aString, project: never, later: "has no registry", set: setURL(func(c *Config) *string { return &c.RegistryURL })},
	{name: "ask", doc: "behaviour of the question form", schema: anObject, project: trusted, later: "has no question form", set: setRaw(func(c *Config) *Raw { return &c.Ask })},
	{name: "notifications", doc: "channels that announce a waiting question or a finished turn", schema: anObject, project: trusted, set: setRaw(func(c *Config) *Raw { return &c.Notifications })},
	{name: "keymaps", doc: "keys by context and action", schema: anObject, project: trusted, later: "has fixed keys", set: setRaw(func(c *Config) *Raw { return &c.Keymaps })},
	{name: "theme", doc: "auto, light, dark or none", schema: `{"enum":["auto","light","dark","none"]}`, set: func(c *Config, n node) {
		set(&c.Theme, n.oneOf, "theme", []string{"auto", "light", "dark", "none"})
	}},
	{name: "proxy", doc: "proxy for model requests (http, https or socks5); the environment's HTTPS_PROXY, HTTP_PROXY and ALL_PROXY are used without it, and one that holds no address is an error that names it", schema: aString, project: never, set: setProxy},
	{name: "caFile", doc: "PEM file with further root certificates", schema: aString, project: never, set: func(c *Config, n node) {
		s, ok := n.str("a file")
		if !ok {
			return
		}
		if _, err := os.Stat(s); err != nil {
			n.fault("cannot read the certificate file %s: %v", s, medium.Plain(err, "file"))
			return
		}
		c.CAFile = s
	}},
	{name: "shell", doc: "login: true gives the commands of the agent and your own (`!make`) the environment of a login shell, read once at the first command; those that announce or fetch a key keep that of the program", schema: `{"type":"object","properties":{"login":{"type":"boolean"}},"additionalProperties":false}`, project: never, set: setShell},
	{name: "sessions", doc: "keepDays: sessions that nobody used for so many days before the newest one of yesterday or earlier are removed when a new one begins, so that no wrong clock removes them; without it, or with 0, all are kept", schema: `{"type":"object","properties":{"keepDays":{"type":"integer","minimum":0}},"additionalProperties":false}`, project: never, set: setSessions},
	{name: "trust", doc: "real paths of projects that are trusted", schema: aList, project: never, set: func(c *Config, n node) {
		if list, ok := n.strings("a path", nil); ok {
			c.Trust = append(c.Trust, list...)
		}
	}},
}

// set stores a checked word.
func set(to *string, get func(string, []string) (string, bool), what string, valid []string) {
	if s, ok := get(what, valid); ok {
		*to = s
	}
}

func setRaw(to func(*Config) *Raw) func(*Config, node) {
	return func(c *Config, n node) {
		if raw, ok := n.object(); ok {
			*to(c) = raw
		}
	}
}

// setProxy takes what the transport takes.
func setProxy(c *Config, n node) {
	s, ok := n.str("the address of a proxy")
	if !ok {
		return
	}
	if check := n.r.sources.Words.Proxy; check != nil && s != "" {
		if err := check(s); err != nil {
			n.fault("%v", err)
			return
		}
	}
	c.Proxy = s
}

func setURL(to func(*Config) *string) func(*Config, node) {
	return func(c *Config, n node) {
		s, ok := n.str("a URL")
		if !ok {
			return
		}
		whole, good := address.Complete(s)
		if s != "" && !good { // an empty one is as if it were not there
			n.fault("want a URL that begins with https:// or http://, such as https://host")
			return
		}
		*to(c) = whole
	}
}
