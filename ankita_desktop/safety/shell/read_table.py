"""Programs that only read, and with which options they still do."""

from __future__ import annotations

from dataclasses import dataclass

from ankita_desktop.safety.shell.tables import names


@dataclass(frozen=True, slots=True)
class Reads:
    """How a program only reads. ``never``: options with which it does more. ``only``: if given, all options
    that are allowed. ``most``: operands it takes (more would be written to). ``opens``: "content", "names" (no
    secret is shown by listing one) or "" (operands aren't files). ``first``: the first operand isn't a file.
    ``deep``: options with which it reads whole folders ("*" = always)."""

    never: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    most: int = 1000
    opens: str = "content"
    first: bool = False
    deep: tuple[str, ...] = ()


def _with(programs: str, **how: object) -> dict[str, Reads]:
    return dict.fromkeys(programs.split(), Reads(**how))  # type: ignore[arg-type]


PROGRAMS: dict[str, Reads] = {
    **_with("true false : echo pwd basename dirname seq yes sleep expr factor numfmt tr", opens=""),
    **_with("whoami id groups tty arch nproc uptime users who w logname hostid lsb_release sw_vers",
            opens="", most=1),
    **_with("uname getconf locale free vmstat lscpu lsblk lsusb lspci lsmod iostat cal ncal", opens=""),
    **_with("pgrep pidof pstree which type", opens="", never=("-F",)),
    **_with("hash whereis", opens="", never=("-r", "-d", "-p", "-f")),
    **_with("hostname domainname", opens="", most=0, never=("-F", "--file", "-b", "--boot")),
    **_with("cat tac nl wc head tail cut rev fold fmt expand unexpand column paste comm join od hexdump strings"),
    **_with("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum cmp"),
    **_with("ls dir vdir stat realpath readlink lsof", opens="names"),
    **_with("tree", opens="names", never=("-o", "--output", "--fromfile", "--fromtabfile", "-R")),
    **_with("df du", opens="names", never=("--files0-from",)),
    **_with("file", never=("-C", "--compile", "-m", "--magic-file", "-z", "--uncompress", "-f", "--files-from")),
    **_with("diff", never=("--to-file", "--from-file", "--output", "-l", "--paginate"),
            deep=("*",)),
    **_with("grep egrep fgrep", first=True, never=("-f", "--file", "-d", "--directories"),
            deep=("-r", "-R", "--recursive", "--dereference-recursive")),
    **_with("sort", never=("-o", "--output", "--compress-program", "-T", "--temporary-directory",
            "--files0-from")),
    **_with("uniq tsort", most=1),
    **_with("base64 base32", never=("-o", "--output", "-D", "-i", "--input"), most=1),
    **_with("xxd", never=("-r", "-revert"), most=1),
    **_with("rg", first=True, deep=("*",), never=("--pre", "-z", "--search-zip", "--hostname-bin", "-f", "--file",
            "--pre-glob", "-u", "--unrestricted", "-.", "--hidden", "--follow", "-L")),
    **_with("fd fdfind", opens="names", first=True, never=("-x", "--exec", "-X", "--exec-batch", "--search-path",
            "--base-directory", "-l", "--list-details")),
    **_with("jq", first=True, never=("-f", "--from-file", "-L", "--library-path", "--rawfile", "--slurpfile")),
    **_with("man whatis apropos", only=("-k", "-f", "-a")),
    **_with("zcat bzcat xzcat zstdcat", never=("-f",)),
}  # fmt: skip

# Asking these for their version starts nothing else.
VERSIONED = names("""
    python python3 pip pip3 node npm pnpm bun deno ruby gem perl php go rustc cargo java javac gcc g++ cc
    clang make cmake ninja meson git docker podman kubectl helm terraform ansible aws gcloud az gh curl wget
    ssh rg fd jq yq sed awk gawk grep find tar zip unzip gzip xz bash zsh fish tmux vim nvim nano emacs code
    ffmpeg psql mysql sqlite3 redis-cli ruff black mypy uv poetry pipx eslint prettier tsc systemctl dpkg
    apt brew snap flatpak lua luajit swift ghc zig nim julia R Rscript pandoc hugo ls cat sort head tail wc
    cut tr uniq diff file xargs date env tree less man openssl gpg rsync nmap dig protoc adb nvidia-smi
    bwrap shellcheck shfmt
""")
VERSION = names("--version --help -V")
VERSION_ALSO: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("go", "docker", "podman", "helm", "terraform", "uv", "hugo", "openssl", "zig"), names("version")
    ),
    **dict.fromkeys(("java", "javac"), names("-version")),
    **dict.fromkeys(("node", "npm", "php", "ruby", "gcc", "cc", "clang", "pnpm"), names("-v")),
    "kubectl": names("version"),
}
# With these files about, the project chooses which program answers.
CHOOSERS = {
    **dict.fromkeys(("cargo", "rustc"), ("rust-toolchain", "rust-toolchain.toml", ".cargo")),
    "go": ("go.mod", "go.work"),
    "pnpm": ("package.json",),
}

# Subcommands that only look.
LOOKS: dict[str, tuple[str, ...]] = {
    "docker": ("ps", "images"),
    "podman": ("ps", "images"),
    "systemctl": ("status", "is-active", "is-enabled", "list-units", "list-unit-files", "list-timers"),
    "apt": ("list", "show"),
    "apt-cache": ("search", "show", "policy", "depends", "rdepends", "madison"),
    "pip": ("list", "show", "freeze", "check"),
    "pip3": ("list", "show", "freeze", "check"),
    "npm": ("ls", "list"),
    "brew": ("list",),
}
LOOK_OPTIONS = names("""
    -a -q -l -g -v --all --quiet --json --installed --no-pager --failed --global --no-trunc --format=json
    --format=columns --format=freeze --depth=0 --depth=1 --upgradable --versions --user --state=failed
""")
LIST_BY_OPTION: dict[str, tuple[str, ...]] = {
    "dpkg": ("-l", "-L", "-s", "-S", "--list", "--listfiles", "--status", "--search"),
    "crontab": ("-l",),
    "unzip": ("-l", "-v", "-t"),
    "gzip": ("-l", "--list", "-t"),
    "zipinfo": ("-1", "-l", "-s"),
    "brew": ("--prefix",),
}

HARMLESS_VARIABLES = names("""
    HOME PWD OLDPWD USER LOGNAME SHELL PATH LANG TMPDIR HOSTNAME UID EUID PPID RANDOM SECONDS LINENO ? # $ !
    0 _ BASH_VERSION OSTYPE MACHTYPE HOSTTYPE TERM COLUMNS LINES EDITOR PS1 XDG_SESSION_TYPE DISPLAY
""")
