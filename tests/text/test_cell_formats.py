"""Formatted numbers of a workbook are read as people see them, so that they are those of its CSV file."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from dupfinder.text.extract import extract
from dupfinder.text.readers.sheets import shown_number, with_shown_numbers


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ('#,##0.00 "EUR"', 1234.5, "1,234.50 EUR"),
        ("0%", 0.19, "19%"),
        ("0.0%", 0.125, "12.5%"),
        ("0.00", 8.0, "8.00"),
        ("00000", 123.0, "00123"),
        ("#,##0.00;[Red](#,##0.00)", -5.5, "(5.50)"),
        ("[$€-407] #,##0.00", 7.25, "€ 7.25"),
        ('_-* #,##0.00\\ "€"_-;-* #,##0.00', 7.25, "7.25 €"),
        ('"a;b" 0;0', 3.0, "a;b 3"),
        ("dd/mm/yyyy", 45000.0, None),
        ("General", 3.5, None),
        ("0.00E+00", 3.5, None),
        ("# ?/?", 0.5, None),
        ("[>5]0.0;0", 3.5, None),
        ("@", 1.0, None),
        ("0.0,", 1500.0, None),
        ("", 1.0, None),
    ],
)
def test_a_format_shows_a_number_or_is_not_understood(code: str, number: float, shown: str | None) -> None:
    assert shown_number(number, code) == shown


def test_a_workbook_has_the_numbers_that_people_see() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Oak", 1234.5, 0.25, 7], ["0.5", -3.25, 0.5, 8.5]):
        sheet.append(row)
    for cells in sheet.iter_rows():
        for cell, code in zip(cells, ("@", "#,##0.00", "0%", "General"), strict=True):
            cell.number_format = code
    stored = BytesIO()
    book.save(stored)
    extracted = extract(stored.getvalue(), Path("a.xlsx")).extracted
    assert extracted is not None
    assert extracted.text.split("\n") == ["Oak\t1,234.50\t25%\t7", "0.5\t-3.25\t50%\t8.5"]


def test_cells_without_a_format_and_texts_stay_as_they_are() -> None:
    sheet = b'<c r="A1" s="1" t="s"><v>0</v></c><c r="B1"><v>1.5</v></c><c r="C1" s="2"><v>1.5</v></c>'
    assert with_shown_numbers(sheet, {1: "0.00"}) == sheet
    formula = b'<c r="A1" s="1"><f>1+1</f><v>2</v></c>'
    assert with_shown_numbers(formula, {1: "0.0"}) == b'<c r="A1" s="1" t="str"><f>1+1</f><v>2.0</v></c>'
