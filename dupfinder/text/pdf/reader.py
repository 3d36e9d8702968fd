"""PDF: pdfium page by page, pdfminer as the second opinion."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.processes.worker import TASK_SECONDS
from dupfinder.text.bounds import MAX_CHARACTERS, Unreadable
from dupfinder.text.document import MAY_HOLD, Extracted, MediaType, OtherContent, language_tag
from dupfinder.text.layout import split_running_heads, without_page_numbers
from dupfinder.text.pdf.annotations import Annotations, add_files, gather, wide_string
from dupfinder.text.pdf.letters import in_reading_order, letters_for_codes
from dupfinder.text.reflow import joined_lines, part_numbers, running_text

LETTERS_PER_PAGE = 20  # fewer, on pages that pictures cover: they were scanned and have no text layer
COVERED = 0.5  # of a page's area by one picture: a scan fills its page, an illustration leaves room for words
FIRST_PAGES = 5
SOFT_SHARE = 0.8  # of a task's time; then the pages so far are given as partial, before the sandbox ends it all
_CID = re.compile(r"\(cid:(\d{1,9})\)|\0")
_LIGATURE_CODES = frozenset({*range(11, 16), *range(27, 32)})  # in TeX's fonts
_NO_CHARACTER = re.compile("[\u25a0\u25a1\ufffd\ue000-\uf8ff]")  # what fonts without a character map give
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([Zz+-])?(\d\d)?'?(\d\d)?")

MOST_OBJECTS = 1_000_000
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}obj\b")
_CATALOG = re.compile(rb"/Type[ \t\r\n]{0,4}/Catalog\b")
_ROOT = re.compile(rb"/Root[ \t\r\n]{1,4}([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}R\b")


def read_pdf(data: bytes) -> Extracted:
    """The text of a PDF by pdfium; repeated headers, footers and page numbers in streams["headers"]."""
    import pypdfium2 as pdfium  # loads the C library, 30 ms
    import pypdfium2.raw as raw

    try:
        document = _opened(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            return read_pdf_slowly(data)  # pdfminer opens some with the empty password that pdfium does not
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.READER_REFUSED, reader="pdfium")) from error
    beside = Annotations()
    try:
        if document.get_formtype() != raw.FORMTYPE_NONE:
            document.init_forms()
        count = len(document)
        pages = list(_pdfium_pages(document, _deadline(), beside))
        _refuse_scans(
            [*pages, *beside.filled],
            lambda: _covered(document, raw.FPDF_PAGEOBJ_IMAGE),
            lambda: _shows(document, raw.FPDF_PAGEOBJ_TEXT),
        )
        add_files(document, data, raw, beside.beside)
        facts = {**document.get_metadata_dict(), "Lang": wide_string(raw.FPDFCatalog_GetLanguage, document.raw)}
    finally:
        document.close()
    return _finished(pages, count, "pdfium", facts, beside)


def _opened(data: bytes) -> Any:
    """The document, of a file with a broken ending by a table made anew. Raises PdfiumError."""
    import pypdfium2 as pdfium

    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        import pypdfium2.raw as raw

        mended = with_new_trailer(data) if getattr(error, "err_code", None) != raw.FPDF_ERR_PASSWORD else None
        if mended is None:
            raise
        return pdfium.PdfDocument(mended)


def read_pdf_slowly(data: bytes) -> Extracted:
    """The text of a PDF by pdfminer, without its analysis of boxes, which takes minutes on scattered letters."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams, LTFigure, LTImage, LTTextContainer  # 200 ms to import, for few files
    from pdfminer.pdfdocument import PDFPasswordIncorrect

    deadline = _deadline()
    pages: list[str] = []
    covered = 0
    try:
        for page in extract_pages(BytesIO(data), laparams=LAParams(boxes_flow=None)):
            pages.append("".join(box.get_text() for box in page if isinstance(box, LTTextContainer)))
            room = COVERED * page.width * page.height
            covered += any(isinstance(box, LTFigure | LTImage) and box.width * box.height >= room for box in page)
            if time.process_time() > deadline or sum(map(len, pages)) > MAX_CHARACTERS:
                return _finished(pages, len(pages) + 1, "pdfminer", {})
    except PDFPasswordIncorrect as error:
        raise Unreadable(ProblemKind.ENCRYPTED) from error
    pages = [_CID.sub(_ligature_code, page) for page in pages]
    _refuse_scans(pages, lambda: 2 * covered >= len(pages), lambda: True)
    return _finished(pages, len(pages), "pdfminer", {})


def _ligature_code(found: re.Match[str]) -> str:
    """What stands for a character that pdfminer knows by number alone: nothing, but for ligatures of TeX's fonts."""
    number = int(found.group(1) or 0)
    return chr(number) if number in _LIGATURE_CODES else ""


def _deadline() -> float:
    # The processor's seconds: a reading that waits for its turn is not slow.
    return time.process_time() + SOFT_SHARE * TASK_SECONDS.get()


def _pdfium_pages(document: Any, deadline: float, beside: Annotations) -> Iterator[str]:
    """The text of each page, until the time or the room for characters is used up; annotations into `beside`."""
    import pypdfium2.raw as raw

    length = 0
    for index in range(len(document)):
        page = document[index]
        try:
            textpage = page.get_textpage()
            text = in_reading_order(textpage.get_text_range(), textpage, raw)
            textpage.close()
            gather(page, document, raw, beside)
        finally:
            page.close()
        yield text
        length += len(text)
        if length > MAX_CHARACTERS or time.process_time() > deadline:
            return


def _covered(document: Any, image: int) -> bool:
    """Whether pictures cover half of the first pages or more; those inside other objects count as large."""
    covered = 0
    first = range(min(FIRST_PAGES, len(document)))
    for index in first:
        page = document[index]
        width, height = page.get_size()
        for picture in page.get_objects(filter=[image], max_depth=3):
            left, bottom, right, top = picture.get_bounds()
            if picture.level or (right - left) * (top - bottom) >= COVERED * width * height:
                covered += 1
                break
    return 2 * covered >= len(first)


def _shows(document: Any, kind: int) -> bool:
    """Whether one of the first pages holds an object of a kind: a picture, a piece of text."""
    for index in range(min(FIRST_PAGES, len(document))):
        page = document[index]
        if next(iter(page.get_objects(filter=[kind], max_depth=3)), None) is not None:
            return True
    return False


def _characters(pages: list[str]) -> tuple[int, int]:
    """(letters and digits, signs that stand for characters a font does not name)."""
    return sum(sum(map(str.isalnum, page)) for page in pages), sum(len(_NO_CHARACTER.findall(page)) for page in pages)


def _refuse_scans(pages: list[str], is_covered: Callable[[], bool], has_text: Callable[[], bool]) -> None:
    """Raise Unreadable when the pages have no text worth the name."""
    letters, boxes = _characters(pages[:FIRST_PAGES])
    if letters >= LETTERS_PER_PAGE * FIRST_PAGES and letters > boxes:
        return
    letters, boxes = _characters(pages)
    if boxes > letters:
        raise Unreadable(ProblemKind.NO_TEXT, details(Clause.NAMELESS_CHARACTERS), final=True)
    if letters == 0 or (letters < LETTERS_PER_PAGE * len(pages) and is_covered()):
        raise Unreadable(ProblemKind.NO_TEXT, details(Clause.NO_TEXT_LAYER, pages=len(pages)), final=not has_text())


def _finished(
    pages: list[str], count: int, reader: str, facts: dict[str, str], beside: Annotations | None = None
) -> Extracted:
    """Pages to one text: hyphens at line ends undone, repeated furniture set apart, lines joined, form values added."""
    body, furniture = split_running_heads([_lines(page) for page in letters_for_codes(pages)])
    printed = joined_lines(body)
    bare = without_page_numbers(printed)
    text = running_text(part_numbers(bare))
    words_only = beside is None
    beside = beside or Annotations()
    for line in (*furniture, printed) if bare != printed else furniture:
        beside.beside.add(OtherContent.HEADERS, line)
    streams = {"headers": "\n".join(furniture), "comments": "\n".join(beside.comments)}
    partial = len(pages) < count
    return Extracted(
        "\n".join([text, *beside.filled]),
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
        other=beside.beside.hashes(MediaType.PDF, never=MAY_HOLD[MediaType.PDF] if words_only else ()),
    )


def _lines(page: str) -> list[str]:
    """The lines of a page. U+FFFE is pdfium's sign for a hyphen and the line end behind it."""
    whole = re.sub("\ufffe\\s*", "-\n", page.replace("\r\n", "\n").replace("\r", "\n"))
    return [line.strip() for line in whole.split("\n")]


def pdf_time(text: str) -> datetime | None:
    """A PDF date ("D:20240131120000+01'00'", ISO 32000-1 section 7.9.4) as UTC; None when it is none."""
    found = _DATE.match(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second = (int(found.group(i) or (1 if i in (2, 3) else 0)) for i in range(1, 7))
    sign = {"+": 1, "-": -1}.get(found.group(7) or "", 0)
    offset = timedelta(hours=int(found.group(8) or 0), minutes=int(found.group(9) or 0)) * sign
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC) - offset
    except (ValueError, OverflowError):
        return None


def with_new_trailer(data: bytes) -> bytes | None:
    """The file with a table of its objects put behind it (ISO 32000-1 sections 7.5.4 and 7.5.5); None for a file that
    holds no catalog in the open.

    A catalog that lies in a packed stream of objects is not looked for.
    """
    places: dict[int, tuple[int, int]] = {}
    for found in _OBJECT.finditer(data):
        places[int(found.group(1))] = (found.start(), int(found.group(2)))  # the last of a number counts
        if len(places) > MOST_OBJECTS:
            return None
    root = _root(data, places)
    if root is None:
        return None
    rows = b"".join(b"%d 1\n%010d %05d n \n" % (number, *places[number]) for number in sorted(places))
    trailer = b"trailer\n<< /Size %d /Root %d %d R >>\n" % (max(places) + 1, root, places[root][1])
    return b"%s\nxref\n0 1\n0000000000 65535 f \n%s%sstartxref\n%d\n%%%%EOF\n" % (data, rows, trailer, len(data) + 1)


def _root(data: bytes, places: dict[int, tuple[int, int]]) -> int | None:
    """The number of the catalog: as a trailer names it, else of the last object that says it is one."""
    named = [int(found.group(1)) for found in _ROOT.finditer(data)]
    known = [number for number in named if number in places]
    if known:
        return known[-1]
    catalogs = [found.start() for found in _CATALOG.finditer(data)]
    before = [(place, number) for number, (place, _) in places.items() if catalogs and place < catalogs[-1]]
    return max(before)[1] if before else None
