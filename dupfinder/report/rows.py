"""What the writers are handed: a scan's results as plain rows, without the library and without numpy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


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


@dataclass(frozen=True, slots=True)
class ReportMember:
    """One document of a cluster, as it stands to the cluster's keeper.

    relation:   "keeper", "identical_bytes", "identical_text", "near", "contained", "contains" or "linked".
    similarity: resemblance with the keeper, 0..1; None when it was not computed (a linked member).
    in_keeper, keeper_in: containment both ways, 0..1.
    distance:   bits between the two fingerprints; None without one of them.
    linked_through: the member that joins a "linked" one to the cluster.
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
    linked_through: Path | None = None
    size: int = 0
    changed_ns: int | None = None
    words: int | None = None
    decision: str = ""


@dataclass(frozen=True, slots=True)
class ReportCluster:
    """Documents that are alike. The keeper is among `members`.

    bytes_to_free:     sizes of all members but the keeper, each inode once.
    lowest_similarity: of the members that were compared with the keeper, 0..1; None when none was.
    """

    id: int
    keeper: Path
    members: tuple[ReportMember, ...]
    bytes_to_free: int = 0
    lowest_similarity: float | None = None


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
    """The counts of a scan: offered = read + problems + skipped. `reused`: read in an earlier scan and unchanged."""

    offered: int = 0
    read: int = 0
    problems: int = 0
    skipped: int = 0
    reused: int = 0
    clusters: int = 0
    documents_in_clusters: int = 0
    bytes_to_free: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report tells.

    program: name and version, "dupfinder 0.1.0".
    roots:   (folder, role) with role "scan", "protect" or "leave_out".
    started: aware, UTC. seconds: how long the scan took.
    radius:  bits. min_similarity, min_containment: 0..1. scheme: its id.
    rules:   the rules by which decisions were made, in words and in order.
    excerpts: side-by-side excerpts, for the formats that people read (HTML).
    archives: the archives that were looked into: a path below one of them is that of a member.
    """

    program: str
    roots: tuple[tuple[Path, str], ...]
    started: datetime
    seconds: float
    radius: int
    min_similarity: float
    min_containment: float
    scheme: str
    summary: ReportSummary
    files: tuple[ReportFile, ...] = ()
    clusters: tuple[ReportCluster, ...] = ()
    contains: tuple[ReportContains, ...] = ()
    rules: tuple[str, ...] = ()
    excerpts: tuple[ReportExcerpt, ...] = ()
    archives: frozenset[Path] = frozenset()

    def archive_of(self, path: Path) -> Path | None:
        """The archive that a path is inside of; None for that of a file."""
        return next((above for above in path.parents if above in self.archives), None) if self.archives else None
