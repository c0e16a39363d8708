package floors_test

// floor gives each package its place; a package may import only lower ones.
// Tenths order packages that share a floor. A key that ends in /... covers
// everything below it.
var floor = map[string]float64{
	// below all: patterns that are compiled when they are used, goroutines whose
	// panic is their owner's, words for what a disk says and for numbers of things
	"internal/late":      -0.1,
	"internal/crew":      -0.1,
	"internal/medium":    -0.1,
	"internal/amount":    -0.1,
	"internal/address":   -0.1,
	"internal/near":      -0.1,
	"internal/gitconfig": -0.1,
	// 0 words: values and pure functions
	"internal/llm":    0.0,
	"internal/edit":   0.0,
	"internal/redact": 0.0,
	"internal/event":  0.1,
	// 1 deciders: pure, on words only
	"internal/shell":    1.0,
	"internal/ignore":   1.0,
	"internal/compress": 1.0,
	"internal/policy":   1.1,
	"internal/turn":     1.1,
	"internal/wireview": 1.1,
	"internal/picture":  1.1,
	"internal/prompt":   1.1,
	"internal/compact":  1.2,
	"internal/guard":    1.2,
	// 2 hands: each owns one piece of the outside; below the others, how a file
	// of the program's own is replaced, and who may write it
	"internal/whole":        1.8,
	"internal/lock":         1.9,
	"internal/jsonl":        2.0,
	"internal/workspace":    2.0,
	"internal/proc":         2.0,
	"internal/walk":         2.0,
	"internal/trust":        2.0,
	"internal/session":      2.1,
	"internal/history":      2.1,
	"internal/instruct":     2.1,
	"internal/credential":   2.1,
	"internal/provider":     2.1,
	"internal/provider/...": 2.2,
	// 3 to 7
	"internal/gate":      3.0,
	"internal/tool":      4.0,
	"internal/tools/...": 5.0,
	"internal/engine":    6.0,
	"internal/host":      7.0,
	// 8 fronts
	"internal/tui/screen": 8.0,
	"internal/tui/ink":    7.9,
	"internal/tui/syntax": 7.9,
	"internal/tui/md":     8.0,
	"internal/tui/area":   8.0,
	"internal/tui/inline": 8.0,
	"internal/tui/paint":  8.1,
	"internal/tui":        8.2,
	"internal/headless":   8.0,
	// 9 wiring
	"internal/config": 9.0,
	"internal/demo":   9.0,
	"internal/app":    9.1,
	"cmd/...":         10.0,
	// measures the built program from outside
	"internal/bench": 11.0,
}

// pure packages may not reach for the outside, the clock or chance.
var pure = []string{
	"internal/llm", "internal/edit", "internal/redact",
	"internal/shell", "internal/ignore", "internal/compress", "internal/policy",
	"internal/turn", "internal/wireview", "internal/prompt", "internal/compact",
	"internal/guard", "internal/picture", "internal/near", "internal/gitconfig", "internal/tui/screen",
}

// impure are the packages of the standard library that pure packages and
// tools may not import.
var impure = []string{
	"os", "os/exec", "os/signal", "os/user", "context", "sync", "log", "log/slog",
	"net", "net/http", "math/rand", "math/rand/v2", "syscall", "io/ioutil",
}

// fronts see the host and the words; nothing between.
var fronts = []string{"internal/headless", "internal/tui/..."}

// frontsMay is what a front may import of ours.
var frontsMay = []string{
	"internal/host", "internal/event", "internal/llm", "internal/redact", "internal/late", "internal/crew", "internal/amount", "internal/address", "internal/near", "internal/tui/...",
}

// holders names the only packages that may import what reaches the outside, or
// costs much; none means nobody. Test files are free. A key covers what lies
// below it, unless it begins with "=".
var holders = map[string][]string{
	"os/exec": {
		"internal/proc",  // every child process
		"internal/bench", // builds and watches the program
	},
	"net/http": {
		"internal/provider", "internal/provider/...", // model endpoints
		"internal/app", // builds the one client
	},
	// Words of addresses and certificates, and dialling.
	"=net":        {"internal/provider"},
	"crypto/tls":  {"internal/provider"},
	"crypto/x509": {"internal/provider"},
	"net/rpc":     nil,
	"net/smtp":    nil,
	// The system below os. Its words (error numbers, signals, what a file is)
	// are harmless; see systems for its functions.
	"golang.org/x/sys/unix":    {"internal/proc", "internal/walk", "internal/workspace"},
	"golang.org/x/sys/windows": {"internal/proc", "internal/workspace", "internal/tui"},
	"syscall": {
		"internal/proc", "internal/workspace",
		"internal/provider", "internal/app", "internal/medium", // error numbers
		"internal/credential",     // error numbers
		"internal/whole",          // error numbers
		"internal/gate",           // how many names a file has
		"internal/tui", "cmd/...", // signals
		"internal/bench", // what a child used
	},
	"github.com/charmbracelet/ultraviolet": {"internal/tui"},
	"github.com/spf13/cobra":               {"cmd/..."},
	"flag":                                 {"cmd/...", "internal/bench"},
	"mvdan.cc/sh/v3":                       {"internal/shell", "internal/guard", "internal/policy"},
	"charm.land/catwalk":                   {"internal/provider"},
	"golang.org/x/image":                   {"internal/picture"},
	"github.com/alecthomas/chroma/v2":      {"internal/tui/md", "internal/tui/syntax"},
	"github.com/tailscale/hujson":          {"internal/config"},
	"github.com/gofrs/flock":               {"internal/lock"}, // one way to wait for a lock
	"github.com/zalando/go-keyring":        {"internal/credential"},
	"github.com/godbus/dbus/v5":            {"internal/credential"}, // what its errors are called
	// Nobody: they read every language and every style at start-up, used or not.
	"github.com/alecthomas/chroma/v2/lexers":     nil,
	"github.com/alecthomas/chroma/v2/styles":     nil,
	"github.com/alecthomas/chroma/v2/formatters": nil,
	"github.com/alecthomas/chroma/v2/quick":      nil,
}

// systems may call functions of the system, below os; others that import it
// use its words only.
var systems = []string{
	"internal/proc",      // process groups, pipes, jobs
	"internal/workspace", // handles, attributes, renames
	"internal/walk",      // folders by handle
	"internal/tui",       // the terminal's suspend and size
}

// writers, packages or single files, may call functions of os that change the
// file system. Everything else gets its hands with a grant.
var writers = []string{
	"internal/workspace",                                     // user files
	"internal/whole",                                         // files that are replaced as a whole
	"internal/lock",                                          // lock files
	"internal/jsonl", "internal/session", "internal/history", // records
	"internal/trust", "internal/credential",
	"internal/config",       // config file, comments kept
	"internal/demo",         // the temporary copy of the sample project
	"internal/proc",         // pipes and temporary files of children
	"internal/bench",        // its own temporary folders
	"internal/app/crash.go", // the report of a breakdown
	"cmd/...",
}

// openers may open a folder as an os.Root to read in it.
var openers = []string{"internal/app", "internal/instruct", "internal/walk"}

// long lists files over the size law with the reason. It may only shrink.
var long = map[string]string{}
