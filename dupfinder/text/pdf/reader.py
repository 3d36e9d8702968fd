"""Read a PDF page by page with pdfium, or with pdfminer; refuse scans, repair damaged files."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.processes.worker import TASK_SECONDS
from dupfinder.text.document import (
    MAX_CHARACTERS,
    MAY_HOLD,
    Extracted,
    MediaType,
    OtherContent,
    Unreadable,
    language_tag,
)
from dupfinder.text.layout import EDGE_LINES, masked, text_of_pages
from dupfinder.text.pdf.annotations import (
    Annotations,
    add_annotations,
    add_drawings,
    add_files,
    filled_columns_of_page,
    lines_of_form,
    links_of,
)
from dupfinder.text.pdf.footnotes import without_footnotes
from dupfinder.text.pdf.letters import (
    LEAST_CODES,
    corrected,
    in_reading_order,
    letters_for_codes,
    with_words,
    words_without_spaces,
)
from dupfinder.text.pdf.pdfium import text_of, whole_signs, wide_string
from dupfinder.text.pdf.printed import (
    in_order,
    order_of_lines,
    printed_lines,
    printed_rows,
    text_of_rows,
    with_whole_rows,
    without_site_chrome,
)

# How programs that print web pages name themselves. If they tag their PDFs, the tags name the elements of the page.
_BROWSER = re.compile(r"Mozilla/|Chrom|Firefox|Safari|wkhtmltopdf|WeasyPrint")
_SPREADSHEET = re.compile(r"\bCalc\b|\bExcel\b|Spreadsheet|\bSheets\b|\bNumbers\b|表格")

RIGHT_ANGLE = math.pi / 2
SAMPLED_LETTERS = 16  # of a page, by which it is turned upright
_PAGES_IN_VAIN = 10  # in a row without words that lack spaces; then no further page is searched for such words
LETTERS_PER_PAGE = 20  # pages with fewer that are covered by pictures are scans without a text layer
MARGIN = 0.07  # of a page's height; text of a page begins further inside, stamps of scanners and copiers do not
COVERED = 0.5  # least share of a page's area that a scan covers; illustrations leave room for text
FIRST_PAGES = 5
SOFT_SHARE = 0.8  # of a task's time; then the pages so far are returned, before the sandbox ends the task
_CID = re.compile(r"\(cid:(\d{1,9})\)|\0")
# The codes of ligatures in the encodings of TeX, by their numbers as pdfminer writes them.
_LIGATURE_CODES = {str(code): chr(code) for code in (*range(0x0B, 0x10), *range(0x1B, 0x20))}
# What pdfium returns for fonts without a character map: such signs, or the codes that the file numbers its letters by.
_NO_CHARACTER = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\u25a0\u25a1\ufffd\ue000-\uf8ff]")
_CODES = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f]")
# A sign behind a word; in texts of people most are periods and commas.
_BEHIND_WORD = re.compile(r"(?<=\w)[^\w \t\r\n](?=[ \r\n]|\Z)")
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([Zz+-])?(\d\d)?'?(\d\d)?")

MOST_OBJECTS = 1_000_000
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}obj\b")
_CATALOG = re.compile(rb"/Type[ \t\r\n]{0,4}/Catalog\b")
_ROOT = re.compile(rb"/Root[ \t\r\n]{1,4}([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}R\b")


def read_pdf(data: bytes) -> Extracted:
    """Return the text of a PDF, read by pdfium. Running heads and page numbers are in streams["headers"]."""
    try:
        document = _opened(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            return read_pdf_slowly(data)  # pdfminer opens some files with an empty password that pdfium refuses
        raise Unreadable(ProblemKind.DAMAGED, Clause.READER_REFUSED, reader="pdfium") from error
    annotations = Annotations()
    try:
        is_dynamic = document.get_formtype() == raw.FORMTYPE_XFA_FULL
        if document.get_formtype() != raw.FORMTYPE_NONE and not is_dynamic:
            document.init_forms()
        count = len(document)
        pages = list(_pdfium_pages(document, _deadline(), annotations))
        if is_dynamic and (lines := lines_of_form(document)):
            pages = ["\n".join(lines)]
        _refuse_scans(
            pages,
            annotations.filled,
            lambda numbers: _are_covered(document, numbers),
            lambda: _inner_text(document),
            lambda: _has_text_objects(document),
        )
        pages = with_whole_rows(without_site_chrome(pages, annotations), annotations)
        pages = _without_steps(pages, document.get_page_size, annotations)
        add_files(document, data, annotations.other)
        facts = {**document.get_metadata_dict(), "Lang": wide_string(raw.FPDFCatalog_GetLanguage, document.raw)}
    finally:
        document.close()
    return _finished(pages, count, "pdfium", facts, annotations)


def _opened(data: bytes) -> Any:
    """Open a document; if its cross-reference table is damaged, with a new one. Raises PdfiumError."""
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        repaired = with_new_trailer(data) if getattr(error, "err_code", None) != raw.FPDF_ERR_PASSWORD else None
        if repaired is None:
            raise
        return pdfium.PdfDocument(repaired)


def read_pdf_slowly(data: bytes) -> Extracted:
    """Return the text of a PDF, read by pdfminer. Its analysis of boxes is off: scattered letters take it minutes."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams, LTFigure, LTImage, LTTextContainer  # 200 ms to import, for few files
    from pdfminer.pdfdocument import PDFPasswordIncorrect

    deadline = _deadline()
    pages: list[str] = []
    inner_text = ""
    covered = 0
    try:
        for page in extract_pages(BytesIO(data), laparams=LAParams(boxes_flow=None)):
            boxes = [box for box in page if isinstance(box, LTTextContainer)]
            pages.append("".join(box.get_text() for box in boxes))
            low, high = MARGIN * page.height, (1 - MARGIN) * page.height
            inside = (box for box in boxes if low <= (box.y0 + box.y1) / 2 <= high)
            inner_text = inner_text or "".join(box.get_text() for box in inside)
            least_area = COVERED * page.width * page.height
            covered += any(isinstance(box, LTFigure | LTImage) and box.width * box.height >= least_area for box in page)
            if time.process_time() > deadline or sum(map(len, pages)) > MAX_CHARACTERS:
                return _finished(pages, len(pages) + 1, "pdfminer", {})  # there may be more pages
    except PDFPasswordIncorrect as error:
        raise Unreadable(ProblemKind.ENCRYPTED) from error
    pages = [_CID.sub(lambda code: _LIGATURE_CODES.get(code[1], ""), page) for page in pages]
    _refuse_scans(pages, [], lambda _: 2 * covered >= len(pages), lambda: inner_text, lambda: True)
    return _finished(pages, len(pages) + (_declared_pages(data) > len(pages)), "pdfminer", {})


def _declared_pages(data: bytes) -> int:
    """Return how many pages a PDF says to have, or 0. Of a page that is listed twice, pdfminer reads one."""
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfparser import PDFParser
    from pdfminer.pdftypes import dict_value, int_value
    from pdfminer.psexceptions import PSException  # the base of all that it raises

    try:
        return int(int_value(dict_value(PDFDocument(PDFParser(BytesIO(data))).catalog["Pages"])["Count"]))
    except (PSException, KeyError):
        return 0


def _deadline() -> float:
    """Return the CPU time of this process after which reading stops."""
    # CPU time, since waiting for a CPU does not make a reader slow.
    return time.process_time() + SOFT_SHARE * TASK_SECONDS.get()


def _pdfium_pages(document: Any, deadline: float, annotations: Annotations) -> Iterator[str]:
    """Yield the text of each page within the limits of time and length, and add what else it has to `annotations`."""
    length, in_vain, seen = 0, 0, set[tuple[str, int]]()
    program = document.get_metadata_value("Creator")
    producer = document.get_metadata_value("Producer")
    is_distilled = "Ghostscript" in producer
    is_page, is_sheet = _BROWSER.search(f"{program} {producer}") is not None, _SPREADSHEET.search(program) is not None
    for index in range(len(document)):
        page = document[index]
        try:
            textpage = _upright_text(page)
            text, letters, links = text_of(textpage), textpage.raw, links_of(page)
            order = order_of_lines(letters, text, seen) if is_page else []
            if is_page:
                annotations.printed.append(in_order(printed_lines(page, letters, links), order))
            rows, is_mixed = printed_rows(page, letters, text) if is_sheet else ({}, False)
            if is_sheet:
                annotations.rows.append(rows)
            annotations.other.add_text(OtherContent.FORM_FIELDS, filled_columns_of_page(text, letters))
            words = words_without_spaces(text, letters) if is_distilled and in_vain < _PAGES_IN_VAIN else {}
            in_vain = 0 if words else in_vain + 1
            text = without_footnotes(corrected(text, letters, annotations.other), letters, links, annotations)
            text = in_reading_order(text, letters)
            text = "\r\n".join(in_order(with_words(text, words).split("\r\n"), order))
            add_drawings(page, letters, annotations.other)
            textpage.close()
            add_annotations(page, document, links, annotations)
        finally:
            page.close()
        yield whole_signs(text_of_rows(rows) if is_mixed else text)
        length += len(text)
        if length > MAX_CHARACTERS or time.process_time() > deadline:
            return


def _without_steps(
    pages: list[str], size_of: Callable[[int], tuple[float, float]], annotations: Annotations
) -> list[str]:
    """Return the pages without slides of which the next page has all lines, in the same order.

    A slide whose lines appear or light up step by step is printed once for each step. Slides are wider than high. A
    document of equal pages, such as tickets, is no show of slides.
    """
    if len(set(pages)) < 2:
        return pages
    shown = []
    for number, (page, following) in enumerate(pairwise([*pages, ""])):
        later = iter(following.split("\r\n"))
        width, height = size_of(number) if page and all(line in later for line in page.split("\r\n")) else (0, 0)
        if width > height:
            annotations.steps += 1
            annotations.other.add(OtherContent.HEADERS, page)
        else:
            shown.append(page)
    return shown


def _upright_text(page: Any) -> Any:
    """Turn a page so that most of its letters are upright, and return its text page.

    pdfium puts the lines of a page that is shown sideways or upside down into a wrong order.
    """
    textpage = page.get_textpage()
    count = textpage.count_chars()
    sample = range(0, count, 1 + count // SAMPLED_LETTERS)
    angles = (raw.FPDFText_GetCharAngle(textpage.raw, index) for index in sample)
    turns = Counter(round(angle / RIGHT_ANGLE) for angle in angles).most_common(1)
    if not turns or (rotation := -90 * turns[0][0] % 360) == page.get_rotation():
        return textpage
    textpage.close()
    page.set_rotation(rotation)
    return page.get_textpage()


def _are_covered(document: Any, pages: Sequence[int]) -> bool:
    """Tell whether pictures cover at least half of the first few of `pages`. Nested pictures count as covering."""
    covered = 0
    first = pages[:FIRST_PAGES]
    for index in first:
        page = document[index]
        width, height = page.get_size()
        for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
            left, bottom, right, top = picture.get_bounds()
            if picture.level or (right - left) * (top - bottom) >= COVERED * width * height:
                covered += 1
                break
    return 2 * covered >= len(first)


def _has_text_objects(document: Any) -> bool:
    pages = (document[index] for index in range(min(FIRST_PAGES, len(document))))
    return any(True for page in pages for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=3))


def _characters(pages: list[str]) -> tuple[int, int]:
    """Count the characters of pages: (letters and digits, signs in place of characters that the PDF does not name)."""
    return sum(sum(map(str.isalnum, page)) for page in pages), sum(len(_NO_CHARACTER.findall(page)) for page in pages)


def _are_numbers_of_glyphs(pages: list[str]) -> bool:
    """Tell whether the letters are the numbers of shapes in fonts: then most signs behind words are control characters.

    So some programs print fonts that number their shapes as the alphabet goes, 29 lower than its codes: "SDUW\x11" for
    "part.". One code alone may be the hyphen or the line break of another program.
    """
    text = "\n".join(pages[:FIRST_PAGES])
    codes, signs = set(_CODES.findall(text)), _BEHIND_WORD.findall(text)
    if len(codes) < LEAST_CODES or 2 * sum(sign in codes for sign in signs) <= len(signs):
        return False
    letters = list(filter(str.isalpha, text))
    return 2 * sum(letter <= "\xff" for letter in letters) > len(letters)  # numbers of one byte


def _inner_text(document: Any) -> str:
    """Return the text of the first page without its upper and lower margin."""
    page = document[0]
    _, height = page.get_size()
    text: str = page.get_textpage().get_text_bounded(bottom=MARGIN * height, top=(1 - MARGIN) * height)
    page.close()
    return text


def _pages_without_words(pages: list[str], inner_text: Callable[[], str]) -> list[int]:
    """Return the numbers of the pages with hardly any letters besides lines that half of the short pages share.

    Such lines are running heads, or stamps on scans. On a single page, the margin is left out instead.
    """
    if len(pages) == 1 and pages[0].count("\n") < EDGE_LINES:
        pages = [inner_text()]
    short = [(number, page) for number, page in enumerate(pages) if page.count("\n") < 2 * EDGE_LINES]
    lines = [{masked(line) for line in _lines(page)} for _, page in short]
    counts = Counter(line for page in lines for line in page)
    shared = {line for line, count in counts.items() if count > 1 and 2 * count >= len(short)}
    letters = [sum(map(str.isalnum, "".join(page - shared))) for page in lines]
    return [number for (number, _), count in zip(short, letters, strict=True) if count < LETTERS_PER_PAGE]


def _refuse_scans(
    pages: list[str],
    filled: list[str],
    are_covered: Callable[[Sequence[int]], bool],
    inner_text: Callable[[], str],
    has_text: Callable[[], bool],
) -> None:
    """Raise Unreadable if the pages have no usable text, or all but a cover page are pictures without words.

    filled: form values. are_covered: tells whether pictures cover half of some pages. inner_text: returns the text of
    the first page within its margins. has_text: tells whether the first pages have text objects.
    """
    if _are_numbers_of_glyphs(pages):
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NAMELESS_CHARACTERS, final=True)
    letters, unnamed = _characters(pages[:FIRST_PAGES])
    wordless = [] if filled else _pages_without_words(pages, inner_text)
    are_most = 2 * len(wordless) > len(pages) and len(wordless) >= len(pages) - 1  # all, or all but a cover page
    if letters >= LETTERS_PER_PAGE * FIRST_PAGES and letters > unnamed and not are_most:
        return
    letters, unnamed = _characters([*pages, *filled])
    if unnamed > letters:
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NAMELESS_CHARACTERS, final=True)
    are_few = are_most or letters < LETTERS_PER_PAGE * (len(pages) + len(filled))
    if letters == 0 or (are_few and are_covered(wordless if are_most else range(len(pages)))):
        final = (are_most and letters > 0) or not has_text()
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_TEXT_LAYER, pages=len(pages), final=final)


def _finished(
    pages: list[str], count: int, reader: str, facts: dict[str, str], annotations: Annotations | None = None
) -> Extracted:
    """Return the document: running heads removed, hyphens at line ends undone, lines joined, form values appended.

    count: pages of the document, of which `pages` were read. annotations: None if the reader looks for words only.
    """
    not_sought = MAY_HOLD[MediaType.PDF] if annotations is None else ()
    annotations = annotations or Annotations()
    *body, footnotes = map(_lines, letters_for_codes([*pages, "\r\n".join(annotations.footnotes)]))
    text, heads = text_of_pages(body, annotations.other, footnotes)
    heads += annotations.left_out
    for line in annotations.left_out:
        annotations.other.add(OtherContent.HEADERS, line)
    streams = {"headers": "\n".join(heads), "comments": "\n".join(annotations.comments)}
    partial = len(pages) + annotations.steps < count
    return Extracted(
        "\n".join([text, *annotations.filled]),
        MediaType.PDF,
        reader,
        streams={name: stream for name, stream in streams.items() if stream},
        pages=count,
        title=facts.get("Title", "").strip()[:500],
        author=facts.get("Author", "").strip()[:500],
        created=pdf_time(facts.get("CreationDate", "")),
        modified=pdf_time(facts.get("ModDate", "")),
        language=language_tag(facts.get("Lang", "")),
        notes=details(Clause.PAGES_READ, read=len(pages), pages=count) if partial else (),
        partial=partial,
        other=annotations.other.hashes(MediaType.PDF, not_sought=not_sought),
    )


def _lines(page: str) -> list[str]:
    """Return the lines of a page. U+FFFE is pdfium's sign for a hyphen at a line end."""
    text = re.sub("\ufffe\\s*", "-\n", page.replace("\r\n", "\n").replace("\r", "\n"))
    return [line.strip() for line in text.split("\n")]


def pdf_time(text: str) -> datetime | None:
    """Return a PDF date ("D:20240131120000+01'00'", ISO 32000-1 section 7.9.4) as UTC; None if it is not a date."""
    match = _DATE.match(text.strip())
    if not match:
        return None
    year, month, day, hour, minute, second = (int(match.group(i) or (1 if i in (2, 3) else 0)) for i in range(1, 7))
    sign = {"+": 1, "-": -1}.get(match.group(7) or "", 0)
    offset = timedelta(hours=int(match.group(8) or 0), minutes=int(match.group(9) or 0)) * sign
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC) - offset
    except (ValueError, OverflowError):
        return None


def with_new_trailer(data: bytes) -> bytes | None:
    """Append a new cross-reference table to a damaged file (ISO 32000-1 sections 7.5.4 and 7.5.5).

    Returns None for a file without a visible catalog; catalogs in compressed object streams are not found.
    """
    objects: dict[int, tuple[int, int]] = {}
    for match in _OBJECT.finditer(data):
        objects[int(match.group(1))] = (match.start(), int(match.group(2)))  # the last object with a number is valid
        if len(objects) > MOST_OBJECTS:
            return None
    root = _root(data, objects)
    if root is None:
        return None
    entries = b"".join(b"%d 1\n%010d %05d n \n" % (number, *objects[number]) for number in sorted(objects))
    trailer = b"trailer\n<< /Size %d /Root %d %d R >>\n" % (max(objects) + 1, root, objects[root][1])
    return b"%s\nxref\n0 1\n0000000000 65535 f \n%s%sstartxref\n%d\n%%%%EOF\n" % (data, entries, trailer, len(data) + 1)


def _root(data: bytes, objects: dict[int, tuple[int, int]]) -> int | None:
    """Return the number of the catalog: the one a trailer names, else that of the last object of type Catalog."""
    named = [int(match.group(1)) for match in _ROOT.finditer(data)]
    known = [number for number in named if number in objects]
    if known:
        return known[-1]
    catalogs = [match.start() for match in _CATALOG.finditer(data)]
    candidates = [(offset, number) for number, (offset, _) in objects.items() if catalogs and offset < catalogs[-1]]
    return max(candidates)[1] if candidates else None
