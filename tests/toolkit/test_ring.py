"""The output of a command, read by cursor."""

from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.toolkit.ring import Ring

PIECES = st.lists(st.one_of(st.binary(max_size=12), st.text(max_size=6).map(str.encode)), max_size=12)


@given(PIECES)
def test_text_read_piece_by_piece_is_the_text_of_all_bytes_however_they_were_split(pieces: list[bytes]) -> None:
    ring, text, cursor = Ring(), "", 0
    for piece in pieces:
        ring.append(piece)
        chunk = ring.read(cursor)
        text, cursor = text + chunk.text, chunk.next_cursor
    ring.closed = True
    text += ring.read(cursor).text
    assert text == b"".join(pieces).decode("utf-8", "replace")


@given(PIECES, st.integers(4, 20), st.integers(0, 200), st.integers(1, 9))
def test_every_byte_is_either_shown_or_counted_as_dropped(
    pieces: list[bytes], keep: int, cursor: int, limit: int
) -> None:
    ring = Ring(keep)
    for piece in pieces:
        ring.append(piece)
    ring.closed = True
    whole = b"".join(pieces)
    at, text = min(cursor, len(whole)), ""
    while at < ring.size:
        chunk = ring.read(at, limit)
        shown = whole[at + chunk.dropped : chunk.next_cursor]
        assert chunk.next_cursor > at
        assert chunk.text == shown.decode("utf-8", "replace")
        at, text = chunk.next_cursor, text + chunk.text
    assert at == len(whole)


def test_a_character_cut_by_the_end_of_the_buffer_is_dropped_whole() -> None:
    ring = Ring(keep=4)
    ring.append("aé€x".encode())
    chunk = ring.read(0)
    assert chunk.text == "€x"
    assert chunk.dropped == 3


def test_a_character_that_has_not_come_whole_waits_for_its_rest() -> None:
    ring = Ring()
    ring.append(b"a\xe2\x82")
    first = ring.read(0)
    assert (first.text, first.next_cursor) == ("a", 1)
    ring.append(b"\xac")
    assert ring.read(first.next_cursor).text == "€"


def test_a_cursor_past_the_end_reads_nothing() -> None:
    ring = Ring()
    ring.append(b"abc")
    assert ring.read(99).text == ""
    assert ring.read(99).next_cursor == 3
