"""PowerPoint 97-2003: what is on the slides is compared, in the order shown; what is beside it is set apart."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import NOT_KNOWN, Extracted, MediaType, OtherContent
from dupfinder.text.extract import extract
from tests import making
from tests.making_compound import compound, doc, ppt, ppt_record, ppt_shape, ppt_slide, ppt_text, xls

_NUMBER_PLACEHOLDER, _FOOT_PLACEHOLDER = 8, 9


def read(data: bytes, name: str = "a.ppt") -> Extracted:
    extraction = extract(data, Path(name))
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


def string(text: str, instance: int = 0) -> bytes:
    return ppt_record(0x0FBA, content=text.encode("utf-16-le"), instance=instance)


def test_slides_come_in_the_order_they_are_shown_and_notes_and_feet_apart() -> None:
    foot = ppt_shape(ppt_text("Confidential"), placeholder=_FOOT_PLACEHOLDER)
    page = ppt_slide(ppt_shape(ppt_text("speak up")), kind=0x03F0)
    extracted = read(ppt([["first\nline"], ["第二"], ppt_slide(foot, ppt_shape(ppt_text("third")))], notes=[page]))
    assert extracted.text.split() == ["first", "line", "第二", "third"]
    assert (extracted.pages, dict(extracted.streams)) == (3, {"notes": "speak up", "footers": "Confidential"})
    assert {OtherContent.NOTES, OtherContent.HEADERS} <= set(extracted.other)


def test_a_slide_whose_text_is_in_the_outline_shows_it() -> None:
    shapes = [ppt_shape(ppt_record(0x0F9E, content=struct.pack("<I", number))) for number in (1, 0, 7)]
    extracted = read(ppt([ppt_slide(*shapes), ["end"]], outlines={1: ppt_text("a title") + ppt_text("its points")}))
    assert extracted.text.split("\n") == ["its points", "a title", "", "end"]


def test_a_text_of_the_outline_is_read_once_by_however_many_shapes_it_is_named() -> None:
    shape = ppt_shape(ppt_record(0x0F9E, content=bytes(4)))
    assert read(ppt([ppt_slide(*[shape] * 3)], outlines={1: ppt_text("a title")})).text == "a title"


def test_slides_at_one_place_of_the_file_are_not_read_again_and_again() -> None:
    whole = ppt([["A sentence of words that is long enough to be seen."] * 50, *[["another"]] * 8])
    extracted = read(re.sub(rb"([\2-\x09]\0\x10\0).{4}", rb"\1" + bytes(4), whole, flags=re.S))
    assert (extracted.reader, extracted.text.count("long enough")) == ("plainly", 50)


def test_a_presentation_without_one_of_its_slides_is_partial() -> None:
    lost = ppt_record(0x0FF0, ppt_record(0x03F3, content=struct.pack("<IIiII", 77, 0, 0, 300, 0)))
    assert not read(ppt([["here"]])).partial
    extracted = read(ppt([["here"]], of_document=lost))
    assert (extracted.text, extracted.partial) == ("here", True)


def test_a_presentation_without_one_of_its_pages_of_notes_is_whole_and_its_notes_are_not_known() -> None:
    lost = ppt_record(0x0FF0, ppt_record(0x03F3, content=struct.pack("<IIiII", 77, 0, 0, 300, 0)), instance=2)
    extracted = read(ppt([["here"]], of_document=lost))
    assert (extracted.text, extracted.partial) == ("here", False)
    assert extracted.other[OtherContent.NOTES] == NOT_KNOWN


def test_of_a_presentation_saved_for_two_versions_the_newer_one_is_read() -> None:
    older = {"PowerPoint Document": b"as 95 has it", "Current User": b"somebody"}
    extracted = read(ppt([["here"]], within="PP97_DUALSTORAGE/", streams=older))
    assert (extracted.text, extracted.reader) == ("here", "ppt-records")


def test_only_the_newest_version_of_a_slide_is_read() -> None:
    old = ppt_slide(ppt_shape(ppt_text("as it was")))
    assert read(ppt([["as it is"], ["the other"]], replaced={1: old})).text == "as it is\nthe other"


def test_the_star_in_place_of_a_number_or_date_is_no_word() -> None:
    number = ppt_shape(
        ppt_text("Page * of *"), ppt_record(0x0FD8, content=struct.pack("<I", 5)), placeholder=_NUMBER_PLACEHOLDER
    )
    star = ppt_shape(ppt_text("5 * 3 on *"), ppt_record(0x0FF7, content=struct.pack("<I", 9)))
    extracted = read(ppt([ppt_slide(number, star)]))
    assert (extracted.text, extracted.streams["footers"]) == ("5 * 3 on ", "Page  of *")


def test_letters_that_are_drawn_are_words() -> None:
    drawn = "Big letters\0".encode("utf-16-le")
    properties = struct.pack("<HIHI", 0x4104, 1, 0xC0C0, len(drawn)) + drawn
    shape = ppt_record(0xF004, ppt_record(0xF00B, content=properties, instance=2))
    assert read(ppt([ppt_slide(shape, ppt_shape(ppt_text("and small ones")))])).text == "Big letters\nand small ones"


def test_what_is_beside_the_words_tells_presentations_apart() -> None:
    link = ppt_record(0x0409, ppt_record(0x0FD7, string("Site"), string("https://example.org/a", 1)))
    remark = ppt_record(0x2EE0, string("Ann"), string("Why?", 1))
    tags = ppt_record(0x1388, ppt_record(0x138A, string("___PPT10"), ppt_record(0x138B, content=remark)))
    slide = ppt_record(0x03EE, ppt_record(0x040C, ppt_shape(ppt_text("one word"))), tags)
    feet = ppt_record(0x0FD9, string("Internal", 2), instance=3)
    ways: dict[OtherContent, bytes] = {
        OtherContent.LINKS: ppt(["word"], of_document=link),
        OtherContent.COMMENTS: ppt([slide]),
        OtherContent.HEADERS: ppt(["word"], of_document=feet),
        OtherContent.PICTURES: ppt(["word"], streams={"Pictures": b"picture"}),
    }
    plain = read(ppt(["word"])).other
    for kind, data in ways.items():
        assert kind not in plain
        assert read(data).other[kind] != NOT_KNOWN
    embedded = ppt_record(0x0409, ppt_record(0x0FCC, string("Worksheet", 1)))
    macros = ppt_record(0x03FF, ppt_record(0x0400, content=struct.pack("<III", 9, 1, 2)))
    for of_document in (embedded, macros):
        assert read(ppt(["word"], of_document=of_document)).other[OtherContent.ATTACHMENTS] == NOT_KNOWN


def test_links_to_other_places_of_one_file_and_other_sounds_tell_presentations_apart() -> None:
    links = [
        ppt_record(0x0409, ppt_record(0x0FD7, string("https://example.org/a", 1), string(place, 3)))
        for place in ("one", "two")
    ]
    sounds = [
        ppt_record(0x07E4, ppt_record(0x07E6, string("Chime"), ppt_record(0x07E7, content=content)))
        for content in (b"RIFF one", b"RIFF two")
    ]
    for kind, ways in ((OtherContent.LINKS, links), (OtherContent.PICTURES, sounds)):
        first, second = (read(ppt(["word"], of_document=way)).other[kind] for way in ways)
        assert first != second


def test_a_locked_presentation_needs_its_password() -> None:
    for data in (ppt(token=0xF3D1C4DF), compound({"EncryptedPackage": b"locked", "EncryptionInfo": b"key"})):
        problem = extract(data, Path("a.ppt")).problem
        assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


def test_a_presentation_with_a_lost_directory_is_read_plainly() -> None:
    whole = ppt([["A sentence of words that is long enough to be seen."]])
    extraction = extract(whole.replace(struct.pack("<HHI", 0, 0x1772, 16), bytes(8)), Path("a.ppt"))
    assert extraction.extracted is not None and extraction.extracted.reader == "plainly"
    assert "long enough to be seen" in extraction.extracted.text


@pytest.mark.parametrize(("data", "name"), [(ppt([ppt_slide()]), "a.ppt"), (doc([""]), "a.doc")])
def test_an_empty_document_has_no_text_though_its_file_names_fonts(data: bytes, name: str) -> None:
    named = data + b"Liberation Sans and other fonts that have long names"
    problem = extract(named, Path(name)).problem
    assert problem is not None
    assert (problem.kind, problem.details) == (ProblemKind.NO_TEXT, details(Clause.NO_LETTERS))


def test_presentations_of_wps_office_and_shows_are_the_same_format() -> None:
    for name in ("a.dps", "b.pps", "c.pot", "nameless"):
        assert read(ppt(), name).media_type is MediaType.PPT


def test_a_document_inside_another_does_not_change_its_kind() -> None:
    inside = {"WordDocument": b"inside", "Workbook": b"inside", "PowerPoint Document": b"inside"}
    cells = [[paragraph] for paragraph in making.PARAGRAPHS]
    for data, name, kind in (
        (xls(cells, streams={"WordDocument": b"inside"}), "a.xls", MediaType.XLS),
        (doc(streams={"PowerPoint Document": b"inside"}), "a.doc", MediaType.DOC),
        (ppt(streams={"WordDocument": b"inside"}), "a.ppt", MediaType.PPT),
    ):
        assert read(data, name).media_type is kind
    assert extract(compound(inside), Path("nameless")).media is MediaType.DOC
