"""Dangerous commands that reach beyond files: services, the net, databases, packages, code and keys."""

from __future__ import annotations

import re
from collections.abc import Callable

from ankita_desktop.safety.shell import where
from ankita_desktop.safety.shell.args import Call
from ankita_desktop.safety.shell.tables import names

VERBS = re.compile(
    r"(?i)(?:.*[-_:])?(?:delete|destroy|purge|drop|prune|remove|rm|rdelete|del|unregister|terminate|revoke|disable"
    r"|unsubscribe|flushall|flushdb|wipe|deprovision|rb|rollback|forget|compact|sync)(?:[-_].*)?"
)
REMOTE = re.compile(
    r"aws|gcloud|gsutil|az|kubectl|oc|helm|terraform|tofu|pulumi|vault|doppler|op|gh|glab|hub|velero|nats|rabbitmqctl"
    r"|rabbitmqadmin|kafka-[\w-]+(\.sh)?|circleci|gitlab-runner|heroku|fly|flyctl|vercel|netlify|firebase|supabase"
    r"|wrangler|doctl|linode-cli|hcloud|s3cmd|mc|restic|borg|rclone|consul|etcdctl|redis-cli|mongosh|influx|docker"
    r"|podman|nerdctl|crictl|virsh|vagrant|multipass|cf|railway|planetscale|pscale|argocd|flux|eksctl|kops|bq"
)
PACKAGES = {
    "npm": ("install", "i", "ci", "add", "exec", "x", "update", "create", "init", "rebuild"),
    "pnpm": ("install", "i", "add", "dlx", "update", "create"),
    "yarn": ("install", "add", "dlx", "create"),
    "bun": ("install", "i", "add", "x", "create"),
    "pip": ("install",),
    "pip3": ("install",),
    "pipx": ("install", "run"),
    "uv": ("add", "sync", "tool"),
    "poetry": ("install", "add"),
    "gem": ("install",),
    "cargo": ("install",),
    "go": ("install", "get"),
    "composer": ("install", "require", "update"),
    "brew": ("install", "upgrade"),
}
RUNS_PACKAGES = names("npx bunx uvx pnpx")
SQL = re.compile(r"(?i)\b(drop\s+(table|database|schema|index)|truncate\s+table|truncate\s+\w+|delete\s+from)\b")
CODE_DELETES = re.compile(
    r"(?i)rmtree|rm\s+-\w*[rf]|unlink|removedirs|os\.remove|rmSync|FileUtils\.rm|deltree|rimraf"
)
CODE_STARTS = re.compile(r"(?i)subprocess|os\.system|os\.popen|child_process|exec\(|popen|pty\.spawn|`|\bsystem\b")
INTERPRETERS = names("""
    python python2 python3 pypy node deno bun ruby perl php lua tclsh osascript R Rscript powershell pwsh
""")


def _curl(call: Call) -> str:
    if _method(call).upper() == "DELETE" or any(re.search(r"(?i)/(do)?delete\b", text) for text in call.texts):
        return "It deletes something on a server."
    return _sends(call)


def _method(call: Call) -> str:
    """The method that a request names, in any of the ways to say it."""
    for at, text in enumerate(call.texts):
        found = re.fullmatch(r"(?:-[a-zA-Z]*X|--request|--method)=?(\w*)", text)
        if found:
            return found[1] or "".join(call.texts[at + 1 : at + 2])
    return ""


def _sends(call: Call) -> str:
    """Files or another command's output as the body of a request."""
    for at, text in enumerate(call.texts):
        following = call.texts[at + 1] if at + 1 < len(call.texts) else ""
        short = re.fullmatch(r"-\w*[dF](.*)", text, re.DOTALL)
        value = ""
        if re.match(r"--(?:data|form|json|url-q|post-file|body-file|upload)", text):
            value = text.partition("=")[2] or following
        elif short:
            value = short[1] or following
        shown = call.part.input is not None and call.part.input.known
        if re.search(r"(?:^|=)@(?!-$)", value) or (re.search(r"(?:^|=)@-$", value) and not shown):
            return "It sends a file or another command's output to a server."
        if re.match(r"-\w*T|--upload-file|--post-file|--body-file", text):
            return "It sends a file to a server."
    return ""


def _netcat(call: Call) -> str:
    sends = (
        call.part.fed or any(r.reads for r in call.part.redirects) or call.has("-e", "-c", "--exec", "--sh-exec")
    )
    return "It sends data to another computer, or lets it in." if sends else ""


def _rsync(call: Call) -> str:
    if call.has("-n", "--dry-run"):
        return ""
    deletes = any(text.startswith(("--del", "--remove-s")) for text in call.texts)
    return "It deletes files at the target." if deletes else ""


def _sql(call: Call) -> str:
    if any(SQL.search(text) for text in call.texts) or (call.part.input and SQL.search(call.part.input.text)):
        return "It deletes data from a database."
    return "It deletes a database." if call.name.startswith("drop") else ""


def _code(call: Call) -> str:
    """Code given on the command line that deletes, or hides another command."""
    given = " ".join(call.texts) + (call.part.input.text if call.part.input else "")
    if not (call.has("-c", "-e", "-r", "-E", "--eval", "-p") or call.part.input):
        return ""
    if CODE_DELETES.search(given):
        return "The code in it deletes files."
    return "The code in it starts other commands." if CODE_STARTS.search(given) and "rm" in given else ""


def _packages(call: Call) -> str:
    lossy = call.first() in ("remove", "purge", "autoremove", "erase", "uninstall") or call.has(
        "--purge", "-P", "-r"
    )
    return "It removes programs from the system." if lossy and call.name not in ("brew",) else ""


def _install(call: Call) -> str:
    """A package brings programs of its own that run while it is installed."""
    if call.first() not in PACKAGES.get(call.name, ()) and call.name not in RUNS_PACKAGES:
        if call.first() in ("publish", "unpublish", "yank"):
            return "It publishes something for everybody, or takes it away."
        return "It removes a program." if call.first() == "uninstall" and call.has("-g", "--global") else ""
    local = any(re.match(r"\.{0,2}/|\.$", text) for text in call.texts) or call.has("-r", "--requirement", "-e")
    if call.name in RUNS_PACKAGES:
        known = any(where.exists(folder / "node_modules" / ".bin" / call.first()) for folder in call.folders)
        return "" if known or not call.operands else f"It fetches {call.first()} and runs it."
    if len(call.operands) < 2 or local:
        return ""
    return f"It installs {call.operands[1].text}, whose own scripts may run."


def _pass(call: Call) -> str:
    return (
        "It reads keys or passwords."
        if call.first()
        in ("show", "", "-c", "find-generic-password", "lookup", "dump-keychain", "find-internet-password")
        or call.name == "pass"
        else ""
    )


def _gpg(call: Call) -> str:
    return (
        "It takes secret keys out."
        if any("export-secret" in text or "delete" in text for text in call.texts)
        else ""
    )


def _gh(call: Call) -> str:
    if call.texts[:2] == ["auth", "token"]:
        return "It shows the key to your account."
    words = [text.upper() for text in call.texts]
    return "It deletes something on the server." if call.first() == "api" and "DELETE" in words else ""


def deletes_remotely(call: Call) -> bool:
    dry = any(text in ("--dry-run", "--dryrun", "-n", "--dry-run=client") for text in call.texts)
    verbs = [text for text in call.texts[:6] if not text.startswith("-")]
    names = call.has("--delete", "--remove", "--purge", "--prune", "--delete-config", "--delete-during")
    if call.name in ("docker", "podman", "nerdctl"):
        return any(pair in " ".join(verbs) for pair in ("prune", "volume rm", "system reset"))
    return not dry and (
        names or any(VERBS.fullmatch(verb) for verb in verbs if "/" not in verb and "." not in verb)
    )


REACHING: dict[str, Callable[[Call], str]] = {
    **dict.fromkeys(("curl", "wget", "http", "https", "java"), _curl),
    **dict.fromkeys(("nc", "ncat", "netcat", "socat", "telnet"), _netcat),
    "rsync": _rsync,
    **dict.fromkeys(("security", "pass", "secret-tool"), _pass),
    "gpg": _gpg,
    "gh": _gh,
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "dropdb", "sqlcmd", "clickhouse-client"), _sql),
    **dict.fromkeys(INTERPRETERS, _code),
    **dict.fromkeys(names("apt apt-get dnf yum zypper pacman dpkg rpm snap flatpak"), _packages),
    **dict.fromkeys((*PACKAGES, *RUNS_PACKAGES), _install),
}
