"""ScanRequest: what to scan, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePath

from dupfinder.fingerprint.scheme import Scheme
from dupfinder.scan.filters import Filters
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.document import MediaType
from dupfinder.text.sniff import CODE, FAMILIES, is_code


class Role(StrEnum):
    """What a folder is to a scan. The innermost folder that names a file decides."""

    SCAN = "scan"
    PROTECT = "protect"
    LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder (or a single file) and its role. PROTECT: compared, never marked. LEAVE_OUT: not entered."""

    path: Path
    role: Role = Role.SCAN


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """All that determines a scan.

    formats:    families to read, the keys of text.sniff.FAMILIES ("pdf", "word", ...); empty: all but "code".
    smallest, largest: bytes; files outside are skipped, with the reason.
    hidden:     also files and folders whose name begins with a dot.
    archives:   also the documents inside ZIP and tar archives; they are compared, never marked.
    ocr:        languages in which pages without a text layer are recognised ("eng+deu"), as tesseract names them; "":
                they are not. Without tesseract nothing is.
    filters:    patterns of names, sizes and times that choose among the files.
    one_file_system: folders on other file systems than the root above them are not entered.
    outputs:    absolute paths that the scan's own reports are written to; they are passed over.
    workers:    reading processes; 0: one a core, at most 8.
    scheme:     how texts become fingerprints; unless named, with the weights that the settings choose.
    radius, min_similarity, min_containment: what the results open with; all can be changed afterwards.
    """

    roots: tuple[Root, ...]
    formats: frozenset[str] = frozenset()
    smallest: int = 0
    largest: int = 500_000_000
    hidden: bool = True
    archives: bool = True
    ocr: str = ""
    excluded_names: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    one_file_system: bool = False
    outputs: tuple[Path, ...] = ()
    workers: int = 0
    fresh: bool = False
    scheme: Scheme = field(default_factory=scheme_in_use)
    name: str = ""

    def inner(self, path: Path) -> PurePath:
        """A path below the innermost root that holds it; of a root that is a file, its name."""
        holders = [root.path for root in self.roots if path.is_relative_to(root.path)]
        inner = path.relative_to(max(holders, key=lambda root: len(root.parts))) if holders else PurePath()
        return inner if inner.parts else PurePath(path.name)


def wanted_media(request: ScanRequest, path: PurePath) -> frozenset[MediaType] | None:
    """The kinds that a request reads of files with this name; None: all of them.

    Program texts are of the same kind as other texts, and only their names tell one from the other.
    """
    if not request.formats:
        return None
    families = request.formats if is_code(path) else request.formats - {CODE}
    return frozenset().union(*(FAMILIES[family] for family in families))
