"""Comments on cells of old workbooks: told from text boxes, put together from pieces, cut off where the stream is."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import MediaType, OtherContent, OtherHashes
from dupfinder.text.readers.sheets import MOST_CHARACTERS, add_hidden_records, add_records

NOTE, BOX = 0x19, 0x06


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def noted(text: str, *, kind: int = NOTE, pieces: int = 1) -> bytes:
    """An object with its text in so many pieces, the first in two-byte characters and the others in one-byte ones."""
    size = -(-len(text) // pieces)
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    first = record(0x003C, b"\x01" + parts[0].encode("utf-16-le"))
    later = b"".join(record(0x003C, b"\0" + part.encode("latin-1")) for part in parts[1:])
    shape = record(0x005D, struct.pack("<HHH", 0x15, 0x12, kind) + bytes(12))
    return shape + record(0x01B6, bytes(10) + struct.pack("<HHI", len(text), 16, 0)) + first + later


def test_comments_come_a_line_each_and_the_words_of_text_boxes_apart() -> None:
    book = noted("Check the name") + noted("Boxed", kind=BOX) + noted("Two\nlines")
    assert add_records(book, OtherHashes()) == ("Check the name\nTwo lines", "Boxed")


def test_a_long_comment_is_put_together_from_its_pieces() -> None:
    comments, _ = add_records(noted("A comment that goes on and on", pieces=4), OtherHashes())
    assert comments == "A comment that goes on and on"


def test_formatting_behind_the_text_is_none_of_it() -> None:
    assert add_records(noted("Words") + record(0x003C, bytes(16)), OtherHashes()) == ("Words", "")


def test_comments_without_end_stop_somewhere() -> None:
    assert len(add_records(noted("x" * 8000) * 300, OtherHashes())[0]) < MOST_CHARACTERS + 20_000


@given(st.binary(max_size=300), st.integers(0, 200))
def test_any_stream_gives_some_text(tail: bytes, cut: int) -> None:
    comments, drawn = add_records((noted("Words") + tail)[cut:], OtherHashes())
    assert isinstance(comments, str) and isinstance(drawn, str)


def test_rows_columns_and_sheets_that_a_workbook_hides_are_told() -> None:
    hiding = {0x0208: (12, 0x20), 0x007D: (8, 0x01), 0x0085: (4, 0x02)}

    def other(kind: int, is_hidden: bool) -> Mapping[OtherContent, str]:
        place, bits = hiding[kind]
        flags = bytes(place) + bytes((bits * is_hidden,))
        hashes = OtherHashes()
        add_hidden_records(record(kind, flags + b"\0Sheet1"), hashes)
        return hashes.hashes(MediaType.XLS)

    for kind in hiding:
        assert not other(kind, is_hidden=False)
        assert other(kind, is_hidden=True).keys() == {OtherContent.HEADERS}
