"""Numbers, dates and kinds as a report words them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dupfinder.base.display import shown
from dupfinder.report.rows import ReportCluster, ReportMember

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
RELATIONS: Final = {
    "keeper": "Kept copy",
    "identical": "Identical",
    "same_text": "Same text",
    "same_words": "Same words",
    "version": "Version",
    "part": "Part",
    "whole": "Contains it",
    "linked": "Distant version",
    "same_form": "Same form",
}
# A group is filed under the loosest relation in it.
_LOOSENESS: Final = ("identical", "same_text", "same_words", "version", "whole", "linked", "part")
KINDS: Final = {name: RELATIONS[name] for name in ("identical", "same_text", "same_words", "version", "part")}
# How the words of a version differ from those of the kept copy; "mixed" and "unknown" say nothing to people.
DIFFERENCES: Final = {
    "numbers": "only numbers, dates and amounts differ",
    "short": "short replacements only",
    "additions": "one has more, nothing else differs",
}
SAME_FORM: Final = "Same form: filled in differently; none of these is a copy"
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
    "held": "Left under another name by a removal that was cut off",
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
    present = {member.relation for member in cluster.members}
    loosest = next((name for name in reversed(_LOOSENESS) if name in present), "identical")
    return loosest if loosest in KINDS else "version"


def holds_text(cluster: ReportCluster) -> str:
    """What a group holds beside its kept copy: "3 identical, 2 versions (1 distant)"."""
    return relations_text(Counter(member.relation for member in cluster.members))


def relations_text(counts: Mapping[str, int]) -> str:
    """Counts of documents by what they are to their kept copies, which are not counted: "3 identical, 2 versions"."""
    linked = counts.get("linked", 0)
    distant = f" ({linked:,} distant)" if linked else ""
    amounts = (
        (counts.get("identical", 0), "identical", "identical"),
        (counts.get("same_text", 0), "same text", "same text"),
        (counts.get("same_words", 0), "same words", "same words"),
        (counts.get("version", 0) + counts.get("whole", 0) + linked, f"version{distant}", f"versions{distant}"),
        (counts.get("part", 0), "part", "parts"),
    )
    return ", ".join(f"{count:,} {single if count == 1 else several}" for count, single, several in amounts if count)


def differs_text(member: ReportMember) -> str:
    """What differs from the kept copy: "differs: pictures; not known: comments", "short replacements only"; or ""."""
    if member.relation == "version":
        return DIFFERENCES.get(member.difference, "")
    if member.relation != "same_words":
        return ""
    parts = (("differs", member.differs), ("not known", member.not_known))
    return "; ".join(f"{title}: {', '.join(kinds).replace('_', ' ')}" for title, kinds in parts if kinds)


def nearest_text(member: ReportMember, keeper: Path) -> str:
    """The member that a document is most like, where that is not the kept copy: "nearest: v6.docx, version, 96 %"."""
    nearest = member.nearest
    if nearest is None or nearest.path == keeper or member.path == keeper:
        return ""
    relation = RELATIONS.get(nearest.relation, nearest.relation).lower()
    return f"nearest: {shown(nearest.path.name)}, {relation}, {share_text(nearest.similarity)}"


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
