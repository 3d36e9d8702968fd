"""Numbers, sizes, dates and durations in the customs of the locale."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale

_UNITS: Final = ("KB", "MB", "GB", "TB")


def number(value: int) -> str:
    """Return 20482 as "20,482"."""
    return QLocale().toString(value)


def size(value: int) -> str:
    """Return a size in decimal units: "142 KB", "1.84 GB". value: bytes."""
    if value < 1000:
        return QCoreApplication.translate("Figures", "%Ln bytes", "", value)
    amount = float(value)
    step = 0
    while (amount := amount / 1000) >= 999.5 and step < len(_UNITS) - 1:
        step += 1
    unit = _UNITS[step]
    places = 0 if unit == "KB" or amount >= 99.5 else 1 if amount >= 9.95 or unit == "MB" else 2
    return f"{QLocale().toString(amount, 'f', places)} {unit}"


def when(moment: datetime) -> str:
    """Return a time in local time: "Today 14:06", else the day."""
    local = moment.astimezone()
    clock = f"{local:%H:%M}"
    days = QDate(local.year, local.month, local.day).daysTo(QDate.currentDate())
    if days == 0:
        return QCoreApplication.translate("Figures", "Today %1").replace("%1", clock)
    if days == 1:
        return QCoreApplication.translate("Figures", "Yesterday %1").replace("%1", clock)
    day = QDate(local.year, local.month, local.day)
    if QLocale().language() == QLocale.Language.English:
        return QLocale().toString(day, "dd MMM yyyy")
    return QLocale().toString(day, QLocale.FormatType.ShortFormat)


def duration(seconds: float) -> str:
    """Return a waiting time, rounded: "about 1 min 15 s"."""
    translate = QCoreApplication.translate
    if seconds < 60:
        return translate("Figures", "about %1 s").replace("%1", number(max(5, 5 * round(seconds / 5))))
    minutes, rest = divmod(15 * round(seconds / 15), 60)
    if minutes < 5 and rest:
        text = translate("Figures", "about %1 min %2 s")
        return text.replace("%1", number(minutes)).replace("%2", number(rest))
    if minutes < 90:
        return translate("Figures", "about %1 min").replace("%1", number(minutes))
    hours, minutes = divmod(10 * round(seconds / 600), 60)
    return translate("Figures", "about %1 h %2 min").replace("%1", number(hours)).replace("%2", number(minutes))


def percent(part: int, whole: int) -> str:
    """Return a share in whole percent, rounded down, so that 100 % means all."""
    return f"{number(100 * part // whole if whole else 0)} %"
