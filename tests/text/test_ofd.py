"""OFD: the pieces of text on a page are joined to lines, above the page that several pages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.base.details import ProblemKind
from dupfinder.text.document import NOT_KNOWN, Attempt, Extracted, OtherContent
from dupfinder.text.extract import extract
from tests import making


def read(data: bytes, attempt: Attempt = Attempt.FIRST) -> Extracted:
    extraction = extract(data, Path("a.ofd"), attempt=attempt)
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


def drawing(steps: str) -> str:
    return f'<ofd:PathObject Boundary="0 0 9 9"><ofd:AbbreviatedData>{steps}</ofd:AbbreviatedData></ofd:PathObject>'


def piece(text: str, left: float, base: float, more: str = "", *, x: float = 0, steps: str = "") -> str:
    code = f'<ofd:TextCode X="{x}" Y="0" DeltaX="{steps}">{text}</ofd:TextCode>'
    return f'<ofd:TextObject Boundary="{left} {base} 9 9" Size="4" {more}>{code}</ofd:TextObject>'


def test_a_page_is_read_after_the_page_below_it_and_facts_are_told() -> None:
    extracted = read(making.ofd([["", "of this page."]], below=["Printed below it."]))
    assert extracted.text.split("\n") == ["Printed below it.", "of this page."]
    assert (extracted.pages, extracted.title, extracted.author) == (1, "A paper", "A. Writer")
    assert extracted.created is not None and extracted.created.year == 2024


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (piece("发票", 10, 20) + piece("号码", 18, 20, steps="4"), "发票 号码"),
        (piece("发票", 10, 20, steps="4") + piece("号码", 18, 20), "发票号码"),
        (piece("Total", 10, 20, steps="g 4 2") + piece("12.50", 60, 21), "Total 12.50"),
        (piece("Invoice,", 10, 20) + piece("paid.", 10, 40), "Invoice,\npaid."),
        (piece("right", 60, 20) + piece("left", 10, 20), "left right"),
        (piece("up", 10, 20, 'CTM="0 -1 1 0 0 0"') + piece("right", 30, 20), "up right"),
        (piece("as", 10, 20, x=-2) + piece("it is", 15, 20, x=5, steps="x"), "as it is"),
    ],
)
def test_pieces_side_by_side_are_one_line_with_a_space_where_there_is_a_gap(pieces: str, expected: str) -> None:
    lines = read(making.ofd([[]], pieces=pieces)).text
    assert lines.replace("\n", " ") == expected.replace("\n", " ")


def test_what_is_beside_the_words_tells_documents_apart() -> None:
    plain = read(making.ofd([["word"]])).other
    ways = {
        OtherContent.PICTURES: making.ofd([["word"]], parts={"Doc_0/Res/image_1.png": b"picture"}),
        OtherContent.ATTACHMENTS: making.ofd([["word"]], parts={"Doc_0/Attachs/a.xml": b"<a/>"}),
        OtherContent.COMMENTS: making.ofd([["word"]], parts={"Doc_0/Annots/Page_0/Annot.xml": b"<a/>"}),
        OtherContent.LINKS: making.ofd(
            [["word"]], pieces='<ofd:Action><ofd:URI URI="https://example.org/"/></ofd:Action>'
        ),
        OtherContent.FORM_FIELDS: making.ofd([["word"]], parts={"Doc_0/Signs/Sign_0/SignedValue.dat": b"seal"}),
    }
    more = [
        (OtherContent.PICTURES, making.ofd([["word"]], parts={"Doc_0/Res/image_1": b"picture of another kind"})),
        (OtherContent.PICTURES, making.ofd([["word"]], pieces=drawing("M 0 0 B 1 1 2 1 3 0"))),
        (OtherContent.PICTURES, making.ofd([["word"]], pieces=drawing("M 0 0" + " L 1 1" * 6))),
        (OtherContent.COMMENTS, making.ofd([["word"]], parts={"Doc_0/Pages/Page_0/Annotation.xml": b"<a/>"})),
    ]
    for kind, data in [*ways.items(), *more]:
        assert kind not in plain
        assert read(data).other[kind]


def test_frames_fonts_and_resources_tell_no_documents_apart() -> None:
    frame = drawing("M 0 0 L 9 0 L 9 9 L 0 9 L 0 0 C")
    parts = dict.fromkeys(("Doc_0/Res/font_1.ttf", "Doc_0/PublicRes.xml", "Doc_0/Attachs/"), "")
    assert read(making.ofd([["word"]], pieces=frame, parts=parts)).other == read(making.ofd([["word"]])).other


def test_a_drawing_of_several_objects_is_not_known() -> None:
    extracted = read(making.ofd([["word"]], pieces='<ofd:CompositeObject ResourceID="7"/>'))
    assert extracted.other[OtherContent.PICTURES] == NOT_KNOWN


def test_a_text_within_another_is_read_once() -> None:
    end = "</ofd:TextObject>"
    pieces = piece("outer", 10, 60).removesuffix(end) + piece("inner", 10, 40) + end
    assert read(making.ofd([["word"]], pieces=pieces)).text.split() == ["word", "inner", "outer"]


@pytest.mark.parametrize("lost", ["Doc_0/Pages/Page_1/Content.xml", "Doc_0/Tpls/Tpl_0/Content.xml"])
def test_a_document_without_one_of_its_pages_is_read_plainly(lost: str) -> None:
    whole = making.ofd([["first words"], ["second words"]], below=["Printed below both."])
    assert read(whole).reader == "ofd-pages"
    extracted = read(whole.replace(lost.encode(), lost.encode()[:-1] + b"_"))
    left = [line for line in ("first words", "second words", "Printed below both.") if line in extracted.text]
    assert (extracted.reader, len(left)) == ("plainly", 2)


def test_a_text_with_many_steps_is_read_plainly_too() -> None:
    whole = making.ofd([["word"]], pieces=piece("and a long line", 10, 60, steps="2.1166 " * 200))
    assert read(whole, Attempt.PLAINEST).text == "word\nand a long line"


def test_running_heads_and_page_numbers_are_no_words() -> None:
    words = " ".join(making.PARAGRAPHS).split()
    bodies = [
        [" ".join(words[start : start + 7]) for start in range(place, place + 30, 7)] for place in range(0, 25, 5)
    ]
    pages = [[f"Report of the year {n}", *body, f"- {n} -"] for n, body in enumerate(bodies, 1)]
    extracted = read(making.ofd(pages))
    assert "Report of the year" not in extracted.text
    assert "Report of the year" in extracted.streams["headers"]
    shared = read(making.ofd([["", "first words"], ["", "second words"]], below=["Printed below both."]))
    assert (shared.text.split("\n"), shared.pages) == (["first words", "second words"], 2)


def test_a_damaged_document_is_read_plainly_piece_by_piece() -> None:
    whole = making.ofd([["A line of words", "and another"]], parts={"Doc_0/Pages/Page_0/Res.xml": "<r>9 9</r>"})
    broken = whole.replace(b"OFD.xml", b"OFD.xm_")
    assert read(broken).reader == "plainly"
    assert read(whole, Attempt.PLAINEST).text == "A line of words\nand another"


def test_a_document_without_its_list_of_pages_is_damaged() -> None:
    problem = extract(making.zipped({"OFD.xml": "<a/>"}), Path("a.ofd")).problem
    assert problem is not None and problem.kind in (ProblemKind.DAMAGED, ProblemKind.NO_TEXT)
