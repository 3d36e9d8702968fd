"""The report as a Word document. It is for reading, so it is limited to the largest clusters."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import IO, Final

import docx
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Emu, Pt

from dupfinder.base.display import shown
from dupfinder.report import figures
from dupfinder.report.rows import (
    Report,
    ReportCluster,
    ReportMember,
    members_in_order,
)
from dupfinder.wording.catalogue import N_, current, say, say_count
from dupfinder.wording.figures import (
    count_text,
    documents_text,
    groups_text,
    joined,
    moment_text,
    seconds_text,
    share_text,
    size_text,
)
from dupfinder.wording.relations import relation_name, relations_text

MOST_CLUSTERS: Final = 200  # python-docx needs milliseconds for each table row
MOST_MEMBERS: Final = 50
MOST_TROUBLES: Final = 300
# The headings of a table, and the share of its width that each column has.
_HEADING: Final = {
    N_("Document"): 28, N_("Folder"): 21, N_("What it is to the kept copy"): 31, N_("Similar"): 10, N_("Size"): 10,
}  # fmt: skip
_FORM_HEADING: Final = {N_("Document"): 50, N_("Folder"): 50}
_TROUBLE_HEADING: Final = {N_("File"): 30, N_("Folder"): 30, N_("Reason"): 40}


def write(report: Report, file: IO[bytes]) -> None:
    """Write summary, clusters and problems."""
    document = docx.Document()
    document.styles["Normal"].font.size = Pt(10)
    document.core_properties.title = say("Near-duplicate documents")
    document.core_properties.language = current().tag
    language = document.styles.element.find(f".//{qn('w:lang')}")
    for script in ("w:val", "w:eastAsia"):  # else Word checks the spelling as English
        language.set(qn(script), current().tag)
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
    document.add_heading(say("Near-duplicate documents"), 0)
    moment, duration = moment_text(report.started), seconds_text(report.seconds)
    document.add_paragraph(say("Scanned {moment} in {duration}", moment=moment, duration=duration))
    for path, role in report.roots:
        name = figures.role_name(role)
        line = say("{path} ({role})", path=shown(path), role=name) if name else shown(path)
        document.add_paragraph(line, style="List Bullet")
    document.add_paragraph(
        say(
            "{offered}: {read} read, {problems} whose text could not be compared, {bytes_only} compared by exact "
            "content only, {skipped} left out. {groups} of {documents}; {size} can be freed.",
            offered=say_count("{count} file found", "{count} files found", counts.offered),
            read=count_text(counts.read),
            problems=count_text(counts.problems),
            bytes_only=count_text(counts.bytes_only),
            skipped=count_text(counts.skipped),
            groups=groups_text(counts.clusters),
            documents=documents_text(counts.documents_in_clusters),
            size=size_text(counts.bytes_to_free),
        )
    )
    if relations := relations_text(counts.relations):
        document.add_paragraph(say("Beside the kept copies: {relations}", relations=relations))
    facts = (
        report.program,
        say_count("similarity radius {count} bit", "similarity radius {count} bits", report.radius),
        say("least similarity {share}", share=share_text(report.min_similarity)),
        say("least containment {share}", share=share_text(report.min_containment)),
        say("scheme {scheme}", scheme=report.scheme),
    )
    document.add_paragraph(" · ".join(facts))


def _clusters(document: Document, report: Report) -> None:
    ordered = sorted(report.clusters, key=lambda cluster: (-cluster.bytes_to_free, cluster.id))
    document.add_heading(say("Groups"), 1)
    if len(ordered) > MOST_CLUSTERS:
        sentences = (
            say("The {shown} groups that free the most space are shown here.", shown=count_text(MOST_CLUSTERS)),
            say_count("{count} more is left out.", "{count} more are left out.", len(ordered) - MOST_CLUSTERS),
            say("A CSV or JSON report lists all {all}.", all=count_text(len(ordered))),
        )
        document.add_paragraph(" ".join(sentences))
    for cluster in ordered[:MOST_CLUSTERS]:
        _cluster(document, cluster, report)


def _cluster(document: Document, cluster: ReportCluster, report: Report) -> None:
    document.add_heading(shown(cluster.keeper.stem), 2)
    document.add_paragraph(
        say(
            "{documents}: {relations} · {size}",
            documents=documents_text(len(cluster.members)),
            relations=figures.holds_text(cluster),
            size=size_text(cluster.bytes_to_free),
        )
    ).paragraph_format.keep_with_next = True
    members = members_in_order(cluster)
    rows = [
        (
            shown(member.path.name),
            figures.folder_of(member.path, report),
            _what(member, cluster),
            share_text(1.0 if member.relation == "keeper" else member.similarity),
            size_text(member.size),
        )
        for member in members[:MOST_MEMBERS]
    ]
    _table(document, _HEADING, rows)
    _tell_left_out(document, len(members) - MOST_MEMBERS)


def _what(member: ReportMember, cluster: ReportCluster) -> str:
    """Return the relation of a member to the kept copy, and more of it, as in `figures.notes_of`."""
    facts = [relation_name(member.relation)]
    if member.whole is not None:
        facts.append(say("in {document}", document=shown(member.whole.name)))
    return joined(facts + figures.notes_of(member, cluster))


def _forms(document: Document, report: Report) -> None:
    if not report.forms:
        return
    document.add_heading(figures.same_form_title(), 1)
    for form in report.forms[:MOST_CLUSTERS]:
        documents = documents_text(len(form.members))
        document.add_heading(say("Form {number}: {documents}", number=form.id, documents=documents), 2)
        rows = [(shown(path.name), figures.folder_of(path, report)) for path in form.members[:MOST_MEMBERS]]
        _table(document, _FORM_HEADING, rows)
        _tell_left_out(document, len(form.members) - MOST_MEMBERS)
    _tell_left_out(document, len(report.forms) - MOST_CLUSTERS)


def _tell_left_out(document: Document, count: int) -> None:
    if count > 0:
        text = say_count(
            "{count} more is left out here; a CSV or JSON report lists it.",
            "{count} more are left out here; a CSV or JSON report lists them.",
            count,
        )
        document.add_paragraph(text)


def _troubles(document: Document, report: Report) -> None:
    files = [file for file in report.files if file.status != "read"]
    if not files:
        return
    document.add_heading(say("Files whose text was not compared"), 1)
    rows = [
        (shown(file.path.name), figures.folder_of(file.path, report), figures.reason_text(file))
        for file in files[:MOST_TROUBLES]
    ]
    _table(document, _TROUBLE_HEADING, rows)
    _tell_left_out(document, len(files) - MOST_TROUBLES)


def _table(document: Document, heading: Mapping[str, int], rows: Sequence[tuple[str, ...]]) -> None:
    """Add a table. heading: the titles of its columns, and the share of the width of each."""
    table = document.add_table(rows=1 + len(rows), cols=len(heading), style="Light Grid Accent 1")
    whole = sum(column.width for column in table.columns)
    widths = [Emu(whole * share // sum(heading.values())) for share in heading.values()]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width  # read by LibreOffice; Word reads the width of each cell
    cells = iter(table._cells)  # the public property searches all cells for each row, which is quadratic
    for row in (tuple(map(say, heading)), *rows):
        for text, width in zip(row, widths, strict=True):
            cell = next(cells)
            cell.text, cell.width = text, width
    for line in table._tbl.tr_lst:
        line.get_or_add_trPr().append(OxmlElement("w:cantSplit"))  # no row is torn apart between two pages
    first = table.rows[0]
    first._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # repeated on each page
    for cell in first.cells:
        cell.paragraphs[0].paragraph_format.keep_with_next = True
