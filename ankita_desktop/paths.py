"""Where our files are: what ships with the product, and what belongs to the person.

``ANKITA_HOME`` moves everything of the person's under one folder as ``config/ data/ state/ cache/``.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent
NAME = "ankita-desktop"


class NoFolder(OSError):
    """A folder of the person's can't be made; the text says which, why, and what to do."""


def bundled(folder: str) -> Path:
    """A shipped folder (``tools``, ``skills``, ``assets``): beside the package in a checkout, else inside it.

    The live folder wins, since building an editable install leaves a stale copy behind.
    """
    checkout = PACKAGE.parent / folder
    if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return PACKAGE / folder


def _person(kind: str, default: str) -> Path:
    home = os.environ.get("ANKITA_HOME")
    path = Path(home).expanduser().absolute() / kind if home else Path(default)
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoFolder(
            f"{path} can't be made ({error.strerror}). Let your account write there, or set ANKITA_HOME to a "
            "folder where it may."
        ) from error
    return path


def config() -> Path:
    """Settings, the person's own tools and skills. As its fellows below, raises ``NoFolder``."""
    return _person("config", platformdirs.user_config_dir(NAME))


def data() -> Path:
    """The database and the undo store."""
    return _person("data", platformdirs.user_data_dir(NAME))


def state() -> Path:
    """Logs, locks, sockets."""
    return _person("state", platformdirs.user_state_dir(NAME))


def cache() -> Path:
    """What can be deleted at any time."""
    return _person("cache", platformdirs.user_cache_dir(NAME))


def default_folder() -> Path:
    """The working folder of a desktop launch until the person chooses another."""
    return Path(platformdirs.user_documents_dir()) / "Ankita"
