package shell

import "strings"

// Program is the name of a program as rules and tables know it: without its
// folder, also one of Windows, and without the ending and the capitals that
// some systems ignore.
func Program(word string) string {
	base := word[strings.LastIndexByte(word, '/')+1:]
	if i := strings.LastIndexByte(base, '\\'); i >= 0 && i < len(base)-1 && (onDrive(word) || word[0] == '.' || word[0] == '\\' || strings.HasSuffix(strings.ToLower(base), ".exe")) {
		base = base[i+1:]
	}
	lower := strings.ToLower(base)
	for _, ending := range []string{".exe", ".com", ".cmd", ".bat"} {
		if stem, ok := strings.CutSuffix(lower, ending); ok && stem != "" {
			lower = stem
			break
		}
	}
	if lower == base || find(base) != nil {
		return base
	}
	return lower
}

// onDrive says whether a word begins like a path of Windows with a drive.
func onDrive(word string) bool {
	return len(word) > 2 && word[1] == ':' && (word[2] == '\\' || word[2] == '/') && (word[0]|0x20 >= 'a' && word[0]|0x20 <= 'z')
}

// find returns what looks at a program, nil for one of which nothing is known.
func find(name string) handler {
	switch {
	case name == "pwsh" || name == "powershell":
		return pwshCall
	case shells[name]:
		return shellCall
	}
	for _, special := range []func(string) handler{builtin, runner, carrier, editing, developing} {
		if h := special(name); h != nil {
			return h
		}
	}
	if x, ok := wrappers[name]; ok {
		return x.look
	}
	if x, ok := programs[name]; ok {
		return x.look
	}
	if x, ok := interpreters[versionless(name)]; ok {
		return x.look
	}
	if sub, ok := strings.CutPrefix(name, "git-"); ok {
		return func(c *call) outcome {
			c.args = append([]Word{literal(sub)}, c.args...)
			return gitCall(c)
		}
	}
	return nil
}

// builtin are commands of the shell itself that need more than a table. It and
// its kin are no maps of handlers: handlers look for further ones.
func builtin(name string) handler {
	switch name {
	case "cd", "chdir", "pushd", "popd":
		return cdCall
	case "exit", "return", "logout", "break", "continue", "true", "false", ":":
		return leaves
	case "eval":
		return evalCall
	case "source", ".":
		return sourceCall
	case "trap":
		return trapCall
	case "alias":
		return aliasCall
	case "hash", "enable":
		return hashCall
	case "read", "mapfile", "readarray", "unset", "printf", "test", "[", "getopts", "wait":
		return setterCall
	case "echo":
		return statics.look
	case "complete", "compgen":
		return completeCall
	case "bind":
		return bindCall
	case "set":
		return setCall
	}
	return nil
}

// runner are programs that run what they are given.
func runner(name string) handler {
	switch name {
	case "env", "genv":
		return envCall
	case "su":
		return suCall
	case "cmd":
		return cmdCall
	case "script":
		return scriptCall
	case "watch":
		return watchCall
	case "ssh", "slogin", "mosh":
		return sshCall
	case "xargs", "gxargs":
		return xargsCall
	case "parallel", "sem":
		return parallelCall
	case "find", "gfind", "bfs":
		return findCall
	case "fd", "fdfind":
		return fdCall
	case "at", "batch", "crontab":
		return laterCall
	case "tmux", "screen", "zellij":
		return multiplexerCall
	case "nix-shell", "nix", "hyperfine", "concurrently", "npm-run-all", "nodemon", "vagrant", "sshpass", "nc", "ncat", "netcat", "coreutils":
		return scriptOptions
	}
	return nil
}

// carrier are programs that take files together, apart, or to and from elsewhere.
func carrier(name string) handler {
	switch name {
	case "tar", "gtar", "bsdtar":
		return tarCall
	case "rsync":
		return rsyncCall
	case "pax":
		return paxCall
	case "cpio", "bsdcpio":
		return cpioCall
	case "zip":
		return zipCall
	case "curl":
		return curlCall
	case "wget":
		return wgetCall
	}
	return nil
}

// editing are programs that read, show or change texts.
func editing(name string) handler {
	switch name {
	case "sed", "gsed":
		return sedCall
	case "awk", "gawk", "mawk", "nawk", "original-awk", "busybox-awk":
		return awkCall
	case "dd", "gdd":
		return ddCall
	case "tee":
		return teeCall
	case "vi", "vim", "nvim", "ex", "view", "gvim", "mvim", "ed":
		return editorCall
	case "patch":
		return patchCall
	case "less", "more", "man":
		return pagerCall
	case "date", "gdate":
		return dateCall
	case "jq", "gojq", "jaq":
		return jqCall
	case "openssl":
		return opensslCall
	}
	return nil
}

// developing are programs that developers work with.
func developing(name string) handler {
	switch name {
	case "git":
		return gitCall
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose":
		return dockerCall
	case "kubectl", "oc":
		return kubectlCall
	case "bun":
		return bunCall
	case "deno":
		return denoCall
	case "gh", "glab":
		return forgeCall
	case "npx", "bunx", "pnpx", "uvx", "npm", "pnpm", "yarn":
		return packageRunner
	case "go":
		return goCall
	case "gofmt", "gofumpt", "goimports":
		return gofmtCall
	case "make", "gmake":
		return makeCall
	case "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "clickhouse-client", "cockroach", "mongosh", "mongo", "redis-cli", "cqlsh", "usql", "pgcli", "mycli", "litecli":
		return sqlCall
	}
	return nil
}
