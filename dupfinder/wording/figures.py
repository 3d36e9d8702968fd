"""Numbers, sizes, shares, dates and times in the customs of the language in use, and columns of text in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from dupfinder.base.display import columns_of
from dupfinder.wording.catalogue import current, locale_of, number_text, say, say_as, say_count


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with spaces after it up to `width` columns of a terminal; before it if `right`."""
    spaces = " " * (width - columns_of(text))
    return spaces + text if right else text + spaces


def row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return cells side by side. widths: of each cell, in columns; negative for a cell that is flush right."""
    pairs = zip(cells, widths, strict=True)
    return " ".join(padded(text, abs(width), right=width < 0) for text, width in pairs).rstrip()


NOTHING: Final = "—"  # for an unknown figure
_UNITS: Final = ("KB", "MB", "GB", "TB")


def listed(parts: Iterable[str]) -> str:
    """Return the parts of a list as one text: "3 identical, 2 versions"."""
    return say(", ").join(parts)


def joined(clauses: Iterable[str]) -> str:
    """Return some clauses as one text: "identical; in the quarantine"."""
    return say_as("between clauses", "; ").join(clauses)


def count_text(count: int | None) -> str:
    """Return a count with its thousands grouped; "—" for None."""
    return NOTHING if count is None else number_text(count)


def documents_text(count: int) -> str:
    """Return "1 document", "3,200 documents"."""
    return say_count("{count} document", "{count} documents", count)


def files_text(count: int) -> str:
    """Return "1 file", "3,200 files"."""
    return say_count("{count} file", "{count} files", count)


def groups_text(count: int) -> str:
    """Return "1 group", "3,200 groups"."""
    return say_count("{count} group", "{count} groups", count)


def bytes_text(count: int) -> str:
    """Return "1 byte", "3,200 bytes"."""
    return say_count("{count} byte", "{count} bytes", count)


def size_text(size: float) -> str:
    """Return a size in decimal units: "0 bytes", "142 KB", "1.9 MB", "1.84 GB". size: bytes."""
    if size < 1000:
        return bytes_text(round(size))
    amount, unit = float(size), ""
    for unit in _UNITS:
        amount /= 1000
        if amount < 999.5 or unit == _UNITS[-1]:
            break
    decimals = 0 if unit == "KB" or amount >= 99.5 else 1 if amount >= 9.95 or unit == "MB" else 2
    return f"{number_text(amount, decimals)} {unit}"


def percent_text(percent: float | str) -> str:
    """Return a percentage with its sign: "96 %"."""
    return say("{percent} %", percent=percent if isinstance(percent, str) else number_text(percent))


def percent(share: float, *, equal: bool = False) -> int:
    """Return a similarity as a whole percentage: 100 for equal texts only; others are rounded down, to at most 99."""
    return 100 if equal else min(99, int(share * 100 + 1e-4))  # more than 32-bit floats lose


def share_text(share: float | None) -> str:
    """Return 0..1 as a percentage, rounded down, so that 100 % means all of it; "—" for None."""
    return NOTHING if share is None else percent_text(percent(share, equal=share == 1))


def seconds_text(seconds: float) -> str:
    """Return a duration: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min"."""
    if seconds < 9.95:
        return say("{seconds} s", seconds=number_text(seconds, 1))
    whole_seconds = round(seconds)
    if whole_seconds < 60:
        return say("{seconds} s", seconds=whole_seconds)
    minutes, rest = divmod(whole_seconds, 60)
    if minutes < 60:
        return say("{minutes} min {seconds} s", minutes=minutes, seconds=f"{rest:02}")
    return say("{hours} h {minutes} min", hours=number_text(minutes // 60), minutes=f"{minutes % 60:02}")


def waiting_text(seconds: float) -> str:
    """Return a waiting time, rounded: "about 1 min 15 s"."""
    if seconds < 57.5:
        return say("about {seconds} s", seconds=number_text(max(5, 5 * round(seconds / 5))))
    minutes, rest = divmod(15 * round(seconds / 15), 60)
    if minutes < 5 and rest:
        return say("about {minutes} min {seconds} s", minutes=number_text(minutes), seconds=number_text(rest))
    if minutes < 90:
        return say("about {minutes} min", minutes=number_text(minutes))
    hours, minutes = divmod(10 * round(seconds / 600), 60)
    return say("about {hours} h {minutes} min", hours=number_text(hours), minutes=number_text(minutes))


def day_text(moment: datetime) -> str:
    """Return the local day of a time: "12 Mar 2024"."""
    from babel.dates import format_date

    return format_date(_local(moment).date(), "medium", locale=locale_of(current().language))


def _local(moment: datetime) -> datetime:
    """Return a time in local time, or as it is where the system does not know it: Windows, before 1970."""
    try:
        return moment.astimezone()
    except (OverflowError, ValueError, OSError):
        return moment


def date_text(changed_ns: int | None) -> str:
    """Return the local day of a time in nanoseconds since 1970; "—" for None or an impossible date."""
    if changed_ns is None:
        return NOTHING
    try:
        return day_text(datetime.fromtimestamp(changed_ns / 1e9).astimezone())
    except (OverflowError, ValueError, OSError):
        return NOTHING


def clock_text(moment: datetime) -> str:
    """Return the local time of day: "10:00"."""
    from babel.dates import format_time

    return format_time(_local(moment).time(), "short", locale=locale_of(current().language))


def moment_text(moment: datetime) -> str:
    """Return a time in local time: "21 Nov 2026, 10:00"."""
    return say("{day}, {clock}", day=day_text(moment), clock=clock_text(moment))
