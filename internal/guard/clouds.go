package guard

import (
	"slices"
	"strings"

	"assent/internal/shell"
)

// gone is what is said of data and machines that are kept elsewhere.
var gone = no("what it deletes is kept elsewhere and cannot be brought back")

// clouds are the ways in which clients of services delete what is kept there:
// by program, the words of a subcommand, "*" for any, and after "+" an option
// that must be given.
var clouds = map[string][]string{
	"gcloud":     {"* delete", "* * delete", "* * * delete", "* * * * delete", "storage rm +recursive", "storage rm +r"},
	"az":         {"* delete", "* * delete", "* * * delete", "* * * purge", "* purge"},
	"doctl":      {"* delete", "* * delete", "* * * delete", "* rm", "* * rm"},
	"gsutil":     {"rb", "rsync +d"},
	"bq":         {"rm +r", "rm +f", "rm +recursive", "rm +force"},
	"helm":       {"uninstall", "delete", "del", "un"},
	"flyctl":     {"apps destroy", "destroy", "machine destroy", "machines destroy", "volumes destroy", "volume destroy"},
	"heroku":     {"apps:destroy", "apps:delete", "pg:reset", "addons:destroy", "redis:reset"},
	"vercel":     {"remove", "rm"},
	"netlify":    {"sites:delete"},
	"wrangler":   {"delete", "* delete", "* * delete"},
	"supabase":   {"db reset", "projects delete", "branches delete"},
	"firebase":   {"firestore:delete", "database:remove", "hosting:disable", "projects:delete"},
	"serverless": {"remove"},
	"sam":        {"delete"},
	"minikube":   {"delete"}, "kind": {"delete *"}, "k3d": {"* delete"},
	"vagrant":    {"destroy"},
	"multipass":  {"purge", "delete +purge"},
	"limactl":    {"delete", "remove", "rm", "factory-reset"},
	"docker":     {"compose down +volumes", "compose down +v", "compose rm +v"},
	"compose":    {"down +volumes", "down +v", "rm +v"},
	"podman":     {"system reset", "machine rm", "machine reset"},
	"terragrunt": {"run destroy", "* destroy"},
	"glab":       {"repo delete", "project delete"},
	"hub":        {"delete"},
	"tea":        {"repo delete", "repos delete", "repo rm", "repos rm"},
	"gh":         {"codespace delete +all"},
}

// alike are other names of these programs.
var alike = map[string]string{
	"fly": "flyctl", "sls": "serverless", "docker-compose": "compose", "podman-compose": "compose", "nerdctl": "docker",
}

// elsewhere is what clients of services delete.
func elsewhere(v view) *finding {
	name := v.name
	if other, ok := alike[name]; ok {
		name = other
	}
	switch name {
	case "aws":
		if sub := shell.Subcommand(append([]string{"aws"}, v.args...)); len(sub) > 2 && awsDeletes(sub[1], sub[2], v) {
			return gone
		}
		return nil
	case "wsl":
		if slices.Contains(v.args, "--unregister") {
			return gone
		}
		return nil
	case "glab", "hub":
		if v.begins("api") && slices.ContainsFunc(v.args, func(a string) bool {
			return strings.EqualFold(strings.TrimPrefix(strings.TrimPrefix(a, "-X"), "--method="), "DELETE")
		}) {
			return no("it deletes something at the forge")
		}
	}
	ways := clouds[name]
	if ways == nil {
		return nil
	}
	sub := shell.Subcommand(append([]string{name}, v.args...))[1:]
	ops := view{args: sub}.operands()
	for _, way := range ways {
		if v.goes(way, ops) {
			return gone
		}
	}
	return nil
}

// goes says whether a command is one of those ways.
func (v view) goes(way string, ops []string) bool {
	for i, word := range strings.Fields(way) {
		if option, ok := strings.CutPrefix(word, "+"); ok {
			if len(option) == 1 && !v.option(option) || len(option) > 1 && !v.option("", option) {
				return false
			}
			continue
		}
		if i >= len(ops) || word != "*" && word != ops[i] {
			return false
		}
	}
	return true
}

// awsDeletes says whether a subcommand of a service deletes more than one entry
// of what is kept there.
func awsDeletes(service, sub string, v view) bool {
	switch {
	case service == "s3":
		return sub == "sync" && v.option("", "delete")
	case slices.Contains([]string{"delete-item", "delete-object", "delete-message", "delete-tags", "delete-tag", "delete-object-tagging"}, sub):
		return false
	}
	return strings.HasPrefix(sub, "delete-") || strings.HasPrefix(sub, "terminate-") || sub == "schedule-key-deletion"
}
