"""How long a step of the sliders takes up to the repainted list: `python -m tests.speed.bench_window [--documents N]`.

Opens the results of a made-up scan in a window without a screen, presses the keys of a person (one step looser, one
stricter, on both sliders) and measures from each key until the list has been painted with the groups of the new step:
in seconds of the processor that the window's own thread used, and by the clock on the wall, which other programs delay.
The very first step, pressed as soon as the page is seen, and steps in quick succession, for which nothing was worked
out ahead, are measured too. Beside it, marking all that is shown and taking that back,
and the table of all files in several orders.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.relation import Difference, Evidence
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import READ, Documents, ScanResult, ScanSummary
from dupfinder.text.document import OtherContent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from dupfinder.gui.results.page import ResultsPage

MOST_MS: Final = 80.0  # for a step, up to the repainted list
PATIENCE_S: Final = 60.0
FAMILY: Final = 5  # documents of different words in a family
COPIES: Final = 0.3  # share of the documents that repeat the words of another


def main() -> int:
    """Measure and print; 1 when the slowest step took too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["DUPFINDER_HOME"] = home
        return _measure(arguments.documents)


def _measure(count: int) -> int:
    from PySide6.QtWidgets import QApplication

    from dupfinder.gui.kit.drawing import Drawing
    from dupfinder.gui.kit.jobs import stop_all
    from dupfinder.gui.kit.theme import Theme, ThemeMode
    from dupfinder.gui.results.cluster_detail import ClusterDetail
    from dupfinder.gui.results.cluster_pane import ClusterPane
    from dupfinder.gui.results.files_view import FileColumn
    from dupfinder.gui.results.page import FILES, ResultsPage
    from dupfinder.review.session import ReviewSession

    application = QApplication([])
    session = ReviewSession(made_result(count))
    gc.disable()  # as in the program, where one timer collects
    began = time.perf_counter()
    theme, library = Theme(application, ThemeMode.LIGHT), Path(os.environ["DUPFINDER_HOME"]) / "library.db"
    pane = ClusterPane(session, Drawing(theme))
    page = ResultsPage(session, library, pane, ClusterDetail(session, pane.drawing), None)
    page.resize(1440, 820)
    page.show()
    application.processEvents()
    counts = session.counts()
    print(f"{count:,} documents, {counts.clusters:,} groups, opened in {(time.perf_counter() - began) * 1000:.0f} ms")
    window = Window(page, application)
    slowest = 0.0
    for tab, name in ((0, "similarity"), (1, "radius k")):
        page.pane.card.tabs.part(tab).click()
        window.settle(0.0 if tab == 0 else 2.0)
        steps = [window.step(looser) for looser in (1, 1, -1, -1, -1, -1, 1, 1, *(1,) * 4, *(-1,) * 8)]
        taken = [step for step in steps if step is not None]
        slowest = max(slowest, *(step.thread for step in taken))
        for way, times in (("thread", [step.thread for step in taken]), ("wall", [step.wall for step in taken])):
            middle, most = statistics.median(times), max(times)
            print(f"{name} ({way}): first step {times[0]:.0f} ms, median {middle:.0f}, slowest {most:.0f}")
    marking, taking_back = window.timed(page.groups.commands["mark_shown"]), window.timed(page.undo)
    print(f"mark all that is shown {marking.thread:.0f} ms, take it back {taking_back.thread:.0f} ms")
    files = [("by group", window.listed(lambda: page._turn_to(FILES)))]
    for column in (FileColumn.SIZE, FileColumn.DOCUMENT, FileColumn.DOCUMENT):
        files.append((f"by {column.name.lower()}", window.listed(partial(page.files._sort, column))))
    texts = (f"{order} {taken.thread:.0f} ms (wall {taken.wall:.0f})" for order, taken in files)
    print(f"all files {', '.join(texts)}")
    print(f"the slowest step {slowest:.0f} ms (at most {MOST_MS:.0f})")
    page.close_session()
    page.close()
    stop_all()  # no thread may outlive the application
    return int(slowest > MOST_MS)


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds of an act: of the processor in the window's own thread, and by the clock on the wall.

    The thread looks for events even while it waits, so its time is that of a clock without what other programs take.
    """

    thread: float
    wall: float


class Watch:
    """Measures from when it is made."""

    def __init__(self) -> None:
        self._thread, self._wall = time.thread_time(), time.perf_counter()

    def taken(self) -> Taken:
        """The time since."""
        return Taken((time.thread_time() - self._thread) * 1000, (time.perf_counter() - self._wall) * 1000)


@dataclass
class Window:
    """A page of results under the keys of a person."""

    page: ResultsPage
    application: QApplication

    def settle(self, seconds: float) -> None:
        """Let the window do what it does on its own."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self.application.processEvents()

    def step(self, looser: int) -> Taken | None:
        """Press the key of one step; the time until the list is painted with its groups, None at the end."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest  # before the watch runs: loading it takes as long as a part of a step

        pane = self.page.pane
        axis = pane.card.axis
        if not 0 <= axis.value() + (looser if axis is pane.card.radius else -looser) <= axis.maximum():
            return None
        before = self.page.session.demand
        axis.setFocus()
        key = Qt.Key.Key_Right if (looser > 0) == (axis is pane.card.radius) else Qt.Key.Key_Left
        watch = Watch()
        QTest.keyClick(axis, key)
        return self._painted(watch, lambda: self.page.session.demand != before)

    def timed(self, act: Callable[[], object]) -> Taken:
        """The time of an act up to the painted page."""
        watch = Watch()
        act()
        return self._painted(watch, lambda: True)

    def listed(self, act: Callable[[], object]) -> Taken:
        """The time of an act up to the painted table of all files."""
        watch = Watch()
        act()
        files = self.page.files
        taken = self._painted(watch, lambda: not files._listing.is_running)
        files.table.viewport().repaint()
        return taken

    def _painted(self, watch: Watch, ready: Callable[[], bool]) -> Taken:
        while not ready():
            self.application.processEvents()
            if watch.taken().wall > PATIENCE_S * 1000:
                raise TimeoutError("the list did not follow")
        self.application.processEvents()
        self.page.pane.list.viewport().repaint()
        return watch.taken()


def made_result(count: int, seed: int = 5, nearest: int = 2) -> ScanResult:
    """A scan of `count` documents in families of versions, with copies and parts, at all similarities and distances.

    nearest: each document is paired with the next so many of its family.
    """
    rng = np.random.default_rng(seed)
    distinct = int(count * (1 - COPIES))
    texts = np.concatenate((np.arange(distinct), rng.integers(0, distinct, count - distinct)))
    left, right = _pairs(distinct, nearest, rng)
    pairs = Pairs(left, right, rng.integers(0, 20, len(left)).astype(np.uint8))
    summary = ScanSummary(
        1, "Made", ((Path("/made"), "scan"),), datetime(2026, 3, 1, tzinfo=UTC), 2.0, "done", count, count, 2,
        8, 0.7, 0.85, 16, "scheme", 0,
    )  # fmt: skip
    documents = _documents(texts, rng)
    return ScanResult(summary, documents, pairs, _evidence(len(left), rng), np.zeros(65, np.int64))


def _pairs(distinct: int, nearest: int, rng: np.random.Generator) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each document with the next ones of its family, sorted."""
    family = max(FAMILY, 2 * nearest)
    left = np.repeat(np.arange(distinct), nearest)
    right = left + np.tile(np.arange(1, nearest + 1), distinct)
    inside = (left // family == right // family) & (right < distinct) & (rng.random(len(left)) < 0.8)
    left, right = left[inside], right[inside]
    order = np.lexsort((right, left))
    return left[order].astype(np.uint32), right[order].astype(np.uint32)


def _evidence(count: int, rng: np.random.Generator) -> Evidence:
    alike = rng.uniform(0.45, 1.0, count).astype(np.float32)
    return Evidence(
        resemblance=alike,
        left_in_right=np.clip(alike + rng.uniform(0, 0.3, count), 0, 1).astype(np.float32),
        right_in_left=alike,
        error=np.where(rng.random(count) < 0.02, 0.02, 0).astype(np.float32),
        aligned=np.full(count, -1, np.float32),
        changes=np.full(count, 3, np.int32),
        run=np.zeros(count, np.float32),
        difference=rng.integers(0, len(Difference), count).astype(np.uint8),
        form=np.zeros(count, np.bool_),
    )


def _documents(texts: NDArray[np.int64], rng: np.random.Generator) -> Documents:
    count = len(texts)
    rows = np.arange(count, dtype=np.int64)
    media = rng.integers(0, 3, count)
    words = np.stack((texts.astype(np.uint64) + np.uint64(1), np.zeros(count, np.uint64)), axis=1)
    content = words + (media.astype(np.uint64) << np.uint64(40))[:, None]
    return Documents(
        ids=rows,
        paths=[f"/made/{row % 997:03}/{row % 31:02}/letter {row:06}.{media[row]}" for row in range(count)],
        size=rng.integers(1_000, 5_000_000, count),
        mtime_ns=(1_700_000_000 + rng.integers(0, 10**7, count)) * 10**9,
        ctime_ns=rows,
        device=np.ones(count, np.int64),
        inode=rows + 100,
        protected=rng.random(count) < 0.01,
        status=[READ] * count,
        detail=[""] * count,
        media=[("txt", "pdf", "docx")[kind] for kind in media.tolist()],
        reader=["text"] * count,
        title=[""] * count,
        language=["en"] * count,
        words=(texts % 5_000 + 100).astype(np.int32),
        pages=np.full(count, -1, np.int32),
        inside_date=np.full(count, -1, np.int64),
        content_hash=content,
        text_hash=words,
        fingerprint=words[:, 0].copy(),
        comparable=np.ones(count, np.bool_),
        shingles=np.full(count, 50, np.int64),
        archive=np.full(count, -1, np.int32),
        other=np.zeros((count, len(OtherContent)), np.uint64),
        seconds=np.full(count, -1, np.float32),
    )


if __name__ == "__main__":
    sys.exit(main())
