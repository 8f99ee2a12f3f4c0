"""What keeping secrets out costs per text of 50 KB, beside one search for a word in the same text.

The last rows are texts made to take long: their figures must grow with the text, not with its square.
"""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable
from functools import partial

from ankita_desktop.core.veil import Veil
from ankita_desktop.safety.redact import Redactor
from ankita_desktop.toolkit.scrub import scrub

SIZE, ROUNDS = 50_000, 20
WORST = ("key=", "a" * 50 + "-", "-----BEGIN PRIVATE KEY-----", "https://a", "bearer ", "eyJaaaaaaaa.", "?key=x&")
ODD = ("…", "a…", "... ", "\n[1 cut]", "[", "://a@", "x\ta b", "A=", "diff --git a/.env b/.env\n", "A='")


def main() -> None:
    dice = random.Random(1)
    text = " ".join("".join(dice.choices(string.ascii_lowercase, k=6)) for _ in range(SIZE // 7))
    print(f"ms per text of {len(text):,} characters")
    show("one search for a word (reference)", lambda: "no such word here" in text)
    for count in (5, 20, 100):
        known = {f"KEY_{n}": "sk-" + "".join(dice.choices(string.ascii_letters, k=40)) for n in range(count)}
        redactor = Redactor(known.items)
        show(f"hide, {count} secrets, none there", partial(redactor.hide, text))
        secret = next(iter(known.values()))
        show(f"hide, {count} secrets, one there 20 times", partial(redactor.hide, text + secret * 20))
        show(f"the same as a call's result, {count} secrets", partial(redactor.hide_printed, text, "run_command"))
    show("the same in pieces of 5, as a stream", partial(streamed, redactor, text[:5000]), "(5 KB)")
    show("scrub (logs, exports)", lambda: scrub(text))
    for unit in WORST:
        show(f"scrub, worst: {unit[:24]}", partial(scrub, unit * (SIZE // len(unit))))
        show("  ten times as much", partial(scrub, unit * (10 * SIZE // len(unit))), rounds=2)
    print("ms per odd text as a call's result, with 100 secrets")
    for unit in ODD:
        show(
            repr(unit), partial(redactor.hide_printed, unit * (SIZE // len(unit)), "git show HEAD:.env"), rounds=2
        )
        whole = unit * (10 * SIZE // len(unit))
        show("  ten times as much", partial(redactor.hide_printed, whole, "git show HEAD:.env"), rounds=2)


def streamed(redactor: Redactor, text: str) -> None:
    pieces = Veil(redactor).pieces()
    for at in range(0, len(text), 5):
        pieces.take(text[at : at + 5])
    pieces.rest()


def show(what: str, work: Callable[[], object], note: str = "", *, rounds: int = ROUNDS) -> None:
    work()
    began = time.perf_counter()
    for _ in range(rounds):
        work()
    print(f"  {what:<46} {(time.perf_counter() - began) / rounds * 1000:9.3f} {note}")


if __name__ == "__main__":
    main()
