"""The HTML report: one file without scripts, links or anything to fetch, in the style of the window.

Every name and text from outside is first made safe to show, then escaped by the template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final

import jinja2
from markupsafe import Markup

from dupfinder.base.display import located, shown, split_at
from dupfinder.base.paths import resource
from dupfinder.report import figures
from dupfinder.report.rows import (
    Report,
    ReportCluster,
    ReportExcerpt,
    ReportFile,
    ReportForm,
    ReportMember,
    ReportSummary,
    contains_in_order,
    members_in_order,
)
from dupfinder.wording.catalogue import current, say, say_as, say_count
from dupfinder.wording.figures import (
    count_text,
    date_text,
    documents_text,
    moment_text,
    seconds_text,
    share_text,
    size_text,
)
from dupfinder.wording.relations import relation_name, relations_text

_GENERATOR: Final = b'<meta name="generator" content="dupfinder '
TEMPLATE: Final = "report/report.html.j2"
STYLE: Final = "report/report.css"
MOST_CLUSTERS: Final = 2_000  # also of forms: a page of tens of megabytes scrolls badly in all browsers
MOST_MEMBERS: Final = 200  # of one cluster
MOST_FILES: Final = 200  # of one status; also the most reasons of it
MOST_CONTAINS: Final = 500
_CHUNK: Final = 200  # pieces of the template's output written at a time


Facts = dict[str, object]  # texts that the template shows, by name
Pieces = tuple[tuple[str, bool], ...]  # of a line: (text, whether it is marked)


def write(report: Report, file: IO[bytes]) -> None:
    """Write the page, in pieces."""
    style = resource(STYLE).read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    template = environment.from_string(resource(TEMPLATE).read_text(encoding="utf-8"))
    words = {"say": say, "say_as": say_as, "say_count": say_count, "say_html": _say_html, "language": current().tag}
    page = template.stream(**_facts(report), **words, style=Markup(style))
    page.enable_buffering(_CHUNK)
    for piece in page:
        file.write(piece.encode())


def _say_html(source: str, **values: object) -> Markup:
    """Return a text as markup, with its values filled in, escaped, and each with its own writing direction."""
    return Markup(say(source)).format(**{name: Markup("<bdi>{}</bdi>").format(text) for name, text in values.items()})


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a file begins like the page of a report."""
    head = file.read(2000)
    return head.lstrip().startswith(b"<!DOCTYPE html>") and _GENERATOR in head


def _numbers(counts: ReportSummary) -> list[tuple[str, str]]:
    """Return the large figures at the top, with what they count."""
    numbers = [
        (count_text(counts.clusters), say("groups of similar documents")),
        (count_text(counts.documents_in_clusters), say("documents in them")),
        (size_text(counts.bytes_to_free), say("can be freed")),
        (count_text(counts.read), say("documents read")),
        (count_text(counts.problems), say("whose text could not be compared")),
    ]
    by_bytes = (count_text(counts.bytes_only), say("compared by their bytes only"))
    return [*numbers, by_bytes] if counts.bytes_only else numbers


def _facts(report: Report) -> Facts:
    """Return the values that the template shows."""
    counts = report.summary
    ordered = sorted(report.clusters, key=lambda cluster: (-cluster.bytes_to_free, cluster.id))
    contains = contains_in_order(report)
    kinds = Counter(map(figures.cluster_kind, report.clusters))
    return {
        "program": report.program,
        "roots": [(shown(path), figures.role_name(role)) for path, role in report.roots],
        "started": moment_text(report.started),
        "took": seconds_text(report.seconds),
        "radius": report.radius,
        "min_similarity": share_text(report.min_similarity),
        "min_containment": share_text(report.min_containment),
        "scheme": report.scheme,
        "numbers": _numbers(counts),
        "counts": counts,
        "kinds": [(key, relation_name(key), count_text(kinds[key])) for key in figures.COUNTED_RELATIONS if kinds[key]],
        "cards": _cards(ordered[:MOST_CLUSTERS], report),
        "shown_clusters": count_text(min(len(ordered), MOST_CLUSTERS)),
        "all_clusters": count_text(len(ordered)),
        "clusters_left_out": max(0, len(ordered) - MOST_CLUSTERS),
        "contains": [
            (shown(row.container.name), figures.folder_of(row.container, report),
             shown(row.part.name), figures.folder_of(row.part, report), share_text(row.share))
            for row in contains[:MOST_CONTAINS]
        ],
        "contains_left_out": max(0, len(contains) - MOST_CONTAINS),
        "relations": relations_text(counts.relations),
        "same_form": figures.same_form_title(),
        "forms": [_form(form, report) for form in report.forms[:MOST_CLUSTERS]],
        "forms_left_out": max(0, len(report.forms) - MOST_CLUSTERS),
        "troubles": _troubles(report),
        "rules": [shown(rule) for rule in report.rules],
        "decided": any(member.decision for cluster in ordered for member in cluster.members),
    }  # fmt: skip


def _cards(clusters: Sequence[ReportCluster], report: Report) -> Iterator[Facts]:
    """Yield what the template shows of each cluster. left_out: members beyond MOST_MEMBERS."""
    excerpts: dict[Path, list[ReportExcerpt]] = {}
    for excerpt in report.excerpts:
        excerpts.setdefault(excerpt.left, []).append(excerpt)
    for cluster in clusters:
        members = members_in_order(cluster)
        kind = figures.cluster_kind(cluster)
        yield {
            "title": shown(cluster.keeper.stem),
            "kind": kind,
            "holds": figures.holds_text(cluster),
            "count": documents_text(len(members)),
            "to_free": size_text(cluster.bytes_to_free),
            "lowest": _lowest(cluster.lowest_similarity),
            "rows": [_row(member, cluster, report) for member in members[:MOST_MEMBERS]],
            "left_out": max(0, len(members) - MOST_MEMBERS),
            "excerpts": list(map(_excerpt, excerpts.get(cluster.keeper, ()))),
        }


def _excerpt(excerpt: ReportExcerpt) -> Facts:
    """Return what the template shows of an excerpt. rows: (kind of line, left pieces, right pieces)."""
    count = say_count("{count} difference", "{count} differences", excerpt.differences)
    if excerpt.shown != excerpt.differences:
        count = say("{differences}, the first {shown} shown", differences=count, shown=count_text(excerpt.shown))
    rows = [
        (line.kind, _pieces(line.left, line.left_marks), _pieces(line.right, line.right_marks))
        for line in excerpt.lines
    ]
    return {"name": shown(excerpt.right.name), "count": count, "rows": rows}


def _pieces(line: str | None, marks: tuple[tuple[int, int], ...]) -> Pieces:
    """Return a line split at its marks; nothing for None."""
    return tuple((shown(text), is_marked) for text, is_marked in split_at(line or "", marks))


def _row(member: ReportMember, cluster: ReportCluster, report: Report) -> Facts:
    return {
        "name": shown(member.path.name),
        "folder": figures.folder_of(member.path, report),
        "path": shown(located(member.path, report.archive_of(member.path))),
        "type": figures.type_text(member.path),
        "relation": member.relation,
        "why": _why(member),
        "notes": figures.notes_of(member, cluster),
        "similarity": share_text(1.0 if member.relation == "keeper" else member.similarity),
        "detail": _detail(member),
        "changed": date_text(member.changed_ns),
        "words": count_text(member.words),
        "size": size_text(member.size),
        "decision": member.decision,
        "decision_label": figures.decision_name(member.decision),
    }


def _why(member: ReportMember) -> str:
    """Return the relation of a member to the kept copy; of a part also the document that contains it."""
    name = relation_name(member.relation)
    if member.relation != "part" or member.whole is None:
        return name
    whole = shown(member.whole.name)
    if member.in_whole == 1:
        return say("{relation}: its text is in {whole}", relation=name, whole=whole)
    share = share_text(member.in_whole)
    return say("{relation}: {share} of its text is in {whole}", relation=name, share=share, whole=whole)


def _lowest(similarity: float | None) -> str:
    """Return the least similarity of a version in a group; "" without versions."""
    return "" if similarity is None else say("versions at least {share} similar", share=share_text(similarity))


def _detail(member: ReportMember) -> str:
    """Return the measurements behind a similarity, for the tool tip."""
    parts = []
    if member.in_keeper is not None:
        parts.append(say("{share} of it is in the kept copy", share=share_text(member.in_keeper)))
    if member.keeper_in is not None:
        parts.append(say("{share} of the kept copy is in it", share=share_text(member.keeper_in)))
    if member.distance is not None:
        parts.append(say_count("fingerprints {count} bit apart", "fingerprints {count} bits apart", member.distance))
    return " · ".join(parts)


def _form(form: ReportForm, report: Report) -> Facts:
    return {
        "title": say("Form {number}: {documents}", number=form.id, documents=documents_text(len(form.members))),
        "rows": [(shown(path.name), figures.folder_of(path, report)) for path in form.members[:MOST_MEMBERS]],
        "left_out": max(0, len(form.members) - MOST_MEMBERS),
    }


def _troubles(report: Report) -> list[Facts]:
    """Return the files whose text was not compared, by status, most frequent first, up to MOST_FILES of each."""
    by_status: dict[str, list[ReportFile]] = {}
    for file in report.files:
        if file.status != "read":
            by_status.setdefault(file.status, []).append(file)
    return [
        {
            "title": figures.status_title(status),
            "count": count_text(len(files)),
            "reasons": _reasons(files),
            "rows": [
                (shown(file.path.name), figures.folder_of(file.path, report), figures.reason_text(file))
                for file in files[:MOST_FILES]
            ],
            "left_out": max(0, len(files) - MOST_FILES),
        }
        for status, files in sorted(by_status.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _reasons(files: list[ReportFile]) -> tuple[tuple[str, str], ...]:
    """Return why these files were not read, with the number of files for each reason; empty if all have one reason."""
    reasons = figures.reasons_text(files)
    if len(reasons) < 2:
        return ()
    return tuple((shown(reason), count_text(number)) for reason, number in reasons.items())[:MOST_FILES]
