"""Approvals by voice: read back first, answered by a plain yes or no, and only where a yes can't do great harm."""

from __future__ import annotations

from collections.abc import Callable

from ankita_desktop.protocol import ApprovalRequest, Decision
from ankita_desktop.voice.spoken import reply

SHORT = 200  # characters of a command that are read out
ON_SCREEN = "That one has to be answered on the screen."
AGAIN = "Please say yes or no."
LEFT = "I leave the question on the screen."
TRIES = 2

Say = Callable[[str], None]
Answer = Callable[[str, Decision], object]


class Question:
    """One pending approval as it is asked aloud. ``read_out`` is set when it has sounded to its end. A command
    ("stop", "repeat") is not for it."""

    def __init__(self, request: ApprovalRequest, say: Say, answer: Answer) -> None:
        self.request, self._say, self._answer = request, say, answer
        self.read_out = False
        self._tries = 0

    @property
    def by_voice(self) -> bool:
        return self.request.level == "ask" and not self.request.preview.danger

    def ask(self) -> None:
        """Read it out."""
        self.read_out = False
        self._say(f"{self._words()} {'Say yes or no.' if self.by_voice else ON_SCREEN}")

    def hear(self, text: str) -> bool:
        """What the person said while it waits. True: it is answered, or left to the screen."""
        if not self.by_voice:
            self._say(ON_SCREEN)
            return reply(text) is None  # a second yes is no new request
        said = reply(text)
        if said is not None and (self.read_out or not said.allow):
            self._answer(self.request.id, said.decision())
            return True
        if said is not None:  # a yes to what was not read to its end
            self.ask()
            return False
        self._tries += 1
        self._say(LEFT if self._tries >= TRIES else AGAIN)
        return self._tries >= TRIES

    def _words(self) -> str:
        preview = self.request.preview
        text = preview.question if preview.question.endswith(("?", ".", "!")) else f"{preview.question}?"
        if preview.kind == "command" and preview.text and len(preview.text) <= SHORT:
            text += f" The command is: `{preview.text.strip()}`."
        if preview.changes:
            text += " " + _changes(self.request)
        return " ".join(filter(None, (self.request.news, text, preview.danger)))


def _changes(request: ApprovalRequest) -> str:
    names = [change.path.replace("\\", "/").rsplit("/", 1)[-1] for change in request.preview.changes]
    if len(names) > 3:
        return f"It concerns {len(names)} files."
    return f"It concerns {' and '.join(names)}."
