"""Slides and sheets with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

import struct
from datetime import datetime
from io import BytesIO
from itertools import combinations
from typing import Any
from zipfile import ZipFile

import pytest

from dupfinder.text.document import MediaType, OtherContent
from dupfinder.text.readers.opendocument import read_opendocument
from dupfinder.text.readers.sheets import read_xls, read_xlsx, read_xlsx_slowly
from dupfinder.text.readers.slides import read_pptx
from tests import making_compound
from tests.making import PARAGRAPHS, opendocument, pptx
from tests.text.other_content import RELATIONSHIPS, held, png, relations, repacked, unlike

NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:r="{RELATIONSHIPS}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def slide(inner: str = "", **parts: str) -> bytes:
    """One slide with some raw XML behind its words, and parts that it names."""
    body = f"<a:p><a:r><a:t>{PARAGRAPHS[0]}</a:t></a:r></a:p>"
    named = {f"ppt/{kind}/{kind}1.xml": f"<p:root {NAMES}>{xml}</p:root>" for kind, xml in parts.items()}
    return repacked(
        pptx([PARAGRAPHS[:1]]),
        {
            **named,
            "ppt/slides/slide1.xml": f"<p:sld {NAMES}><p:sp>{body}</p:sp>{inner}</p:sld>",
            "ppt/slides/_rels/slide1.xml.rels": relations(
                *((kind, kind, f"../{kind}/{kind}1.xml") for kind in parts),
                ("p1", "image", "../media/image1.png"),
                ("p2", "image", "../media/image2.png"),
                ("o1", "oleObject", "../embeddings/object1.bin"),
                ("o2", "oleObject", "../embeddings/object2.bin"),
                ("l1", "hyperlink", "https://example.org/1"),
                ("l2", "hyperlink", "https://example.org/2"),
            ),
            "ppt/media/image1.png": png(1),
            "ppt/media/image2.png": png(2),
            "ppt/embeddings/object1.bin": b"one",
            "ppt/embeddings/object2.bin": b"two",
            "ppt/commentAuthors.xml": '<a><cmAuthor id="0" name="Ann"/><cmAuthor id="1" name="Bo"/></a>',
        },
    )


PICTURE, OBJECT, LINK = '<a:blip r:embed="p{}"/>', '<p:oleObj r:id="o{}"/>', '<a:hlinkClick r:id="l{}"/>'
REMARK = '<p:cm authorId="{}"><p:text>{}</p:text></p:cm>'
SAID = "<a:p><a:r><a:t>{}</a:t></a:r></a:p>"
FOOT = '<p:sp><p:nvPr><p:ph type="ftr"/></p:nvPr><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:sp>'
POWER = "<m:oMath><m:{0}><m:e/></m:{0}></m:oMath>"
SHAPE = '<p:sp><p:spPr><a:prstGeom prst="{}"/></p:spPr></p:sp>'
SLIDES = [
    (slide(SHAPE.format("leftArrow")), slide(SHAPE.format("rightArrow")), OtherContent.PICTURES),
    (slide(PICTURE.format(1)), slide(PICTURE.format(2)), OtherContent.PICTURES),
    (slide(OBJECT.format(1)), slide(OBJECT.format(2)), OtherContent.ATTACHMENTS),
    (slide(LINK.format(1)), slide(LINK.format(2)), OtherContent.LINKS),
    (slide(comments=REMARK.format(0, "Why?")), slide(comments=REMARK.format(0, "Who?")), OtherContent.COMMENTS),
    (slide(comments=REMARK.format(0, "Why?")), slide(comments=REMARK.format(1, "Why?")), OtherContent.COMMENTS),
    (slide(notesSlide=SAID.format("slowly")), slide(notesSlide=SAID.format("loudly")), OtherContent.NOTES),
    (slide(FOOT.format("Draft")), slide(FOOT.format("Final")), OtherContent.HEADERS),
    (slide(POWER.format("sSup")), slide(POWER.format("sSub")), OtherContent.FORMULAS),
]


@pytest.mark.parametrize(("first", "second", "kind"), SLIDES)
def test_slides_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.pptx") == {kind}
    assert unlike(first, first, "a.pptx") == set()


def test_slides_that_are_not_shown_are_told() -> None:
    hidden = [pptx([PARAGRAPHS[:1], PARAGRAPHS[1:]])]
    for number in (1, 2):
        with ZipFile(BytesIO(hidden[0])) as package:
            source = package.read(f"ppt/slides/slide{number}.xml").decode().replace("<p:sld ", '<p:sld show="0" ', 1)
        hidden.append(repacked(hidden[0], {f"ppt/slides/slide{number}.xml": source}))
    for first, second in combinations(hidden, 2):
        assert unlike(first, second, "a.pptx") == {OtherContent.HEADERS}


def test_shapes_that_a_slide_hides_are_no_words() -> None:
    shape = '<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"{}/></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>'
    shown, hidden, other = (
        slide(shape.format(flag, SAID.format(words)) + '<p:graphicFrame><p:cNvPr id="3"/></p:graphicFrame>')
        for flag, words in (("", "Said."), (' hidden="1"', "Said."), (' hidden="1"', "Unsaid."))
    )
    assert read_pptx(shown).text.split() == [*PARAGRAPHS[0].split(), "Said."]
    assert read_pptx(hidden).text.split() == PARAGRAPHS[0].split()
    assert unlike(hidden, other, "a.pptx") == {OtherContent.COMMENTS}


def sheet(**facts: Any) -> bytes:
    """A workbook of a few words, with whatever is put into it."""
    from xlsxwriter import Workbook

    buffer = BytesIO()
    with Workbook(buffer, {"in_memory": True}) as book:
        book.set_properties({"created": datetime(2024, 3, 1)})
        page = book.add_worksheet(facts.get("name", "One"))
        page.write_row(0, 0, ["Invoices of the year", 3])
        page.write_formula(1, 0, facts.get("formula", "=1+2"), None, 3)
        if "shade" in facts:
            page.insert_image("B5", "a.png", {"image_data": BytesIO(png(facts["shade"]))})
        if "comment" in facts:
            page.write_comment("A1", facts["comment"], {"author": facts.get("author", "Ann")})
        if "link" in facts:
            page.write_url("C1", facts["link"], string="here")
        if "head" in facts:
            page.set_header(f"&L{facts['head']}&RPage &P")
        if "row" in facts:
            page.set_row(facts["row"], None, None, {"hidden": True})
        if "column" in facts:
            page.set_column(facts["column"], None, None, {"hidden": True})
        if "fill" in facts:
            page.write_blank(*facts["fill"][:2], None, book.add_format({"bg_color": facts["fill"][2]}))
        if "amount" in facts:
            page.write(2, 0, facts["amount"], book.add_format({"num_format": "#,##0"}))
        if "second" in facts:
            getattr(book.add_worksheet("Two"), facts["second"])()
    return buffer.getvalue()


SHEETS = [
    ({"formula": "=1+2"}, {"formula": "=2+1"}, OtherContent.FORMULAS),
    ({"shade": 1}, {"shade": 2}, OtherContent.PICTURES),
    ({"shade": 1}, {}, OtherContent.PICTURES),
    ({"comment": "Why?"}, {"comment": "Who?"}, OtherContent.COMMENTS),
    ({"comment": "Why?"}, {"comment": "Why?", "author": "Bo"}, OtherContent.COMMENTS),
    ({"amount": 1204.4}, {"amount": 1203.6}, OtherContent.HEADERS),
    ({"link": "https://a.org"}, {"link": "https://b.org"}, OtherContent.LINKS),
    ({"head": "Draft"}, {"head": "Final"}, OtherContent.HEADERS),
    ({"name": "Plan 2023"}, {"name": "Plan 2024"}, OtherContent.HEADERS),
    ({"row": 1}, {}, OtherContent.HEADERS),
    ({"row": 1}, {"row": 0}, OtherContent.HEADERS),
    ({"column": "A:A"}, {"column": "B:B"}, OtherContent.HEADERS),
    ({"fill": (1, 1, "red")}, {"fill": (1, 1, "green")}, OtherContent.HEADERS),
    ({"fill": (1, 1, "red")}, {"fill": (1, 2, "red")}, OtherContent.HEADERS),
    ({"fill": (1, 1, "red")}, {}, OtherContent.HEADERS),
    ({"second": "hide"}, {"second": "get_name"}, OtherContent.HEADERS),
    ({"second": "very_hidden"}, {"second": "get_name"}, OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), SHEETS)
def test_sheets_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: dict[str, Any], second: dict[str, Any], kind: OtherContent
) -> None:
    assert unlike(sheet(**first), sheet(**second), "a.xlsx") == {kind}
    assert unlike(sheet(**first), sheet(**first), "a.xlsx") == set()
    if "amount" not in first:
        assert read_xlsx_slowly(sheet(**first)).other == read_xlsx(sheet(**first)).other


def test_what_a_sheet_hides_is_told_in_whatever_order_its_attributes_are() -> None:
    def hiding(columns: str) -> bytes:
        source = ZipFile(BytesIO(sheet())).read("xl/worksheets/sheet1.xml").decode()
        columns = f"<cols>{columns}</cols>"
        return repacked(sheet(), {"xl/worksheets/sheet1.xml": source.replace("<sheetData>", columns + "<sheetData>")})

    first, second = (f'<col hidden="1" min="{column}" max="{column}"/>' for column in (1, 2))
    assert unlike(hiding(first), hiding(""), "a.xlsx") == {OtherContent.HEADERS}
    assert unlike(hiding(first), hiding(second), "a.xlsx") == {OtherContent.HEADERS}
    assert not unlike(hiding(first), hiding('<col min="1" max="1" hidden="1"/>'), "a.xlsx")


def with_relations(*relationships: tuple[str, str, str], **parts: str | bytes) -> bytes:
    """A workbook whose sheet names further parts; programs write these, and the library that makes sheets does not."""
    named = {f"xl/{name}": content for name, content in parts.items()}
    return repacked(sheet(), {"xl/worksheets/_rels/sheet1.xml.rels": relations(*relationships), **named})


def test_objects_fields_answers_and_changes_of_sheets_are_told() -> None:
    def with_object(content: bytes) -> bytes:
        return with_relations(("o", "oleObject", "../object.bin"), **{"object.bin": content})

    def with_box(checked: str) -> bytes:
        return with_relations(("c", "ctrlProp", "../box.xml"), **{"box.xml": f'<formControlPr checked="{checked}"/>'})

    def with_answer(name: str) -> bytes:
        remark = '<T><threadedComment personId="{1}"><text>Why?</text></threadedComment></T>'
        persons = f'<personList><person id="{{1}}" displayName="{name}"/></personList>'
        place = {"threadedComments/a.xml": remark, "persons/person.xml": persons}
        return with_relations(("t", "threadedComment", "../threadedComments/a.xml"), **place)

    assert unlike(with_object(b"one"), with_object(b"two"), "a.xlsx") == {OtherContent.ATTACHMENTS}
    assert unlike(with_box("Checked"), with_box("Mixed"), "a.xlsx") == {OtherContent.FORM_FIELDS}
    assert unlike(with_answer("Ann"), with_answer("Bo"), "a.xlsx") == {OtherContent.COMMENTS}
    changed = repacked(sheet(), {"xl/revisions/revisionLog1.xml": "<revisions/>"})
    assert unlike(changed, sheet(), "a.xlsx") == {OtherContent.TRACKED_CHANGES}


def test_sheets_too_large_to_look_through_say_that_their_formulas_are_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dupfinder.text.readers.package.MAX_LOOKED_AT", 10)
    assert held(sheet(), "a.xlsx") == {"formulas": "not known", "headers": "not known"}


def test_shapes_on_a_sheet_are_told() -> None:
    source = f"<x:wsDr xmlns:x='x' {NAMES}>{SHAPE}</x:wsDr>"
    left, sun = (
        with_relations(("d", "drawing", "../d.xml"), **{"d.xml": source.format(form)}) for form in ("leftArrow", "sun")
    )
    assert unlike(left, sun, "a.xlsx") == {OtherContent.PICTURES}


def test_words_in_boxes_on_a_sheet_follow_its_cells_as_those_on_old_and_open_sheets_do() -> None:
    box = "<x:sp><x:txBody><a:p><a:r><a:t>Sum of</a:t></a:r><a:br/><a:r><a:t>all</a:t></a:r></a:p></x:txBody></x:sp>"
    twice = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    source = f"<x:wsDr xmlns:x='x' xmlns:mc='mc' {NAMES}>{twice}</x:wsDr>"
    boxed = with_relations(("d", "drawing", "../d.xml"), **{"d.xml": source})
    for reader in (read_xlsx, read_xlsx_slowly):
        assert reader(boxed).text.split() == [*reader(sheet()).text.split(), "Sum", "of", "all"]
    drawn = (
        (0x005D, struct.pack("<HHH", 0x15, 0x12, 0x06) + bytes(12)),
        (0x01B6, bytes(10) + struct.pack("<HHI", 6, 16, 0)),
        (0x003C, b"\0Sum of"),
    )
    assert read_xls(making_compound.xls([["Ann"]], records=drawn)).text.split() == ["Ann", "Sum", "of"]
    shapes = (
        "<table:shapes><draw:frame><draw:text-box><text:p>Sum of</text:p></draw:text-box></draw:frame></table:shapes>"
    )
    cell = "<table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell></table:table-row>"
    sheet_with_box = opendocument("spreadsheet", f"<table:table>{shapes}{cell}</table:table>")
    assert read_opendocument(sheet_with_box, MediaType.ODS).text.split() == ["Sum", "of", "Ann"]


def test_damaged_relationships_cost_no_text() -> None:
    damaged = repacked(sheet(), {"xl/worksheets/_rels/sheet1.xml.rels": "<Relationships>"})
    kinds = {kind for kind, what in held(damaged, "a.xlsx").items() if what == "not known"}
    assert kinds == {"pictures", "comments", "attachments", "form_fields", "links"}
    broken = repacked(slide(PICTURE.format(1)), {"ppt/commentAuthors.xml": "<"})
    assert held(broken, "a.pptx") == {"pictures": "known"}
