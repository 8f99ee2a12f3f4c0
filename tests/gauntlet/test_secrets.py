"""Public reports about keys that got out, and what holds here instead."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ankita_desktop.assembly import Options, assemble
from ankita_desktop.errors import ConfigError
from ankita_desktop.logs import start_logging
from ankita_desktop.protocol import SessionInfo
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.toolkit.scrub import scrub
from tests.store.test_secrets import MemoryKeyring
from tests.terminal.shell import at
from tests.terminal.shell import inside as ankita
from tests.wire import WireServer, calls

KEY = "sk-proj-abcdef0123456789ABCDEF"
INFO = SessionInfo("s", "", "/")


@pytest.fixture
def log(ankita_home: Path) -> Iterator[Path]:
    """The log file of this test, its handler gone afterwards."""
    logger = logging.getLogger("ankita_desktop")
    before = list(logger.handlers)
    for handler in before:
        logger.removeHandler(handler)
    start_logging(scrub)
    yield ankita_home / "state" / "logs" / "ankita.log"
    for handler in logger.handlers[:]:
        logger.removeHandler(handler)
        handler.close()
    for handler in before:
        logger.addHandler(handler)


def test_openclaw_12182_a_stored_key_reaches_no_transcript(tmp_path: Path, ankita_home: Path) -> None:
    """openclaw#12182: keys in tool output are written into the session's transcript."""
    Secrets().set("GITHUB_TOKEN", KEY)
    (tmp_path / "notes.txt").write_text(f"the token is {KEY}\n")
    with WireServer([calls(("read_file", {"path": "notes.txt"})), f"It is {KEY}."]) as server:
        done = ankita("-p", "read it", *at(server), "--json", cwd=tmp_path)
        sent = json.dumps(server.requests)
    assert done.json["text"] == "It is «secret:GITHUB_TOKEN»." and KEY not in sent
    shown = ankita("sessions", "show", done.json["session"])
    exported = ankita("sessions", "export", done.json["session"], "--format", "json")
    database = b"".join(path.read_bytes() for path in ankita_home.rglob("ankita.db*"))
    assert KEY not in shown.out + exported.out and KEY.encode() not in database


def test_openclaw_25133_settings_hold_no_keys_and_show_none(ankita_home: Path) -> None:
    """openclaw#25133: a dump of the configuration prints keys."""
    Secrets().set("OPENAI_API_KEY", KEY)
    shown = ankita("config", "get", "model").out + ankita("doctor", "--json").out
    files = b"".join(path.read_bytes() for path in (ankita_home / "config").rglob("*") if path.is_file())
    assert KEY not in shown and KEY.encode() not in files


def test_openclaw_120411_an_error_with_a_key_in_it_is_logged_without(log: Path) -> None:
    """openclaw#120411: audit logs hold the arguments with their keys; tracebacks do as well."""
    logger = logging.getLogger("ankita_desktop.somewhere")
    try:
        raise RuntimeError(f"request failed: Authorization: Bearer {KEY}")
    except RuntimeError:
        logger.exception("calling %s", {"api_key": KEY})
    text = log.read_text()
    assert KEY not in text and "«hidden»" in text and "RuntimeError" in text


def test_obsyd_97_addresses_with_keys_are_not_logged(log: Path) -> None:
    """Obsyd#97: httpx logs whole URLs, with the keys in them, at INFO."""
    records: list[logging.LogRecord] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    keep = Keep()
    logging.getLogger().addHandler(keep)
    try:
        with WireServer(["x"]) as server:
            httpx.get(f"{server.base_url}/models?api_key={KEY}")
        logging.getLogger("ankita_desktop.net").warning("can't reach https://me:pw12345@h/?token=%s", KEY)
    finally:
        logging.getLogger().removeHandler(keep)
    assert not any(KEY in record.getMessage() for record in records)
    assert KEY not in log.read_text() and "pw12345" not in log.read_text()


@pytest.mark.parametrize("text", ["«secret:OPENAI_API_KEY»", " «secret:X» "])
def test_openclaw_86030_a_placeholder_is_never_used_as_a_key(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """openclaw#86030: the redaction placeholder is stored and sent as the key."""
    with pytest.raises(ConfigError, match="only stands for the key"):
        Secrets().set("OPENAI_API_KEY", text)
    monkeypatch.setenv("OPENAI_API_KEY", text)
    assert Secrets().get("OPENAI_API_KEY") is None
    app = assemble(Options(provider="openai", api_key=text))
    try:
        with pytest.raises(ConfigError, match="only stands for the key"):
            app.models.for_session(INFO)
    finally:
        app.close()


@pytest.mark.parametrize("broken", [("write",), ("read", "write", "delete"), ("forgetful",)])
def test_goose_5790_and_keyring_280_set_up_goes_on_without_a_keyring(broken: tuple[str, ...]) -> None:
    """goose#5790, keyring#280: set-up dies when the secret service can't be written."""
    secrets = Secrets(find_keyring=lambda: MemoryKeyring(*broken), environ={})
    assert secrets.set("OPENAI_API_KEY", KEY) == "file"
    assert secrets.get("OPENAI_API_KEY") == KEY and "No usable keyring" in secrets.notices[0]
    assert secrets.known() == {"OPENAI_API_KEY": KEY}


def test_agi_cli_798_the_fallback_file_does_not_shadow_the_keyring(ankita_home: Path) -> None:
    """agi-cli#798: once the fallback file exists, the keyring is never asked again."""
    Secrets(find_keyring=lambda: None, environ={}).set("OPENAI_API_KEY", "the older key")
    keyring = MemoryKeyring()
    working = Secrets(find_keyring=lambda: keyring, environ={})
    assert working.get("OPENAI_API_KEY") == "the older key" and not working.path.exists(), "it moved"
    working.set("OPENAI_API_KEY", KEY)
    assert Secrets(find_keyring=lambda: keyring, environ={}).get("OPENAI_API_KEY") == KEY


def test_keys_under_names_of_their_own_are_known_again_after_a_restart() -> None:
    keyring = MemoryKeyring()
    Secrets(find_keyring=lambda: keyring, environ={}).set("MY_SERVER_KEY", KEY)
    again = Secrets(find_keyring=lambda: keyring, environ={})
    assert again.known() == {"MY_SERVER_KEY": KEY}
