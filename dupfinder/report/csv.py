"""The CSV report: a row for each file offered, members of a cluster together, with safe cells for spreadsheets.

Programs read it too, so it is in English whatever the language in use.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Final

from dupfinder.base.display import located, shown
from dupfinder.report.figures import differs_text, reason_text, rounded_down, why_kept
from dupfinder.report.rows import (
    Report,
    ReportCluster,
    ReportFile,
    ReportMember,
    members_in_order,
)
from dupfinder.wording.catalogue import ENGLISH, N_, speaking
from dupfinder.wording.relations import relation_name

Cell = str | int | float
COLUMNS: Final = (
    N_("Cluster"), N_("Relation"), N_("Decision"), N_("Name"), N_("Folder"), N_("Similarity"), N_("In kept copy"),
    N_("Kept copy in it"), N_("Distance"), N_("Part of"), N_("Kept copy"), N_("Differs"), N_("Nearest"),
    N_("Nearest is"), N_("Nearest similarity"), N_("Form"), N_("Status"), N_("Reason"), N_("Bytes"), N_("Words"),
    N_("Pages"), N_("Language"), N_("Reader"), N_("Fingerprint"), N_("Content hash"), N_("Changed"),
    N_("Why kept"),
)  # fmt: skip
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)  # Windows makes no moment of negative seconds
_FIRST: Final = 8  # columns by which a report is recognised
# Spreadsheets take cells with these beginnings for formulas; East Asian versions also the full-width forms.
_FORMULA_STARTS: Final = tuple("=+-@\t\r\n＝＋－＠")


def write(report: Report, file: IO[bytes]) -> None:
    with speaking(ENGLISH):
        write_cells(COLUMNS, rows(report), file)


def write_cells(columns: Sequence[str], cells: Iterable[Sequence[Cell]], file: IO[bytes]) -> None:
    """Write rows under a heading, in UTF-8 with CR LF, and a byte-order mark that tells spreadsheets the encoding."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    try:
        # Strings are always quoted: where the list separator is a semicolon, a name cannot be split into several cells.
        writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        writer.writerow([safe_cell(name) for name in columns])
        for row in cells:
            writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
        text.flush()
    finally:
        text.detach()


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a file begins with the heading of the CSV report."""
    heading = ("\ufeff" + ",".join(f'"{name}"' for name in COLUMNS[:_FIRST])).encode()
    return file.read(len(heading)) == heading


def safe_cell(text: str) -> str:
    """Return `text` made safe to show, and after an apostrophe if it could be taken for a formula."""
    safe = shown(text)
    return f"'{safe}" if safe.startswith(_FORMULA_STARTS) or text.startswith(_FORMULA_STARTS) else safe


def rows(report: Report) -> Iterator[tuple[Cell, ...]]:
    """Yield cells under COLUMNS: members of clusters first, cluster by cluster, then all other files by path."""
    by_path = {file.path: file for file in report.files}
    forms = {path: form.id for form in report.forms for path in form.members}
    written: set[Path] = set()
    for cluster in report.clusters:
        for member in members_in_order(cluster):
            file = by_path.get(member.path) or ReportFile(member.path, "read", size=member.size, words=member.words)
            written.add(member.path)
            yield _row(report, file, cluster, member, forms.get(file.path))
    for file in report.files:
        if file.path not in written:
            yield _row(report, file, None, None, forms.get(file.path))


def located_in(report: Report, path: Path) -> str:
    """Return a path for people; of a member of an archive it shows where the archive's path ends."""
    return located(path, report.archive_of(path))


def _row(
    report: Report, file: ReportFile, cluster: ReportCluster | None, member: ReportMember | None, form: int | None
) -> tuple[Cell, ...]:
    nearest = member.nearest if member else None
    return (
        cluster.id if cluster else "",
        relation_name(member.relation) if member else "",
        member.decision if member else "",
        file.path.name,
        located_in(report, file.path.parent),
        _share(member.similarity if member else None),
        _share(member.in_keeper if member else None),
        _share(member.keeper_in if member else None),
        _or_empty(member.distance if member else None),
        located_in(report, member.whole) if member and member.whole else "",
        located_in(report, cluster.keeper) if cluster else "",
        differs_text(member) if member else "",
        located_in(report, nearest.path) if nearest else "",
        relation_name(nearest.relation) if nearest else "",
        _share(nearest.similarity if nearest else None),
        _or_empty(form),
        file.status,
        reason_text(file),
        file.size,
        _or_empty(file.words),
        _or_empty(file.pages),
        file.language,
        file.reader,
        "" if file.fingerprint is None else f"{file.fingerprint:016x}",
        file.content_hash,
        _moment(member.changed_ns if member else None),
        why_kept(member, cluster) if member and cluster else "",
    )


def _share(share: float | None) -> Cell:
    return "" if share is None else rounded_down(share)


def _moment(time_ns: int | None) -> str:
    """Return a time to the second, in UTC, so that reports of two machines can be compared."""
    return "" if time_ns is None else f"{_EPOCH + timedelta(seconds=time_ns // 1_000_000_000):%Y-%m-%dT%H:%M:%SZ}"


def _or_empty(count: int | None) -> Cell:
    return "" if count is None else count
