package policy

// subcommands are the programs whose first argument chooses what they do, and
// how many arguments do so. A rule for one of them names these words.
var subcommands = map[string]int{
	"git": 1, "go": 1, "npm": 1, "yarn": 1, "pnpm": 1, "bun": 1, "deno": 1, "cargo": 1, "rustup": 1,
	"pip": 1, "pip3": 1, "uv": 1, "poetry": 1, "pipenv": 1, "conda": 1, "hatch": 1, "pdm": 1,
	"docker": 1, "podman": 1, "docker-compose": 1, "kubectl": 1, "helm": 1, "terraform": 1, "tofu": 1,
	"pulumi": 1, "ansible-galaxy": 1, "vagrant": 1, "minikube": 1, "kind": 1,
	"gh": 2, "glab": 2, "aws": 2, "gcloud": 2, "az": 2, "fly": 1, "flyctl": 1, "heroku": 1, "vercel": 1,
	"netlify": 1, "firebase": 1, "doctl": 2, "brew": 1, "apt": 1, "apt-get": 1, "apt-cache": 1, "dnf": 1,
	"yum": 1, "pacman": 1, "apk": 1, "snap": 1, "flatpak": 1, "port": 1, "choco": 1, "winget": 1, "scoop": 1,
	"systemctl": 1, "service": 2, "launchctl": 1, "journalctl": 0, "make": 1, "gmake": 1, "just": 1,
	"task": 1, "rake": 1, "mage": 1, "gradle": 1, "gradlew": 1, "mvn": 1, "mvnw": 1, "sbt": 1, "lein": 1,
	"dotnet": 1, "nuget": 1, "bundle": 1, "gem": 1, "rails": 1, "composer": 1, "artisan": 1, "mix": 1,
	"rebar3": 1, "stack": 1, "cabal": 1, "opam": 1, "dune": 1, "nix": 1, "zig": 1, "swift": 1, "flutter": 1,
	"dart": 1, "svn": 1, "hg": 1, "jj": 1, "fossil": 1, "bazel": 1, "buck2": 1, "pants": 1, "nx": 1,
	"turbo": 1, "lerna": 1, "npx": 1, "bunx": 1, "uvx": 1, "pipx": 2, "pnpx": 1, "corepack": 1, "volta": 1,
	"nvm": 1, "pyenv": 1, "rbenv": 1, "asdf": 1, "mise": 1, "openssl": 1, "tmux": 1, "zellij": 1,
	"ip": 1, "nmcli": 2, "ufw": 1, "supabase": 1, "prisma": 1, "wrangler": 1, "buf": 1, "protoc": 0,
	"goreleaser": 1, "golangci-lint": 1, "pre-commit": 1, "ruff": 1, "biome": 1, "tox": 0, "nox": 0,
}

// exactOnly are commands whose arguments decide between harmless and harmful,
// so that "always" grants nothing but the command as it stands.
var exactOnly = map[string]bool{
	"rm": true, "rmdir": true, "unlink": true, "shred": true, "dd": true, "mkfs": true, "truncate": true,
	"kill": true, "pkill": true, "killall": true, "chmod": true, "chown": true, "chgrp": true,
	"rsync": true, "scp": true,
	"sftp": true, "curl": true, "wget": true, "nc": true, "ncat": true, "socat": true, "crontab": true,
	"at": true, "batch": true, "source": true, ".": true, "alias": true, "export": true, "declare": true,
	"psql": true, "mysql": true, "sqlite3": true, "mongosh": true, "redis-cli": true, "vim": true, "vi": true,
	"nvim": true, "emacs": true, "ed": true, "ex": true, "less": true, "man": true,
	"go run": true, "go tool": true, "go generate": true, "npm exec": true, "npm x": true, "pnpm exec": true,
	"pnpm dlx": true, "yarn exec": true, "yarn dlx": true, "bun x": true, "deno eval": true,
	"uv run": true, "poetry run": true, "pipenv run": true, "conda run": true, "bundle exec": true,
	"docker run": true, "docker exec": true, "podman run": true, "podman exec": true, "kubectl exec": true,
	"kubectl delete": true, "kubectl apply": true, "git config": true, "git push": true, "git filter-branch": true,
	"git bisect": true, "git submodule": true, "gh api": true, "gh alias": true, "mise exec": true, "nix run": true,
	"nix develop": true, "nix shell": true, "docker compose": true, "tmux new": true, "tmux new-session": true,
	"tmux send-keys": true, "aws s3 rm": true, "terraform apply": true, "systemctl stop": true,
}
