"""Every error the product raises on purpose.

AnkitaError                 its text is fit to be shown to a person
├── UsageError              a command was called wrongly (exit code 2)
├── ConfigError             a settings, catalogue or theme file can't be used
├── StoreError              the database can't do what was asked
│   └── SessionBusy         another process runs this session; names who
├── ModelError              the model could not answer (carries kind, status, retry_after)
├── VoiceError              the microphone, a recogniser or the voice can't be used; the text says how to mend it
├── ToolError               an expected failure of a tool; the text is written for the model
└── Cancelled               the person pressed Stop; never shown as an error
"""

from __future__ import annotations

from typing import Literal

ModelErrorKind = Literal["auth", "limit", "refused", "overflow", "network", "server", "bad_request", "empty"]


class AnkitaError(Exception):
    """Base of the tree. ``str(error)`` says what happened and what the person can do."""


class UsageError(AnkitaError):
    """A command line, slash command or argument that can't be understood."""


class ConfigError(AnkitaError):
    """A file that configures us can't be read; the text names the file and the place in it."""


class StoreError(AnkitaError):
    """The database refused or lacks what was asked for."""


class SessionBusy(StoreError):
    """The session is leased by another process. ``owner`` names it for the person."""

    def __init__(self, session: str, owner: str) -> None:
        pid, _, what = owner.partition(" ")
        who = f"{what} (process {pid})" if what else owner
        named = f"Session {session}" if session else "A session"
        super().__init__(f"{named} is in use by another {who}. Close it there, or start a new session.")
        self.session = session
        self.owner = owner


class ModelError(AnkitaError):
    """The model's side failed for good (all retries done).

    ``kind`` decides what a front end offers; ``status`` is the HTTP status if there was one;
    ``retry_after`` is in seconds; ``partial`` is the text that had already come.
    """

    def __init__(
        self,
        text: str,
        *,
        kind: ModelErrorKind = "server",
        status: int | None = None,
        retry_after: float | None = None,
        partial: str = "",
    ) -> None:
        super().__init__(text)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        self.partial = partial


class VoiceError(AnkitaError):
    """Hearing or speaking doesn't work. ``kind`` says what is in the way, for a front end that offers more
    than the text: no_device, busy, permission, library, gone, recogniser, voice."""

    def __init__(self, text: str, kind: str = "voice") -> None:
        super().__init__(text)
        self.kind = kind


class ToolError(AnkitaError):
    """An expected failure inside a tool. The text tells the model how to correct the call."""


class Cancelled(AnkitaError):
    """Work was stopped by the person."""

    def __init__(self, text: str = "Stopped.") -> None:
        super().__init__(text)
