"""PDFs with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

import zlib
from io import BytesIO

import pytest

from dupfinder.text.document import MAY_HOLD, MediaType, OtherContent
from dupfinder.text.pdf.annotations import stored_pictures
from dupfinder.text.pdf.reader import read_pdf, read_pdf_slowly
from tests.making import PARAGRAPHS, pdf, raw_pdf
from tests.text.other_content import held, unlike

WORDS = b"BT /F1 12 Tf 60 700 Td (Dear reader of this letter) Tj ET"


def picture(pixels: bytes) -> bytes:
    """A page that shows a picture of one row."""
    packed = zlib.compress(pixels)
    stream = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(pixels), len(packed), packed)
    )
    return raw_pdf(WORDS + b" q 90 0 0 90 60 400 cm /Im1 Do Q", resources="/XObject << /Im1 6 0 R >>", extra=[stream])


def annotated(kind: str, facts: str) -> bytes:
    """A page with one annotation."""
    annotation = f"<< /Type /Annot /Subtype /{kind} /Rect [60 600 90 630] {facts} >>"
    return raw_pdf(WORDS, resources=">> /Annots [6 0 R] /Unused <<", extra=[annotation.encode()])


def remark(author: str, text: str) -> bytes:
    """A page with a note on it."""
    return annotated("Text", f"/T ({author}) /Contents ({text})")


def link(target: str) -> bytes:
    """A page that leads elsewhere."""
    return annotated("Link", f"/A << /S /URI /URI ({target}) >>")


def attached(name: str, content: bytes) -> bytes:
    """A page with a file in the file."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(raw_pdf(WORDS))
    document.new_attachment(name).set_data(content)
    saved = BytesIO()
    document.save(saved)
    document.close()
    return saved.getvalue()


def form(name: str, *, ticked: bool = False) -> bytes:
    """A page with a box to tick."""
    from reportlab.pdfgen.canvas import Canvas

    saved = BytesIO()
    canvas = Canvas(saved, invariant=1)
    canvas.drawString(60, 700, PARAGRAPHS[0])
    canvas.acroForm.checkbox(name=name, checked=ticked, x=60, y=600)
    canvas.save()
    return saved.getvalue()


def headed(head: str) -> bytes:
    """Four pages under a running head."""
    return pdf([[f"{paragraph} {place}"] * 8 for place, paragraph in enumerate(PARAGRAPHS)], header=head)


PAIRS = [
    (picture(b"\x10\x20"), picture(b"\x10\x21"), OtherContent.PICTURES),
    (picture(b"\x10\x20"), raw_pdf(WORDS), OtherContent.PICTURES),
    (remark("Ann", "Why?"), remark("Ann", "Who?"), OtherContent.COMMENTS),
    (remark("Ann", "Why?"), remark("Bo", "Why?"), OtherContent.COMMENTS),
    (link("https://a.org"), link("https://b.org"), OtherContent.LINKS),
    (link("https://a.org"), annotated("Link", "/Dest [3 0 R /Fit]"), OtherContent.LINKS),
    (attached("a.xml", b"one"), attached("a.xml", b"two"), OtherContent.ATTACHMENTS),
    (attached("a.xml", b"one"), attached("b.xml", b"one"), OtherContent.ATTACHMENTS),
    (form("paid"), form("sent"), OtherContent.FORM_FIELDS),
    (headed("Draft"), headed("Final"), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), PAIRS)
def test_pdfs_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.pdf") == {kind}
    assert unlike(first, first, "a.pdf") == set()


def test_a_box_that_is_ticked_in_one_of_two_forms_is_told() -> None:
    assert read_pdf(form("paid")).other != read_pdf(form("paid", ticked=True)).other


def test_a_save_by_another_program_changes_nothing() -> None:
    from pypdfium2 import PdfDocument

    rewritten = 0
    for data in (picture(b"\x10\x20"), remark("Ann", "Why?"), link("https://a.org"), attached("a.xml", b"one")):
        saved = BytesIO()
        document = PdfDocument(data)
        document.save(saved)
        document.close()
        rewritten += saved.getvalue() != data
        assert unlike(data, saved.getvalue(), "a.pdf") == set()
    assert rewritten >= 3  # a file that PDFium itself wrote may stay as it is


def test_a_pdf_of_words_alone_is_known_to_hold_nothing_else() -> None:
    assert held(raw_pdf(WORDS), "a.pdf") == {}
    assert held(annotated("Link", "/Dest [3 0 R /Fit]"), "a.pdf") == {}


def test_drawings_of_curves_or_many_lines_are_pictures_and_rules_and_frames_are_not() -> None:
    curve, polygon = b" 60 400 m 90 %d 120 430 150 400 c S", b" 60 400 m 90 %d l 99 430 l 80 440 l 70 450 l 60 480 l f"
    for drawn in (curve, polygon):
        first, second = (raw_pdf(WORDS + drawn % height) for height in (300, 500))
        assert unlike(first, second, "a.pdf") == {OtherContent.PICTURES}
    crossed = raw_pdf(WORDS + b" 60 400 12 12 re S 60 400 m 72 412 l S 72 400 m 60 412 l S")
    assert unlike(crossed, raw_pdf(WORDS + b" 60 400 12 12 re S"), "a.pdf") == {OtherContent.PICTURES}
    framed = raw_pdf(WORDS + b" 60 400 90 20 re S 60 300 m 200 300 l S")
    assert unlike(framed, raw_pdf(WORDS), "a.pdf") == set()


def test_filled_boxes_without_words_as_in_bar_charts_and_square_codes_are_pictures() -> None:
    column, colour, ground = (
        b" 0 0 1 rg 72 300 20 %d re f",
        b" %s rg 72 300 20 20 re f",
        b"%s rg 60 690 400 25 re f 0 g ",
    )
    low, high = (raw_pdf(WORDS + column % height) for height in (80, 120))
    assert unlike(low, high, "a.pdf") == {OtherContent.PICTURES}
    red, green = (raw_pdf(WORDS + colour % parts) for parts in (b"1 0 0", b"0 1 0"))
    assert unlike(red, green, "a.pdf") == {OtherContent.PICTURES}
    pink, blue = (raw_pdf(ground % parts + WORDS) for parts in (b"1 .8 1", b".8 .8 1"))
    assert unlike(pink, blue, "a.pdf") == set()
    assert held(raw_pdf(WORDS + colour % b"1 1 1"), "a.pdf") == {}  # white on white paper


def test_words_that_a_box_hides_are_told_and_words_on_a_coloured_ground_are_not() -> None:
    bar = b" 0 g 59 697 80 12 re f"
    blackened = raw_pdf(WORDS + bar)
    assert unlike(blackened, raw_pdf(WORDS), "a.pdf") == {OtherContent.PICTURES}
    assert unlike(blackened, raw_pdf(bar + b" " + WORDS), "a.pdf") == set()  # black words on a black ground
    assert unlike(blackened, raw_pdf(WORDS + b" 0 g 59 697 40 12 re f"), "a.pdf") == {OtherContent.PICTURES}
    assert held(raw_pdf(WORDS + b" 1 g 59 697 80 12 re f"), "a.pdf").keys() == {OtherContent.PICTURES}
    for ground in (
        b"0.9 g 59 697 80 12 re f 0 g " + WORDS,
        WORDS + b" 60 696 80 1 re f",
        WORDS + b" 59 697 80 12 re S",
    ):
        assert held(raw_pdf(ground), "a.pdf") == {}
    banner = b"1 g 0 0 595 842 re f 0.2 g 59 697 80 12 re f 1 g " + WORDS  # white words in a dark box of a white page
    assert held(raw_pdf(banner), "a.pdf") == {}
    marked = raw_pdf(WORDS + b" /M gs 1 1 0 rg 59 697 80 12 re f", resources="/ExtGState << /M << /BM /Multiply >> >>")
    assert held(marked, "a.pdf") == {}  # by a marker pen


@pytest.mark.parametrize("font", ["ABCDEF+Wingdings-Regular", "OpenSymbol"])
def test_boxes_that_a_font_of_symbols_shows_are_ticked_or_not(font: str) -> None:
    facts = f"/Type /Font /Subtype /Type1 /BaseFont /{font} /FirstChar 65 /Widths [900 900] /LastChar 66"
    codes = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"2 beginbfchar <41> <f0fe> <42> <f0a8> endbfchar endcmap"
    )
    extra = (
        f"<< {facts} /ToUnicode 7 0 R >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(codes), codes),
    )
    fonts = "/Font << /F1 5 0 R /F2 6 0 R >>"
    ticked, blank = (
        raw_pdf(WORDS + b" BT /F2 12 Tf 45 700 Td (%s) Tj ET" % sign, resources=fonts, extra=extra)
        for sign in (b"A", b"B")
    )
    assert held(ticked, "a.pdf") == {"form_fields": "known"}
    assert held(blank, "a.pdf") == {}


def test_pictures_in_a_locked_file_are_not_known() -> None:
    locked = picture(b"\x10\x20") + b"% /Encrypt\n"
    assert held(locked, "a.pdf") == {"pictures": "not known"}


def test_a_file_that_hangs_on_a_page_is_not_known() -> None:
    assert held(annotated("FileAttachment", "/T (Ann)"), "a.pdf") == {"comments": "known", "attachments": "not known"}


def test_the_second_reader_of_pdfs_looks_at_words_alone() -> None:
    other = read_pdf_slowly(pdf()).other
    assert other.keys() == MAY_HOLD[MediaType.PDF] and set(other.values()) == {""}


def test_stored_pictures_are_found_by_their_dictionaries() -> None:
    assert [zlib.decompress(stored) for stored in stored_pictures(picture(b"\x10\x20"))] == [b"\x10\x20"]
    assert list(stored_pictures(b"/ImageMask true /Subtype /Image >> stream\r\nab")) == []
    assert list(stored_pictures(b"/Subtype/Image>>stream\nab\nendstream /ImageB /Subtype /Form")) == [b"ab"]
    assert list(stored_pictures(b"/Subtype /Image" * 200_000)) == []
