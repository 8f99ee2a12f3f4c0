"""The context a tool runs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankita_desktop.protocol import Approved
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.services import Services

if TYPE_CHECKING:
    from ankita_desktop.toolkit.files import Files
    from ankita_desktop.toolkit.process import Jobs


def _silent(_text: str) -> None: ...


@dataclass(frozen=True)
class ToolContext:
    """Small on purpose: no window, no engine, no database.

    ``approved`` is what the person agreed to (None when nothing was asked); ``files`` enforces it.
    ``settings`` is a read-only view of the settings as nested dicts. ``progress`` shows live text in the card.
    """

    cwd: Path
    jobs: Jobs
    session: str = ""
    call_id: str = ""
    cancel: Cancel = field(default_factory=Cancel)
    settings: Mapping[str, Any] = field(default_factory=dict)
    services: Services = field(default_factory=Services)
    approved: Approved | None = None
    progress: Callable[[str], None] = _silent

    @cached_property
    def files(self) -> Files:
        """The one way to touch files: levels, previews and atomic writes bound to this call."""
        from ankita_desktop.toolkit.files import Files

        return Files(
            self.cwd,
            approved=self.approved,
            checkpoints=self.services.checkpoints,
            session=self.session,
            call_id=self.call_id,
        )
