"""Bytes become text and the very same bytes again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.text import (
    Form,
    NotText,
    any_lines,
    bare,
    decode,
    encode,
    end_of,
    ends_name,
    main_end,
    split_lines,
    with_ends_of,
)

TEXTS = st.text(st.sampled_from("ab é\r\n\u2028\x0c"), max_size=40)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_what_is_read_goes_back_byte_for_byte(data: bytes) -> None:
    try:
        text, form = decode(data)
    except NotText:
        return
    assert encode(text, form) == data
    text.encode()  # safe to show, store and send


WIDE = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "utf-32-le"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", *WIDE])
def test_text_is_read_in_its_encoding(encoding: str) -> None:
    text = "Der Wagen fährt über die Straße.\r\nZwei “Zeilen”.\n" * 3
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "# 配置文件\nname = 测试用户\n这是一个示例文件，用于测试编码。\n"),
        ("big5", "這是一個用於測試編碼的範例檔案。\n"),
        ("shift_jis", "設定ファイル\n名前=テスト\nこれは文字コードのテストです。\n"),
        ("euc_kr", "설정 파일입니다. 이것은 테스트입니다.\n"),
        ("cp1251", "Это пример файла в старой кодировке для проверки.\n"),
        ("koi8_r", "Это пример файла в старой кодировке для проверки.\n"),
    ],
)
def test_text_from_before_unicode_is_recognised(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding))[0] == text


def test_utf8_with_a_few_stray_bytes_stays_utf8_and_keeps_them() -> None:
    data = "müsli für alle\n".encode() + b"caf\xe9\n" + "größer\n".encode()
    text, form = decode(data)
    assert text.startswith("müsli für alle\n") and text.endswith("größer\n")
    assert form.name == "UTF-8 with stray bytes"
    assert encode(text.replace("alle", "jeden"), form) == data.replace(b"alle", b"jeden")


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03", bytes(range(256)), b"\x7fELF\x02" + b"\x00" * 20])
def test_binary_data_is_not_text(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


def test_a_missing_character_is_named() -> None:
    with pytest.raises(ToolError, match=r"cp1252.*'✅'.*U\+2705"):
        encode("a✅", Form("cp1252"))


@settings(deadline=None)
@given(TEXTS)
def test_lines_put_together_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text
    assert "".join(any_lines(text)) == text
    assert "".join(bare(line) + end_of(line) for line in split_lines(text)) == text


def test_only_real_line_ends_end_a_line() -> None:
    assert split_lines("a\x0cb\u2028c\x85d\re\n") == ["a\x0cb\u2028c\x85d\re\n"]
    assert split_lines("a\rb") == ["a\r", "b"]
    assert any_lines("a\rb\r\nc\n") == ["a\r", "b\r\n", "c\n"]


def test_line_ends_have_names_and_a_majority() -> None:
    assert (ends_name("a\r\nb\n"), ends_name("a\r\n"), ends_name("a")) == ("mixed line ends", "CRLF", "")
    assert main_end("a\r\nb\r\nc\n") == "\r\n" and main_end("a") == "\n"


@pytest.mark.parametrize(
    ("old", "new", "want"),
    [
        ("a\r\nb\n", "a\nX\n", "a\r\nX\n"),
        ("a\r\nb\n", "a\nnew\nb\n", "a\r\nnew\r\nb\n"),
        ("a\r\nb\nc\r\n", "c\n", "c\r\n"),
        ("a\r\n", "x\ny\nz", "x\r\ny\r\nz"),
        ("", "x\ny\n", "x\ny\n"),
    ],
)
def test_new_text_takes_the_line_ends_of_what_it_replaces(old: str, new: str, want: str) -> None:
    assert with_ends_of(old, new, main_end(old)) == want


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_taking_over_line_ends_never_changes_the_words(old: str, new: str) -> None:
    lines = new.replace("\r", "")
    result = with_ends_of(old, lines, main_end(old))
    assert result.replace("\r\n", "\n").replace("\r", "\n") == lines
