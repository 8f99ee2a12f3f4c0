"""What a yes to a shell command may cover later: the same command, or the same program and subcommand."""

from __future__ import annotations

import re
import shlex

# Anything that lets the shell do more than start one program with these words.
SHELL = re.compile(r"[|&;<>()$`\\#!{}\n\r\0]")
# A word, or the value in it, that leads out of the working folder or to a server.
OUTSIDE = re.compile(r"(?:^|[=:,@]|^-\w)(?:/|~|\.\.(?:/|$))|/\.\.(?:/|$)")
WORD = re.compile(r"[A-Za-z][\w.+-]*")
SUBCOMMAND = re.compile(r"[a-z][a-z0-9:_-]*")


def _lines(text: str) -> frozenset[str]:
    return frozenset(item.strip() for item in text.replace(",", "\n").splitlines() if item.strip())


# Programs that run other programs or code: their name says nothing about what will happen.
RUNNERS = _lines("""
    sh, bash, dash, zsh, fish, ksh, csh, tcsh, busybox, cmd, powershell, pwsh, osascript, wsl
    python, pypy, node, deno, bun, ruby, perl, php, lua, tclsh, Rscript, java, awk, gawk, mawk, sed, gdb
    env, sudo, doas, su, pkexec, chroot, unshare, nsenter, nohup, setsid, nice, ionice, timeout, time, watch
    xargs, parallel, find, fd, exec, eval, source, command, builtin, script, expect, strace, ltrace
    ssh, scp, rsync, tar, vi, vim, nvim, emacs, less, more, man, start, open, xdg-open
    npx, bunx, pipx, uvx, direnv, crontab, at, batch, systemd-run, flatpak-spawn, distrobox, toolbox
""")
# Programs whose harm is all in their arguments.
HARMFUL = _lines("""
    rm, rmdir, unlink, shred, dd, mkfs, fdisk, parted, wipefs, mount, umount, truncate, tee
    chmod, chown, chgrp, mv, cp, ln, install, kill, pkill, killall, shutdown, reboot, halt, poweroff
    systemctl, service, curl, wget, nc, ncat, socat, ftp, sftp
""")
# Program and subcommand that run what they are given, or lose what was there.
RUNNING = _lines("""
    git config, git bisect, git submodule, git rebase, git filter-branch, git difftool, git mergetool
    git push, git reset, git clean, npm exec, npm x, pnpm exec, pnpm dlx, yarn exec, yarn dlx
    uv run, uv tool, poetry run, pipenv run, hatch run, conda run, bundle exec, go run, go generate
    docker run, docker exec, docker compose, podman run, podman exec
    kubectl exec, kubectl run, kubectl delete, cargo install, pip install
""")
# Programs that are a name for many: without a subcommand in second place nothing is known of them.
MANY = _lines(
    "git, npm, pnpm, yarn, pip, pip3, uv, cargo, go, docker, podman, kubectl, apt, apt-get, brew, gh, poetry"
)
SCRIPTS = frozenset({"npm run", "pnpm run", "yarn run", "npm run-script"})


def grant(command: str) -> tuple[str, str]:
    """The key a yes is stored under, and what it covers in words."""
    prefix = _prefix(command)
    if prefix:
        return f"run:{prefix}", f"commands that start with “{prefix}”"
    return f"run:={command}", f"exactly this command: {command}"


def _prefix(command: str) -> str:
    """The words that stand for the command, or nothing when only the whole will do."""
    if SHELL.search(command):
        return ""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    if any(map(OUTSIDE.search, words)):
        return ""
    if not words or not WORD.fullmatch(words[0]) or _program(words[0]) in RUNNERS | HARMFUL:
        return ""
    if len(words) < 2 or not SUBCOMMAND.fullmatch(words[1]):
        return "" if words[0] in MANY else words[0]
    return _two(words)


def _two(words: list[str]) -> str:
    pair = f"{words[0]} {words[1]}"
    if pair in RUNNING:
        return ""
    if pair in SCRIPTS:
        return f"{pair} {words[2]}" if len(words) > 2 and SUBCOMMAND.fullmatch(words[2]) else ""
    return pair


def _program(word: str) -> str:
    """python3.11 is python."""
    return re.sub(r"[\d.]+$", "", word) or word
