"""Formatted numbers of a workbook are read as people see them, so that they are those of its CSV file."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from dupfinder.text.document import OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.readers.sheets import shown_number, with_shown_numbers
from tests.making_compound import xls
from tests.text.other_content import unlike


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ('#,##0.00 "EUR"', 1234.5, "1,234.50 EUR"),
        ("0%", 0.19, "19%"),
        ("0.0%", 0.125, "12.5%"),
        ("0.00", 8.0, "8.00"),
        ("00000", 123.0, "00123"),
        ('"No. "???', 123.0, None),
        ('[h]"小时"mm"分"', 1.5, "36小时00分"),
        ("[DBNum1]0", 123.0, None),
        ('"yes";"no";"none"', 100.0, "yes"),
        ('"yes";"no";"none"', 1.0, "yes"),
        ('"yes";"no";"none"', -100.0, "no"),
        ('h" "mmm', 45000.25, "6 Mar"),
        ("#,##0.00;[Red](#,##0.00)", -5.5, "(5.50)"),
        ("[$€-407] #,##0.00", 7.25, "€ 7.25"),
        ('_-* #,##0.00\\ "€"_-;-* #,##0.00', 7.25, "7.25 €"),
        ('"a;b" 0;0', 3.0, "a;b 3"),
        ("dd/mm/yyyy", 45000.0, "15/03/2023"),
        ("d.m.yy h:mm;@", 45000.25, "15.3.23 6:00"),
        ('yyyy"年"m"月"d"日"', 45000.0, "2023年3月15日"),
        ("[$-409]d\\-mmm\\-yy;@", 45000.0, "15-Mar-23"),
        ("[$-407]d. mmmm yyyy", 45000.0, None),
        ("hh:mm AM/PM", 0.5625, "01:30 PM"),
        ("d h:mm", 0.5625, None),
        ("mm:ss", 0.5625, "30:00"),
        ("[h]:mm", 1.5, "36:00"),
        ("[hh]:mm:ss", 0.0625, "01:30:00"),
        ("[mm]:ss", 1.5, None),
        ('[DBNum1][$-804]yyyy"年"m"月"d"日";@', 45000.0, "二〇二三年三月十五日"),
        ('上午/下午h"时"mm"分"', 0.5625, "下午1时30分"),
        ('_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 0.0, "-"),
        ("0.00;-0.00;0", 0.0, "0"),
        (";;;", 3.0, None),
        ('{d}"{0}"', 45000.0, "{15}{0}"),
        ("dd/mm/yyyy", -1.0, None),
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


@given(st.text('ymdhsaAP/:{}"\\[]$-_*;#0.,% @!?E+年', max_size=20), st.floats() | st.floats(0, 60_000))
def test_any_number_in_any_format_is_shown_or_not_understood(code: str, number: float) -> None:
    assert isinstance(shown_number(number, code), str | None)


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


CODES = ("dd/mm/yyyy", "d.m.yy h:mm", "h:mm AM/PM", "#,##0.00", "0.00", "0%")
STORED = (45000.0, 45000.5625, 0.378472222, 1234.5, 8.0, -0.25)
SHOWN = ["15/03/2023", "15.3.23 13:30", "9:05 AM", "1,234.50", "8.00", "-25%"]


def text_of(data: bytes, name: str) -> str:
    extracted = extract(data, Path(name)).extracted
    assert extracted is not None
    return extracted.text


def test_a_workbook_has_the_dates_and_amounts_of_its_csv_file() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(STORED)
    for cell, code in zip(sheet[1], CODES, strict=True):
        cell.number_format = code
    stored = BytesIO()
    book.save(stored)
    assert text_of(stored.getvalue(), "a.xlsx").split("\t") == SHOWN


def test_a_workbook_of_excel_97_has_the_dates_and_amounts_of_its_csv_file() -> None:
    assert text_of(xls([STORED], formats=CODES), "a.xls").split("\t") == SHOWN
    whole, hundredths = 45001 << 2 | 2, 123457 << 2 | 3
    packed = struct.pack("<HHHiHiH", 1, 3, 3, hundredths, 4, whole, 4)
    records = [(0x00BD, packed), (0x027E, struct.pack("<HHHi", 2, 0, 0, whole))]
    lines = text_of(xls([STORED], formats=CODES, records=records), "a.xls").split("\n")
    assert lines[1:] == ["\t\t\t1,234.57\t45001.00", "16/03/2023"]


def test_measured_numbers_are_those_of_the_csv_file_and_computed_ones_have_no_noise() -> None:
    row = [0.793394400272518, -1234567.89012345, 0.1 + 0.2, 3 * 2.675]
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(row)
    stored = BytesIO()
    book.save(stored)
    shown = ["0.793394400272518", "-1234567.89012345", "0.3", "8.025"]
    assert text_of(stored.getvalue(), "a.xlsx").split("\t") == shown == text_of(xls([row]), "a.xls").split("\t")


def test_digits_that_the_format_of_a_cell_hides_are_told() -> None:
    first, second = (xls([["Rent", amount]], formats=["@", "0"]) for amount in (1204.4, 1203.6))
    assert unlike(first, second, "a.xls") == {OtherContent.HEADERS}
    again = xls([["Rent", 1204.4000000000003]], formats=["@", "0"])
    assert again != first and not unlike(first, again, "a.xls")


def test_dates_that_count_from_1904_are_read_as_iso_8601() -> None:
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    assert sheet is not None
    sheet.append([43538.0, 8.0])
    sheet["A1"].number_format, sheet["B1"].number_format = "dd/mm/yyyy", "0.00"
    stored = BytesIO()
    book.save(stored)
    assert text_of(stored.getvalue(), "a.xlsx") == "2023-03-15\t8.00"


def test_cells_without_a_format_and_texts_stay_as_they_are() -> None:
    sheet = b'<c r="A1" s="1" t="s"><v>0</v></c><c r="B1"><v>1.5</v></c><c r="C1" s="2"><v>1.5</v></c>'
    assert with_shown_numbers(sheet, {1: "0.00"}, []) == sheet
    formula = b'<c r="A1" s="1"><f>1+1</f><v>2</v></c>'
    assert with_shown_numbers(formula, {1: "0.0"}, []) == b'<c r="A1" s="1" t="str"><f>1+1</f><v>2.0</v></c>'


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [(0.125, "0.00", "0.13"), (2.5, "#,##0", "3"), (-2.5, "0", "-3"), (2.675, "0.00", "2.68"), (1.5, "0", "2"),
     (-0.4, "0", "0"), (0.285, "0%", "29%"), (float("inf"), "0.00", "NaN")],
)  # fmt: skip
def test_half_of_the_last_digit_is_rounded_away_from_zero(number: float, code: str, shown: str) -> None:
    assert shown_number(number, code) == shown
