"""Public bug reports about what is remembered, which this product does not have."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import ApprovalRequest, Decision, Message, Preview, ToolCall
from ankita_desktop.store.database import Store
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings


@pytest.mark.parametrize("name", ["ankita.db", "settings.toml", "secrets.json"])
def test_a_malformed_state_file_is_read_as_empty_and_overwritten_at_the_next_save(name: str) -> None:
    """[A] from assistants with a catalogue like ours: a malformed state file is lost at the next save."""
    mine = b"\xff\x00 not what we wrote {{{ but somebody's work \n" * 40
    settings, secrets = Settings(), Secrets(find_keyring=lambda: None)
    store = Store()
    store.close()
    path = {"ankita.db": store.path, "settings.toml": settings.path, "secrets.json": secrets.path}[name]
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    path.write_bytes(mine)
    opened = Store()
    opened.create_session(cwd="/", mode="ask", model="")
    Settings().set("ui.theme", "dark")
    Secrets(find_keyring=lambda: None).set("GITHUB_TOKEN", "t")
    opened.close()
    (aside,) = path.parent.glob(f"{name}.broken-*")
    assert aside.read_bytes() == mine


def test_goose_5790_set_up_goes_on_when_the_secret_service_cannot_be_written() -> None:
    """[C] goose#5790, keyring#280"""

    class ReadOnly:
        def get_password(self, service: str, username: str, /) -> str | None:
            return None

        def set_password(self, service: str, username: str, password: str, /) -> None:
            raise PermissionError("Cannot create an item in a locked collection")

        def delete_password(self, service: str, username: str, /) -> None:
            raise PermissionError("locked")

    secrets = Secrets(find_keyring=ReadOnly)
    assert secrets.set("OPENAI_API_KEY", "sk") == "file"
    assert secrets.get("OPENAI_API_KEY") == "sk"
    assert secrets.notices


def test_agi_cli_798_the_fallback_file_does_not_shadow_the_keyring_for_ever() -> None:
    """[C] agi-cli#798"""
    kept: dict[str, str] = {}

    class Keyring:
        def get_password(self, service: str, username: str, /) -> str | None:
            return kept.get(username)

        def set_password(self, service: str, username: str, password: str, /) -> None:
            kept[username] = password

        def delete_password(self, service: str, username: str, /) -> None:
            del kept[username]

    Secrets(find_keyring=lambda: None).set("OPENAI_API_KEY", "in the file")
    back = Secrets(find_keyring=Keyring)
    assert back.get("OPENAI_API_KEY") == "in the file"
    assert kept == {"OPENAI_API_KEY": "in the file"}
    assert not back.path.exists()
    kept["OPENAI_API_KEY"] = "changed in the keyring"
    assert Secrets(find_keyring=Keyring).get("OPENAI_API_KEY") == "changed in the keyring"


def test_deepchat_2213_a_question_whose_run_is_gone_can_still_be_answered_or_closed() -> None:
    """[C] deepchat#2213, openclaw#150769"""
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="").id
    request = ApprovalRequest("r1", session, ToolCall("c", "t"), "ask", Preview("text", "Allow?"))
    store.add_approval(request)
    store.close()
    later = Store()
    assert [row[0] for row in later.approvals()] == [request]
    assert later.close_approval("r1", "denied", Decision(False))
    assert later.approvals() == []
    later.close()


def test_jan_8356_an_upgrade_keeps_everything_and_a_backup() -> None:
    """[J] janhq/jan#8356, #8519 – the store's part: see tests/store/test_opening.py for the steps."""
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="").id
    store.add_message(session, Message("user", "keep me"))
    store.close()
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="not touched"):
        Store()
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (1,)


def test_semantics_of_search_never_reach_the_person() -> None:
    """[A] issue A1: CFF90D7C-A2EC, @x, don't, C++, NEAR( and 日本 each find their message."""
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="").id
    words = ["CFF90D7C-A2EC", "@x", "don't", "C++", "NEAR(", "日本"]
    for word in words:
        store.add_message(session, Message("user", f"about {word} here"))
    for word in words:
        assert [hit.snippet for hit in store.search(word)] == [f"about {word} here"]
    store.close()
