"""Numbers in the cells of an XLSX workbook as people read them: "1,234.50 EUR" where 1234.5 is stored.

So they are in the workbook's other formats, in a CSV file, on a page and in print. The formats are those of ISO 29500-1
18.8.30; cells whose format is not understood, or that are dates, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape, unescape
from typing import Final, NamedTuple

from dupfinder.text.document import Unreadable
from dupfinder.text.readers.package import Package, elements

# Formats that need no declaration.
_BUILT_IN: Final = {2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 39: "#,##0.00", 40: "#,##0.00"}
_STYLES: Final = "xl/styles.xml"
_CELL = re.compile(
    rb"<c\s([^<>]{0,200})>((?:<f[^<>]{0,200}>[^<>]{0,8000}</f>|<f[^<>]{0,200}/>)?)<v>(-?[\d.]{1,30}(?:E[-+]?\d{1,3})?)</v></c>"
)
_STYLE = re.compile(rb'\bs="(\d{1,6})"')
_TYPE = re.compile(rb'\s?\bt="(\w{1,10})"')
_LITERAL = re.compile(
    r'"([^"]{0,40})"|\\(.)|\[\$([^\]\-]{0,10})[^\]]{0,20}\]|\[(?:Black|Red|Blue|Green)\]|_.|\*.', re.I
)
_NUMBER = re.compile(r"([#,0]*0?)(?:\.([0#]{1,15}))?(%?)")
_AROUND = re.compile(r"[\s()+\-$€£¥:/]{0,10}")
_BETWEEN = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')
_HOLDER: Final = "\ue000"
_LONGEST: Final = 200  # characters of a format


def formats_of(package: Package) -> Mapping[int, str]:
    """Return the number formats of cells that do not show numbers as they are stored, by the number of the style."""
    codes, styles = dict(_BUILT_IN), {}
    if not package.has(_STYLES):
        return {}
    try:
        for element in elements(package.read(_STYLES), ("numFmt", "cellXfs")):
            if element.tag.endswith("}numFmt"):
                codes[int(element.get("numFmtId", "-1"))] = element.get("formatCode", "")
            else:
                numbers = [int(style.get("numFmtId", "0")) for style in element if isinstance(style.tag, str)]
                styles = {place: codes[number] for place, number in enumerate(numbers) if number in codes}
    except (Unreadable, ValueError):
        return {}
    return {place: code for place, code in styles.items() if shown_number(1.0, code) is not None}


def with_shown_numbers(sheet: bytes, formats: Mapping[int, str]) -> bytes:
    """Return the source of a sheet whose formatted numbers are texts."""

    def shown(cell: re.Match[bytes]) -> bytes:
        style, kind = _STYLE.search(cell.group(1)), _TYPE.search(cell.group(1))
        code = formats.get(int(style.group(1))) if style else None
        if code is None or (kind is not None and kind.group(1) != b"n"):
            return cell.group()
        text = shown_number(float(cell.group(3)), code)
        attributes = _TYPE.sub(b"", cell.group(1))
        value = escape(text or "").encode()
        return b'<c %s t="str">%s<v>%s</v></c>' % (attributes, cell.group(2), value) if text else cell.group()

    return _CELL.sub(shown, sheet)


def shown_number(number: float, code: str) -> str | None:
    """Return a number as a format shows it; None for dates, fractions, conditions and formats that change nothing."""
    sections = _sections(code)
    if not sections or (number == 0 and len(sections) > 2):
        return None
    negative = number < 0 and len(sections) > 1
    section = sections[1] if negative else sections[0]
    if section is None:
        return None
    value = (abs(number) if negative else number) * (100 if section.percent else 1)
    digits = format(value, section.digits)
    return f"{section.before}{digits.zfill(section.least)}{section.after}"


class _Section(NamedTuple):
    """One section of a format: what is before and after the number, its format in Python, and its least digits."""

    before: str
    digits: str
    percent: bool
    least: int
    after: str


@lru_cache(maxsize=1000)
def _sections(code: str) -> tuple[_Section | None, ...]:
    """Return the sections of a format: of positive numbers or all, of negative ones, of 0. None: not understood."""
    return tuple(map(_section, _BETWEEN.split(unescape(code)))) if len(code) < _LONGEST else ()


def _section(section: str) -> _Section | None:
    """Return what a section of a format means."""
    literals: list[str] = []

    def keep(literal: re.Match[str]) -> str:
        literals.append(literal.group(1) or literal.group(2) or literal.group(3) or "")
        return _HOLDER

    bare = _LITERAL.sub(keep, section)
    number = next((match for match in _NUMBER.finditer(bare) if match.group(1)), None)
    if number is None or number.group(1).endswith(",") or "#" in (number.group(2) or ""):
        return None
    before, after = bare[: number.start()], bare[number.end() :]
    if not _AROUND.fullmatch((before + after).replace(_HOLDER, "")):
        return None
    whole, decimals, percent = number.groups()
    shown = iter(literals)
    before, after = (re.sub(_HOLDER, lambda _: next(shown), side) for side in (before, percent + after))
    grouped, places = "," if "," in whole else "", len(decimals or "")
    least = len(whole.replace("#", "")) if not grouped and not places else 0
    return _Section(before.lstrip(), f"{grouped}.{places}f", bool(percent), least, after.rstrip())
