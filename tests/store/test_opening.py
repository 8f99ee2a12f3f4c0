"""Opening the file: new, old, newer, broken, somebody else's."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store
from ankita_desktop.store.migrations import MIGRATIONS, backups, prepare

MORE = (*MIGRATIONS, "ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'none';")
BROKEN_STEP = (*MIGRATIONS, "ALTER TABLE sessions ADD COLUMN colour TEXT; INSERT INTO nowhere VALUES (1);")


@pytest.fixture
def path() -> Path:
    return paths.data() / "ankita.db"


def filled(path: Path) -> str:
    store = Store(path)
    session = store.create_session(cwd="/", mode="ask", model="").id
    store.add_message(session, Message("user", "kept"))
    store.close()
    return session


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_the_file_is_in_wal_mode_with_foreign_keys(path: Path) -> None:
    store = Store(path)
    assert store.rows("PRAGMA journal_mode")[0][0] == "wal"
    assert store.rows("PRAGMA foreign_keys")[0][0] == 1
    assert store.rows("PRAGMA busy_timeout")[0][0] == 5000
    store.close()


def test_opening_again_changes_nothing_and_says_nothing(path: Path) -> None:
    session = filled(path)
    store = Store(path)
    assert store.notices == ()
    assert [message.text for message in store.messages(session)] == ["kept"]
    assert backups(path) == []
    store.close()


def test_an_older_file_is_brought_up_to_date_and_a_backup_is_kept(path: Path) -> None:
    session = filled(path)
    prepare(path, MORE)
    assert version(path) == len(MORE)
    (backup,) = backups(path)
    assert version(backup) == len(MIGRATIONS)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT id, colour FROM sessions").fetchall()
    assert rows == [(session, "none")]


def test_a_step_that_fails_leaves_the_file_as_it_was(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"unchanged"):
        prepare(path, BROKEN_STEP)
    assert version(path) == len(MIGRATIONS)
    assert path.read_bytes() == before
    Store(path).close()


def test_a_file_of_a_newer_version_is_refused_and_not_touched(path: Path) -> None:
    filled(path)
    prepare(path, MORE)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"newer version .*schema {len(MORE)}.*knows {len(MIGRATIONS)}.*Update"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is no database at all, just text\n" * 100, b"SQLite format 3\0" + b"\1" * 5000]
)
def test_a_broken_file_is_set_aside_and_reported_never_overwritten(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    store = Store(path)
    store.create_session(cwd="/", mode="ask", model="")
    (aside,) = path.parent.glob("ankita.db.broken-*")
    assert aside.read_bytes() == content
    (notice,) = store.notices
    assert str(aside) in notice
    store.close()


def test_another_programs_database_is_set_aside_and_not_changed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()
    content = path.read_bytes()
    store = Store(path)
    (aside,) = path.parent.glob("ankita.db.broken-*")
    assert aside.read_bytes() == content
    assert "another program" in store.notices[0]
    store.close()


def test_a_folder_in_the_way_is_an_error_that_names_it(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match=r"ankita\.db"):
        Store(path)


def test_many_processes_may_open_a_new_file_at_once(path: Path) -> None:
    code = (
        "from ankita_desktop.store.database import Store; s = Store(); s.sessions(); print(s.notices); s.close()"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in started:
        out, err = process.communicate(timeout=60)
        assert (out, err) == ("()\n", "")
