"""A web page that a browser printed has the words of the page, and its frame as little as the page itself."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf.reader import read_pdf
from tests.making import PARAGRAPHS

WORDS = normalise(" ".join(PARAGRAPHS))
CHROMIUM = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36"


class Piece(NamedTuple):
    """A line of a printed page. tags: of its elements from the outside in; those of one article have one number."""

    text: str
    tags: str = "P"
    address: str = ""


TEXT = [Piece(text) for text in PARAGRAPHS]
ARTICLE = TEXT * 3
MENU = [Piece(f"Section {number}", "L LI Link", f"https://news.example/{number}") for number in range(6)]
CONTACT = Piece("Contact", "Link", "https://news.example/contact")
TEASERS = [
    piece
    for number in range(4)
    for piece in (
        Piece(f"Another story {number}", "H3 Link", f"https://news.example/story/{number}"),
        Piece(f"What happened in story {number}, and what came of all of it in the very end."),
    )
]


def printed(pieces: Sequence[Piece], *, creator: str = CHROMIUM, tagged: bool = True) -> bytes:
    """A tagged PDF of one page, each piece in a line and with elements of its own."""
    objects: list[bytes] = [b""] * 6
    kids: dict[int, list[bytes]] = {6: []}  # of each element
    kinds: dict[int, tuple[str, int]] = {}
    shared: dict[str, int] = {}
    leaves, links, content = [], [], []
    for number, piece in enumerate(pieces):
        height = 800 - 15 * number
        content.append(f"/P <</MCID {number}>> BDC BT /F1 9 Tf 40 {height} Td ({piece.text}) Tj ET EMC".encode())
        parent = 6
        for tag in piece.tags.split():
            if tag not in shared or not tag[-1].isdecimal() or tag.startswith("H"):
                objects.append(b"")
                shared[tag] = len(objects)
                kinds[len(objects)] = tag.rstrip("0123456789") if tag.startswith("Art") else tag, parent
                kids[parent].append(b"%d 0 R" % len(objects))
                kids[len(objects)] = []
            parent = shared[tag]
        kids[parent].append(b"%d" % number)
        leaves.append(b"%d 0 R" % parent)
        if piece.address:
            sides = f"40 {height - 3} {40 + 6 * len(piece.text)} {height + 9}"
            action = f"<< /S /URI /URI ({piece.address}) >>"
            objects.append(f"<< /Type /Annot /Subtype /Link /Rect [{sides}] /A {action} >>".encode())
            links.append(b"%d 0 R" % len(objects))
    for place, (kind, parent) in kinds.items():
        inner = b" ".join(kids[place])
        objects[place - 1] = b"<< /Type /StructElem /S /%s /P %d 0 R /Pg 3 0 R /K [%s] >>" % (
            kind.encode(), parent, inner,
        )  # fmt: skip
    stream = b"\n".join(content)
    objects.append(b"<< /Nums [0 [%s]] >>" % b" ".join(leaves))
    root = b"/StructTreeRoot 6 0 R /MarkInfo << /Marked true >>" if tagged else b""
    objects[:6] = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % root,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /StructParents 0 /Annots [%s] "
        b"/Resources << /Font << /F1 5 0 R >> >> >>" % b" ".join(links),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /StructTreeRoot /K [%s] /ParentTree %d 0 R >>" % (b" ".join(kids[6]), len(objects)),
    ]
    objects.append(b"<< /Creator (%s) >>" % creator.replace("(", r"\(").replace(")", r"\)").encode())
    body, places = bytearray(b"%PDF-1.4\n"), []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    start, count = len(body), len(objects)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (count + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count + 1, count, start)
    return bytes(body)


def words(pieces: Sequence[Piece], **options: object) -> str:
    return normalise(read_pdf(printed(pieces, **options)).text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param([*MENU, *ARTICLE, *TEASERS, CONTACT], id="menus before and teasers behind"),
        pytest.param([Piece("Most read", "Aside H3"), *ARTICLE, Piece("Subscribe", "Form")], id="asides and buttons"),
    ],
)
def test_the_frame_of_a_printed_page_is_no_words_of_it(frame: Sequence[Piece]) -> None:
    extracted = read_pdf(printed(frame))
    assert normalise(extracted.text) == " ".join([WORDS] * 3)
    assert frame[0].text in extracted.streams["headers"]
    assert OtherContent.HEADERS in extracted.other


def test_of_a_page_with_one_article_the_article_is_read() -> None:
    article = [Piece(text, "Art1 P") for text in 2 * PARAGRAPHS]
    assert words([Piece("The daily"), *article, Piece("All rights reserved.")]) == f"{WORDS} {WORDS}"


def test_a_page_of_several_articles_is_read_whole() -> None:
    articles = [Piece(text, "Art P") for text in PARAGRAPHS]
    assert words([Piece("The daily"), *articles]) == f"the daily {WORDS}"


def test_lists_of_pages_of_its_site_behind_a_text_are_no_words_and_those_of_other_sites_are() -> None:
    listed = [Piece(f"Another story {number}", "L LI Link", f"https://m.news.example/{number}") for number in range(6)]
    foot = [Piece(PARAGRAPHS[0]), CONTACT, *MENU, Piece("Home", "L LI Link", "https://news.example/")]
    assert "another story" not in words([*2 * ARTICLE, *listed, *foot])
    sources = [piece._replace(address=f"https://paper{number}.example/") for number, piece in enumerate(listed)]
    assert "another story 5" in words([*2 * ARTICLE, *sources, *foot])


def test_a_list_of_links_keeps_its_words() -> None:
    assert "section 5" in words([Piece("All sections"), *MENU])


@pytest.mark.parametrize("options", [{"creator": "LaTeX with hyperref"}, {"tagged": False}])
def test_other_documents_are_read_whole(options: dict[str, object]) -> None:
    assert words([*MENU, *TEXT], **options).startswith("section 0")


def drawn(creator: str, boxes: Sequence[tuple[str, tuple[int, int]]], pages: int = 1) -> str:
    """The text of pages of eight lines, of which those that have a place of their own are drawn last."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setCreator(creator)
    rows = {row for _, (row, left) in boxes if left < 100}
    lines = [(60, row, f"Line {row} of the page says what water does") for row in range(8) if row not in rows]
    for _ in range(pages):
        for left, row, line in [*lines, *((left, row, line) for line, (row, left) in boxes)]:
            canvas.drawString(left, 780 - 20 * row, line)
        canvas.showPage()
    canvas.save()
    return normalise(read_pdf(buffer.getvalue()).text)


@pytest.mark.parametrize("creator", [CHROMIUM, "a word processor"])
def test_headings_that_a_browser_draws_after_all_other_lines_stand_above_their_text(creator: str) -> None:
    boxes = [("The tides", (0, 60)), ("Why the sea rises", (3, 60)), ("Twice a day", (6, 60))]
    text = drawn(creator, boxes)
    in_place = text.startswith("the tides line 1") and "line 2 of the page says what water does why the sea" in text
    assert in_place is (creator == CHROMIUM)
    assert text.count("line") == 5 and text.count("twice a day") == 1


def test_a_box_beside_the_lines_of_a_printed_page_stays_where_it_was_drawn() -> None:
    boxes = [("Look at the map", (2, 300)), ("and at the clock", (3, 400))]
    assert drawn(CHROMIUM, boxes).endswith("water does look at the map and at the clock")


def test_a_bar_at_one_place_of_all_printed_pages_stays_where_it_was_drawn() -> None:
    text = drawn(CHROMIUM, [("We use cookies", (4, 60))], pages=4)
    assert (
        text.count("does we use cookies line 5") == 1
        and text.count("line 7 of the page says what water does we use") == 3
    )


NAMES = ("Order", "Customer number", "Town of delivery", "Goods", "Price", "Carrier and driver")
PLACES = (60, 200, 380)  # of the columns of a page, in points


def order(number: int, month: int = 1) -> list[str]:
    """The cells of a row."""
    town, carrier = ("Leeds", "York", "Bath")[number % 3], ("rail", "lorry of ours", "ship")[number * month % 3]
    return [f"A-{number}", f"{number * 37 * month}", town, f"desk {number % 7}", f"{number * month}.50", carrier]


def workbook(
    pages: Sequence[Sequence[Sequence[str]]], creator: str = "Calc", places: Sequence[int] = (), beyond: str = ""
) -> bytes:
    """A PDF of a spreadsheet program: the rows of each page, with a running head. places: by pages, from the second.

    beyond: what is left of the pages from the second on, as a part of a cell that begins on the first.
    """
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setCreator(creator)
    for number, rows in enumerate(pages):
        canvas.drawString(280, 810, "Sales")
        for place, row in enumerate(rows):
            shift = places[number] if places else 0
            for left, cell in zip(PLACES, row, strict=True):
                canvas.drawString(left + (shift if left > PLACES[0] else 0), 780 - 14 * place, cell)
        canvas.drawString(280, 30, f"Page {number + 1}")
        if number and beyond:
            canvas.drawString(-400, 780, beyond)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines_of(data: bytes) -> list[str]:
    """The words of each line that has some."""
    return [" ".join(line.split()) for line in read_pdf(data).text.split("\n") if line.strip()]


@pytest.mark.parametrize("length", [(12,), (12, 5)])
@pytest.mark.parametrize("across", [False, True])
def test_columns_of_a_sheet_that_went_on_to_other_pages_stand_in_their_rows(
    length: Sequence[int], across: bool
) -> None:
    rows = [list(NAMES), *map(order, range(1, sum(length)))]
    ends = [sum(length[:number]) for number in range(len(length) + 1)]
    blocks = [rows[first:last] for first, last in pairwise(ends)]
    left, right = ([[row[columns] for row in rows] for rows in blocks] for columns in (slice(3), slice(3, 6)))
    pages = [page for both in zip(left, right, strict=True) for page in both] if across else [*left, *right]
    shifts = [0, 30] * len(length) if across else [0] * len(length) + [30] * len(length)
    lines = lines_of(workbook(pages, places=shifts))
    expected = [" ".join(row) for row in rows]
    assert [line for line in lines if "Sales" not in line and "Page" not in line] == expected
    plain = lines_of(workbook(pages, "a word processor", places=shifts))
    assert not set(expected) & set(plain)


def test_a_row_of_sums_alone_on_a_page_leaves_the_columns_beside_it_in_their_rows() -> None:
    rows = [list(NAMES), *map(order, range(1, 12))]
    left, right = ([row[columns] for row in rows] for columns in (slice(3), slice(3, 6)))
    lines = lines_of(workbook([left, [["Sum", "", "66"]], right], places=(0, 0, 30)))
    assert [line for line in lines if line not in ("Sales", "Page 1", "Page 2")] == [*map(" ".join, rows), "Sum 66"]


def test_what_is_drawn_beyond_the_edge_of_a_page_is_no_cell_of_it() -> None:
    rows, title = [list(NAMES), *map(order, range(1, 12))], "Sales of all our towns"
    titled = [[[title, "", ""], *(row[:3] for row in rows)], [["", "", ""], *(row[3:] for row in rows)]]
    beyond = workbook(titled, places=(0, 30), beyond=title)
    assert lines_of(beyond) == lines_of(workbook(titled, places=(0, 30)))
    assert " ".join(rows[1]) in lines_of(beyond)


def test_sheets_of_several_months_and_narrow_sheets_keep_their_pages() -> None:
    months = [[list(NAMES[:3]), *(order(number, month)[:3] for number in range(1, 12))] for month in range(1, 4)]
    tall = [
        [list(NAMES[:3]), *(order(number)[:3] for number in range(1, 20))],
        [order(number)[:3] for number in range(20, 40)],
    ]
    for pages, shifts in ((months, [0, 10, 20]), (tall, [0, 0])):
        rows = {" ".join(row) for page in pages for row in page[1:]}
        assert rows <= set(lines_of(workbook(pages, places=shifts)))


def test_running_heads_of_pages_that_went_on_stand_beside_the_text() -> None:
    rows = [list(NAMES), *map(order, range(1, 12))]
    extracted = read_pdf(workbook([[row[:3] for row in rows], [row[3:] for row in rows]], places=(0, 30)))
    assert "Page 2" not in extracted.text and "Page 2" in extracted.streams["headers"].split("\n")


REMARKS = (("paid in full",), ("sent back by the", "carrier, who found", "no one"), ("broken, to be", "replaced"))


def remarked(*, at_bottom: bool, late: bool = True) -> tuple[bytes, list[str]]:
    """A sheet whose second column has remarks of one to three lines, and the expected text of its rows.

    at_bottom: the other cells are in a line with the end of a remark. late: it is drawn after all other cells, as by
    Calc, and not in its row.
    """
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setCreator("Calc")
    canvas.drawString(280, 30, "Page 1")
    title, height, expected, lines = (PLACES[0], 795, "Orders"), 780, list[str](), list[tuple[int, str]]()
    for number in range(9):
        remark, (code, amount, town) = REMARKS[number % 3], order(number)[:3]
        expected.append(" ".join((code, *remark, amount, town)))
        heights = [height - 12 * line for line in range(len(remark))]
        ours = list(zip(heights, remark, strict=True))
        base = heights[-1 if at_bottom else 0]
        canvas.drawString(PLACES[0], base, code)
        for above, line in [] if late else ours:
            canvas.drawString(PLACES[0] + 60, above, line)
        canvas.drawString(PLACES[2] - 60, base, amount)
        canvas.drawString(PLACES[2], base, town)
        lines += ours
        height = heights[-1] - 13
    canvas.drawString(*title)
    for above, line in lines if late else []:
        canvas.drawString(PLACES[0] + 60, above, line)
    canvas.save()
    return buffer.getvalue(), expected


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("at_bottom", [True, False])
def test_cells_of_several_lines_that_are_drawn_after_all_others_stand_in_their_rows(
    at_bottom: bool, late: bool
) -> None:
    data, expected = remarked(at_bottom=at_bottom, late=late)
    text = " ".join(lines_of(data))
    assert " ".join(["Orders", *expected] if late else expected) in text
