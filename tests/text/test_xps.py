"""XPS: runs of glyphs, which are lines, words or letters, are joined to the lines that a person sees."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import Attempt, Extracted, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from tests import making
from tests.making_packages import font, glyphs, xps
from tests.text.other_content import unlike

LINES = [line for paragraph in making.PARAGRAPHS for line in (paragraph[:60].rsplit(" ", 1)[0], paragraph[60:])]


def read(data: bytes, attempt: Attempt = Attempt.FIRST) -> Extracted:
    extraction = extract(data, Path("a.xps"), attempt=attempt)
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


def problem_of(data: bytes) -> object:
    problem = extract(data, Path("a.xps")).problem
    assert problem is not None
    return problem.kind, problem.details


@pytest.mark.parametrize("by", ["line", "word", "letter"])
def test_the_same_pages_as_pdf_are_the_same_text_however_they_are_drawn(by: str) -> None:
    pages = [["The annual report", *LINES[:4], "- 1 -"], ["The annual report", *LINES[4:], "- 2 -"]]
    printed, portable = read(xps(pages, by=by)), extract(making.pdf(pages), Path("a.pdf")).extracted
    assert portable is not None
    assert (printed.text, printed.streams, printed.pages) == (portable.text, portable.streams, 2)
    assert printed.other == portable.other


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (glyphs("one", 50, 90) + glyphs("word", 74, 90), "oneword"),
        (glyphs("two", 50, 90) + glyphs("words", 78, 91), "two words"),
        (glyphs("two ", 50, 90) + glyphs("words", 90, 90), "two words"),
        (glyphs("drawn", 200, 90) + glyphs("later", 50, 90), "later drawn"),
        (glyphs("{braced}", 50, 90), "{braced}"),
        (glyphs("as", 50, 90, indices="1,x;;") + glyphs("it is", 150, 90, indices=""), "as it is"),
        (glyphs("file", 50, 90, indices="(2:1)1,100;1;1") + glyphs("s", 82, 90), "files"),
        (glyphs("漢字", 50, 90, indices="") + glyphs("文", 82, 90, indices=""), "漢字文"),
        (glyphs("nospaceshere", 50, 90, indices="1;1,85;" + "1;" * 5 + "1,85;1;1;1;1"), "no spaces here"),
        (glyphs("spaced", 50, 90, indices="1,90;" * 5 + "1"), "spaced"),
        (glyphs("שלום", 150, 90, more='BidiLevel="1"') + glyphs("עולם", 112, 90, more='BidiLevel="1"'), "שלום עולם"),
        (glyphs("up", 0, 0, more='RenderTransform="0,-1,1,0,90,300"') + glyphs("right", 50, 90), "up\nright"),
        (
            '<Canvas RenderTransform="2,0,0,2,0,0"><Canvas><Canvas.RenderTransform><MatrixTransform '
            f'Matrix="1,0,0,1,10,10"/></Canvas.RenderTransform>{glyphs("large", 50, 50)}</Canvas></Canvas>'
            + glyphs("small", 220, 120),
            "large small",
        ),
        (glyphs("large", 50, 90, more='RenderTransform="1,2"') + glyphs("raised", 90, 84), "largeraised"),
    ],
)
def test_runs_of_one_line_are_joined_by_their_places(runs: str, expected: str) -> None:
    assert read(xps([[]], more=runs)).text.split("\n") == expected.split("\n")


def test_without_the_widths_of_its_font_a_page_is_read_by_usual_ones() -> None:
    for veiled in (b"", b"no font", font(())):
        page = xps([LINES], by="word", parts={"Resources/00112233-4455-6677-8899-AABBCCDDEEFF.odttf": veiled})
        assert normalise(read(page).text) == normalise(" ".join(LINES))


def test_what_is_beside_the_words_tells_documents_apart() -> None:
    link, linked = 'FixedPage.NavigateUri="https://example.org/"', glyphs("word", 50, 90)
    curve = '<Path Data="M 0,0 C 1,1 2,1 3,0" Fill="#FF0000FF"/>'
    picture = '<Path Data="M 0,0 L 9,0 9,9 0,9 Z"><Path.Fill><ImageBrush ImageSource="{}"/></Path.Fill></Path>'
    parts = {"Documents/1/Pages/a.png": b"picture"}
    plain = xps([["word"]])
    for kind, changed in (
        (OtherContent.LINKS, xps([[]], more=linked.replace("/>", link + "/>"))),
        (OtherContent.PICTURES, xps([["word"]], more=curve)),
        (OtherContent.PICTURES, xps([["word"]], more=picture.format("a.png"), parts=parts)),
        (OtherContent.PICTURES, xps([["word"]], more=picture.format("lost.png"))),
        (OtherContent.FORM_FIELDS, xps([["word"]], parts={"package/services/sign.psdsxs": b"<Signature/>"})),
    ):
        assert unlike(plain, changed, "a.xps") == {kind}
    with_profile = picture.format("{ColorConvertedBitmap a.png profile.icc}")
    absolute = picture.format("/Documents/1/Pages/a.png")
    first, second = (xps([["word"]], more=shown, parts=parts) for shown in (absolute, with_profile))
    assert not unlike(first, second, "a.xps")
    assert not unlike(plain, xps([["word"]], more=picture.replace("ImageBrush", "SolidColorBrush")), "a.xps")


def test_a_package_whose_parts_are_stored_in_pieces_is_read_under_any_name() -> None:
    with ZipFile(BytesIO(xps([LINES]))) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    pieces = {
        f"{name}/[{number}]{'.last' * (number == 1)}.piece": piece
        for name, content in parts.items()
        for number, piece in enumerate((content[:40], content[40:]))
    }
    data = making.zipped(dict(reversed(pieces.items())))
    for name in ("a.xps", "nameless"):
        extraction = extract(data, Path(name))
        assert extraction.extracted is not None and extraction.extracted.text == read(xps([LINES])).text


def test_pages_of_pictures_and_glyphs_without_characters_have_no_text() -> None:
    nameless = glyphs("", 50, 90, indices="1;1;1")
    expected = ProblemKind.NO_TEXT, details(Clause.NAMELESS_CHARACTERS)
    assert problem_of(xps([["word"]], more=2 * nameless)) == expected
    assert problem_of(xps([[], []])) == (ProblemKind.NO_TEXT, details(Clause.NO_TEXT_LAYER, pages=2))


@pytest.mark.parametrize("lost", ["FixedDocumentSequence.fdseq", "Documents/1/FixedDocument.fdoc", "_rels/.rels"])
def test_a_document_without_its_list_of_pages_is_read_plainly(lost: str) -> None:
    whole = xps([LINES[:4], LINES[4:]], by="line")
    extracted = read(whole.replace(lost.encode(), lost.encode()[:-1] + b"_"))
    assert (extracted.reader, extracted.text.split("\n")) == ("plainly", LINES)
    assert read(whole, Attempt.PLAINEST).text.split("\n") == LINES
    assert problem_of(making.zipped({"a.fpage": "<FixedPage/>"})) == (
        ProblemKind.DAMAGED,
        details(Clause.NO_TEXT_PART),
    )


def test_a_page_with_declared_entities_is_refused() -> None:
    data = xps([LINES])
    with ZipFile(BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    name = "Documents/1/Pages/1.fpage"
    bomb = b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    parts[name] = parts[name].replace(b"<FixedPage", bomb + b"<FixedPage")
    assert problem_of(making.zipped(parts)) == (ProblemKind.DAMAGED, details(Clause.DOCUMENT_TYPE))
