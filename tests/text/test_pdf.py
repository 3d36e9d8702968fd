"""PDF: what pages show, without what only the layout put there."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.processes.worker import TASK_SECONDS
from dupfinder.text.document import Unreadable
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf.reader import pdf_time, read_pdf, read_pdf_slowly
from tests.making import CHINESE, PARAGRAPHS, encrypted_pdf, pdf, raw_pdf, scanned_pdf


def book(pages: int) -> list[list[str]]:
    """Pages of which no two have a line in common."""
    names = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo")
    return [[f"{name} went to see {other} at the place of {name}." for other in names[:8]] for name in names[:pages]]


@pytest.mark.parametrize("reader", [read_pdf, read_pdf_slowly])
def test_heads_feet_and_page_numbers_that_repeat_are_kept_apart(reader: object) -> None:
    assert callable(reader)
    plain = reader(pdf(book(6)))
    dressed = reader(pdf(book(6), header="Annual report - page {page}", footer="{page} / 6"))
    assert normalise(dressed.text) == normalise(plain.text)
    assert "Annual report - page 3" in dressed.streams["headers"]
    assert "4 / 6" in dressed.streams["headers"]


def test_a_line_that_repeats_inside_pages_stays() -> None:
    pages = [[*PARAGRAPHS, "All of it is true.", *PARAGRAPHS] for _ in range(5)]
    assert read_pdf(pdf(pages)).text.count("All of it is true.") == 5


def test_words_broken_at_line_ends_are_made_whole() -> None:
    lines = ["The exami-", "nation of the docu-", "ments took a well-", "known while: well-known,", "as they say."]
    assert "examination of the documents took a well-known" in read_pdf(pdf([lines])).text.replace("\n", " ")


def test_letters_set_apart_are_words() -> None:
    words = [
        "The",
        "harbour",
        "office",
        "opens",
        "at",
        "eight",
        "and",
        "closes",
        "when",
        "the",
        "last",
        "boat",
        "is",
        "in",
    ]
    shown = " -1300 ".join(" -400 ".join(f"({letter})" for letter in word) for word in words)
    page = raw_pdf(f"BT /F1 12 Tf 5 700 Td [{shown}] TJ ET".encode())
    assert read_pdf(page).text.split() == words
    columns = " -1300 ".join(f"({letter})" for letter in "ABCDEFGHIJKLMNOPQRST")
    lone = raw_pdf(f"BT /F1 12 Tf 5 700 Td [{columns}] TJ ET".encode())
    assert read_pdf(lone).text.split() == list("ABCDEFGHIJKLMNOPQRST")  # no gaps are wider than the others


def test_chinese_lines_are_joined_without_a_space() -> None:
    half = len(CHINESE[0]) // 2
    extracted = read_pdf(pdf([[CHINESE[0][:half], CHINESE[0][half:]]]))
    assert CHINESE[0] in extracted.text


def test_dot_leaders_of_a_table_of_contents_go_with_their_page_numbers() -> None:
    lines = ["Contents of this book", "First steps . . . . . . . . . . . . . 12", "Last steps ............. 240"]
    assert read_pdf(pdf([lines])).text.split("\n") == ["Contents of this book", "First steps", "Last steps"]


def test_ligatures_read_as_letters_once_normalised() -> None:
    encoding = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /fi /fl] >> >>"
    page = raw_pdf(
        b"BT /F2 12 Tf 50 700 Td (the \\001rst \\002oor of the building) Tj ET", resources="", extra=[encoding]
    )
    page = page.replace(b"/F1 5 0 R", b"/F2 6 0 R")
    assert normalise(read_pdf(page).text) == "the first floor of the building"


def test_characters_that_a_font_does_not_name_are_no_words() -> None:
    boxes = "BT /F1 12 Tf 50 700 Td (" + "\\177" * 3 + ") Tj ET"
    with pytest.raises(Unreadable) as refused:
        read_pdf(raw_pdf(boxes.encode()))
    assert refused.value.kind is ProblemKind.NO_TEXT


def test_scanned_pages_have_no_text_and_are_not_read_twice() -> None:
    with pytest.raises(Unreadable) as refused:
        read_pdf(scanned_pdf())
    assert refused.value.kind is ProblemKind.NO_TEXT
    assert refused.value.final
    assert refused.value.details == details(Clause.NO_TEXT_LAYER, pages=1)


def test_pages_of_few_words_beside_a_small_picture_are_text() -> None:
    pixels = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
    picture = pixels + b"/Length 1 >>\nstream\n\x80\nendstream"
    drawn = "q {size} 0 0 {size} 50 100 cm /I1 Do Q BT /F1 40 Tf 50 700 Td (Thank you) Tj ET"
    small, large = (
        raw_pdf(drawn.format(size=size).encode(), resources="/XObject << /I1 6 0 R >>", extra=[picture])
        for size in (200, 700)
    )
    for reader in (read_pdf, read_pdf_slowly):
        assert reader(small).text.strip() == "Thank you"
        with pytest.raises(Unreadable) as refused:
            reader(large)
        assert refused.value.kind is ProblemKind.NO_TEXT


@pytest.mark.parametrize("ending", ["<< /Size 6 /Root 1 0 R", "<< /Size", ""])
def test_a_pdf_whose_trailer_is_not_closed_is_read(ending: str) -> None:
    page = raw_pdf(b"BT /F1 12 Tf 50 700 Td (It can be read all the same) Tj ET")
    broken = page[: page.rfind(b"<<")] + ending.encode()
    assert read_pdf(broken).text == "It can be read all the same"


def test_a_short_page_without_pictures_is_text() -> None:
    assert read_pdf(pdf([["Yes."]])).text == "Yes."


@pytest.mark.parametrize("reader", [read_pdf, read_pdf_slowly])
def test_a_user_password_locks_and_an_owner_password_does_not(reader: object) -> None:
    assert callable(reader)
    with pytest.raises(Unreadable) as refused:
        reader(pdf(password="secret"))
    assert refused.value.kind is ProblemKind.ENCRYPTED
    assert normalise(reader(pdf(owner_password="secret")).text) == normalise(" ".join(PARAGRAPHS))


@pytest.mark.parametrize("reader", [read_pdf, read_pdf_slowly])
def test_a_pdf_encrypted_with_an_empty_password_is_read_as_every_viewer_shows_it(reader: object) -> None:
    assert callable(reader)
    assert reader(encrypted_pdf("Open to all who find it")).text.strip() == "Open to all who find it"
    with pytest.raises(Unreadable) as refused:
        reader(encrypted_pdf("Closed", password="secret"))
    assert refused.value.kind is ProblemKind.ENCRYPTED


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("D:20240131120000+01'00'", datetime(2024, 1, 31, 11, tzinfo=UTC)),
        ("D:20240131120000Z", datetime(2024, 1, 31, 12, tzinfo=UTC)),
        ("D:20240131", datetime(2024, 1, 31, tzinfo=UTC)),
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("D:20241399", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_pdf_dates_are_moments(text: str, moment: datetime | None) -> None:
    assert pdf_time(text) == moment


def test_a_reading_that_takes_too_long_gives_the_pages_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupfinder.text.pdf.reader.SOFT_SHARE", -1.0)
    extraction = extract(pdf(book(4)), Path("a.pdf"))
    assert extraction.extracted is not None and extraction.extracted.partial
    assert extraction.problem is not None and extraction.problem.kind is ProblemKind.TOO_SLOW
    assert extraction.problem.details == details(Clause.PAGES_READ, read=1, pages=4)


def test_a_reading_has_as_long_as_its_task() -> None:
    token = TASK_SECONDS.set(-1.0)
    try:
        extraction = extract(pdf(book(4)), Path("a.pdf"))
    finally:
        TASK_SECONDS.reset(token)
    assert extraction.extracted is not None and extraction.extracted.partial
    extraction = extract(pdf(book(4)), Path("a.pdf"))
    assert extraction.extracted is not None and not extraction.extracted.partial


def form(values: dict[str, str], ticked: bool) -> bytes:
    """The same form for everyone, filled in."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(60, 800, "Application for a library card of the town")
    for place, (name, value) in enumerate(values.items()):
        canvas.acroForm.textfield(name=name, value=value, x=60, y=700 - 40 * place)
    canvas.acroForm.checkbox(name="Newsletter", checked=ticked, x=60, y=400)
    canvas.save()
    return buffer.getvalue()


def test_one_form_filled_in_by_two_people_is_two_documents() -> None:
    first = read_pdf(form({"name": "Ann Smith", "town": "Ürümqi"}, ticked=True)).text
    second = read_pdf(form({"name": "Bo Miller", "town": "Oslo"}, ticked=False)).text
    assert first.split("\n") == ["Application for a library card of the town", "Ann Smith", "Ürümqi", "Newsletter"]
    assert second.split("\n") == ["Application for a library card of the town", "Bo Miller", "Oslo"]


def test_typed_words_belong_to_the_page_and_comments_stay_apart() -> None:
    typed = b"<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents (Paid in cash) >>"
    remark = b"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (Really?) >>"
    page = raw_pdf(b"BT /F1 12 Tf 50 700 Td (The bill of May) Tj ET", extra=[typed, remark])
    extracted = read_pdf(page.replace(b"/Contents 4 0 R", b"/Contents 4 0 R /Annots [6 0 R 7 0 R]"))
    assert extracted.text.split("\n") == ["The bill of May", "Paid in cash"]
    assert dict(extracted.streams) == {"comments": "Really?"}
