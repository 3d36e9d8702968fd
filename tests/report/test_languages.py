"""Reports for people speak the language in use: the pseudo-language finds no word that is not translated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from lxml import html

from dupfinder.report.rows import Report
from dupfinder.report.write import write
from dupfinder.wording.catalogue import PSEUDO, speaking
from tests.wording.plain import untranslated

# What no language changes: names of formats and units, the program's name, what tells how a text was read.
KNOWN = (
    "dupfinder", "KB", "MB", "DOCX", "PDF", "TXT", "ODT", "Nov", "Mar", "abc123", "pdfium", "plain", "docx-walk", "en",
    "Prefer Word to PDF", "00000000000000ff", "library", "Contracts", "Archive", "pdf", "v7", "v1", "part", "copy",
    "same", "note", "other note", "locked", "lock", "txt", "docx", "odt", "ab" * 16,
)  # fmt: skip


def texts_of(path: Path) -> Any:
    """Every text of a report."""
    if path.suffix == ".html":
        tree: Any = html.fromstring(path.read_text(encoding="utf-8"))
        return tree.xpath("//text()[not(parent::style)] | //@title | //@aria-label")
    if path.suffix == ".docx":
        document = docx.Document(str(path))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        return [document.core_properties.title, *(paragraph.text for paragraph in document.paragraphs), *cells]
    book = openpyxl.load_workbook(path)
    cells = [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
    return [*book.sheetnames, str(book.properties.title), *(cell for cell in cells if isinstance(cell, str))]


@pytest.mark.parametrize("ending", [".html", ".docx", ".xlsx"])
def test_every_word_of_a_report_is_translated(related: Report, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report{ending}"
    with speaking(PSEUDO):
        write(related, path)
    texts = texts_of(path)
    assert any("⟦" in text for text in texts)
    assert {text: words for text in texts if (words := untranslated(text, KNOWN))} == {}


@pytest.mark.parametrize(("language", "words"), [("es", ("Grupos", "21 nov 2026", "97 %")),
                                                 ("zh_CN", ("组", "2026年11月21日", "97%"))])  # fmt: skip
def test_dates_numbers_and_words_are_those_of_the_language(
    related: Report, tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    for ending in (".html", ".docx"):
        with speaking(language):
            write(related, tmp_path / f"report{ending}")
        text = "\n".join(texts_of(tmp_path / f"report{ending}"))
        assert all(word in text for word in words)
