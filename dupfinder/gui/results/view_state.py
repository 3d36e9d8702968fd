"""What a results page looked like when it was left: order, what is asked of versions, the open cluster, and the widths
of its sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSettings

from dupfinder.base.paths import data_dir
from dupfinder.review.filters import Sort
from dupfinder.review.grouping import BARS
from dupfinder.review.session import ReviewSession

FILE = "views.ini"
NO_CLUSTER = -1  # never the id of one


class ViewState:
    """Kept in one file of the data folder, a group for each scan. Values that make no sense are passed over."""

    def __init__(self, session: ReviewSession) -> None:
        summary = session.result.summary
        self._session = session
        self._group = f"scan-{summary.id}-{int(summary.started.timestamp())}"
        self._settings = QSettings(str(data_dir() / FILE), QSettings.Format.IniFormat)

    def restore_session(self) -> None:
        """Give the session its order and demand again."""
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
        """The cluster that was open, NO_CLUSTER if none is known."""
        return self._number("cluster", NO_CLUSTER)

    def sizes(self) -> list[int]:
        """Widths of the two sides of the page in pixels; empty if none are known."""
        found = [int(part) for part in self._read("sizes").split("-") if part.isdecimal()]
        return found if len(found) == 2 and all(found) else []

    def save(self, cluster: int, sizes: Sequence[int]) -> None:
        """Keep what the page looks like now."""
        for key, value in (
            ("order", self._session.sort.value),
            ("radius", str(self._session.radius)),
            ("similarity", str(round(self._session.min_similarity * 100))),
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
