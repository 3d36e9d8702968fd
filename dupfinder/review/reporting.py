"""A reviewed scan as the rows that report writers take."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import dupfinder
from dupfinder.base.problems import ProblemKind
from dupfinder.library.rows import READ, Documents
from dupfinder.report.rows import Report, ReportCluster, ReportContains, ReportFile, ReportMember, ReportSummary
from dupfinder.review.grouping import Grouping
from dupfinder.review.members import Decision, Member
from dupfinder.review.session import ReviewSession
from dupfinder.review.wording import problem_sentence, reading_sentence

_SKIPPED = frozenset({ProblemKind.SKIPPED.value, ProblemKind.UNSUPPORTED.value})
_DECISIONS = {Decision.UNDECIDED: "", Decision.KEEP: "keep", Decision.REMOVE: "remove"}


def report_of(session: ReviewSession) -> Report:
    """Everything a scan found at the session's radius and least similarity, with the decisions made so far."""
    result, documents = session.result, session.result.documents
    present = session.present()
    clusters: list[ReportCluster] = []
    number_of: dict[int, int] = {}
    for place in range(len(present)):
        if present.ids[place] < 0:
            continue
        number = len(clusters) + 1
        members = session.members_at(place)
        number_of.update((member.document, number) for member in members)
        clusters.append(
            ReportCluster(
                number,
                members[0].path,
                tuple(_member(member) for member in members),
                int(present.bytes_to_free[place]),
                float(present.lowest[place]),
            )
        )
    contains = tuple(_contains(session.grouping, documents))
    files = tuple(_file(documents, row, number_of.get(row)) for row in range(len(documents)))
    summary = result.summary
    counts = session.grouping.counts(session.radius)
    skipped = sum(file.status in _SKIPPED for file in files)
    read = sum(file.status == READ for file in files)
    return Report(
        program=f"dupfinder {dupfinder.__version__}",
        roots=summary.roots,
        started=summary.started,
        seconds=summary.seconds,
        radius=session.radius,
        min_similarity=session.min_similarity,
        min_containment=session.grouping.min_containment,
        scheme=summary.scheme,
        summary=ReportSummary(
            offered=len(files),
            read=read,
            problems=len(files) - read - skipped,
            skipped=skipped,
            reused=summary.reused,
            clusters=len(clusters),
            documents_in_clusters=counts.documents,
            bytes_to_free=counts.bytes_to_free,
        ),
        files=files,
        clusters=tuple(clusters),
        contains=contains,
        archives=frozenset(documents.path(row) for row in set(documents.archive.tolist()) if row >= 0),
    )


def _contains(grouping: Grouping, documents: Documents) -> Iterator[ReportContains]:
    """Every contained document with every container of it, the copies of both included."""
    order = np.argsort(grouping.copies, kind="stable")
    starts = np.searchsorted(grouping.copies[order], np.arange(grouping.count + 1))
    for whole, piece, share in zip(*(column.tolist() for column in grouping.contained), strict=True):
        for container in order[starts[whole] : starts[whole + 1]].tolist():
            for part in order[starts[piece] : starts[piece + 1]].tolist():
                yield ReportContains(documents.path(container), documents.path(part), share)


def _file(documents: Documents, row: int, cluster: int | None) -> ReportFile:
    status = documents.status[row]
    return ReportFile(
        path=documents.path(row),
        status=status,
        reason=_reason(status, documents.detail[row]),
        size=int(documents.size[row]),
        words=int(documents.words[row]) if documents.words[row] >= 0 else None,
        pages=int(documents.pages[row]) if documents.pages[row] >= 0 else None,
        language=documents.language[row],
        reader=documents.reader[row],
        fingerprint=int(documents.fingerprint[row]) if documents.comparable[row] else None,
        cluster=cluster,
        archive=documents.archive_of(row),
    )


def _reason(status: str, detail: str) -> str:
    """Why a file was not read; of one that was read what is to be known of its text, "" where there is nothing."""
    return reading_sentence(detail) if status == READ else problem_sentence(ProblemKind(status), detail)


def _member(member: Member) -> ReportMember:
    return ReportMember(
        path=member.path,
        relation=member.relation,
        similarity=member.similarity,
        in_keeper=member.in_keeper,
        keeper_in=member.keeper_in,
        distance=member.distance,
        linked_through=member.linked_through,
        size=member.size,
        changed_ns=int(member.changed.timestamp() * 1_000_000_000),
        words=member.words,
        decision=_decision(member),
    )


def _decision(member: Member) -> str:
    if member.archive is not None:
        return "archive"
    return "protected" if member.protected else _DECISIONS[member.decision]
