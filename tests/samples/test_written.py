"""Documents that other programs wrote give the words of their source, and say of themselves what their makers said."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import Attempt, Extracted, MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf.reader import read_pdf_slowly
from dupfinder.text.sniff import SUFFIXES

WRITTEN = Path(__file__).parent / "written"
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
SOURCES = {
    "harbour": "source/harbour.fodt",
    "dues": "source/dues.fods",
    "talk": "source/talk.fodp",
    "rules": "source/rules.md",
    "tides": "source/tides.html",
    "clauses": "source/clauses.txt",  # with the labels that programs compute
}
DELETED = "about barrels herring withdrawnclause"  # by a tracked change that the program shows as text
READING = "か じ ん"  # above two characters: part of the text where the format cannot say so
# The words of the source that a document lacks, and those that it has beside them, each in alphabetical order.
DIFFERENCES = {
    "libreoffice/harbour.doc": ("", ""),
    "libreoffice/harbour.docm": ("", ""),
    "libreoffice/harbour.docx": ("", ""),
    "libreoffice/harbour.dotx": ("", ""),
    "libreoffice/harbour.odt": ("", ""),
    "libreoffice/harbour.rtf": ("", ""),
    "libreoffice/harbour.epub": ("", "about barrels herring withdrawnclause"),
    "libreoffice/harbour.html": ("are at boxedword dusk lamps lit", DELETED),
    "libreoffice/harbour.xhtml": ("", f"{DELETED} {READING}"),
    "libreoffice/harbour.pdf": (
        "",
        "1 1 2 2 about archive archive barrels harbour harbour herring i leaf leaf lunden lunden papers papers "
        "seven seven volume volume withdrawnclause",
    ),
    "libreoffice/harbour.txt": (
        "a are at begins boxedword decade dusk endnoteword flood footnoteword great in in lamps lit of once printed "
        "register tariffs the the the were year",
        "1 about barrels concealedword herring i withdrawnclause",
    ),
    **{f"libreoffice/clauses.{suffix}": ("", "") for suffix in ("docx", "doc", "odt", "rtf")},
    "libreoffice/dues.ods": ("", ""),
    "libreoffice/dues.xls": ("", ""),
    "libreoffice/dues.xlsx": ("", ""),
    "libreoffice/dues.pdf": ("", "1 2 dues page page second"),
    "libreoffice/talk.odp": ("", ""),
    "libreoffice/talk.pptx": ("", ""),
    "gnumeric/dues.ods": ("", ""),
    "gnumeric/dues.xls": ("", ""),
    "gnumeric/dues.xlsx": ("", ""),
    "abiword/harbour.docx": ("", f"commentword concealedword done is still this {READING}"),
    "abiword/harbour.rtf": ("", READING),
    "abiword/harbour.epub": (
        "address address after goes line of one part see the",
        "1 1 addressafter at brandt commentword done harbour harbour is lunden office otto papers "
        f"partgoes seethe seven still this volume {READING}",
    ),
    "pandoc/rules.md": ("", ""),
    "pandoc/rules.docx": ("", "01 03 2024 ida of reading room rules the voss"),
    "pandoc/rules.odt": ("", "01 03 2024 ida of reading room rules the voss"),
    "pandoc/rules.html": ("alt words", "01 03 2024 ida of reading room rules the voss"),
    "pandoc/rules.epub": ("alt words", "01 03 2024 ida of reading room rules the voss"),
    "pandoc/rules.pptx": ("", "1 2 ida notes of reading room rules the voss"),
    "pandoc/rules.rtf": ("alt words", "01 03 2024 ida image of png reading room rules the voss x"),
    "pandoc/rules.txt": ("", "01 03 2024 ida of reading room rules the voss"),
    "chromium/tides.mhtml": ("", ""),
    "chromium/tides.pdf": ("", ""),  # with Arabic words whose letters it stores from left to right
    "wkhtmltopdf/tides.pdf": ("", "1"),
}
OFFICE = [f"libreoffice/harbour.{suffix}" for suffix in ("odt", "docx", "docm", "dotx", "doc", "rtf")]
LOCKED, RESTRICTED = "libreoffice/dues-locked.pdf", "libreoffice/dues-restricted.pdf"
RICH = [*OFFICE, "source/harbour.fodt"]


def read(name: str) -> Extracted:
    path = WRITTEN / name
    extraction = extract(path.read_bytes(), path)
    assert extraction.extracted is not None and extraction.problem is None, extraction.problem
    return extraction.extracted


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(normalise(text)))


def documents() -> list[str]:
    return sorted(path.relative_to(WRITTEN).as_posix() for path in WRITTEN.rglob("*") if path.is_file())


def test_the_documents_are_few_and_small() -> None:
    sizes = [(WRITTEN / name).stat().st_size for name in documents()]
    assert sum(sizes) < 1_000_000 and max(sizes) < 100_000


@pytest.mark.parametrize("name", [name for name in documents() if name != LOCKED])
def test_each_document_is_of_the_kind_that_its_name_tells(name: str) -> None:
    assert read(name).media_type is SUFFIXES.get(Path(name).suffix, MediaType.TEXT)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_document_has_the_words_of_its_source(name: str) -> None:
    counts, source = words(read(name).text), words(read(SOURCES[Path(name).stem]).text)
    lacking, added = (sorted(difference.elements()) for difference in (source - counts, counts - source))
    assert (" ".join(lacking), " ".join(added)) == DIFFERENCES[name]


@pytest.mark.parametrize("name", RICH)
def test_comments_heads_feet_and_deletions_stay_out_of_the_text(name: str) -> None:
    extracted = read(name)
    assert extracted.streams["comments"] == "Commentword: is this still done?"
    assert set(extracted.streams["headers"].split("\n")) == {"Harbour papers, volume seven"}
    assert {line[:-1] for line in extracted.streams["footers"].split("\n")} == {"Lunden archive, leaf "}
    assert extracted.notes == details(Clause.DELETIONS_LEFT_OUT)


@pytest.mark.parametrize("name", RICH)
def test_office_documents_tell_their_title_author_and_dates(name: str) -> None:
    extracted = read(name)
    assert (extracted.title, extracted.author) == ("The harbour office at Lunden", "Mara Quill")
    assert extracted.created == datetime(2024, 3, 1, 9, 30, tzinfo=UTC)
    assert extracted.modified == datetime(2024, 4, 2, 10, 0, tzinfo=UTC)


LANGUAGES = {
    **dict.fromkeys(name for name in RICH if not name.endswith(".doc")),
    **dict.fromkeys(f"libreoffice/harbour.{suffix}" for suffix in ("xhtml", "epub", "pdf")),
    **dict.fromkeys(f"pandoc/rules.{suffix}" for suffix in ("docx", "odt", "html", "epub", "md")),
    **dict.fromkeys(f"chromium/tides.{suffix}" for suffix in ("pdf", "mhtml")),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_declared_language_is_told_whatever_the_format(name: str) -> None:
    assert read(name).language == "en-GB"


@pytest.mark.parametrize(
    "name", [f"{program}/dues.{suffix}" for program in ("libreoffice", "gnumeric") for suffix in ("ods", "xlsx", "xls")]
)
def test_comments_on_cells_stay_apart(name: str) -> None:
    assert read(name).streams["comments"] == "Cellcomment: check the name"


@pytest.mark.parametrize("name", [f"libreoffice/dues.{suffix}" for suffix in ("ods", "xls", "xlsx")])
def test_workbooks_tell_their_title_author_and_date(name: str) -> None:
    extracted = read(name)
    assert (extracted.title, extracted.author) == ("Dues of the harbour", "Mara Quill")
    assert extracted.created == datetime(2024, 3, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize("suffix", ["odp", "pptx"])
def test_what_speakers_and_readers_noted_on_slides_stays_apart(suffix: str) -> None:
    streams = {"notes": "Speakernote: pause here for a while", "comments": "Slidecomment: too long?"}
    assert dict(read(f"libreoffice/talk.{suffix}").streams) == streams


def test_a_password_to_open_locks_and_a_ban_on_copying_does_not() -> None:
    data = (WRITTEN / LOCKED).read_bytes()
    for attempt in (Attempt.FIRST, Attempt.SECOND):
        problem = extract(data, Path(LOCKED), attempt=attempt).problem
        assert problem is not None and problem.kind is ProblemKind.ENCRYPTED
    assert read(RESTRICTED).text == read("libreoffice/dues.pdf").text


@pytest.mark.parametrize("name", ["latex/office-t1.pdf", "latex/office-ot1.pdf"])
def test_ligatures_of_fonts_that_name_no_characters_are_letters(name: str) -> None:
    text = read(name).text
    assert "The efficient officer of the\nfirst floor affirmed that\nfluffy waffles are baffling." in text
    slowly = words(read_pdf_slowly((WRITTEN / name).read_bytes()).text)
    assert {"efficient", "first", "floor", "affirmed", "fluffy", "waffles"} <= slowly.keys()


def test_letters_of_the_european_encoding_of_tex_are_told_from_latin_ones() -> None:
    assert "Übergrößenträger naïve\nfaçade coöperate" in read("latex/office-t1.pdf").text


def test_words_broken_in_columns_of_tex_are_whole() -> None:
    counts = words(read("latex/office-ot1.pdf").text)
    assert {"representatives", "indispensable", "transportation", "classification"} <= counts.keys()


def test_running_heads_of_a_printed_web_page_stay_apart() -> None:
    heads = read("chromium/tides.pdf").streams["headers"].split("\n")
    assert heads == ["Tides of the northern coast", *(f"Tide tables, sheet {page} of 3" for page in (1, 2, 3))]


def test_a_manual_page_printed_through_postscript_is_read() -> None:
    text = read("ghostscript/quay.pdf").text
    assert "harbour − rules of the quay" in text and "The official first affidavit." in text


def test_a_mail_of_a_mail_program_tells_subject_words_and_attachment() -> None:
    extracted = read("mutt/register.eml")
    assert (extracted.title, extracted.author) == ("Das Register für März 登记", "Ida Voss <ida@example.org>")
    assert "Das Übergabeprotokoll folgt später" in extracted.text and "港务局每天上午登记船只。" in extracted.text
    assert extracted.text.endswith("dues.csv")


@pytest.mark.parametrize("name", [name for name in documents() if name.startswith("iconv/") and name.count(".") == 2])
def test_a_text_reads_the_same_in_every_encoding(name: str) -> None:
    original = WRITTEN / f"{name.split('.')[0]}.txt"
    assert read(name).text.strip() == original.read_text(encoding="utf-8").strip()
