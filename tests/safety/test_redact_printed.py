"""Secrets in what programs print: encoded, cut in two, in addresses, and in a .env that git has kept."""

from __future__ import annotations

import base64
import json
import random
import string
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from ankita_desktop.safety.redact import SHORTEST, Redactor

KEY = "sk-proj-a1b2c3d4e5f6g7h8i9"
ODD = (
    'tok/with+signs=and"quote',
    "pä ss\\wörd😀 zz 9",
    "first line 12\r\nsecond line",
    "C:\\\\x\\y$1&2<3>'`",
    "%41%2f=%%25abc",
)


def redactor(**known: str) -> Redactor:
    return Redactor(known.items)


# --- spellings ------------------------------------------------------------------------------------

SPELLINGS = {
    "percent": lambda text: quote(text, safe=""),
    "percent, small digits": lambda text: "".join(
        part.lower() if part.startswith("%") else part for part in _parts(quote(text, safe=""))
    ),
    "path": quote,
    "form": quote_plus,
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "json": lambda text: json.dumps(text)[1:-1],
    "json, signs kept": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "json, slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "json in json": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
}


def _parts(text: str) -> list[str]:
    return [text[at : at + 3] if text[at] == "%" else text[at] for at in _starts(text)]


def _starts(text: str) -> list[int]:
    at, found = 0, []
    while at < len(text):
        found.append(at)
        at += 3 if text[at] == "%" else 1
    return found


@pytest.mark.parametrize("way", SPELLINGS)
@pytest.mark.parametrize("value", ODD)
def test_however_a_secret_is_escaped_it_is_hidden(way: str, value: str) -> None:
    written = SPELLINGS[way](value)
    assert redactor(T=value).hide(f"see={written}&x") == "see=«secret:T»&x"


@pytest.mark.parametrize("value", [KEY, *ODD, "12345678"])
@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode, base64.encodebytes])
def test_base64_holds_it_wherever_it_begins(value: str, before: str, encode: object) -> None:
    coded = encode(f"{before}{value}, more".encode()).decode()  # type: ignore[operator]
    shown = redactor(T=value).hide(f"Authorization: Basic {coded}").removeprefix("Authorization: Basic ")
    start, _, end = shown.partition("«secret:T.base64")
    end = end.partition("»")[2]
    assert coded.startswith(start) and coded.endswith(end) and end
    left = len((start + end).replace("\n", "").rstrip("=")) * 6 // 8 - len(f"{before}, more")
    assert left <= 1, "no more than what shares a character with its neighbours"


def test_base64_in_lines_is_hidden_wherever_a_line_ends() -> None:
    coded = base64.b64encode(f"API_TOKEN={KEY}\nPORT=3000\n".encode()).decode()
    known = redactor(T=KEY)
    for width in range(4, len(coded)):
        lines = "\r\n".join(coded[at : at + width] for at in range(0, len(coded), width))
        assert "«secret:T.base64" in known.hide(lines)


def test_what_was_encoded_is_shown_to_the_person_as_it_was() -> None:
    known = redactor(T=KEY, U="other-secret-value-1")
    text = f"{base64.b64encode(KEY.encode()).decode()} and {base64.b64encode(b'me:other-secret-value-1').decode()}"
    assert KEY not in known.hide(text) != text
    assert known.show(known.hide(text)) == text


# --- halves beside a cut --------------------------------------------------------------------------

CUTS = (
    "{}",
    "{}…",
    "{}...",
    "{}\n[120 bytes cut; ask]\n",
    "{}\n… 12 more characters",
    "{}… [5 more characters on this line]",
)
AFTER = ("{}", "[120 bytes cut; ask]\n{}", "[the start is gone]\n{}")


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("length", range(12, len(KEY)))
def test_the_beginning_of_a_secret_before_a_cut_is_hidden(cut: str, length: int) -> None:
    shown = redactor(T=KEY).hide_printed("TOKEN=" + cut.format(KEY[:length]), "")
    assert shown == "TOKEN=" + cut.format("«secret:T.part»")


@pytest.mark.parametrize("cut", AFTER)
@pytest.mark.parametrize("length", range(SHORTEST, len(KEY)))
def test_the_end_of_a_secret_behind_a_cut_is_hidden(cut: str, length: int) -> None:
    for before in ("", "before\n") if "[" in cut else ("",):
        text = f"{before}{cut.format(KEY[-length:])}\nPORT=1"
        assert redactor(T=KEY).hide_printed(text, "") == text.replace(KEY[-length:], "«secret:T.part»")


def test_a_secret_without_a_known_head_is_told_by_eight_characters() -> None:
    value = "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=40))
    for length in range(SHORTEST, 40):
        assert redactor(T=value).hide_printed(value[:length], "") == "«secret:T.part»"
        assert redactor(T=value).hide_printed(f"key={value[:length]}…", "") == "key=«secret:T.part»…"


def test_both_halves_of_one_cut_are_hidden() -> None:
    text = f"head {KEY[:14]}\n[9 bytes cut; job_status shows them]\n{KEY[-9:]} tail"
    shown = redactor(T=KEY).hide_printed(text, "")
    assert shown == "head «secret:T.part»\n[9 bytes cut; job_status shows them]\n«secret:T.part» tail"


def test_words_are_no_half_of_a_secret() -> None:
    """A password made of words begins like ordinary text, and many keys begin alike."""
    known = redactor(A="postgres-password-123", B="MyAppPassword1!", C="correct-horse-battery-staple", D=KEY)
    for text in (
        "we use postgres…",
        "class MyAppPassword...",
        "correct-horse-…",
        "keys begin with sk-proj-…",
        "the postgres-password",
        "sk-proj-a1b2c3d4 in the middle of a line",
    ):
        assert known.hide_printed(text, "") is text


# --- addresses ------------------------------------------------------------------------------------

REMOTE = "origin\thttps://{}github.com/me/app.git (fetch)\norigin\thttps://{}github.com/me/app.git (push)\n"
TOKEN = "ghp_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))


@pytest.mark.parametrize("user", ["me:hunter2@", f"me:{TOKEN}@", f"{TOKEN}@", "x-access-token:abc@", "me:p%40ss@"])
def test_remotes_are_shown_without_their_passwords(user: str) -> None:
    shown = redactor().hide_printed(REMOTE.format(user, user), "run_command git remote -v")
    name = user.split(":")[0] + ":" if ":" in user else ""
    hidden = f"{name}«secret:github.com»@"
    assert shown == REMOTE.format(hidden, hidden)
    assert redactor().hide_printed(shown, "") == shown, "hidden once is hidden"


@pytest.mark.parametrize("text", [f"url = https://me:{TOKEN}@host.example/x", "amqp://app:k8Jq2vX9pL@mq:5672/"])
def test_a_password_that_only_a_machine_makes_is_hidden_in_any_address(text: str) -> None:
    shown = redactor().hide_printed(text, "")
    assert TOKEN not in shown and "k8Jq2vX9pL" not in shown and "«secret:" in shown


@pytest.mark.parametrize(
    "text",
    [
        REMOTE.format("git@", "git@"),
        "origin\tgit@github.com:me/app.git (fetch)",
        "postgres://user:password@localhost/db",
        "https://user:pass@example.com",
        "http://$USER:$PASSWORD@proxy:3128",
        "https://medium.com/@someone and ssh://git@host/x",
        "mailto:someone@example.com, https://example.com/?a=b@c",
    ],
)
def test_ordinary_addresses_stay(text: str) -> None:
    assert redactor().hide_printed(text, "git remote -v") is text or redactor().hide_printed(text, "") == text
    assert redactor().hide_printed(text, "git remote -v") == text


# --- what git has kept ----------------------------------------------------------------------------

OLD = "old-token-1234567"
PATCH = """commit 1234
diff --git a/{name} b/{name}
index 1..2 100644
--- a/{name}
+++ b/{name}
@@ -1,2 +1,2 @@
-API_TOKEN=old-token-1234567
+export API_TOKEN="old-token-1234567"  # why
 PORT=3000
 DEBUG=true
"""


@pytest.mark.parametrize("name", [".env", "api/.env", ".env.production", "deep/er/.env.local"])
@pytest.mark.parametrize("asked", ["git diff", "git show HEAD", "git log -p", ""])
def test_a_patch_of_an_env_file_shows_no_secret(name: str, asked: str) -> None:
    shown = redactor().hide_printed(PATCH.format(name=name), asked)
    assert shown == PATCH.format(name=name).replace(OLD, "«secret:API_TOKEN.committed»")


@pytest.mark.parametrize(
    "asked",
    [
        'run_command {"command":"git show HEAD~3:.env"}',
        "git cat-file -p x:api/.env",
        "git grep -n TOKEN HEAD -- .env",
    ],
)
def test_a_file_of_a_former_commit_shows_no_secret(asked: str) -> None:
    for text in (
        f"API_TOKEN={OLD}\nPORT=3000\n",
        f"HEAD:.env:1:API_TOKEN={OLD}",
        f"^12 (A B 2024 1) API_TOKEN='{OLD}'",
    ):
        assert redactor().hide_printed(text, asked) == text.replace(OLD, "«secret:API_TOKEN.committed»")


def test_a_key_over_several_lines_is_hidden_as_a_whole() -> None:
    patch = (
        PATCH.format(name=".env")
        + '+PRIVATE_KEY="-----BEGIN KEY-----\n+MIIEvQIBAD\n+-----END KEY-----"\n+PORT=1\n'
    )
    shown = redactor().hide_printed(patch, "git diff")
    assert "MIIEvQIBAD" not in shown and shown.endswith('«secret:PRIVATE_KEY.committed»"\n+PORT=1\n')


def test_after_a_cut_the_rest_of_a_patch_counts_too() -> None:
    text = f"diff --git a/x b/x\n+a\n[900 bytes cut; see]\n+API_TOKEN={OLD}\n+session = make_session_now(1)\n"
    assert redactor().hide_printed(text, "git log -p") == text.replace(OLD, "«secret:API_TOKEN.committed»")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (PATCH.format(name="settings.py"), "git diff"),
        (PATCH.format(name=".env.example"), "git diff"),
        (PATCH.format(name="docs/.env.md"), "git diff"),
        (f"API_TOKEN={OLD}", "git show HEAD:notes.txt"),
        (f"API_TOKEN={OLD}", "read_file .env"),
        ("PORT=3000\nNAME=app", "git show HEAD:.env"),
    ],
)
def test_other_files_stay_as_they_are(text: str, asked: str) -> None:
    assert redactor().hide_printed(text, asked) is text or redactor().hide_printed(text, asked) == text


def test_a_file_that_the_person_opened_is_shown_of_former_days_too() -> None:
    known = Redactor(tuple, opened=lambda: [Path("/srv/shop/.env")])
    assert OLD in known.hide_printed(PATCH.format(name=".env"), "git diff")


def test_what_is_shown_now_keeps_its_own_name(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"API_TOKEN={OLD}\n")
    known = Redactor(tuple, files=lambda: [tmp_path / ".env"])
    assert known.hide_printed(PATCH.format(name=".env"), "git diff").count("«secret:API_TOKEN»") == 2


# --- all of it ------------------------------------------------------------------------------------


def test_the_source_of_this_program_is_left_as_it_is() -> None:
    """Long ordinary texts, with many secrets known: nothing is replaced that isn't one."""
    dice = random.Random(7)
    known = {f"K{n}": "".join(dice.choices(string.ascii_letters + string.digits, k=32)) for n in range(30)}
    hidden = redactor(**known, W="postgres-password-123", P="MyAppPassword1!")
    for file in sorted(Path(__file__).parents[2].joinpath("ankita_desktop").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        assert hidden.hide_printed(text, f"read_file {file.name}") == text, file
