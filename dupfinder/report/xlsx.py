"""The report as a workbook: summary, all files, parts in longer documents, forms. Values only: no formulas or links."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import IO, Any, Final

import xlsxwriter

from dupfinder.base.display import columns_of, shown
from dupfinder.base.files import temporary_folder
from dupfinder.report import csv
from dupfinder.report.figures import decision_name, role_name, rounded_down, same_form_title, status_title
from dupfinder.report.rows import RELATION_ORDER, Report, contains_in_order
from dupfinder.wording.catalogue import say, say_as
from dupfinder.wording.figures import moment_text, seconds_text
from dupfinder.wording.relations import relation_name

MOST_ROWS: Final = 1_048_575  # of a sheet without its heading; the limit of the format
_MOST_CHARACTERS: Final = 32_767  # of a cell
_PRINTED: Final = 6  # first columns of a sheet; of files, up to the similarity. More would be too small to read
_COUNTING: Final = "how many"  # context for translators of headings above numbers
_DECISION, _STATUS = csv.COLUMNS.index("Decision"), csv.COLUMNS.index("Status")
_WIDTHS: Final = {"Name": 44, "Folder": 60, "Kept copy": 60, "Part of": 40, "Differs": 36, "Nearest": 40, "Reason": 44,
           "Relation": 15, "Content hash": 36, "Changed": 22, "Why kept": 30}  # fmt: skip


def write(report: Report, file: IO[bytes]) -> None:
    """Write the workbook. Rows are stored in temporary files; only the compressed workbook, a tenth, is in memory."""
    packed = io.BytesIO()
    with temporary_folder() as folder:
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "tmpdir": str(folder),
        }
        with xlsxwriter.Workbook(packed, options) as book:
            _fill(book, report)
    file.write(packed.getvalue())


def _fill(book: Any, report: Report) -> None:
    created = report.started.astimezone(UTC).replace(tzinfo=None)
    book.set_properties({"title": say("Near-duplicate documents"), "author": report.program, "created": created})
    bold = book.add_format({"bold": True, "bottom": 1})
    facts = _summary(report)
    widths: Sequence[int] = (max(columns_of(str(name)) for name, _ in facts) + 2, 70)
    grouped = book.add_format({"num_format": "#,##0"})
    _sheets(book, bold, say("Summary"), (say("What"), say("Value")), facts, widths, grouped)
    widths = [_WIDTHS.get(name, 12) for name in csv.COLUMNS]
    _sheets(book, bold, say("Files"), _headings(), map(_worded, csv.rows(report)), widths)
    contains = (
        (csv.located_in(report, row.container), csv.located_in(report, row.part), rounded_down(row.share))
        for row in contains_in_order(report)
    )
    _sheets(book, bold, say("Contained"), (say("Document"), say("Holds"), say("Share of the part")), contains,
            (70, 70, 18))  # fmt: skip
    forms = (
        (form.id, path.name, csv.located_in(report, path.parent)) for form in report.forms for path in form.members
    )
    _sheets(book, bold, say("Forms"), (say("Form"), say("Name"), say("Folder")), forms, (12, 44, 60))


def _headings() -> list[str]:
    """Return the columns of the CSV report in the language in use."""
    return [say_as(_COUNTING, name) if name in ("Words", "Pages") else say(name) for name in csv.COLUMNS]


def _worded(row: tuple[csv.Cell, ...]) -> tuple[csv.Cell, ...]:
    """Return a row of the CSV report with names instead of codes."""
    decision, status = str(row[_DECISION]), str(row[_STATUS])
    cells = list(row)
    cells[_DECISION] = decision_name(decision) if decision else ""
    cells[_STATUS] = say("Read") if status == "read" else status_title(status)
    return tuple(cells)


def _sheets(
    book: Any, bold: Any, name: str, heading: Sequence[str], rows: Iterable[Sequence[csv.Cell]], widths: Sequence[int],
    grouped: Any = None,
) -> None:  # fmt: skip
    """Add a sheet, or several if it has more rows than one may have. grouped: the format of whole numbers."""
    sheet, last = _sheet(book, bold, name, heading, widths), min(len(heading), _PRINTED) - 1
    count, number = 0, 1
    for row in rows:
        if count == MOST_ROWS:
            number += 1
            sheet.print_area(0, 0, count, last)
            sheet, count = _sheet(book, bold, f"{name} {number}", heading, widths), 0
        count += 1
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                sheet.write_string(count, column, shown(cell)[:_MOST_CHARACTERS])
            else:
                sheet.write_number(count, column, cell, grouped if isinstance(cell, int) else None)
    sheet.print_area(0, 0, count, last)


def _sheet(book: Any, bold: Any, name: str, heading: Sequence[str], widths: Sequence[int]) -> Any:
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    sheet.set_landscape()  # printed on pages with the first columns, below the repeated heading
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    for column, (title, width) in enumerate(zip(heading, widths, strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, title, bold)
    return sheet


def _summary(report: Report) -> list[tuple[csv.Cell, ...]]:
    counts = report.summary
    return [
        (say("Program"), report.program),
        *((_folder(role), str(path)) for path, role in report.roots),
        (say("Started"), moment_text(report.started)),
        (say("Took"), seconds_text(report.seconds)),
        (say("Similarity radius (bits)"), report.radius),
        (say("Least similarity"), report.min_similarity),
        (say("Least containment"), report.min_containment),
        (say("Scheme"), report.scheme),
        (say("Files offered"), counts.offered),
        (say("Read"), counts.read),
        (say("Problems"), counts.problems),
        *([(status_title("bytes_only"), counts.bytes_only)] if counts.bytes_only else []),
        (say("Left out"), counts.skipped),
        (say("Unchanged since an earlier scan"), counts.reused),
        (say("Groups"), counts.clusters),
        (say("Documents in groups"), counts.documents_in_clusters),
        *(
            (say("Of them: {relation}", relation=relation_name(name)), counts.relations[name])
            for name in RELATION_ORDER
            if name in counts.relations
        ),
        (same_form_title(), sum(len(form.members) for form in report.forms)),
        (say("Bytes that can be freed"), counts.bytes_to_free),
        *((say("Rule {number}", number=number), rule) for number, rule in enumerate(report.rules, 1)),
    ]


def _folder(role: str) -> str:
    name = role_name(role)
    return say("Folder ({role})", role=name) if name else say("Folder")
