"""The state of a results page when it was left: order, demand, the open group, and the widths of its sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSettings

from dupfinder.base.paths import data_dir
from dupfinder.review.grouping import BARS
from dupfinder.review.listing import Sort
from dupfinder.review.session import ReviewSession

FILE = "views.ini"
NO_CLUSTER = -1  # never the id of a group


class ViewState:
    """Stored in a file of the data folder, with a section for each scan. Invalid values are ignored."""

    def __init__(self, session: ReviewSession) -> None:
        summary = session.result.summary
        self._session = session
        self._group = f"scan-{summary.id}-{int(summary.started.timestamp())}"
        self._settings = QSettings(str(data_dir() / FILE), QSettings.Format.IniFormat)

    def restore_session(self) -> None:
        """Restore the order and demand of the session."""
        order, now = self._read("order"), self._session.demand
        if order in set(Sort) and Sort(order) is not self._session.sort:
            self._session.set_sort(Sort(order))
        radius = self._number("radius", now.radius)
        percent = self._number("similarity", round(now.similarity * 100))
        demand = replace(
            now,
            radius=radius if 0 <= radius <= self._session.widest_radius else now.radius,
            similarity=percent / 100 if percent in BARS else now.similarity,
            passages=self._read("passages") != "off",
        )
        if demand != now:
            self._session.set_demand(demand)

    def cluster(self) -> int:
        """Return the group that was open, NO_CLUSTER if unknown."""
        return self._number("cluster", NO_CLUSTER)

    def sizes(self) -> list[int]:
        """Return the widths of the two sides of the page in pixels; empty if unknown."""
        widths = [int(part) for part in self._read("sizes").split("-") if part.isdecimal()]
        return widths if len(widths) == 2 and all(widths) else []

    def save(self, cluster: int, sizes: Sequence[int]) -> None:
        """Store the present state of the page."""
        for key, value in (
            ("order", self._session.sort.value),
            ("radius", str(self._session.demand.radius)),
            ("similarity", str(round(self._session.demand.similarity * 100))),
            ("passages", "on" if self._session.demand.passages else "off"),
            ("cluster", str(cluster)),
            ("sizes", "-".join(map(str, sizes))),
        ):
            self._settings.setValue(f"{self._group}/{key}", value)
        self._settings.sync()

    def _read(self, key: str) -> str:
        return str(self._settings.value(f"{self._group}/{key}", ""))

    def _number(self, key: str, otherwise: int) -> int:
        try:
            return int(self._read(key))
        except ValueError:
            return otherwise
