"""The report as a Word document: for reading and for the file, so it tells the largest clusters and not all."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC
from typing import IO, Final

import docx
from docx.document import Document
from docx.shared import Pt

from dupfinder.base.display import shown
from dupfinder.report import figures
from dupfinder.report.order import clusters_in_order, files_in_order, members_in_order
from dupfinder.report.rows import Report, ReportCluster, ReportMember

MOST_CLUSTERS: Final = 200  # python-docx takes milliseconds a table row
MOST_MEMBERS: Final = 50
MOST_TROUBLES: Final = 300
_HEADING: Final = ("Document", "Folder", "What it is to the kept copy", "Similar", "Size")


def write(report: Report, file: IO[bytes]) -> None:
    """Write summary, clusters and problems."""
    document = docx.Document()
    document.styles["Normal"].font.size = Pt(10)
    document.core_properties.title = "Near-duplicate documents"
    document.core_properties.author = report.program
    document.core_properties.last_modified_by = report.program
    document.core_properties.created = report.started.astimezone(UTC).replace(tzinfo=None)
    document.core_properties.modified = document.core_properties.created
    _summary(document, report)
    _clusters(document, report)
    _forms(document, report)
    _troubles(document, report)
    packed = io.BytesIO()
    document.save(packed)
    file.write(packed.getvalue())


def _summary(document: Document, report: Report) -> None:
    counts = report.summary
    document.add_heading("Near-duplicate documents", 0)
    document.add_paragraph(f"Scanned {figures.moment_text(report.started)} in {figures.seconds_text(report.seconds)}.")
    for path, role in report.roots:
        suffix = {"protect": " (protected)", "leave_out": " (left out)"}.get(role, "")
        document.add_paragraph(shown(path) + suffix, style="List Bullet")
    count = figures.count_text
    document.add_paragraph(
        f"{count(counts.offered)} files found: {count(counts.read)} read, {count(counts.problems)} could not be read, "
        f"{count(counts.skipped)} left out. {count(counts.clusters)} groups of {count(counts.documents_in_clusters)} "
        f"documents; {figures.size_text(counts.bytes_to_free)} can be freed."
    )
    if counts.relations:
        document.add_paragraph(f"Beside the kept copies: {figures.relations_text(counts.relations) or 'nothing'}.")
    document.add_paragraph(
        f"{report.program}, similarity radius {report.radius} bits, least similarity "
        f"{figures.share_text(report.min_similarity)}, least containment {figures.share_text(report.min_containment)}, "
        f"scheme {report.scheme}."
    )


def _clusters(document: Document, report: Report) -> None:
    ordered = sorted(clusters_in_order(report), key=lambda one: (-one.bytes_to_free, one.id))
    document.add_heading("Groups", 1)
    if len(ordered) > MOST_CLUSTERS:
        document.add_paragraph(
            f"The {MOST_CLUSTERS} groups that free the most space are shown here; "
            f"{figures.count_text(len(ordered) - MOST_CLUSTERS)} more are left out. A CSV or JSON report lists all."
        )
    for cluster in ordered[:MOST_CLUSTERS]:
        _cluster(document, cluster, report)


def _cluster(document: Document, cluster: ReportCluster, report: Report) -> None:
    document.add_heading(shown(cluster.keeper.stem), 2)
    document.add_paragraph(
        f"{len(cluster.members)} documents: {figures.holds_text(cluster)} · {figures.size_text(cluster.bytes_to_free)}"
    )
    members = members_in_order(cluster)
    rows = [
        (
            shown(member.path.name),
            figures.folder_text(member.path, report.roots, report.archive_of(member.path)),
            _what(member, cluster),
            figures.share_text(1.0 if member.relation == "keeper" else member.similarity),
            figures.size_text(member.size),
        )
        for member in members[:MOST_MEMBERS]
    ]
    _table(document, _HEADING, rows)
    if len(members) > MOST_MEMBERS:
        document.add_paragraph(f"{len(members) - MOST_MEMBERS} more documents of this group are left out here.")


def _what(member: ReportMember, cluster: ReportCluster) -> str:
    """What a member is to the kept copy, what differs, and what it is nearest to."""
    facts = [figures.RELATIONS.get(member.relation, member.relation)]
    if member.whole is not None:
        facts.append(f"in {shown(member.whole.name)}")
    facts += [figures.differs_text(member), figures.nearest_text(member, cluster.keeper)]
    return "; ".join(fact for fact in facts if fact)


def _forms(document: Document, report: Report) -> None:
    if not report.forms:
        return
    document.add_heading(figures.SAME_FORM, 1)
    for form in report.forms[:MOST_CLUSTERS]:
        document.add_heading(f"Form {form.id}: {len(form.members)} documents", 2)
        rows = [
            (shown(path.name), figures.folder_text(path, report.roots, report.archive_of(path)))
            for path in form.members[:MOST_MEMBERS]
        ]
        _table(document, ("Document", "Folder"), rows)
        if len(form.members) > MOST_MEMBERS:
            document.add_paragraph(f"{len(form.members) - MOST_MEMBERS} more documents of this form are left out here.")
    if len(report.forms) > MOST_CLUSTERS:
        document.add_paragraph(f"{len(report.forms) - MOST_CLUSTERS} more forms are left out here.")


def _troubles(document: Document, report: Report) -> None:
    files = [file for file in files_in_order(report) if file.status != "read"]
    if not files:
        return
    document.add_heading("Files that were not read", 1)
    rows = [
        (shown(file.path.name), figures.folder_text(file.path, report.roots, file.archive), shown(file.reason))
        for file in files[:MOST_TROUBLES]
    ]
    _table(document, ("File", "Folder", "Reason"), rows)
    if len(files) > MOST_TROUBLES:
        document.add_paragraph(f"{figures.count_text(len(files) - MOST_TROUBLES)} more are left out here.")


def _table(document: Document, heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = document.add_table(rows=1 + len(rows), cols=len(heading), style="Light Grid Accent 1")
    cells = iter(table._cells)  # the public way looks for the cells anew in each row, and is quadratic
    for row in (heading, *rows):
        for text in row:
            next(cells).text = text
