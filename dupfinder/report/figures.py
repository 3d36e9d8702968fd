"""Numbers, dates and kinds as a report words them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dupfinder.base.display import shown
from dupfinder.report.rows import ReportCluster

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
RELATIONS: Final = {
    "keeper": "Kept copy",
    "identical_bytes": "Exact copy",
    "identical_text": "Same text",
    "near": "Near-duplicate",
    "contained": "Contained",
    "contains": "Contains it",
    "linked": "Linked",
}
# A cluster is named after its loosest member.
_LOOSENESS: Final = ("identical_bytes", "identical_text", "near", "contains", "contained", "linked")
KINDS: Final = {"exact": "Exact copy", "text": "Same text", "near": "Near-duplicate", "contained": "Contained"}
_KIND_OF: Final = {
    "identical_bytes": "exact",
    "identical_text": "text",
    "near": "near",
    "contained": "contained",
    "contains": "contained",
    "linked": "near",
}
DECISIONS: Final = {"keep": "Keep", "remove": "Remove", "protected": "Protected", "archive": "In an archive"}
STATUSES: Final = {
    "no_text": "Scanned pages without text: compared by exact content only",
    "too_short": "Too little text to compare: compared by exact content only",
    "encrypted": "Password-protected",
    "damaged": "Damaged",
    "too_large": "Larger than the limit",
    "too_slow": "Took too long to read",
    "unreadable": "No permission to read",
    "vanished": "Gone before it could be read",
    "changed": "Changed while being read",
    "unsupported": "Not a kind of document that can be read",
    "skipped": "Left out",
}


def size_text(size: int) -> str:
    """Bytes for people: "0 bytes", "142 KB", "1.9 MB"; decimal units."""
    if size < 1000:
        return "1 byte" if size == 1 else f"{size} bytes"
    amount = float(size)
    for unit in ("KB", "MB", "GB", "TB"):
        amount /= 1000
        if amount < 999.5 or unit == "TB":
            break
    return f"{amount:.1f} {unit}" if amount < 9.95 and unit != "KB" else f"{amount:.0f} {unit}"


def share_text(share: float | None) -> str:
    """0..1 as a percentage, rounded down, so that 100 % means all of it; "—" for None."""
    return "—" if share is None else f"{int(share * 100 + 1e-6)} %"


def count_text(count: int | None) -> str:
    """A count with thousands grouped; "—" for None."""
    return "—" if count is None else f"{count:,}"


def seconds_text(seconds: float) -> str:
    """A duration: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min"."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def date_text(changed_ns: int | None) -> str:
    """The day of a time in nanoseconds since the epoch, UTC: "12 Mar 2024"; "—" for None or no real date."""
    if changed_ns is None:
        return "—"
    try:
        day = datetime.fromtimestamp(changed_ns / 1e9, tz=UTC)
    except (OverflowError, ValueError, OSError):
        return "—"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def moment_text(moment: datetime) -> str:
    """A time in UTC: "21 Nov 2026, 10:00 UTC"."""
    moment = moment.astimezone(UTC)
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}, {moment:%H:%M} UTC"


def cluster_kind(cluster: ReportCluster) -> str:
    """The key in KINDS of the loosest relation among a cluster's members."""
    found = {member.relation for member in cluster.members}
    loosest = next((one for one in reversed(_LOOSENESS) if one in found), "identical_bytes")
    return _KIND_OF[loosest]


def type_text(path: Path) -> str:
    """The badge of a file: its ending in capitals, or "FILE"."""
    ending = path.suffix[1:]
    return ending.upper() if ending.isascii() and ending.isalnum() and len(ending) <= 5 else "FILE"


def folder_text(path: Path, roots: tuple[tuple[Path, str], ...], archive: Path | None = None) -> str:
    """The folder of `path`, from its innermost root's name on, and then the one inside its archive; safe to show."""
    folder = path.parent if archive is None else archive
    root = max((root for root, _ in roots if folder.is_relative_to(root)), key=lambda one: len(one.parts), default=None)
    outer = [shown(folder)]
    if root is not None:
        outer = [shown(part) for part in (root.name or root.as_posix(), *folder.relative_to(root).parts)]
    inner = () if archive is None else path.parent.relative_to(archive).parts
    return " › ".join((" / ".join(outer), *map(shown, inner)))
