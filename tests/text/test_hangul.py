"""Hangul: HWPX and HWP 5 give the same words, and tell the same of what is beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.base.details import Clause, Problem, ProblemKind, details
from dupfinder.text.document import NOT_KNOWN, Attempt, Extracted, OtherContent
from dupfinder.text.extract import extract
from tests import making
from tests.making_compound import compound
from tests.making_packages import hwp, hwp_control, hwp_list, hwp_paragraph, hwp_record, hwpx, hwpx_paragraph
from tests.text.other_content import unlike

ROWS = (("Ann", "12"), ("Bo", ""))
KOREAN = ("위원회는 그해 봄부터 가을까지 받은 모든 편지를 보관하고 있다.", "두 사람이 목록에 서명하였다.")


def read(data: bytes, name: str = "a.hwpx", attempt: Attempt = Attempt.FIRST) -> Extracted:
    extraction = extract(data, Path(name), attempt=attempt)
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


def problem_of(data: bytes, name: str) -> Problem:
    problem = extract(data, Path(name)).problem
    assert problem is not None
    return problem


def around(name: str, text: str) -> str:
    return (
        f"<hp:p><hp:run><hp:ctrl><hp:{name}><hp:subList>{hwpx_paragraph(text)}</hp:subList></hp:{name}>"
        "</hp:ctrl></hp:run></hp:p>"
    )


def inside(name: str, text: str) -> bytes:
    return hwp_paragraph("\x10" + 7 * "\x01", 0, hwp_control(name, 1, hwp_list(2), hwp_paragraph(text, 2)))


def test_the_same_words_in_both_and_in_word_are_the_same_text() -> None:
    paragraphs = (*making.PARAGRAPHS, *KOREAN)
    new, old, word = (read(make(paragraphs), "nameless") for make in (hwpx, hwp, making.docx))
    assert new.text == old.text == word.text
    assert new.other == old.other == word.other
    assert (new.title, new.author, new.language) == ("A report", "A. Writer", "ko")
    assert new.created is not None and new.created.year == 2024


def test_tables_notes_heads_and_remarks_have_their_places() -> None:
    cell = "<hp:tc><hp:subList>{}</hp:subList></hp:tc>"
    row = "<hp:tr>{}</hp:tr>"
    table = "".join(row.format("".join(cell.format(hwpx_paragraph(text)) for text in texts)) for texts in ROWS)
    new = hwpx(
        ["before"],
        body=f"<hp:p><hp:run><hp:tbl>{table}</hp:tbl></hp:run></hp:p>"
        + around("footNote", "A note.")
        + around("header", "Head")
        + around("footer", "Foot")
        + around('fieldBegin type="MEMO"', "Why?").replace('</hp:fieldBegin type="MEMO">', "</hp:fieldBegin>")
        + f"<hp:p><hp:run><hp:secPr>{hwpx_paragraph('no word')}</hp:secPr></hp:run></hp:p>"
        + hwpx_paragraph("after"),
    )
    cells = [hwp_list(2, number) + hwp_paragraph(text, 2) for number, texts in enumerate(ROWS) for text in texts]
    old = hwp(
        ["before"],
        body=hwp_paragraph("\x0b" + 7 * "\x01", 0, hwp_control("tbl ", 1, *cells))
        + inside("fn  ", "A note.")
        + inside("head", "Head")
        + inside("foot", "Foot")
        + hwp_paragraph("after")
        + hwp_record(0x5D, 1, bytes(4))
        + hwp_list(1)
        + hwp_paragraph("Why?", 1),
    )
    for extracted in map(read, (new, old)):
        assert extracted.text.split() == ["before", "Ann", "12", "Bo", "after", "A", "note."]
        assert "Ann\t12\nBo" in extracted.text
        assert dict(extracted.streams) == {"headers": "Head", "footers": "Foot", "comments": "Why?"}
    assert read(new).other == read(old).other


def test_marks_within_a_text_are_characters_and_what_is_deleted_is_left_out() -> None:
    marks = (
        "one<hp:tab/>two<hp:lineBreak/>three<hp:nbSpace/>four<hp:deleteBegin/>gone<hp:markpenBegin/><hp:deleteEnd/>."
    )
    new = hwpx([], body=f"<hp:p><hp:run><hp:t>{marks}</hp:t></hp:run></hp:p>")
    assert read(new).text == "one\ttwo\nthree\u00a0four."
    assert read(new).other[OtherContent.TRACKED_CHANGES] == NOT_KNOWN
    old = hwp(["one\t" + 7 * "\x02" + "two\nthree\x1efour\x15" + 7 * "\x0d" + ".\x18 😀"])
    assert read(old).text == "one\ttwo\nthree\u00a0four.- 😀"


def test_a_record_of_more_than_4095_bytes_is_read_and_so_is_a_document_that_is_not_packed() -> None:
    assert read(hwp(["words " * 900], flags=0)).text == "words " * 900


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (OtherContent.PICTURES, hwpx(["word"], body='<hp:pic><hc:img binaryItemIDRef="image1"/></hp:pic>')),
        (OtherContent.ATTACHMENTS, hwpx(["word"], body='<hp:ole binaryItemIDRef="ole1"/>')),
        (OtherContent.FORMULAS, hwpx(["word"], body="<hp:equation><hp:script>a over b</hp:script></hp:equation>")),
        (OtherContent.PICTURES, hwpx(["word"], body='<hp:chart chartIDRef="Chart/chart1.xml"/>')),
        (OtherContent.FORM_FIELDS, hwpx(["word"], body='<hp:checkBtn name="yes" value="CHECKED"/>')),
        (
            OtherContent.LINKS,
            hwpx(
                ["word"],
                body='<hp:fieldBegin><hp:parameters><hp:stringParam name="Path">https://example.org</hp:stringParam>'
                "</hp:parameters></hp:fieldBegin>",
            ),
        ),
    ],
)
def test_what_is_beside_the_words_tells_documents_apart(kind: OtherContent, changed: bytes) -> None:
    assert unlike(hwpx(["word"]), changed, "a.hwpx") == {kind}


def test_what_is_beside_the_words_of_older_documents_tells_them_apart() -> None:
    command = "https\\://example.org;1;0;0;".encode("utf-16-le")
    link = hwp_control("%hlk", 1, more=bytes(5) + b"\x1b\0" + command)
    formula = hwp_record(0x58, 2, bytes(4) + b"\3\0" + "a+b".encode("utf-16-le"))
    for kind, changed in (
        (OtherContent.PICTURES, hwp(["word"], streams={"BinData/BIN0001.png": b"picture"})),
        (OtherContent.ATTACHMENTS, hwp(["word"], streams={"BinData/BIN0001.OLE": b"object"})),
        (OtherContent.FORMULAS, hwp(["word"], body=formula)),
        (OtherContent.LINKS, hwp(["word"], body=link)),
        (OtherContent.FORM_FIELDS, hwp(["word"], body=hwp_control("form", 1))),
        (OtherContent.TRACKED_CHANGES, hwp(["word"], flags=1 | 1 << 14)),
        (OtherContent.NUMBERS, hwp(["word"], styles=[2])),
        (OtherContent.TRACKED_CHANGES, hwp(["word"], body=hwp_record(0x44, 1, bytes(8)), struck=True)),
    ):
        assert unlike(hwp(["word"]), changed, "a.hwp") == {kind}


def test_numbers_that_are_computed_and_words_that_are_struck_are_told() -> None:
    styles = (
        '<hh:paraPr id="7"><hh:heading type="NUMBER"/></hh:paraPr>'
        '<hh:charPr id="9"><hh:strikeout shape="SOLID"/></hh:charPr>'
        '<hh:charPr id="0"><hh:strikeout shape="3D"/></hh:charPr>'
    )
    plain = hwpx(["word"], styles=styles)
    numbered = hwpx([], body=hwpx_paragraph("word", 'paraPrIDRef="7"'), styles=styles)
    struck = hwpx([], body=hwpx_paragraph("word").replace('"0"><hp:t', '"9"><hp:t'), styles=styles)
    assert unlike(plain, numbered, "a.hwpx") == {OtherContent.NUMBERS}
    assert unlike(plain, struck, "a.hwpx") == {OtherContent.TRACKED_CHANGES}


def test_locked_documents_need_a_password_and_the_oldest_ones_are_not_read() -> None:
    locked = hwpx(parts={"META-INF/manifest.xml": "<manifest><encryption-data/></manifest>"})
    assert problem_of(locked, "a.hwpx").kind is ProblemKind.ENCRYPTED
    for flags in (0b11, 0b101):  # a password, for distribution
        assert problem_of(hwp(flags=flags), "a.hwp").kind is ProblemKind.ENCRYPTED
    oldest = problem_of(b"HWP Document File V3.00 \x1a\1\2\3\4\5" + bytes(200), "a.hwp")
    assert oldest == Problem(ProblemKind.UNSUPPORTED, details(Clause.UNREAD_KIND, kind="hangul"))


def test_a_damaged_document_gives_what_is_left_of_it() -> None:
    broken = hwpx().replace(b"PK\x01\x02", b"PK\x01\x03")
    assert (read(broken).reader, read(broken).text.split("\n")) == ("plainly", list(making.PARAGRAPHS))
    damaged = hwp(streams={"BodyText/Section1": b"x"}, flags=0)
    assert read(damaged, "a.hwp").text.split("\n") == list(making.PARAGRAPHS)
    without = compound({"FileHeader": b"HWP Document File".ljust(40, b"\0"), "PrvText": "words".encode("utf-16-le")})
    assert problem_of(without, "a.hwp").kind is ProblemKind.DAMAGED
    assert (read(without, "a.hwp").reader, read(without, "a.hwp").partial) == ("plainly", True)


def test_a_section_that_unpacks_out_of_proportion_is_too_large() -> None:
    assert problem_of(hwp([], body=bytes(40 << 20)), "a.hwp").kind is ProblemKind.TOO_LARGE
