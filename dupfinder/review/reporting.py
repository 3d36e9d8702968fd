"""What a reviewed scan tells: the rows of reports, with excerpts of the first differences, and what is new in it."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import dupfinder
from dupfinder.base.details import Details, ProblemKind, details_of
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.cluster.relation import Confidence, Demand, Difference, Relation, name_of
from dupfinder.diff.blocks import Block, BlockKind, LineMarks, TextComparison
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import READ, Documents
from dupfinder.report.rows import (
    ExcerptLine,
    Report,
    ReportCluster,
    ReportExcerpt,
    ReportFile,
    ReportForm,
    ReportMember,
    ReportNearest,
    ReportPair,
    ReportPart,
    ReportSummary,
    members_in_order,
)
from dupfinder.review.grouping import Grouping, Relations
from dupfinder.review.members import Member, Relative
from dupfinder.review.session import ReviewSession

MOST_RELATIVES: Final = 20  # of one newcomer, the closest first
_CHECK_EVERY: Final = 200  # groups
_SKIPPED = frozenset({ProblemKind.SKIPPED.value, ProblemKind.UNSUPPORTED.value})
_RELATION_NAMES = tuple(map(name_of, Relation))
_CONFIDENCE_NAMES = tuple(confidence.name.lower() for confidence in Confidence)
_DIFFERENCE_NAMES = tuple(difference.name.lower() for difference in Difference)
_DECISIONS = {Decision.UNDECIDED: "", Decision.KEEP: "keep", Decision.REMOVE: "remove", Decision.REMOVE_PART: "remove"}


def report_of(
    session: ReviewSession,
    reporter: Reporter = SILENT,
    *,
    groups_alone: bool = False,
    positions: NDArray[np.intp] | None = None,
) -> Report:
    """Return all results of a scan under the session's demand, with the decisions so far.

    Groups that the person rejected are left out, and documents that are missing or changed since the scan.
    reporter: is told the number of groups that are done; may raise Stopped. groups_alone: without single files, pairs,
    parts and forms, which saves looking at every file. positions: of the groups; None: all but the rejected ones.
    """
    clusters: list[ReportCluster] = []
    number_of: dict[int, int] = {}
    for number, members, cluster in _clusters(
        session, session.unfiltered() if positions is None else positions, reporter
    ):
        number_of.update((member.document, number) for member in members)
        clusters.append(cluster)
    summary, documents, demand = session.result.summary, session.result.documents, session.demand
    relations = Counter(member.relation for cluster in clusters for member in cluster.members)
    report = Report(
        program=f"dupfinder {dupfinder.__version__}",
        roots=summary.roots,
        started=summary.started,
        seconds=summary.seconds,
        radius=demand.radius,
        passages=demand.passages,
        min_similarity=demand.similarity,
        min_containment=demand.containment,
        scheme=summary.scheme,
        summary=replace(summary_of(session), relations=dict(sorted(relations.items()))),
        clusters=tuple(clusters),
        archives=frozenset(documents.path(row) for row in set(documents.archive.tolist()) if row >= 0),
    )
    return report if groups_alone else _with_details(report, session, number_of)


def _clusters(
    session: ReviewSession, positions: NDArray[np.intp], reporter: Reporter
) -> Iterator[tuple[int, list[Member], ReportCluster]]:
    """Yield the number of each group, its documents that are still there, and what the report tells of it."""
    bytes_to_free, read_in_part = session.all_clusters().bytes_to_free, session.grouping.read_in_part
    for done, position in enumerate(positions.tolist()):
        if done % _CHECK_EVERY == 0:
            reporter.check()
            reporter.tell(Progress(Stage.GROUP, done, len(positions)))
        members = [member for member in session.members_at(position) if member.is_there or member.is_keeper]
        yield position + 1, members, _cluster(position + 1, members, int(bytes_to_free[position]), read_in_part)


def _with_details(report: Report, session: ReviewSession, number_of: Mapping[int, int]) -> Report:
    """Return a report with single files, pairs, parts and forms. number_of: as for `_files`."""
    grouping, documents, demand = session.grouping, session.result.documents, session.demand
    return replace(
        report,
        files=tuple(_files(grouping, number_of)),
        contains=tuple(_contains(grouping, demand)),
        pairs=_ReportedPairs(grouping, grouping.relations(demand), demand.radius),
        forms=tuple(
            ReportForm(number, tuple(documents.path(row) for row in rows.tolist()))
            for number, rows in enumerate(session.forms(), 1)
        ),
    )


class ReportScope(StrEnum):
    """The groups of a report: all, those that the list shows, or those with marked documents."""

    ALL = "all"
    SHOWN = "shown"
    MARKED = "marked"


def report_within(session: ReviewSession, scope: ReportScope, reporter: Reporter = SILENT) -> Report:
    """Return the report of some groups, and of the files in them alone. reporter: as for `report_of`."""
    is_listed = np.isin(session.all_clusters().ids, session.listed().ids)
    report = report_of(session, reporter, positions=np.flatnonzero(is_listed) if scope is ReportScope.SHOWN else None)
    if scope is ReportScope.ALL:
        return report
    clusters = report.clusters
    if scope is ReportScope.MARKED:
        clusters = tuple(group for group in clusters if any(part.decision == "remove" for part in group.members))
    members = {part.path for group in clusters for part in group.members}
    relations = Counter(part.relation for group in clusters for part in group.members)
    return replace(
        report,
        clusters=clusters,
        files=tuple(file for file in report.files if file.path in members),
        contains=tuple(row for row in report.contains if row.container in members and row.part in members),
        pairs=tuple(pair for pair in report.pairs if pair.left in members and pair.right in members),
        forms=tuple(form for form in report.forms if members.issuperset(form.members)),
        summary=replace(
            report.summary,
            clusters=len(clusters),
            documents_in_clusters=len(members),
            bytes_to_free=sum(group.bytes_to_free for group in clusters),
            relations=dict(sorted(relations.items())),
        ),
    )


def summary_of(session: ReviewSession) -> ReportSummary:
    """Return the counts of a report, without looking at each document: all but `relations`."""
    left_out = Counter(session.result.documents.status)
    read, skipped = left_out.pop(READ, 0), sum(left_out[status] for status in _SKIPPED)
    bytes_only = left_out[ProblemKind.BYTES_ONLY.value]
    left_out, counts = +left_out, session.counts()
    return ReportSummary(
        offered=len(session.result.documents),
        read=read,
        problems=left_out.total() - skipped - bytes_only,
        skipped=skipped,
        bytes_only=bytes_only,
        reused=session.result.summary.reused,
        clusters=counts.clusters,
        documents_in_clusters=counts.documents,
        bytes_to_free=counts.bytes_to_free,
        left_out_by_reason=dict(sorted(left_out.items())),
    )


def _cluster(number: int, members: list[Member], bytes_to_free: int, read_in_part: NDArray[np.bool_]) -> ReportCluster:
    versions = [member.similarity for member in members if member.relation is Relation.VERSION]
    rows = tuple(_member(member, bool(read_in_part[member.document])) for member in members)
    return ReportCluster(
        number, members[0].path, rows, bytes_to_free, min(versions, default=None), members[0].why_keeper or ""
    )


def _contains(grouping: Grouping, demand: Demand) -> Iterator[ReportPart]:
    """Yield every part with every document that contains it, including the copies of both."""
    documents, relation = grouping.result.documents, grouping.relations(demand).relation
    pairs, stacks = grouping.pairs, grouping.stacks
    for row in np.flatnonzero((relation == Relation.PART) | (relation == Relation.WHOLE)).tolist():
        part, whole = int(pairs.left[row]), int(pairs.right[row])
        if relation[row] == Relation.WHOLE:
            part, whole = whole, part
        share = grouping.share_of(part, whole)
        for container in stacks[whole].tolist():
            for piece in stacks[part].tolist():
                yield ReportPart(documents.path(container), documents.path(piece), share)


@dataclass(frozen=True, slots=True)
class _ReportedPairs:
    """Every verified pair of documents with different words, each the first of its stack.

    There may be millions, and few formats have them, so they are made whenever they are read.
    """

    grouping: Grouping
    relations: Relations
    radius: int

    def __iter__(self) -> Iterator[ReportPair]:
        grouping, relations = self.grouping, self.relations
        pairs, evidence = grouping.pairs, grouping.evidence
        path_of = functools.cache(grouping.result.documents.path)  # a document may be in thousands of pairs
        shared = np.where(pairs.distance <= self.radius, "both", "passages")
        sources = np.where(evidence.half_shared, shared, "fingerprints")
        rows = np.flatnonzero(relations.relation != Relation.NONE)
        columns = (pairs.left, pairs.right, relations.relation, grouping.similarity, relations.confidence,
                   evidence.difference, pairs.distance, sources)  # fmt: skip
        for left, right, relation, similarity, confidence, difference, distance, source in zip(
            *(column[rows].tolist() for column in columns), strict=True
        ):
            yield ReportPair(
                path_of(left), path_of(right), _RELATION_NAMES[relation], similarity, _CONFIDENCE_NAMES[confidence],
                _DIFFERENCE_NAMES[difference], distance, source,
            )  # fmt: skip


def _files(grouping: Grouping, number_of: Mapping[int, int]) -> Iterator[ReportFile]:
    """Yield every file, by row. number_of: the number of the cluster of each row that is in one."""
    documents, representative = grouping.result.documents, grouping.representative
    rows = np.arange(grouping.count, dtype=np.int32)
    numbers = np.cumsum(representative == rows)[representative].tolist()  # stacks, counted by their first rows
    shared = (np.bincount(representative, minlength=grouping.count) > 1)[representative].tolist()
    relations = grouping.files.same_words(rows, representative).tolist()
    details: dict[str, Details] = {"": ()}
    words, pages = documents.words.tolist(), documents.pages.tolist()
    texts = zip(documents.paths, documents.status, documents.detail, documents.language, documents.reader, strict=True)
    for row, (path, status, detail, language, reader) in enumerate(texts):
        if detail not in details:
            details[detail] = details_of(detail)
        compared = status == READ or shared[row]
        yield ReportFile(
            path=Path(path),
            status=status,
            details=details[detail],
            size=int(documents.size[row]),
            words=words[row] if words[row] >= 0 else None,
            pages=pages[row] if pages[row] >= 0 else None,
            language=language,
            reader=reader,
            fingerprint=int(documents.fingerprint[row]) if documents.comparable[row] else None,
            cluster=number_of.get(row),
            archive=documents.archive_of(row),
            content_hash=documents.content_hex(row),
            seconds=float(documents.seconds[row]) if documents.seconds[row] >= 0 else None,
            stack=numbers[row] if compared else None,
            in_stack=_RELATION_NAMES[relations[row]] if compared else "",
        )


def _member(member: Member, read_in_part: bool) -> ReportMember:
    nearest = member.nearest
    return ReportMember(
        path=member.path,
        relation=_relation(member),
        similarity=member.similarity,
        in_keeper=member.in_keeper,
        keeper_in=member.keeper_in,
        distance=member.distance,
        confidence=member.confidence.name.lower(),
        difference=member.difference.name.lower(),
        changes=member.changes,
        differs=tuple(kind.value for kind in member.differs),
        not_known=tuple(kind.value for kind in member.unknown),
        nearest=None if nearest is None else ReportNearest(nearest.path, name_of(nearest.relation), nearest.similarity),
        whole=member.whole,
        in_whole=member.in_whole,
        size=member.size,
        changed_ns=int(member.changed.timestamp() * 1_000_000_000),
        words=member.words,
        decision=_decision(member),
        read_in_part=read_in_part,
    )


def _relation(member: Member) -> str:
    if member.is_keeper:
        return "keeper"
    return "linked" if member.relation is Relation.NONE else name_of(member.relation)


def _decision(member: Member) -> str:
    if member.archive is not None:
        return "archive"
    return "protected" if member.protected else _DECISIONS[member.decision if member.is_there else Decision.UNDECIDED]


MOST_DIFFERENCES: Final = 5  # of one pair
MOST_LINES: Final = 6  # of one difference
MOST_PAIRS: Final = 50  # of a report; two files are read again for each

PathPair = tuple[Path, Path]
Compare = Callable[[list[PathPair]], Iterable[tuple[PathPair, TextComparison | None]]]


def with_excerpts(report: Report, compare: Compare) -> Report:
    """Return `report` with excerpts for up to MOST_PAIRS versions, first of the clusters that free the most space.

    compare: returns pairs of files, in any order, and the comparison of each; None if a file can no longer be read.
    Such pairs are skipped.
    """
    clusters = sorted(report.clusters, key=lambda cluster: (-cluster.bytes_to_free, cluster.id))
    pairs = ((cluster.keeper, path) for cluster in clusters for path in _versions(cluster))
    excerpts: list[ReportExcerpt] = []
    while portion := list(islice(pairs, MOST_PAIRS - len(excerpts))):
        compared = dict(compare(portion))
        for pair in portion:
            comparison = compared.get(pair)
            if comparison is not None and comparison.differences:
                excerpts.append(excerpt_of(*pair, comparison))
    return replace(report, excerpts=tuple(excerpts))


def excerpt_of(left: Path, right: Path, comparison: TextComparison) -> ReportExcerpt:
    """Return the first differences of a comparison, each after its preceding line."""
    lines: list[ExcerptLine] = []
    for index in comparison.differences[:MOST_DIFFERENCES]:
        before = comparison.blocks[index - 1] if index else None
        if before is not None and before.kind is BlockKind.SAME:
            i, j = before.left_stop - 1, before.right_stop - 1
            lines.append(ExcerptLine("same", comparison.left_lines[i], comparison.right_lines[j]))
        lines.extend(_lines(comparison, comparison.blocks[index]))
    count = len(comparison.differences)
    return ReportExcerpt(left, right, count, min(MOST_DIFFERENCES, count), tuple(lines))


def _versions(cluster: ReportCluster) -> list[Path]:
    """Return members whose text differs from the keeper's; of files with the same text only the first."""
    seen: set[tuple[float | None, int | None]] = set()
    paths: list[Path] = []
    for member in members_in_order(cluster):
        similarity_and_words = (member.similarity, member.words)
        if member.relation == "version" and similarity_and_words not in seen:
            seen.add(similarity_and_words)
            paths.append(member.path)
    return paths


def _lines(comparison: TextComparison, block: Block) -> Iterator[ExcerptLine]:
    """Yield the first MOST_LINES lines of a block, left and right in pairs."""
    left, right = block.left[:MOST_LINES], block.right[:MOST_LINES]
    for i, j in zip_longest(left, right):
        yield ExcerptLine(
            block.kind.value,
            None if i is None else comparison.left_lines[i],
            None if j is None else comparison.right_lines[j],
            _marks(comparison.left_marks, i),
            _marks(comparison.right_marks, j),
        )


def _marks(marks: LineMarks, line: int | None) -> tuple[tuple[int, int], ...]:
    return () if line is None else marks.get(line, ())


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new or changed document, and its closest relatives in its group, the most similar first."""

    path: Path
    relatives: tuple[Relative, ...]


def newcomers(session: ReviewSession, earlier: Documents) -> list[Newcomer]:
    """Return the documents of a scan that are new or changed since an earlier scan, and have relatives.

    A document that was only renamed or moved is no newcomer: no more files than before have its bytes.
    """
    documents, groups = session.result.documents, session.all_clusters()
    contents, contents_before = _contents(documents), _contents(earlier)
    known_before = set(zip(earlier.paths, contents_before, strict=True))
    more = Counter(contents) - Counter(contents_before)
    result = []
    for row, position in sorted(zip(groups.members.tolist(), groups.positions.tolist(), strict=True)):
        if contents[row] in more and (documents.paths[row], contents[row]) not in known_before:
            relatives = _relatives(session, row, groups.rows(position).tolist())
            result.append(Newcomer(documents.path(row), relatives))
    return result


def _contents(documents: Documents) -> list[tuple[int, ...]]:
    """Return the hash of the bytes of each document."""
    return list(map(tuple, documents.content_hash.tolist()))


def _relatives(session: ReviewSession, row: int, group: Sequence[int]) -> tuple[Relative, ...]:
    """Return the closest documents of a group that have a verified pair with the document in this row."""
    relatives = []
    for other in group:
        relation, similarity = session.relation_of(row, other)
        if other != row and relation is not Relation.NONE:
            relatives.append(Relative(other, session.result.documents.path(other), relation, similarity))
    relatives.sort(key=lambda relative: (-relative.relation, -relative.similarity, str(relative.path)))
    return tuple(relatives[:MOST_RELATIVES])
