"""Which texts lose which secrets, and what is left as it is."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from ankita_desktop.core.veil import Veil
from ankita_desktop.protocol import Attachment, Decision, Message, ToolCall
from ankita_desktop.safety.dotenv import assignments, read_secrets
from ankita_desktop.safety.redact import Redactor
from ankita_desktop.toolkit.scrub import HIDDEN, scrub

KEY, OTHER = "sk-proj-a1b2c3d4e5f6g7h8i9", 'tok/with+signs=and"quote'


def redactor(**known: str) -> Redactor:
    return Redactor(known.items)


def test_a_secret_is_replaced_by_its_name_wherever_it_stands() -> None:
    known = redactor(OPENAI_API_KEY=KEY, OTHER=OTHER)
    assert known.hide(f"key={KEY}; again {KEY}") == "key=«secret:OPENAI_API_KEY»; again «secret:OPENAI_API_KEY»"
    assert known.hide("https://x/?t=tok%2Fwith%2Bsigns%3Dand%22quote") == "https://x/?t=«secret:OTHER»"
    assert known.hide('{"t": "tok/with+signs=and\\"quote"}') == '{"t": "«secret:OTHER»"}'


def test_a_text_without_secrets_is_the_same_object() -> None:
    text = "nothing to see"
    assert redactor(A=KEY).hide(text) is text


def test_what_was_hidden_can_be_shown_to_the_person_again() -> None:
    known = redactor(A=KEY, B=OTHER)
    text = f"one {KEY} two {OTHER} «secret:C»"
    assert known.show(known.hide(text)) == text


def test_a_secret_inside_another_does_not_cut_it() -> None:
    known = redactor(SHORT="abcdefgh12", LONG="abcdefgh12-and-more")
    assert known.hide("abcdefgh12-and-more abcdefgh12") == "«secret:LONG» «secret:SHORT»"


def test_two_secrets_of_one_name_stay_apart(tmp_path: Path) -> None:
    files = []
    for number in (1, 2):
        files.append(tmp_path / f"env{number}")
        files[-1].write_text(f"API_KEY=value-number-{number}-x9\n")
    known = Redactor(tuple, files=lambda: files)
    text = "value-number-1-x9 value-number-2-x9"
    assert known.hide(text) == "«secret:API_KEY» «secret:API_KEY-2»"
    assert known.show(known.hide(text)) == text


def test_words_too_short_to_be_told_from_others_stay() -> None:
    assert redactor(PIN="1234567").hide("call 1234567") == "call 1234567"


def test_every_way_to_cut_a_stream_gives_the_same_text() -> None:
    known = redactor(A=KEY, B="sk-proj-a1b2-other", C="ababababac")
    whole = f"see {KEY}{KEY} and sk-proj-a1b2-other, sk-proj-nothing, abababababac, the end sk-pro"
    dice = random.Random(4)
    for _ in range(300):
        pieces, shown, at = Veil(known).pieces(), "", 0
        while at < len(whole):
            size = dice.choice((1, 1, 2, 3, 7, 20))
            part = pieces.take(whole[at : at + size])
            assert not any(secret in shown + part for secret in (KEY, "sk-proj-a1b2-other", "ababababac"))
            shown, at = shown + part, at + size
        assert shown + pieces.rest() == known.hide(whole)


def test_what_surely_is_no_secret_is_not_held_back() -> None:
    pieces = Veil(redactor(A=KEY)).pieces()
    assert pieces.take("plain words ") == "plain words "
    assert pieces.take("sk-p") == "" and pieces.take("ie") == "sk-pie"


def test_a_veil_covers_every_text_of_a_message_and_leaves_files_alone() -> None:
    veil = Veil(redactor(A=KEY))
    message = Message(
        "assistant",
        f"t {KEY}",
        calls=(ToolCall("1", "x", {"a": [{"b": KEY}], "n": 1}, raw=KEY),),
        details={"deep": {"list": [KEY, 2]}},
        reasoning=KEY,
        provider={"reasoning_content": KEY},
        attachments=(Attachment(f"/x/{KEY}", "text/plain"),),
    )
    hidden = veil.over(message)
    assert KEY not in repr(hidden).replace(f"/x/{KEY}", "")
    assert hidden.calls[0].arguments == {"a": [{"b": "«secret:A»"}], "n": 1}
    assert veil.over(hidden) is hidden, "covered once is covered"
    decision = Decision(True, edited={"f": "«secret:A»"})
    assert veil.lifted(decision).edited == {"f": KEY}


def test_a_changed_env_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankita_desktop.safety.redact.LOOKED", -1.0)
    env = tmp_path / ".env"
    known = Redactor(tuple, files=lambda: [env])
    assert known.hide("new-token-1234") == "new-token-1234"
    env.write_text("TOKEN=new-token-1234")
    assert known.hide("new-token-1234") == "«secret:TOKEN»"


# --- .env ---------------------------------------------------------------------------------------

ENV = """
# comment TOKEN=not-this-one-1
export API_KEY="quoted value 12"   # why
  SINGLE_TOKEN='it''s $raw-1234'
PORT=3000
DEBUG=true
DATABASE_NAME=postgres
PASSWORD=letmein
KEY_FILE=/etc/ssl/private.pem
AUTH_URL=https://login.example.com/path
DATABASE_URL=postgres://app:s3cret%21pass@db.example.com:5432/app
UNTOLD=9f8e7d6c5b4a39281706f5e4d3c2b1a0
NAME_WITHOUT_VALUE_KEY=
PRIVATE_KEY="-----BEGIN KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
-----END KEY-----"
AFTER_TOKEN=after-1234 # note
"""


def test_env_files_are_read_as_shells_do_and_only_secrets_count(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(ENV)
    found = dict(read_secrets(file))
    assert found["API_KEY"] == "quoted value 12" and found["AFTER_TOKEN"] == "after-1234"
    assert found["DATABASE_URL"] == "s3cret!pass" and found["UNTOLD"].startswith("9f8e")
    assert found["PRIVATE_KEY"].count("\n") == 2
    plain = {"PORT", "DEBUG", "DATABASE_NAME", "PASSWORD", "KEY_FILE", "AUTH_URL", "NAME_WITHOUT_VALUE_KEY"}
    assert not plain & set(found) and "TOKEN" not in found
    assert (
        Redactor(tuple, files=lambda: [file]).hide("x MIIEvQIBADANBgkqhkiG9w0BAQEFAASC y")
        == "x «secret:PRIVATE_KEY» y"
    )


@pytest.mark.parametrize("text", ["", "=", "A", 'A="', "A='x", "\x00\xff", "A=1\r\nB=2", "export ", 'A="\\'])
def test_no_env_file_is_too_broken_to_read(text: str, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(text.encode("latin1"))
    list(assignments(text))
    read_secrets(file)
    assert read_secrets(tmp_path / "none") == []


# --- guesses ------------------------------------------------------------------------------------

RANDOM = "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=40))


@pytest.mark.parametrize(
    "text",
    [
        f"using sk-proj-{RANDOM}",
        f"ghp_{RANDOM[:36]}",
        f"Authorization: Bearer {RANDOM}",
        f"GET https://api.example.com/v1?api_key={RANDOM}&x=1",
        "postgres://app:hunter2x@db/app",
        f"https://{RANDOM}@github.com/x/y.git",
        f'{{"client_secret": "{RANDOM}"}}',
        f"MY_TOKEN={RANDOM}",
        f"password: {RANDOM[:12]}",
        f"-----BEGIN RSA PRIVATE KEY-----\n{RANDOM}\n{RANDOM}\n-----END RSA PRIVATE KEY-----",
        "aws AKIA1234567890ABCDEF",
    ],
)
def test_what_looks_like_a_secret_leaves_logs_and_exports(text: str) -> None:
    clean = scrub(text)
    assert HIDDEN in clean and RANDOM[:12] not in clean and "hunter2x" not in clean and "AKIA1" not in clean
    assert scrub(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "The key to this is patience; token by token.",
        "password: required",
        "token = get_token(session)",
        "key=value, keyboard: qwerty",
        "commit 3f2a9c81b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2",
        "https://example.com/path?page=2&sort=name",
        "see user@example.com",
        "secret: $API_KEY",
        "max_tokens: 4096",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert scrub(text) == text
