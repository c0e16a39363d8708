package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assent/internal/app"
	"assent/internal/config"
)

// exact refuses a wrong number of arguments as a usage error.
func exact(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		what := ""
		switch {
		case len(args) < low:
			what = "an argument is missing"
		case high == 0 && len(args) > 0:
			what = fmt.Sprintf("it takes no arguments, got %q", args[0])
		case high > 0 && len(args) > high:
			what = fmt.Sprintf("%q is one argument too many", args[high])
		default:
			return nil
		}
		command := strings.TrimPrefix(cmd.CommandPath(), "assent ")
		return usage("%s: %s; write: assent %s%s (see %s --help)", command, what, command, strings.TrimPrefix(cmd.Use, cmd.Name()), cmd.CommandPath())
	}
}

// group is a command that only has subcommands.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var names []string
			for _, s := range cmd.Commands() {
				if !s.Hidden {
					names = append(names, s.Name())
				}
			}
			if len(args) == 0 {
				return usage("%s needs a command: %s", cmd.Name(), strings.Join(names, ", "))
			}
			return usage("%s", config.Unknown("command", args[0], names))
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// helpCmd prints the help of a command; one that does not exist is an error.
func helpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "help about a command", Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			at := root
			for _, word := range args {
				var names []string
				var next *cobra.Command
				for _, sub := range at.Commands() {
					if sub.Name() == word {
						next = sub
					}
					if !sub.Hidden {
						names = append(names, sub.Name())
					}
				}
				switch {
				case next == nil && len(names) == 0:
					return usage("%s has no commands of its own", at.Name())
				case next == nil:
					return usage("%s", config.Unknown("command", word, names))
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

func (c *cli) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: exact(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.out, app.Version(c.version))
			return err
		},
	}
}

func (c *cli) demoCmd() *cobra.Command {
	headlessFlag := false
	cmd := &cobra.Command{
		Use: "demo", Short: "the real loop, tools and gate on a sample project with a scripted model; no key, no network", Args: exact(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			code, err := c.app().Demo(cmd.Context(), c.flags.Plain, headlessFlag, c.json)
			c.code = code
			return err
		},
	}
	cmd.Flags().BoolVar(&c.flags.Plain, "plain", false, "terminal UI of lines only, for screen readers")
	cmd.Flags().BoolVar(&headlessFlag, "headless", false, "print each step instead of opening the terminal UI")
	cmd.Flags().BoolVar(&c.json, "json", false, "headless, a line of JSON an event")
	return cmd
}

func (c *cli) sessionsCmd() *cobra.Command {
	var all bool
	list := &cobra.Command{Use: "list", Short: "sessions of this directory, newest first", Args: exact(0, 0), RunE: func(*cobra.Command, []string) error {
		return c.app().SessionsList(c.flags.Dir, all, c.json)
	}}
	list.Flags().BoolVar(&all, "all", false, "of every directory")
	show := &cobra.Command{Use: "show ID", Short: "print a session", Args: exact(1, 1), RunE: func(_ *cobra.Command, args []string) error {
		return c.app().SessionsShow(args[0], c.json)
	}}
	var format, output string
	var force bool
	export := &cobra.Command{Use: "export ID", Short: "write a session as Markdown, JSON or one HTML page", Args: exact(1, 1), RunE: func(_ *cobra.Command, args []string) error {
		return c.app().SessionsExport(args[0], format, output, force)
	}}
	export.Flags().StringVar(&format, "format", "", "md, json or html (default: by the ending of -o, else md)")
	export.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` instead of stdout")
	export.Flags().BoolVar(&force, "force", false, "write over a FILE that exists")
	rm := &cobra.Command{Use: "rm ID...", Short: "delete sessions with their artifacts", Args: exact(1, -1), RunE: func(_ *cobra.Command, args []string) error {
		return c.app().SessionsRemove(args)
	}}
	for _, cmd := range []*cobra.Command{list, show} {
		cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	}
	sessions := group("sessions", "list, show, export and delete sessions", list, show, export, rm)
	sessions.PersistentFlags().StringVarP(&c.flags.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	return sessions
}

func (c *cli) configCmd() *cobra.Command {
	path := &cobra.Command{Use: "path", Short: "print the path of your config file", Args: exact(0, 0), RunE: func(*cobra.Command, []string) error {
		return c.app().ConfigPath(c.json)
	}}
	show := &cobra.Command{Use: "show", Short: "every field with its value and where it came from", Args: exact(0, 0), RunE: func(*cobra.Command, []string) error {
		return c.app().ConfigShow(c.flags, c.json)
	}}
	get := &cobra.Command{Use: "get FIELD", Short: "one field of your config file", Args: exact(1, 1), RunE: func(_ *cobra.Command, args []string) error {
		return c.app().ConfigGet(args[0], c.json)
	}}
	set := &cobra.Command{Use: "set FIELD VALUE", Short: "set one field, comments kept; a.b.c goes into nested objects", Args: exact(2, 2), RunE: func(cmd *cobra.Command, args []string) error {
		return c.app().ConfigSet(cmd.Context(), args[0], args[1])
	}}
	unset := &cobra.Command{Use: "unset FIELD", Short: "remove one field, comments kept", Args: exact(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		return c.app().ConfigUnset(cmd.Context(), args[0])
	}}
	check := &cobra.Command{Use: "check [FILE]", Short: "list every fault of your and the project's config", Args: exact(0, 1), RunE: func(_ *cobra.Command, args []string) error {
		return c.app().ConfigCheck(c.flags.Dir, args, c.json)
	}}
	schema := &cobra.Command{Use: "schema", Short: "print the JSON Schema of the config file", Args: exact(0, 0), RunE: func(*cobra.Command, []string) error {
		return c.app().ConfigSchema()
	}}
	for _, cmd := range []*cobra.Command{path, show, get, check} {
		cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	}
	for _, cmd := range []*cobra.Command{get, set, unset} {
		cmd.ValidArgsFunction = first(app.Fields())
	}
	cmd := group("config", "read, check and edit the configuration", path, show, get, set, unset, check, schema)
	cmd.PersistentFlags().StringVarP(&c.flags.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	return cmd
}

func (c *cli) modelsCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "models [PROVIDER]", Short: "models that the configured endpoint reports", Args: exact(0, 1), RunE: func(cmd *cobra.Command, args []string) error {
		return c.app().Models(cmd.Context(), c.flags, args, c.json)
	}}
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	cmd.Flags().StringVar(&c.flags.Provider, "provider", "", "provider preset `NAME`, as the argument")
	cmd.Flags().StringVar(&c.flags.BaseURL, "base-url", "", "endpoint `URL`, with or without /v1")
	cmd.Flags().StringVarP(&c.flags.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	c.complete(cmd)
	return cmd
}

func (c *cli) permissionsCmd() *cobra.Command {
	explain := &cobra.Command{
		Use: "explain TOOL INPUT", Short: "which rule decides a call, and why, without running it", Args: exact(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.app().PermissionsExplain(cmd.Context(), c.flags, args[0], args[1], c.json)
		},
	}
	explain.ValidArgsFunction = first(app.Tools())
	f := explain.Flags()
	f.BoolVar(&c.json, "json", false, "print JSON")
	f.StringVar(&c.flags.Agent, "agent", "", "agent variant `NAME`")
	f.BoolVar(&c.flags.Yolo, "yolo", false, "as a run with --yolo would decide")
	f.StringArrayVar(&c.flags.Allow, "allow", nil, "with this `RULE`; repeatable")
	f.StringArrayVar(&c.flags.Deny, "deny", nil, "with this `RULE`; repeatable")
	f.StringVarP(&c.flags.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	f.StringArrayVar(&c.flags.AddDir, "add-dir", nil, "another root `DIR`; repeatable")
	c.complete(explain)
	return group("permissions", "explain what the gate would decide", explain)
}

func (c *cli) doctorCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "doctor", Short: "what was found: config, keys (masked), programs, terminal, tools", Args: exact(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return c.app().Doctor(cmd.Context(), c.flags, c.json)
	}}
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	cmd.Flags().StringVarP(&c.flags.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	return cmd
}

func (c *cli) trustCmd() *cobra.Command {
	var show, revoke bool
	cmd := &cobra.Command{Use: "trust [DIR]", Short: "trust what a project brings that can run code or loosen rules", Args: exact(0, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if show && revoke {
			return usage("--show and --revoke exclude each other")
		}
		dir := c.flags.Dir
		if len(args) > 0 {
			if dir != "" {
				return usage("trust: %q and -C %q names the folder twice; leave out one", args[0], dir)
			}
			dir = args[0]
		}
		return c.app().Trust(cmd.Context(), dir, show, revoke, c.json)
	}}
	cmd.Flags().StringVarP(&c.flags.Dir, "cd", "C", "", "the project's `DIR`, as the argument (default: the current directory)")
	cmd.Flags().BoolVar(&show, "show", false, "show what the project brings and whether it is trusted")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust it no longer")
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

func (c *cli) completionCmd(root *cobra.Command) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "print a completion script: " + strings.Join(shells, ", "), ValidArgs: shells,
		Args: exact(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(c.out, true)
			case "zsh":
				return root.GenZshCompletion(c.out)
			case "fish":
				return root.GenFishCompletion(c.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.out)
			}
			return usage("unknown shell %q (valid: %s)", args[0], strings.Join(shells, ", "))
		},
	}
}
