"""A second conversation from a point of the first."""

from __future__ import annotations

import time

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import SessionInfo, new_id
from ankita_desktop.store.messages import BRANCH
from ankita_desktop.store.sessions import Sessions
from ankita_desktop.store.text import clean

_SEQS = BRANCH.replace("SELECT messages.body FROM", "SELECT messages.seq, messages.id FROM")


class Branches(Sessions):
    """Copies of conversations up to a message."""

    def branch_session(self, session: str, message: str, *, title: str = "") -> SessionInfo:
        """A new conversation with everything up to and including ``message``, with the same folder, mode and
        project. Raises ``StoreError`` when the message isn't in the branch that is shown."""
        info, fresh, now = self.session(session), new_id(), time.time()
        path = [(row["seq"], row["id"]) for row in self.rows(_SEQS, (session,))]
        ids = [one for _, one in path]
        if message not in ids:
            raise StoreError(f"Session {session} has no message {message} in the branch that is shown.")
        with self.write() as connection:
            connection.execute(
                """INSERT INTO sessions (id, title, cwd, mode, model, created, updated)
                   SELECT ?, ?, cwd, mode, model, created, ? FROM sessions WHERE id = ?""",
                (fresh, clean(title or f"{info.title} (branch)".strip()), now, session),
            )
            head = None
            for seq, _ in path[: ids.index(message) + 1]:
                copy = """INSERT INTO messages (session, id, parent, created, body)
                          SELECT ?, id, ?, created, body FROM messages WHERE seq = ?"""
                head = connection.execute(copy, (fresh, head, seq)).lastrowid
                connection.execute(
                    "INSERT INTO search (rowid, body) SELECT ?, body FROM search WHERE rowid = ?", (head, seq)
                )
            connection.execute("UPDATE sessions SET head = ? WHERE id = ?", (head, fresh))
            connection.execute(
                "INSERT INTO session_projects SELECT ?, project FROM session_projects WHERE session = ?",
                (fresh, session),
            )
        return self.session(fresh)
