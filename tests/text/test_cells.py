"""Where values are in a table: the same words in other columns are not the same text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from tests.making import docx, opendocument, xlsx

Rows = tuple[tuple[str, ...], ...]
DEBITS: Rows = (("Item", "Debit", "Credit"), ("Rent", "100", ""), ("Wages", "", "137"), ("Energy", "174", ""))
CREDITS: Rows = (*DEBITS[:3], ("Energy", "", "174"))
FULL: Rows = (DEBITS[0], ("Rent", "100", "137"), ("Energy", "174", ""))


def table(rows: Rows, row: str, cell: str) -> str:
    """The rows between tags: `row` and `cell` have {} where their content is."""
    return "\n".join(row.format("".join(cell.format(text) for text in cells)) for cells in rows)


def word(rows: Rows) -> bytes:
    cells = table(rows, "<w:tr>{}</w:tr>", "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>")
    return docx(body=f"<w:p><w:r><w:t>Accounts</w:t></w:r></w:p><w:tbl>{cells}</w:tbl><w:p/>")


def opendocument_text(rows: Rows) -> bytes:
    row, cell = "<table:table-row>{}</table:table-row>", "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    return opendocument("text", f"<text:p>Accounts</text:p><table:table>{table(rows, row, cell)}</table:table>")


def rich_text(rows: Rows) -> bytes:
    cells = table(rows, "\\trowd {}\\row", "{} \\cell ")
    return f"{{\\rtf1\\ansi Accounts\\par\n{cells}\\pard\\par}}".encode()


def page(rows: Rows) -> bytes:
    cells = table(rows, "<tr>{}</tr>", "<td>{}</td>").replace("<td></td>", "<td>&nbsp;</td>")
    return f"<html><body><p>Accounts</p><table>{cells}</table></body></html>".encode()


def markdown(rows: Rows) -> bytes:
    head, *others = (f"|{'|'.join(cells)}|" for cells in rows)
    return "\n".join(["Accounts", "", head, "|---|---|---|", *others]).encode()


def fields(rows: Rows) -> bytes:
    return "\r\n".join(map(",".join, rows)).encode()


MAKERS: dict[str, Callable[[Rows], bytes]] = {
    "a.docx": word,
    "a.odt": opendocument_text,
    "a.rtf": rich_text,
    "a.html": page,
    "a.md": markdown,
    "a.csv": fields,
    "a.xlsx": lambda rows: xlsx({"Accounts": rows}),
}


def filled(name: str, rows: Rows) -> tuple[str, str | None]:
    """The words of a document with a table, and a hash of what is filled in."""
    extracted = extract(MAKERS[name](rows), Path(name)).extracted
    assert extracted is not None
    return normalise(extracted.text), extracted.other.get(OtherContent.FORM_FIELDS)


@pytest.mark.parametrize("name", MAKERS)
def test_an_amount_in_another_column_is_told(name: str) -> None:
    (words, before), (same_words, after) = filled(name, DEBITS), filled(name, CREDITS)
    assert words == same_words
    assert before and after and before != after


@pytest.mark.parametrize("name", MAKERS)
def test_tables_without_empty_cells_before_others_tell_nothing(name: str) -> None:
    assert filled(name, FULL)[1] is None


def test_all_formats_tell_the_same_of_one_table() -> None:
    assert len({filled(name, DEBITS)[1] for name in MAKERS}) == 1
