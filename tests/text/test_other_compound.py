"""Documents of Office 97-2003: what is beside their words is told, or said not to be known, and never passed over."""

from __future__ import annotations

import struct

import pytest

from dupfinder.text.document import OtherContent
from tests.making import PARAGRAPHS
from tests.making_compound import doc, xls
from tests.text.other_content import held, unlike


def letter(inner: str = "", *, heading: str = "") -> bytes:
    """A letter with some raw text at its end, and a running head."""
    return doc([*PARAGRAPHS, f"Sign {inner}"], heading=heading)


def field(code: str, result: str = "here") -> str:
    """A field as the text holds it."""
    return f"\x13 {code} \x14{result}\x15"


LETTERS = [
    (letter(field('HYPERLINK "https://a.org"')), letter(field('HYPERLINK "https://b.org"')), OtherContent.LINKS),
    (letter(field("EQ \\r(1,2)", "")), letter(field("EQ \\a(1,2)", "")), OtherContent.FORMULAS),
    (letter(heading="Draft"), letter(heading="Final"), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), LETTERS)
def test_letters_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.doc") == {kind}
    assert unlike(first, first, "a.doc") == set()


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (letter(), set()),
        (letter("\x01"), {"pictures"}),
        (letter("\x08"), {"pictures"}),
        (letter(field("FORMCHECKBOX\x01", "")), {"form_fields"}),
        (doc(deleted="old"), {"tracked_changes"}),
        (doc(streams={"ObjectPool": b"one"}), {"attachments", "formulas"}),
        (doc(streams={"Macros": b"one"}), {"attachments"}),
    ],
)
def test_what_the_reader_of_word_97_cannot_look_into_is_not_known(data: bytes, kinds: set[str]) -> None:
    assert held(data, "a.doc") == dict.fromkeys(kinds, "not known")


def test_page_numbers_in_heads_are_counted_anew_by_each_save() -> None:
    assert (
        unlike(letter(heading=f"Page {field('PAGE', '1')}"), letter(heading=f"Page {field('PAGE', '7')}"), "a.doc")
        == set()
    )


def book(*records: tuple[int, bytes], **streams: bytes) -> bytes:
    """A workbook with raw records and further streams."""
    return xls([["Invoices of the year", 3.0]], records=records, streams=streams)


def note(author: bytes, text: bytes) -> tuple[tuple[int, bytes], ...]:
    """The records of a comment on a cell."""
    return (
        (0x005D, struct.pack("<HHH", 0x15, 0x12, 0x19) + bytes(12)),
        (0x01B6, bytes(10) + struct.pack("<HHI", len(text), 16, 0)),
        (0x003C, b"\0" + text),
        (0x001C, bytes(8) + struct.pack("<HB", len(author), 0) + author),
    )


BOOKS = [
    (book((0x0014, b"\x01\0\0A")), book((0x0014, b"\x01\0\0B")), OtherContent.HEADERS),
    (book((0x01B8, bytes(8) + b"https://a.org")), book((0x01B8, bytes(8) + b"https://b.org")), OtherContent.LINKS),
    (book(*note(b"Ann", b"Why?")), book(*note(b"Ann", b"Who?")), OtherContent.COMMENTS),
    (book(*note(b"Ann", b"Why?")), book(*note(b"Bo", b"Why?")), OtherContent.COMMENTS),
    (book((0x04BC, bytes(8) + b"\x1e\x01")), book((0x04BC, bytes(8) + b"\x1e\x02")), OtherContent.FORMULAS),
]


@pytest.mark.parametrize(("first", "second", "kind"), BOOKS)
def test_books_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.xls") == {kind}
    assert unlike(first, first, "a.xls") == set()


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (book(), set()),
        (book((0x005D, struct.pack("<HHH", 0x15, 0x12, 0x08) + bytes(12))), {"pictures"}),
        (book((0x005D, struct.pack("<HHH", 0x15, 0x12, 0x0B) + bytes(12))), {"form_fields"}),
        (book(MBD0001=b"one"), {"attachments"}),
        (book(**{"Revision Log": b"one"}), {"tracked_changes"}),
    ],
)
def test_what_the_reader_of_old_workbooks_cannot_look_into_is_not_known(data: bytes, kinds: set[str]) -> None:
    assert {kind for kind, what in held(data, "a.xls").items() if what == "not known"} == kinds
