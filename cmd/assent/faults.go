package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assent/internal/app"
	"assent/internal/near"
)

func usage(format string, args ...any) error {
	return &app.UsageError{Err: fmt.Errorf(format, args...)}
}

// flagError says in plain words what is wrong with a flag, and names the
// nearest one.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	var missing *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing) && missing.GetSpecifiedShortnames() != "":
		text = "unknown flag: -" + missing.GetSpecifiedName()
		if strings.ContainsAny(missing.GetSpecifiedName(), "0123456789") {
			text += "; a value that begins with - goes behind --, as in -- -" + missing.GetSpecifiedName()
		}
	case errors.As(err, &missing):
		text = "unknown flag: --" + missing.GetSpecifiedName()
		if meant := nearestFlag(cmd, missing.GetSpecifiedName()); meant != "" {
			text += ", did you mean --" + meant + "?"
		}
	case errors.As(err, &bare):
		text = "flag needs an argument: " + written(bare.GetFlag(), bare.GetSpecifiedShortnames() != "")
	case errors.As(err, &invalid):
		text = fmt.Sprintf("%s: want %s, got %q", written(invalid.GetFlag(), false), wanted(invalid.GetFlag()), invalid.GetValue())
	}
	return &app.UsageError{Err: errors.New(text + " (see " + cmd.CommandPath() + " --help)")}
}

// written is a flag as the user wrote it.
func written(f *pflag.Flag, short bool) string {
	if short {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// wanted says what value a flag takes.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 90s or 10m"
	case "int":
		return "a whole number"
	case "float64":
		return "a number such as 2.50"
	case "bool":
		return "no value (or true or false)"
	}
	return "a valid value"
}

func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return near.Word(name, names)
}
