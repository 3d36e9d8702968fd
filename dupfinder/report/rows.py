"""What the writers are handed: a scan's results as plain rows, without the library and without numpy."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

_NUMBERS = re.compile(r"\d[\d,.]*\d|\d")  # of bytes and pages, by which the same reason differs

RELATIONS: Final = ("keeper", "identical", "same_text", "same_words", "version", "whole", "linked", "part")


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One file that was offered to the scan.

    status:      "read", or a problem kind's value ("encrypted", "skipped", ...).
    reason:      a sentence for anything but "read"; else empty.
    size:        bytes.
    words, pages: None where they are not known or the format has none.
    language:    ISO 639-1 code, or empty.
    reader:      the engine that read it, or empty.
    fingerprint: 64 bits; None for a file without features.
    cluster:     id of its ReportCluster; None when it stands alone.
    archive:     the archive that it is a member of; None for a file of its own. Its path is below the archive's.
    content_hash: BLAKE2b-128 of the bytes, hexadecimal; empty where they were not read.
    seconds:     of the processor, to read it; None where it is not known.
    stack:       number of its stack: all files with the same words; None for a file that was not compared.
    in_stack:    "identical", "same_text" or "same_words" to the first file of its stack; "" without a stack.
    """

    path: Path
    status: str
    reason: str = ""
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
    """The other member of a cluster that a document is most like, what the document is to it, and how similar."""

    path: Path
    relation: str
    similarity: float


@dataclass(frozen=True, slots=True)
class ReportMember:
    """One document of a cluster, towards the cluster's keeper.

    relation:   "keeper", "identical", "same_text", "same_words", "version", "part", "whole" or "linked" (a distant
                version, without a verified tie to the keeper).
    similarity: to the keeper, 0..1, 1 for equal words alone; of a linked member and of another's part to the nearest.
    confidence: "certain", "likely" or "borderline". difference: "format", "numbers", "short", "additions", "mixed" or
                "unknown"; changes: places that differ.
    differs, not_known: of same words, what else differs ("pictures", ...), and what the formats do not tell.
    nearest:    the member it is most like. whole: of a part, the document it is in; in_whole: how much of it, 0..1.
    in_keeper, keeper_in: containment both ways, 0..1.
    distance:   bits between the two fingerprints; None without one of them.
    size:       bytes.
    changed_ns: time of the last change, nanoseconds since the epoch; None when it is not known.
    decision:   "keep", "remove", "protected", "archive" (inside one: never marked), or empty while undecided.
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


@dataclass(frozen=True, slots=True)
class ReportCluster:
    """Documents that are alike. The keeper is among `members`.

    bytes_to_free:     what removing all members with a verified tie to the keeper frees.
    lowest_similarity: of the versions to the keeper, 0..1; None without versions.
    """

    id: int
    keeper: Path
    members: tuple[ReportMember, ...]
    bytes_to_free: int = 0
    lowest_similarity: float | None = None


@dataclass(frozen=True, slots=True)
class ReportPair:
    """Two verified documents, each the first of its stack.

    relation:   what `left` is to `right`: "version", "part", "whole" or "same_form".
    by:         what proposed the pair: "fingerprints", "passages" or "both".
    The others as in ReportMember.
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
    """Documents that are one form, each filled in differently; none is a copy of another."""

    id: int
    members: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class ReportContains:
    """`share` (0..1) of the text of `part` stands in `container`."""

    container: Path
    part: Path
    share: float


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line on both sides (None: this side has none). kind: a diff block's kind; marks: (start, stop) of changes."""

    kind: str
    left: str | None
    right: str | None
    left_marks: tuple[tuple[int, int], ...] = ()
    right_marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportExcerpt:
    """The first `told` of the `differences` between a cluster's keeper (left) and one of its members (right)."""

    left: Path
    right: Path
    differences: int
    told: int
    lines: tuple[ExcerptLine, ...]


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """The counts of a scan: offered = read + problems + skipped + bytes_only. `reused`: known from an earlier scan and
    unchanged. `bytes_only`: no documents, compared by their bytes alone.

    relations: documents in clusters by what they are to the keeper. left_out_by_reason: files that were not read, by
    status. reasons: the same by the sentence that says why, the most frequent first (see `counted_reasons`).
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
    reasons: Mapping[str, int] = field(default_factory=dict)
    bytes_only: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report tells.

    program: name and version, "dupfinder 0.1.0".
    roots:   (folder, role) with role "scan", "protect" or "leave_out".
    started: aware, UTC. seconds: how long the scan took.
    radius:  bits. passages: shared passages count beyond it. min_similarity, min_containment: 0..1. scheme: its id.
    rules:   the rules by which decisions were made, in words and in order.
    excerpts: side-by-side excerpts, for the formats that people read (HTML).
    archives: the archives that were looked into: a path below one of them is that of a member.
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
    contains: tuple[ReportContains, ...] = ()
    pairs: tuple[ReportPair, ...] = ()
    forms: tuple[ReportForm, ...] = ()
    rules: tuple[str, ...] = ()
    excerpts: tuple[ReportExcerpt, ...] = ()
    archives: frozenset[Path] = frozenset()

    def archive_of(self, path: Path) -> Path | None:
        """The archive that a path is inside of; None for that of a file."""
        return next((above for above in path.parents if above in self.archives), None) if self.archives else None


def counted_reasons(reasons: Iterable[str]) -> dict[str, int]:
    """Sentence -> how many files it is said of, the most frequent first; numbers of bytes and pages become "…"."""
    return dict(Counter(_NUMBERS.sub("…", reason) for reason in reasons).most_common())


def files_in_order(report: Report) -> list[ReportFile]:
    """By path, as bytes."""
    return sorted(report.files, key=lambda file: os.fsencode(file.path))


def clusters_in_order(report: Report) -> list[ReportCluster]:
    """By id."""
    return sorted(report.clusters, key=lambda cluster: cluster.id)


def members_in_order(cluster: ReportCluster) -> list[ReportMember]:
    """The keeper, then the closest relation first, then the most similar."""
    return sorted(
        cluster.members,
        key=lambda member: (
            member.path != cluster.keeper,
            RELATIONS.index(member.relation),
            -(member.similarity or 0.0),
            os.fsencode(member.path),
        ),
    )


def pairs_in_order(report: Report) -> list[ReportPair]:
    """By both paths, as bytes."""
    return sorted(report.pairs, key=lambda pair: (os.fsencode(pair.left), os.fsencode(pair.right)))


def contains_in_order(report: Report) -> list[ReportContains]:
    """By container, then part."""
    return sorted(report.contains, key=lambda one: (os.fsencode(one.container), os.fsencode(one.part)))
