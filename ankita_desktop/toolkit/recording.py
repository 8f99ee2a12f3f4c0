"""Undo for what isn't planned file by file: a look at the folder before a command, and one after it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.job import Job

log = logging.getLogger(__name__)

WAITED = 15 * 60.0  # seconds that a job which goes on is followed; what it changes later can't be undone
LABEL = 120


def begin(ctx: ToolContext, folder: Path, what: str) -> str:
    """Keep the folder as it is. The checkpoint's id, "" when it can't be kept: the command runs all the same."""
    if ctx.services.checkpoints is None:
        return ""
    label = " ".join(what.split())[:LABEL]
    try:
        return ctx.services.checkpoints.around(
            folder, session=ctx.session, call_id=ctx.call_id, label=label, cancel=ctx.cancel
        )
    except AnkitaError as error:
        log.warning("no undo for a command: %s", error)
        return ""


def end(ctx: ToolContext, checkpoint: str) -> str:
    """The command is over. The checkpoint's id, "" when nothing had changed."""
    if not checkpoint or ctx.services.checkpoints is None:
        return ""
    try:
        return checkpoint if ctx.services.checkpoints.after(checkpoint) else ""
    except AnkitaError as error:
        log.warning("a command can't be undone: %s", error)
        return ""


def end_with(ctx: ToolContext, checkpoint: str, job: Job) -> str:
    """As ``end``; a job that goes on is followed, and its checkpoint is complete when it is over."""
    if not checkpoint or not job.running:
        return end(ctx, checkpoint)

    def follow() -> None:
        job.wait(WAITED, Cancel().is_set)
        end(ctx, checkpoint)

    threading.Thread(target=follow, name=f"undo-{job.id}", daemon=True).start()
    return checkpoint
