"""The input of report writers: a scan's results as plain rows, independent of the library and of numpy."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from dupfinder.base.details import Details

_NUMBERS = re.compile(r"\d[\d,.]*\d|\d")  # of bytes or pages, say

# The relations of members to the keeper, in the order of reports: the closest first. "linked": a distant version.
RELATION_ORDER: Final = ("keeper", "identical", "same_text", "same_words", "version", "whole", "linked", "part")


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One file that was offered to the scan.

    status:      "read", or the value of a problem kind ("encrypted", "skipped", ...).
    details:     why it was not read, or how; `figures.reason_text` words them.
    size:        bytes.
    words, pages: None if unknown, or if the format has none.
    language:    ISO 639-1 code, or empty.
    reader:      name of the reader, or empty.
    fingerprint: 64 bits; None for a file without features.
    cluster:     id of its ReportCluster; None if it is in no cluster.
    archive:     the archive that contains it, whose path begins the file's path; None for an ordinary file.
    content_hash: BLAKE2b-128 of the bytes, hexadecimal; empty if they were not read.
    seconds:     processor time of reading; None if unknown.
    stack:       number that all files with the same words share; None for a file that was not compared.
    in_stack:    relation to the first file of its stack: "identical", "same_text" or "same_words"; "" without a stack.
    """

    path: Path
    status: str
    details: Details = ()
    size: int = 0
    words: int | None = None
    pages: int | None = None
    language: str = ""
    reader: str = ""
    fingerprint: int | None = None
    cluster: int | None = None
    archive: Path | None = None
    content_hash: str = ""
    seconds: float | None = None
    stack: int | None = None
    in_stack: str = ""


@dataclass(frozen=True, slots=True)
class ReportNearest:
    """The member most like a document, the relation of the document to it, and their similarity."""

    path: Path
    relation: str
    similarity: float


@dataclass(frozen=True, slots=True)
class ReportMember:
    """One document of a cluster.

    relation:   to the keeper, one of RELATION_ORDER; "linked": a distant version, with no verified pair with it.
    similarity: 0..1, to the keeper; to the nearest member for linked members and parts of other members. Less than 1
    unless the words are equal.
    confidence: "certain", "likely" or "borderline".
    difference: "format", "numbers", "short", "additions", "mixed" or "unknown". changes: number of places that differ.
    differs, not_known: for "same_words", what else differs ("pictures", ...), and what these formats do not tell.
    nearest:    the most similar member.
    whole: the document that contains a part. in_whole: share of the part in it, 0..1.
    in_keeper, keeper_in: containment both ways, 0..1.
    distance:   bits between the two fingerprints; None if one of them is missing.
    size:       bytes.
    changed_ns: time of the last change, nanoseconds since 1970; None if unknown.
    decision:   "keep", "remove", "protected", "archive" (inside an archive, never marked), or empty while undecided.
    read_in_part: whether some of its text could not be read, so that only equal bytes are a copy of it.
    """

    path: Path
    relation: str
    similarity: float | None = None
    in_keeper: float | None = None
    keeper_in: float | None = None
    distance: int | None = None
    confidence: str = "certain"
    difference: str = "unknown"
    changes: int = 0
    differs: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    nearest: ReportNearest | None = None
    whole: Path | None = None
    in_whole: float = 1.0
    size: int = 0
    changed_ns: int | None = None
    words: int | None = None
    decision: str = ""
    read_in_part: bool = False


@dataclass(frozen=True, slots=True)
class ReportCluster:
    """A group of similar documents. The keeper is among `members`.

    why_keeper:        a KeeperReason, by which the keeper was proposed; "" if the person chose another.
    bytes_to_free:     freed by removing all members with a verified pair with the keeper.
    lowest_similarity: least similarity of a version to the keeper, 0..1; None without versions.
    """

    id: int
    keeper: Path
    members: tuple[ReportMember, ...]
    bytes_to_free: int = 0
    lowest_similarity: float | None = None
    why_keeper: str = ""


@dataclass(frozen=True, slots=True)
class ReportPair:
    """A verified pair of documents, each the first of its stack.

    relation:   of `left` to `right`: "version", "part", "whole" or "same_form".
    by:         the source that found the pair: "fingerprints", "passages" or "both".
    Other fields as in ReportMember.
    """

    left: Path
    right: Path
    relation: str
    similarity: float
    confidence: str
    difference: str
    distance: int
    by: str


@dataclass(frozen=True, slots=True)
class ReportForm:
    """Documents that share a form, each filled in differently; none is a copy of another."""

    id: int
    members: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part, and the document that contains `share` (0..1) of its text."""

    container: Path
    part: Path
    share: float


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line of both documents (None: no line). kind: of the diff block. marks: (start, stop) of changes."""

    kind: str
    left: str | None
    right: str | None
    left_marks: tuple[tuple[int, int], ...] = ()
    right_marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportExcerpt:
    """The first `shown` of the `differences` between a cluster's keeper (left) and one of its members (right)."""

    left: Path
    right: Path
    differences: int
    shown: int
    lines: tuple[ExcerptLine, ...]


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """The counts of a scan: offered = read + problems + skipped + bytes_only.

    reused: known from an earlier scan and unchanged.
    bytes_only: other files than documents, compared by their bytes only.
    relations: number of documents in clusters, by relation to the keeper.
    left_out_by_reason: number of files that were not read, by their status.
    """

    offered: int = 0
    read: int = 0
    problems: int = 0
    skipped: int = 0
    reused: int = 0
    clusters: int = 0
    documents_in_clusters: int = 0
    bytes_to_free: int = 0
    relations: Mapping[str, int] = field(default_factory=dict)
    left_out_by_reason: Mapping[str, int] = field(default_factory=dict)
    bytes_only: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report.

    program: name and version, "dupfinder 0.1.0".
    roots:   (folder, role) with role "scan", "protect" or "leave_out".
    started: with time zone, UTC. seconds: duration of the scan.
    radius:  bits. passages: whether shared passages count beyond it. min_similarity, min_containment: 0..1.
    scheme:  id of the fingerprint scheme.
    files, pairs: sorted by the bytes of their paths. pairs: may be iterated more than once.
    clusters: in the order of their ids.
    rules:   the selection rules that were applied, in words and in order.
    excerpts: side-by-side excerpts, for the formats that people read (HTML).
    archives: the archives that were read; a path that begins with one of them is in an archive.
    """

    program: str
    roots: tuple[tuple[Path, str], ...]
    started: datetime
    seconds: float
    radius: int
    passages: bool
    min_similarity: float
    min_containment: float
    scheme: str
    summary: ReportSummary
    files: tuple[ReportFile, ...] = ()
    clusters: tuple[ReportCluster, ...] = ()
    contains: tuple[ReportPart, ...] = ()
    pairs: Iterable[ReportPair] = ()
    forms: tuple[ReportForm, ...] = ()
    rules: tuple[str, ...] = ()
    excerpts: tuple[ReportExcerpt, ...] = ()
    archives: frozenset[Path] = frozenset()

    def archive_of(self, path: Path) -> Path | None:
        """Return the archive that contains a path; None for an ordinary file."""
        return next((above for above in path.parents if above in self.archives), None) if self.archives else None


def counted_reasons(reasons: Mapping[str, int]) -> dict[str, int]:
    """Return how often each sentence occurs, the most frequent first; join sentences that differ in numbers only."""
    counts: Counter[str] = Counter()
    sentences: dict[str, str] = {}
    for reason, number in reasons.items():
        masked = _NUMBERS.sub("…", reason)  # shown if several sentences have it
        counts[masked] += number
        sentences[masked] = masked if masked in sentences else reason
    return {sentences[masked]: number for masked, number in counts.most_common()}


def members_in_order(cluster: ReportCluster) -> list[ReportMember]:
    """Return the keeper, then the other members by relation, the closest first, then by similarity."""
    return sorted(
        cluster.members,
        key=lambda member: (
            member.path != cluster.keeper,
            RELATION_ORDER.index(member.relation),
            -(member.similarity or 0.0),
            os.fsencode(member.path),
        ),
    )


def contains_in_order(report: Report) -> list[ReportPart]:
    return sorted(report.contains, key=lambda row: (os.fsencode(row.container), os.fsencode(row.part)))
