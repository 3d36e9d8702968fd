"""Word 97-2003 documents whose tables tell of more than the file holds."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.document import Unreadable
from dupfinder.text.extract import extract
from dupfinder.text.readers.compound import compound_properties
from dupfinder.text.readers.word97 import read_doc
from tests import making_compound

WRITTEN = Path(__file__).parents[1] / "samples/written/libreoffice"
ENTRY = "WordDocument\0".encode("utf-16-le")


def problem_of(data: bytes) -> tuple[ProblemKind, Details]:
    """What the reader of such files says of one; the words that a plainer one finds in it are another matter."""
    with pytest.raises(Unreadable) as refused:
        read_doc(data)
    return refused.value.kind, refused.value.details


def overlapping(pieces: int) -> bytes:
    """A document of so many pieces of text, each of them all of its text."""
    text = ("Once upon a time. " * 200).encode("utf-16-le")
    characters = len(text) // 2
    bounds = [piece * characters for piece in range(pieces + 1)]
    plc = struct.pack(f"<{pieces + 1}I", *bounds) + struct.pack("<HIH", 0, 1024, 0) * pieces
    clx = b"\x02" + struct.pack("<I", len(plc)) + plc
    head = bytearray(1024)
    struct.pack_into("<H8xH", head, 0, 0xA5EC, 0x0200)
    struct.pack_into("<i", head, 0x4C, pieces * characters)
    struct.pack_into("<II", head, 0x01A2, 0, len(clx))
    return making_compound.compound({"WordDocument": bytes(head) + text, "1Table": clx})


def test_pieces_that_overlap_do_not_swell_up() -> None:
    assert problem_of(overlapping(3000)) == (ProblemKind.DAMAGED, details(Clause.BAD_WORD_TABLES))


def test_the_text_of_one_piece_is_read() -> None:
    extracted = extract(overlapping(1), Path("a.doc")).extracted
    assert extracted is not None and extracted.text.count("Once upon a time.") == 200


@pytest.mark.parametrize("size", [1 << 20, 1 << 31])
def test_a_stream_that_claims_to_be_larger_than_its_file_is_not_read(size: int) -> None:
    data = bytearray(making_compound.doc())
    struct.pack_into("<Q", data, data.index(ENTRY) + 120, size)
    assert problem_of(bytes(data)) == (ProblemKind.DAMAGED, details(Clause.BAD_COMPOUND))


@pytest.mark.parametrize(("place", "value"), [(30, 31), (32, 20), (44, 0x7FFFFFFF)])
def test_a_header_with_sectors_beyond_the_file_is_not_believed(place: int, value: int) -> None:
    data = bytearray(making_compound.doc())
    struct.pack_into("<I" if place == 44 else "<H", data, place, value)
    assert problem_of(bytes(data)) == (ProblemKind.DAMAGED, details(Clause.BAD_COMPOUND))


def test_properties_of_impossible_types_are_no_facts() -> None:
    damaged = SimpleNamespace(title=b"x", author=b"", codepage=[1], create_time=None, last_saved_time=None)
    assert compound_properties(SimpleNamespace(get_metadata=lambda: damaged)) == {}


def test_a_document_whose_lists_are_damaged_has_its_words() -> None:
    data = bytearray((WRITTEN / "clauses.doc").read_bytes())
    sound = read_doc(bytes(data)).text
    assert "Clause 3\tBoats moor at the southern pier." in sound
    head = data.index(struct.pack("<H", 0xA5EC))
    for place in (0x02E2, 0x02EA):
        damaged = bytearray(data)
        struct.pack_into("<II", damaged, head + place, 0, 0xFFFF)
        text = read_doc(bytes(damaged)).text
        assert "Boats moor at the southern pier." in text and "Clause 3" not in text


def word95(text: bytes, charsets: Sequence[int] = (), *, notes: int = 0, heads: int = 0, split: bool = False) -> bytes:
    """A document of Word 95. notes, heads: bytes at its end. split: stored in two pieces, the second one first."""
    half, where = len(text) // 2 if split else 0, 768
    stored = text[half:] + text[:half]
    names = b"".join(struct.pack("<BBHBB", 10, 0, 400, charset, 0) + b"Font\0" for charset in charsets)
    fonts = struct.pack("<H", 2 + len(names)) + names
    plc = struct.pack("<III", 0, half, len(text)) + b"".join(
        struct.pack("<HIH", 0, place, 0) for place in (where + len(text) - half, where)
    )
    clx = b"\x02" + struct.pack("<I", len(plc)) + plc
    head = bytearray(where)
    struct.pack_into("<H8xH", head, 0, 0xA5DC, 0x0004 if split else 0)
    struct.pack_into("<II", head, 0x18, where, where + len(text))
    struct.pack_into("<8i", head, 0x34, len(text) - notes - heads, notes, heads, 0, 0, 0, 0, 0)
    struct.pack_into("<II", head, 0xD0, where + len(text), len(fonts))
    struct.pack_into("<II", head, 0x160, where + len(text) + len(fonts), len(clx))
    return making_compound.compound({"WordDocument": bytes(head) + stored + fonts + clx})


RUSSIAN = "Компания предлагает со склада в Москве следующий ассортимент настоящих молдавских вин.\r"


@pytest.mark.parametrize(
    ("text", "code_page", "charsets"),
    [
        (RUSSIAN, "cp1251", (0, 2, 204)),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.\r", "cp1250", (0, 238)),
        ("Die “Häuser” am Fluß – und ‘ihre’ Gärten…\r", "cp1252", (0, 2)),
        ("Die “Häuser” am Fluß – und ‘ihre’ Gärten…\r", "cp1252", (0, 204)),
        ("Dog’s tail, cat’s paw\r", "cp1252", (0, 128)),
    ],
)
def test_a_document_of_word_95_is_in_the_code_page_of_its_fonts(
    text: str, code_page: str, charsets: Sequence[int]
) -> None:
    assert read_doc(word95(text.encode(code_page), charsets)).text == text.strip()


def test_a_document_of_word_95_has_its_pieces_in_order_and_its_heads_apart() -> None:
    data = word95(b"Once upon a time.\rThe end.\rA note.\rAt the top\r", notes=8, heads=11, split=True)
    extracted = read_doc(data)
    assert extracted.text.split("\n") == ["Once upon a time.", "The end.", "A note."]
    assert extracted.streams == {"headers": "At the top"}


def test_boxes_in_running_heads_are_running_heads() -> None:
    extracted = read_doc(making_compound.doc(heading="At the top\r", boxed_heading="CONFIDENTIAL\r"))
    assert extracted.text == read_doc(making_compound.doc()).text
    assert extracted.streams == {"headers": "At the top\nCONFIDENTIAL"}
    assert read_doc(making_compound.doc(boxed_heading="CONFIDENTIAL\r")).streams == {"headers": "CONFIDENTIAL"}
