"""Event streams, whatever their line ends and wherever they are cut."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.models.sse import EventStream

LINE = st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), max_size=12)
EVENT = st.lists(LINE, min_size=1, max_size=3)
NOISE = st.sampled_from([": a comment", "event: message", "id: 7", "retry: 10", "nonsense"])


def read(pieces: list[bytes]) -> list[str]:
    stream = EventStream()
    events = [data for piece in pieces for data in stream.feed(piece)]
    return events + stream.finish()


def cut(body: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(body), *(place % (len(body) + 1) for place in places)})
    return [body[start:end] for start, end in pairwise(edges)]


@given(
    st.lists(st.tuples(EVENT, st.lists(NOISE, max_size=2)), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 10_000), max_size=30),
    st.booleans(),
)
def test_events_are_the_same_for_every_split_and_line_end(
    events: list[tuple[list[str], list[str]]], end: str, places: list[int], mark: bool
) -> None:
    lines = []
    for data, noise in events:
        lines += [*noise, *(f"data: {line}" for line in data), ""]
    body = (end.join(lines) + end).encode()
    body = b"\xef\xbb\xbf" + body if mark and body else body
    whole = ["\n".join(data) for data, _ in events]
    assert read(cut(body, places)) == whole
    assert read([bytes([byte]) for byte in body]) == whole


@given(st.binary(max_size=200), st.lists(st.integers(0, 10_000), max_size=30))
def test_any_bytes_at_all_read_the_same_for_every_split(body: bytes, places: list[int]) -> None:
    assert read(cut(body, places)) == read([body])


def test_an_event_counts_even_if_the_connection_ends_before_its_empty_line() -> None:
    assert read([b"data: [DONE]"]) == ["[DONE]"]


def test_data_needs_no_space_after_its_colon() -> None:
    assert read([b'data:{"a": 1}\n\n']) == ['{"a": 1}']
