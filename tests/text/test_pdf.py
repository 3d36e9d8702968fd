"""PDF: what pages show, without what only the layout put there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.processes.worker import TASK_SECONDS
from dupfinder.text.document import Extracted, OtherContent, Unreadable
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf import footnotes
from dupfinder.text.pdf.annotations import Link
from dupfinder.text.pdf.footnotes import is_mark_raised
from dupfinder.text.pdf.pdfium import Box, middle_of, text_of
from dupfinder.text.pdf.reader import pdf_time, read_pdf, read_pdf_slowly
from tests.making import CHINESE, PARAGRAPHS, encrypted_pdf, pdf, raw_pdf, scanned_pdf, stamped_scans


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


@pytest.mark.parametrize("is_first", [True, False])
def test_numbers_of_lines_that_a_program_stores_apart_are_not_words(is_first: bool) -> None:
    pages = book(4)
    margins = [[str(8 * number + line) for line in range(1, 9)] for number in range(4)]
    numbered = [margin + page if is_first else page + margin for page, margin in zip(pages, margins, strict=True)]
    assert normalise(read_pdf(pdf(numbered)).text) == normalise(read_pdf(pdf(pages)).text)


def test_numbers_before_the_words_of_lines_are_not_words() -> None:
    pages = [[" ".join(page).replace(".", "")[at : at + 40].strip() for at in range(0, 240, 40)] for page in book(4)]
    numbered = [
        [f"{6 * number + line}  {text}" for line, text in enumerate(page, 1)] for number, page in enumerate(pages)
    ]
    plain, with_numbers = read_pdf(pdf(pages)), read_pdf(pdf(numbered))
    assert normalise(with_numbers.text) == normalise(plain.text)
    assert with_numbers.other[OtherContent.HEADERS] != plain.other.get(OtherContent.HEADERS)


def test_a_short_column_of_numbers_stays() -> None:
    page = [*PARAGRAPHS, "1", "2", "3", *PARAGRAPHS]
    assert read_pdf(pdf([page])).text.count("\n2\n") == 1


def test_chinese_lines_are_joined_without_a_space() -> None:
    half = len(CHINESE[0]) // 2
    extracted = read_pdf(pdf([[CHINESE[0][:half], CHINESE[0][half:]]]))
    assert CHINESE[0] in extracted.text


def test_dot_leaders_of_a_table_of_contents_go_with_their_page_numbers() -> None:
    lines = [
        "Contents",
        "First steps . . . . . . . . . . . . . 1",
        "Next steps ....... 2",
        "Last steps ............. 3",
    ]
    text = read_pdf(pdf([lines, ["Next words"], ["Last words"]])).text
    assert text.split("\n")[:4] == ["Contents", "First steps", "Next steps", "Last steps"]


def test_ligatures_read_as_letters_once_normalised() -> None:
    encoding = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /fi /fl] >> >>"
    page = raw_pdf(
        b"BT /F2 12 Tf 50 700 Td (the \\001rst \\002oor of the building) Tj ET", resources="", extra=[encoding]
    )
    page = page.replace(b"/F1 5 0 R", b"/F2 6 0 R")
    assert normalise(read_pdf(page).text) == "the first floor of the building"


def test_characters_that_a_font_does_not_name_are_no_words() -> None:
    for codes in ("\\177" * 3, "\\001\\002\\003\\004\\005\\006A"):
        with pytest.raises(Unreadable) as refused:
            read_pdf(raw_pdf(f"BT /F1 12 Tf 50 700 Td ({codes}) Tj ET".encode()))
        assert refused.value.kind is ProblemKind.NO_TEXT


def test_letters_that_are_numbers_of_shapes_are_no_words() -> None:
    lines = ["The meeting begins at nine, and lasts an hour.", "Tea is served at ten, coffee at eleven."] * 12

    def page(shift: int) -> bytes:
        shows = (b"<%s> Tj 0 -20 Td " % bytes(ord(letter) - shift for letter in line).hex().encode() for line in lines)
        return raw_pdf(b"BT /F1 9 Tf 72 800 Td " + b"".join(shows) + b"ET")

    assert "lasts an hour." in read_pdf(page(0)).text
    with pytest.raises(Unreadable) as refused:
        read_pdf(page(29))
    assert refused.value.details == details(Clause.NAMELESS_CHARACTERS)


def test_a_page_that_is_listed_twice_and_read_once_is_not_the_whole_text() -> None:
    page = raw_pdf(b"BT /F1 9 Tf 72 800 Td (The meeting begins at nine.) Tj ET")
    assert not read_pdf_slowly(page).partial
    twice = page.replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R 3 0 R] /Count 2")
    assert read_pdf(twice).text.count("nine") == 2
    assert read_pdf_slowly(twice).partial or read_pdf_slowly(twice).text.count("nine") == 2


def test_scanned_pages_have_no_text_and_are_not_read_twice() -> None:
    with pytest.raises(Unreadable) as refused:
        read_pdf(scanned_pdf())
    assert refused.value.kind is ProblemKind.NO_TEXT
    assert refused.value.final
    assert refused.value.details == details(Clause.NO_TEXT_LAYER, pages=1)


@pytest.mark.parametrize(
    "stamps",
    [
        [f"Case 21-cv-417   Document 57   Filed 03/12/21   Page {number} of 4" for number in range(1, 5)],
        ["From the library of the university, for personal use only"] * 2,
        ["Scanned with a telephone"],
        ["This copy was made by the city archive for private study; all rights reserved", "", ""],
    ],
)
@pytest.mark.parametrize("reader", [read_pdf, read_pdf_slowly])
def test_stamps_on_scanned_pages_and_a_page_before_them_are_not_their_text(reader: object, stamps: list[str]) -> None:
    assert callable(reader)
    with pytest.raises(Unreadable) as refused:
        reader(stamped_scans(stamps))
    assert refused.value.details == details(Clause.NO_TEXT_LAYER, pages=len(stamps))


@pytest.mark.parametrize("reader", [read_pdf, read_pdf_slowly])
def test_pages_of_text_before_scanned_ones_are_read(reader: Callable[[bytes], Extracted]) -> None:
    parts = pdfium.PdfDocument.new()
    for data in (pdf([PARAGRAPHS, PARAGRAPHS]), stamped_scans(["Scanned with a telephone"] * 5)):
        parts.import_pages(pdfium.PdfDocument(data))
    buffer = BytesIO()
    parts.save(buffer)
    assert PARAGRAPHS[-1].split()[-1] in reader(buffer.getvalue()).text


def test_a_dynamic_form_is_read_as_its_labels_and_what_is_filled_in() -> None:
    first, second = (dynamic_form("Family name", name) for name in ("Berger", "Okafor"))
    assert read_pdf(first).text.split("\n") == ["Answer all questions.", "Family name", "Berger"]
    assert "Okafor" in read_pdf(second).text
    with pytest.raises(Unreadable) as refused:
        read_pdf(dynamic_form("Name", "</data>"))
    assert refused.value.final  # no other reader takes the words of its page for its text


def dynamic_form(label: str, value: str) -> bytes:
    """A PDF whose form is in XML packets, of which one has the labels and one the values."""
    template = (
        "<template xmlns='urn:t'><draw><value><exData><body><p>Answer <b>all</b> questions.</p></body></exData></value>"
        f"</draw><field><caption><value><text>{label}</text></value></caption><items><text>Choice</text></items>"
        "<event><script>alert('text')</script></event></field></template>"
    )
    data = f"<x:datasets xmlns:x='urn:x'><x:data><a><b>{value}</b></a></x:data></x:datasets>"
    packets = [b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text.encode()) for text in (template, data)]
    page = raw_pdf(b"BT /F1 12 Tf 50 700 Td (Please wait, or use another viewer) Tj ET", extra=packets)
    form = b"/NeedsRendering true /AcroForm << /Fields [] /XFA [(template) 6 0 R (datasets) 7 0 R] >>"
    return page.replace(b"/Type /Catalog", b"/Type /Catalog " + form)


def test_pages_that_have_words_of_their_own_over_pictures_are_text() -> None:
    lines = ["A picture and a sentence about this place", "Another sentence about another place", "Fish and chips"]
    assert read_pdf(stamped_scans(lines)).text.split("\n") == lines


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_is_shown_sideways_or_upside_down_has_the_same_text(rotation: int) -> None:
    upright, turned = pdf(book(2)), BytesIO()
    document = pdfium.PdfDocument(upright)
    for page in document:
        page.set_rotation(rotation)
    document.save(turned)
    assert read_pdf(turned.getvalue()).text == read_pdf(upright).text


def test_a_page_whose_letters_are_turned_like_the_page_stays_as_it_is() -> None:
    lines = b" ".join(b"1 0 0 1 0 -20 cm BT 50 0 Td (line %d of them) Tj ET" % number for number in range(9))
    upright = raw_pdf(b"1 0 0 1 0 700 cm /F1 12 Tf " + lines)
    turned = raw_pdf(b"0 1 -1 0 0 0 cm 1 0 0 1 0 -50 cm /F1 12 Tf " + lines).replace(b"/Parent", b"/Rotate 90 /Parent")
    assert read_pdf(turned).text == read_pdf(upright).text


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


def test_what_a_page_hides_of_its_fields_and_typed_words_is_no_text() -> None:
    typed = b"<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /F 2 /Contents (Paid in cash) >>"
    field = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (sum) /V (%s) /F %d /Rect [0 0 9 9] >>"

    def form_of(value: bytes, flags: int) -> Extracted:
        page = raw_pdf(b"BT /F1 12 Tf 50 700 Td (The bill of May) Tj ET", extra=[typed, field % (value, flags)])
        page = page.replace(b"/Contents 4 0 R", b"/Contents 4 0 R /Annots [6 0 R 7 0 R]")
        return read_pdf(page.replace(b"/Catalog", b"/Catalog /AcroForm << /Fields [7 0 R] >>"))

    assert form_of(b"12", 4).text.split("\n") == ["The bill of May", "12"]
    first, second = form_of(b"12", 2), form_of(b"13", 2)
    assert first.text == second.text == "The bill of May"
    assert first.other[OtherContent.FORM_FIELDS] != second.other[OtherContent.FORM_FIELDS]


def test_a_label_far_to_the_right_of_a_name_is_read_before_it() -> None:
    lines = [
        "60 700 Td (copy-list list) Tj 380 0 Td ([Function]) Tj -380 -14 Td (Copies a list as in [Keene].) Tj",
        "0 -14 Td (with-list list body) Tj 380 0 Td ([Special Form]) Tj -380 -14 Td (Runs the body [twice]) Tj",
        "0 -14 Td (and ends.) Tj",
    ]
    text = read_pdf(raw_pdf(f"BT /F1 12 Tf {' '.join(['10 0 Td', *lines])} ET".encode())).text
    assert text.split("\n") == [
        "[Function] copy-list list",
        "Copies a list as in [Keene].",
        "[Special Form] with-list list body",
        "Runs the body [twice]",
        "and ends.",
    ]


def noted(size: float = 9, rise: int = 5, mark: str = "") -> bytes:
    """A page of three lines, of which the first two have marks of notes, and the notes below it."""
    marked = "/F1 7 Tf {rise} Ts ({mark}) Tj /F1 12 Tf 0 Ts".format
    lines = [
        f"60 700 Td (The goods are sent) Tj {marked(rise=rise, mark=1)} ( to the buyer,) Tj",
        f"0 -14 Td (who pays for a load of 12 m) Tj {marked(rise=rise, mark=3)} ( within a month.) Tj",
        f"{marked(rise=rise, mark=2)} 0 -14 Td (Nothing else is owed.) Tj",
        f"1 0 0 1 60 80 Tm {mark} (1 ) Tj /F1 {size} Tf 0 Ts (By ship or by rail,) Tj 0 -12 Td (as agreed.) Tj",
        f"0 -12 Td {mark} (2 ) Tj /F1 {size} Tf 0 Ts (From the day of the invoice.) Tj",
    ]
    return raw_pdf(f"BT /F1 12 Tf {' '.join(lines)} ET".encode())


@pytest.mark.parametrize(("size", "mark"), [(9, ""), (11.5, ""), (12, "/F1 7 Tf 5 Ts")])
def test_footnotes_follow_the_text_without_their_marks(size: float, mark: str) -> None:
    text = normalise(read_pdf(noted(size, mark=mark)).text)
    assert text == (
        "the goods are sent to the buyer, who pays for a load of 12 m3 within a month. nothing else is owed. "
        "by ship or by rail, as agreed. from the day of the invoice."
    )


def test_a_footnote_begins_with_its_mark_though_pdfium_breaks_the_line_behind_it() -> None:
    data = noted(12, mark="/F1 7 Tf 5 Ts").replace(b"(1 ) Tj /F1 12 Tf 0 Ts (By", b"(1) Tj /F1 12 Tf 0 Ts ( By")
    text = normalise(read_pdf(data).text)
    assert "sent to the buyer" in text and text.endswith("by ship or by rail, as agreed. from the day of the invoice.")


def linked(mark: str, target: str = "/Dest [3 0 R /Fit]", rise: int = 5) -> str:
    """The words of a page with a link on a mark in small type, and a note on another page."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    left = 60 + stringWidth("The goods are sent", "Helvetica", 12)
    sides = f"{left} 700 {left + stringWidth(mark, 'Helvetica', 7)} 716"
    line = f"(The goods are sent) Tj /F1 7 Tf {rise} Ts ({mark}) Tj /F1 12 Tf 0 Ts ( to the buyer.) Tj"
    link = f"<< /Type /Annot /Subtype /Link /Rect [{sides}] {target} >>"
    page = raw_pdf(f"BT /F1 12 Tf 60 700 Td {line} ET".encode(), extra=[link.encode()])
    return normalise(read_pdf(page.replace(b"/Contents 4 0 R", b"/Contents 4 0 R /Annots [6 0 R]")).text)


@pytest.mark.parametrize("mark", ["1", "12", "[3]", "iv", "*"])
def test_a_raised_mark_that_leads_to_a_note_elsewhere_is_no_word(mark: str) -> None:
    assert linked(mark) == "the goods are sent to the buyer."
    assert mark in linked(mark, rise=0) and mark in linked(mark, "/A << /S /URI /URI (https://example.org) >>")


def test_a_raised_word_that_leads_elsewhere_stays() -> None:
    assert "new" in linked("new")


def test_a_mark_that_is_not_raised_is_one_if_a_word_follows_that_of_the_footnote_without_a_space() -> None:
    lines = [
        "60 700 Td (The goods are sent to the buyer. 1) Tj 0 -14 Td (He pays for 1 m of cloth within a month.) Tj",
        "1 0 0 1 60 80 Tm /F1 9 Tf (1{}By ship or by rail.) Tj",
    ]
    page = f"BT /F1 12 Tf {' '.join(lines)} ET"
    text = normalise(read_pdf(raw_pdf(page.format("").encode())).text)
    assert text == ("the goods are sent to the buyer. he pays for 1 m of cloth within a month. by ship or by rail.")
    assert "buyer. 1" in normalise(read_pdf(raw_pdf(page.format(" ").encode())).text)


def test_the_mark_of_a_footnote_may_stand_behind_a_gap_without_a_space() -> None:
    lines = [
        "60 700 Td [(The goods are sent to the buyer.) -400] TJ /F1 7 Tf 5 Ts (1) Tj /F1 12 Tf 0 Ts",
        "0 -14 Td (He pays within a month.) Tj 1 0 0 1 60 80 Tm /F1 9 Tf (1 By ship or by rail.) Tj",
    ]
    text = normalise(read_pdf(raw_pdf(f"BT /F1 12 Tf {' '.join(lines)} ET".encode())).text)
    assert text == "the goods are sent to the buyer. he pays within a month. by ship or by rail."


def test_spaces_that_ghostscript_makes_by_spacing_letters_are_between_words() -> None:
    lines = "(The groups if the) Tj 3.2 Tc [(ya) 267] TJ 0 Tc (ppear) Tj 0 -14 Td 4 Tc (SET APART) Tj 0 Tc"
    producer = b"<< /Producer (GPL Ghostscript 10.00.0) >>"
    page = raw_pdf(f"BT /F1 12 Tf 60 700 Td {lines} ET".encode(), extra=[producer])
    distilled = page.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 6 0 R")
    assert read_pdf(distilled).text.split("\n") == ["The groups if they appear", "SET APART"]


@pytest.mark.parametrize("line", ["The load is sent at once to the buy-", "Nothing else is owed."])
def test_a_footnote_with_a_raised_mark_follows_any_line_and_its_words_may_be_broken(line: str) -> None:
    data = (
        noted(12, mark="/F1 7 Tf 5 Ts")
        .replace(b"(1 ) Tj", b"(1) Tj")
        .replace(b"(Nothing else is owed.)", f"({line})".encode())
    )
    text = normalise(read_pdf(data.replace(b"(as agreed.)", b"(as agreed by the buy-) Tj 0 -12 Td (er.)")).text)
    assert "sent to the buyer" in text and text.endswith("by the buyer. from the day of the invoice.")


class Superior:
    """What pdfium tells of a figure that its font draws above the line, in the size of the text."""

    bottom = 5.0

    class FS_MATRIX:  # noqa: N801  # the name in pdfium
        b, d = 0.0, 1.0

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: 12.0

    def FPDFText_GetUnicode(self, page: object, place: int) -> int:
        return ord("1")

    def FPDFText_GetCharBox(self, page: object, place: int, left: Any, right: Any, bottom: Any, top: Any) -> None:
        bottom.value = self.bottom


def test_a_figure_that_its_font_draws_above_the_line_is_a_raised_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Superior()
    for module in ("footnotes", "pdfium"):
        monkeypatch.setattr(f"dupfinder.text.pdf.{module}.raw", page)
    assert is_mark_raised(page, 0, 12.0, 0.0)
    page.bottom = 0.0
    assert not is_mark_raised(page, 0, 12.0, 0.0)


@pytest.mark.parametrize(("size", "rise"), [(12, 5), (9, -3), (9, 0)])
def test_lines_that_begin_with_a_number_are_footnotes_only_in_smaller_type_and_with_a_raised_mark(
    size: int, rise: int
) -> None:
    assert "1 By ship or by rail" in read_pdf(noted(size, rise)).text


def account(*rows: tuple[str, str, int], shift: int = 0) -> bytes:
    """A page with a row for each entry of an account: what for, the amount, and the place of its last digit."""
    content = [b"BT /F1 10 Tf 1 0 0 1 60 780 Tm (What) Tj 1 0 0 1 300 780 Tm (Debit) Tj 1 0 0 1 400 780 Tm (Credit) Tj"]
    for number, (what, amount, right) in enumerate(rows):
        left, height = right + shift - 5.56 * (len(amount) - 1) - 2.78, 760 - 20 * number  # widths in Helvetica
        content.append(
            f"1 0 0 1 {60 + shift} {height} Tm ({what}) Tj 1 0 0 1 {left} {height} Tm ({amount}) Tj".encode()
        )
    return raw_pdf(b" ".join([*content, b"ET"]))


def test_an_amount_in_another_column_of_a_table_is_told() -> None:
    rent, salary, shop = ("Rent", "900.00", 330), ("Salary", "2100.00", 430), ("Shop", "55.10", 330)
    table = extracted_as_a_whole(account(rent, salary, shop))
    moved = extracted_as_a_whole(account(rent, salary, (*shop[:2], 430)))
    assert table.text == moved.text and table.other[OtherContent.FORM_FIELDS] != moved.other[OtherContent.FORM_FIELDS]
    assert extracted_as_a_whole(account(rent, salary, shop, shift=9)).other == table.other
    in_one_column = extracted_as_a_whole(account(rent, ("Salary", "2100.00", 330), shop))
    assert OtherContent.FORM_FIELDS not in in_one_column.other


def extracted_as_a_whole(data: bytes) -> Extracted:
    document = extract(data, Path("account.pdf")).extracted
    assert document is not None
    return document


def test_a_slide_that_appears_step_by_step_is_read_as_its_last_step() -> None:
    first, second = book(2)
    steps = [[first[0], first[2]], [first[0], *first[2:6]], first[:6], second[:1], second]
    slides = extracted_as_a_whole(pdf(steps, footer="Plans for 2030", size=(842, 595)))
    handout = extracted_as_a_whole(pdf([first[:6], second], footer="Plans for 2030", size=(842, 595)))
    assert slides.text == handout.text and slides.other != handout.other
    assert slides.pages == len(steps) and not slides.partial
    assert read_pdf(pdf(steps)).text != slides.text  # pages that are higher than wide
    tickets = extracted_as_a_whole(pdf([first] * 3, size=(842, 595)))
    assert tickets.text.count(first[0]) == 3


def test_the_mark_in_a_link_is_that_between_its_outermost_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link asks for the positions of few signs; here, of all signs near its middle."""
    document = pdfium.PdfDocument(pdf([["As shown there [12] or here 3, see ab c iv."]]))
    textpage = document[0].get_textpage()
    text, letters = text_of(textpage), textpage.raw
    height = middle_of(letters, 0)[1]
    boxes = [
        Box(left, left + width, height - 5, height + 5)
        for left in range(40, 400, 3)
        for width in (2, 7, 13, 19, 25, 60)
    ]
    marks = []
    for box in boxes:
        middle, reach = ((box.left + box.right) / 2, height), ((box.right - box.left) / 2, 5)
        index = raw.FPDFText_GetCharIndexAtPos(letters, *middle, *reach)
        near = range(max(0, index - 6), min(len(text), index + 6)) if index >= 0 else range(0)
        inside = [at for at in near if not text[at].isspace() and box.left < middle_of(letters, at)[0] < box.right]
        mark = footnotes._LINKED_MARK.fullmatch(text, inside[0], inside[-1] + 1) if inside else None
        marks += [mark.span()] if mark else []
    monkeypatch.setattr(footnotes, "_is_raised", lambda *_: True)
    assert list(footnotes._linked_marks(text, letters, [Link(box, None) for box in boxes])) == marks
    assert {text[start:end] for start, end in marks} >= {"[12]", "3", "c", "iv"}
