"""`ankita`: the window, or with a subcommand or -p the terminal."""

from __future__ import annotations

import sys


def main() -> None:
    if sys.argv[1:] == ["--speak"]:  # how a frozen build starts its voice
        from ankita_desktop.voice import child

        return child.main()
    from ankita_desktop import cli

    sys.exit(cli.main(sys.argv))


if __name__ == "__main__":
    main()
