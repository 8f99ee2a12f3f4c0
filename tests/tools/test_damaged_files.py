"""Documents, archives, pages and pictures that are broken in any way: words tell of it, whatever is wrong."""

from __future__ import annotations

import contextlib
import io
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from ankita_desktop.protocol import Attachment
from ankita_desktop.toolkit import ToolError, archives, archives_extract, attachments, web_page
from ankita_desktop.toolkit.addresses import read_address
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.documents import excerpt, open_document
from ankita_desktop.toolkit.files import Files
from ankita_desktop.toolkit.web import Visit
from tests.tools import papers

ROUNDS = 120
NOTEBOOK = (
    b'{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "source": ["# T"]}, {"cell_type": '
    b'"code", "source": "x", "outputs": [{"output_type": "stream", "text": "4"}]}]}'
)


def written(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def tarred(mode: str) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        with tarfile.open(path, mode) as archive:  # type: ignore[call-overload] # mode is one of its literals
            for name in ("a.txt", "d/b.txt"):
                info = tarfile.TarInfo(name)
                info.size = 5
                archive.addfile(info, io.BytesIO(b"hello"))

    return make


DOCUMENTS: dict[str, Callable[[Path], object]] = {
    "a.pdf": lambda path: papers.pdf(path, ["one", "two"], title="T"),
    "scan.pdf": papers.scan,
    "a.docx": papers.word,
    "a.xlsx": papers.excel,
    "a.pptx": papers.slides,
    "a.odt": lambda path: papers.odf(path, "text", "<text:p>words</text:p>"),
    "a.epub": lambda path: papers.epub(path, ["<html><body><p>x</p></body></html>"]),
    "a.ipynb": written(NOTEBOOK),
    "a.csv": written(b'a;b\n"x";"y\n'),
    "a.html": written(b"<html><body><table><tr><td>x</table><ul><li>a</body>"),
}
ARCHIVES: dict[str, Callable[[Path], object]] = {
    "a.zip": lambda path: papers.packed(path, {"a.txt": "hello", "d/b.txt": "hello"}),
    "a.tar": tarred("w"),
    "a.tar.gz": tarred("w:gz"),
    "a.tar.bz2": tarred("w:bz2"),
    "a.tar.xz": tarred("w:xz"),
}


def broken(data: bytes, dice: random.Random) -> bytes:
    """The data cut off, with a piece missing, or with wrong bytes; in a package sometimes one of its parts."""
    if data.startswith(b"PK") and dice.random() < 0.6:
        return _broken_part(data, dice)
    wrong, place = bytearray(data), dice.randrange(len(data))
    match dice.randrange(4):
        case 0:
            del wrong[place:]
        case 1:
            del wrong[place : place + dice.randrange(1, 200)]
        case _:
            for _ in range(dice.randrange(1, 20)):
                wrong[dice.randrange(len(wrong))] = dice.randrange(256)
    return bytes(wrong)


def _broken_part(data: bytes, dice: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as changed:
        names = whole.namelist()
        victim = dice.choice(names)
        for name in names:
            part = whole.read(name)
            if name != victim or (part and dice.random() < 0.85):
                changed.writestr(name, broken(part, dice) if name == victim else part)
    return out.getvalue()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_is_broken_anywhere_is_an_error_in_words(tmp_path: Path, name: str) -> None:
    file, dice = tmp_path / name, random.Random(name)
    DOCUMENTS[name](file)
    whole = file.read_bytes()
    for _ in range(ROUNDS):
        file.write_bytes(broken(whole, dice))
        try:
            document = open_document(file)
        except ToolError:
            continue
        try:
            excerpt(document, cancel=Cancel())
        except ToolError:
            pass
        finally:
            document.close()


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_that_is_broken_anywhere_is_an_error_in_words(tmp_path: Path, name: str) -> None:
    file, dice = tmp_path / name, random.Random(name)
    ARCHIVES[name](file)
    whole, files = file.read_bytes(), Files(tmp_path)
    for _ in range(ROUNDS):
        file.write_bytes(broken(whole, dice))
        try:
            with archives.members(file, Cancel(), archives.WALKED) as every:
                list(every)
        except ToolError:
            pass
        try:
            plan = archives_extract.plan(files, file, Path("out"), (), Cancel())
        except ToolError:
            continue
        assert all(change.path.is_relative_to(tmp_path / "out") for change in plan.changes)


PAGE = (
    b"<html><head><title>T</title><base href='/a/'></head><body><pre>x\ny</pre><p>same</p><p>same</p>"
    b"<table><tr><td>1</td></tr></table><a href='b?c=d#e'>link</a><img src=x alt=y>&auml;&#228;</body></html>"
)
FEED = (
    b"<?xml version='1.0'?><rss version='2.0'><channel><title>T</title><item><title>One &#228;</title><link>http://x/"
    b"1</link><description>&lt;p&gt;Words&lt;/p&gt;</description></item></channel></rss>"
)
SIGNS = (
    b"\0",
    b"&#0;",
    b"&#1;",
    b"&#x110000;",
    b"&#9999999999;",
    b"<![CDATA[",
    b"<!--",
    b"http://[",
    b"\xff\xfe",
)
KINDS = ("text/html", "text/html; charset=utf-16", "text/plain", "application/rss+xml", "application/pdf", "")


@pytest.mark.parametrize("whole", [PAGE, FEED], ids=["page", "feed"])
def test_a_page_that_is_broken_anywhere_is_read_or_refused_in_words(whole: bytes) -> None:
    dice, address = random.Random(1), read_address("http://site.example/")
    for _ in range(ROUNDS * 4):
        place = dice.randrange(len(whole))
        odd = whole[:place] + dice.choice(SIGNS) + whole[place:]
        data = broken(whole, dice) if dice.random() < 0.5 else odd
        with contextlib.suppress(ToolError):
            web_page.read(Visit(200, {"content-type": dice.choice(KINDS)}, data, address))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF"])
def test_a_picture_that_is_broken_anywhere_is_sent_or_named_with_the_reason(tmp_path: Path, form: str) -> None:
    dice, out = random.Random(form), io.BytesIO()
    Image.effect_noise((40, 30), 80).convert("RGB").save(out, form)
    file = tmp_path / "a"
    for _ in range(ROUNDS):
        file.write_bytes(broken(out.getvalue(), dice))
        attachments._seen.cache_clear()  # a change within one tick of the clock
        with contextlib.suppress(ToolError):
            attachments.seen(Attachment(str(file), "image/png"))
