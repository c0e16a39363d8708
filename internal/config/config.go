package config

import "encoding/json"

// Config is the sum of all layers. Its zero value, filled by Load with the
// defaults, works.
type Config struct {
	Provider, Model, BaseURL, APIKey string
	// Credential is the command whose output is the key, by its words, or
	// CredentialLine as a line for the shell; at most one is set.
	Credential     []string
	CredentialLine string
	Agent          string
	Thinking       string
	// ToolSets is nil when unset (then the default sets are offered) and empty
	// for core alone.
	ToolSets   []string
	Permission []Rule
	// ReadOnly are command patterns that plan and review agents may run.
	ReadOnly []string
	Guards   map[string]Guard
	// Plugins turns builtin and installed plugins on or off by name.
	Plugins map[string]bool
	// Hooks and MCPServers are kept as they stand for the packages that own
	// their forms.
	Hooks      []Raw
	MCPServers []Raw
	// MaxSteps and MaxCostUSD are limits of one turn; 0 is no limit of the
	// user's. ProjectSteps is the project's, which only tightens; see Steps.
	MaxSteps, ProjectSteps int
	MaxCostUSD             float64
	Retry                  Retry
	Models                 map[string]Model
	// SubagentModel is a cheaper model for subagents.
	SubagentModel string
	RegistryURL   string
	Ask           Raw
	Notifications Raw
	Keymaps       Raw
	Theme         string
	Proxy, CAFile string
	Shell         Shell
	Sessions      Sessions
	// Trust names projects that are trusted without a question, by real path.
	Trust []string
	// FileProvider and EnvProvider are the providers that the user's file and
	// the environment name, "" when they name none. Key, base URL and model of
	// that layer belong to it.
	FileProvider, EnvProvider string
	// Source says where a field's value came from, by field name: file:line,
	// a variable or a flag. A field that is not there has its default.
	Source map[string]string
	// Held lists what an untrusted project wanted and did not get.
	Held []string
	// Idle lists what is set and has no effect in this version.
	Idle []string
}

// Steps is the step cap of a turn for an agent whose own cap is given, 0 being
// none: the user's replaces it, the project's only tightens what holds.
func (c Config) Steps(agent int) int {
	steps := agent
	if c.MaxSteps > 0 {
		steps = c.MaxSteps
	}
	if c.ProjectSteps > 0 && (steps == 0 || c.ProjectSteps < steps) {
		steps = c.ProjectSteps
	}
	return steps
}

// Rule is one (tool, pattern) pair of the permission tables, in order.
type Rule struct {
	Tool string
	// Pattern is empty when the tool's value was a decision, not a table.
	Pattern, Verdict string
	// Source is file:line.
	Source string
	// Project says that the rule is the project file's, Trusted that the
	// project is trusted.
	Project, Trusted bool
	// Grant says that the user chose it at a prompt, for this project.
	Grant bool
}

// String writes the rule as the flags take it: bash(git *).
func (r Rule) String() string {
	if r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Pattern + ")"
}

// Guard is a guard's setting.
type Guard struct {
	Off    bool
	Except []string
}

// Retry is how long a failed request is tried again.
type Retry struct {
	// MaxWaitSeconds is the longest single wait that is honoured; 0 takes 60.
	MaxWaitSeconds int `json:"maxWait"`
	// Tries is the number of tries in all; 0 takes 5.
	Tries int `json:"tries"`
	// IdleSeconds ends a silent stream; 0 takes 120.
	IdleSeconds int `json:"idle"`
}

// Shell is what commands of the shell get.
type Shell struct {
	// Login takes the environment from a login shell, once, at the first
	// command.
	Login bool `json:"login"`
}

// Sessions is how long sessions are kept.
type Sessions struct {
	// KeepDays removes sessions that nobody used for so many days; 0 keeps all.
	KeepDays int `json:"keepDays"`
}

// Model overrides or adds what the catalogue says of a model id. Nil fields
// say nothing.
type Model struct {
	ContextWindow *int   `json:"contextWindow"`
	MaxOutput     *int   `json:"maxOutput"`
	Thinking      *bool  `json:"thinking"`
	Images        *bool  `json:"images"`
	Price         *Price `json:"price"`
}

// Price is USD per million tokens; a class that is nil keeps the catalogue's.
type Price struct {
	Input      *float64 `json:"input"`
	Output     *float64 `json:"output"`
	CacheRead  *float64 `json:"cacheRead"`
	CacheWrite *float64 `json:"cacheWrite"`
}

// Raw is a value kept as standard JSON for the package that owns its form.
type Raw struct {
	JSON    json.RawMessage
	Source  string
	Project bool
}

// Words are the valid words of fields whose values other packages own. A nil
// list is not checked.
type Words struct {
	Providers, Agents, Levels, ToolSets, ToolKeys, Guards, Plugins []string
	// LaterTools are tools of another version: a rule may name one, and nothing
	// offers it.
	LaterTools []string
	// Proxy says what is wrong with the address of a proxy; nil takes any.
	Proxy func(address string) error
}

// Defaults that a bare installation has.
const (
	DefaultAgent    = "default"
	DefaultThinking = "medium"
	DefaultTheme    = "auto"
)

func defaults() Config {
	return Config{
		Agent: DefaultAgent, Thinking: DefaultThinking, Theme: DefaultTheme,
		Source: map[string]string{},
	}
}
