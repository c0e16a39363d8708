package guard_test

import (
	"strings"
	"testing"

	"assent/internal/guard"
)

// Whatever starts it, what cannot be undone is refused.
func TestEveryWrapper(t *testing.T) {
	t.Parallel()
	on := guard.Builtin(guard.Options{})
	for _, wrapper := range []string{
		"sudo %", "sudo -u a -n %", "doas %", "env %", "env -i A=1 %", "env -S '%'", "command %", "exec %", "nohup % &", "time %", "/usr/bin/time -v %", "timeout 5 %",
		"timeout -s KILL --foreground 5s %", "nice -n 5 %", "ionice -c3 %", "stdbuf -oL %", "setsid -w %", "xargs %", "echo a | xargs -n1 %", "find . -exec % \\;", "find . -type d -execdir % {} +",
		"watch %", "watch -n 1 '%'", "ssh h %", "ssh -t u@h '%'", "su -c '%'", "su - a -c '%'", "script -qc '%' /dev/null", "flock /tmp/l %", "flock -n l -c '%'", "chroot /x %", "nsenter -t 1 -m %", "unshare -r %",
		"busybox %", "trap '%' EXIT", "coproc %", "eval %", "eval '%'", "eval \"%\"", "bash -c '%'", "sh -lc '%'", "zsh -ic '%'", "dash -ec '%'", "bash <<< '%'", "bash <<E\n%\nE", "cat <<E | sh\n%\nE", "echo '%' | bash", "printf '%s' '%%' | sh",
		"parallel '%' ::: a", "git -c alias.x='!%' x", "git config alias.x '!%'", "git submodule foreach '%'", "git rebase -x '%' main", "git bisect run %", "docker exec c %", "docker run i sh -c '%'", "kubectl exec p -- %", "npx %", "npm exec -- %", "poetry run %", "uv run %",
		"nix-shell --run '%'", "hyperfine '%'", "tmux new -d '%'", "tmux send-keys '%' Enter", "systemd-run %", "strace -f %", "taskset 1 %", "alias x='%'", "f() { %; }", "function g { %; }; g", "(%)", "{ %; }", "! %", "a && %", "a || %", "a; %", "a\n%", "a & %", "a | %", "% | a",
		"if a; then %; fi", "if %; then a; fi", "while %; do a; done", "for i in a; do %; done", "case a in a) %;; esac", "echo $(%)", "echo \"$(%)\"", "echo `%`", "echo <(%)", "echo > >(%)", "x=$(%)", "echo ${x:-$(%)}", "echo $((1+$(%)))", "[[ -n $(%) ]]", "cat <<E\n$(%)\nE",
		"x='%'; eval \"$x\"", "x='%'; $x", "x='%'; bash -c \"$x\"", "awk 'BEGIN{system(\"%\")}'", "python3 -c 'import os; os.system(\"%\")'", "perl -e 'system(\"%\")'", "node -e 'require(\"child_process\").execSync(\"%\")'", "ruby -e 'system(\"%\")'", "sed '1e %' a", "vim -c '!%' a", "less '+!%' a",
		"tar cf a b --checkpoint-action=exec='%'", "tar xf a --to-command='%'", "rsync -e '%' a h:b", "ssh -o ProxyCommand='%' h", "sort --compress-program='%' a", "split --filter='%' a", "go test -exec '%' .", "git fetch --upload-pack='%' o", "GIT_PAGER='%' git log; %", "mapfile -C '%' -c 1 a", "bash -c 'bash -c \"%\"'", "sudo env bash -c 'timeout 5 %'", "A=1 B=2 %", "echo a # b\n%", "% # a", "%; (", "if %", "bash -c '%; ('",
	} {
		for _, command := range []string{"rm -rf x", "git push --force", "git reset --hard", "chmod 777 x", "shutdown now", "mkfs.ext4 y", "terraform destroy"} {
			text := strings.ReplaceAll(strings.ReplaceAll(wrapper, "%s", "\x01"), "%%", "%")
			text = strings.ReplaceAll(strings.ReplaceAll(text, "%", command), "\x01", "%s")
			if r := guard.Check(on, bash(text)); r == nil {
				t.Errorf("not refused: %s", text)
			}
		}
	}
}
