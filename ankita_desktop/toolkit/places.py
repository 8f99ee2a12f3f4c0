"""Where a path really leads, and which places are never touched without a question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ankita_desktop import paths
from ankita_desktop.errors import ToolError

# What stands here runs by itself, opens doors or decides what others run. Names compare without case.
_FOLDERS = {
    *(".git", ".hg", ".svn", ".husky", ".githooks", ".ssh", ".gnupg", ".vscode", ".idea", ".zed", ".fleet"),
    *(".devcontainer", ".circleci", ".ci", ".buildkite", ".agents", "launchagents", "launchdaemons"),
}
_CHAINS = (
    *((".github", "workflows"), (".github", "actions"), (".gitea", "workflows"), (".forgejo", "workflows")),
    *((".config", "autostart"), (".config", "systemd"), (".config", "fish"), (".config", "environment.d")),
    *((".config", "git"), (".local", "bin"), ("spool", "cron"), ("programs", "startup")),
)
_FILES = {
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc"),
    *(".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".envrc"),
    *(".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment", ".inputrc", ".gitconfig"),
    *(".netrc", ".npmrc", ".pypirc", ".vimrc", ".gvimrc", ".exrc", ".emacs", ".editorconfig", ".mcp.json"),
    *(".gitlab-ci.yml", ".travis.yml", ".drone.yml", ".woodpecker.yml", "azure-pipelines.yml", "jenkinsfile"),
    *("bitbucket-pipelines.yml", ".pre-commit-config.yaml", "crontab", "authorized_keys"),
    *("profile.ps1", "microsoft.powershell_profile.ps1"),
}
_SYSTEM = (
    "/etc",
    "/boot",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/dev",
    "/proc",
    "/sys",
    "/var/spool",
    "/private/etc",
    "/System",
    "/Library",
)
_WINDOWS = (["windows"], ["program files"], ["program files (x86)"], ["programdata"])
_SECRET = {".ssh", ".gnupg", ".aws", ".kube", ".password-store"}
# An .env that is shipped to be copied holds no secrets.
_SHIPPED = (".example", ".sample", ".template", ".dist", ".defaults")


def real(path: Path) -> Path:
    """``path`` with every link on its way followed, a dangling last one too. What doesn't exist yet is put
    below its deepest existing ancestor. Raises ``ToolError`` for loops and for names that aren't text."""
    try:
        found = path.resolve(strict=False)
        str(found).encode()  # a name that can't be shown can't be agreed to
        return found
    except (OSError, RuntimeError, ValueError) as error:
        raise ToolError(f"{path} can't be followed: {error}") from error


def entry(path: Path) -> Path:
    """Like ``real``, but a last link stays itself: the name that a move or delete acts on."""
    return real(path.parent) / path.name if path.name not in ("", "..") else real(path)


def within(path: Path, folder: Path) -> bool:
    """Both are real paths."""
    return path.parts[: len(folder.parts)] == folder.parts


def protected(path: Path) -> str:
    """Why changing ``path`` (a real path) always asks, in words; "" when it doesn't."""
    parts = [part.casefold() for part in path.parts]
    if any(within(path, own) for own in _own()):
        return "it belongs to Ankita's own settings, data, tools or skills"
    if any(within(path, Path(system)) for system in _SYSTEM) or (path.drive and parts[1:2] in _WINDOWS):
        return "it belongs to the system"
    if any(part in _FOLDERS for part in parts) or parts[-1] in _FILES:
        return "programs run or trust what stands there"
    if any(chain == tuple(parts[at : at + len(chain)]) for chain in _CHAINS for at in range(len(parts))):
        return "programs run or trust what stands there"
    return ""


def personal() -> tuple[Path, ...]:
    """The folders of our own in which keys may stand; for many questions to ``secret`` in a row."""
    return real(paths.config()), real(paths.data())


def secret(path: Path, own: Sequence[Path] | None = None) -> bool:
    """Whether reading ``path`` (a real path) asks even inside the working folder."""
    named = any(part.casefold() in _SECRET for part in path.parts)
    if named or _holds_environment(path.name.casefold()):
        return True
    return any(within(path, folder) for folder in (personal() if own is None else own))


def _holds_environment(name: str) -> bool:
    """``.env``, ``.env.production`` and the like: made to hold keys."""
    return (name == ".env" or name.startswith(".env.")) and not name.endswith(_SHIPPED)


def _own() -> list[Path]:
    personal = [paths.config(), paths.data(), paths.state()]
    return [real(folder) for folder in (*personal, paths.bundled("tools"), paths.bundled("skills"))]
