"""How long the results of a large library take to be seen: `python -m tests.speed.bench_open [--documents N]`.

Stores a made-up finished scan in a library, opens it as the window does, and tells the seconds up to the first painted
list (by the clock and of the processor), the longest time in which the window answered nothing, and the peak of memory.
A machine that is busy with other work makes the clock's times longer; the processor's are nearly the same.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.clustering import form_clusters
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, Documents
from tests.speed.bench_window import made_result

MOST_SECONDS: Final = 2.0  # up to the first paint
_BATCH: Final = 5_000  # documents of a transaction
_AFTER: Final = 10.0  # seconds after the first paint in which the window has to answer
_PATIENCE: Final = 300.0


def main() -> int:
    """Store, open, print; 1 when the first paint took too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--nearest", type=int, default=2, help="pairs of each document with later ones of its family")
    parser.add_argument("--library", type=Path, help="a library to store in, or that was stored before")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["DUPFINDER_HOME"] = home
        library = arguments.library or Path(home) / "made.db"
        if not library.exists():
            store(library, arguments.documents, arguments.nearest)
        return _measure(library)


def store(path: Path, count: int, nearest: int = 2) -> None:
    """Store a finished scan of `count` made-up documents; see `made_result`."""
    result = made_result(count, nearest=nearest)
    documents = replace(result.documents, paths=[f"/made/{row // 500:05}/letter {row:07}.txt" for row in range(count)])
    with LibraryFile(path, write=True) as library:
        scan = library.begin_scan(result.summary, "made")
        for start in range(0, count, _BATCH):
            rows = range(start, min(count, start + _BATCH))
            library.add(scan, "made", [(_row(documents, row), bool(documents.protected[row])) for row in rows])
        summary = replace(result.summary, id=scan, offered=count, read=count)
        clusters = form_clusters(result.pairs, result.evidence, summary.demand, documents.files())
        stored = library.documents(scan)
        library.finish_scan(replace(result, summary=summary, documents=stored, clusters=clusters))


def _row(documents: Documents, row: int) -> DocumentRow:
    text = TextPrint(
        int(documents.fingerprint[row]), True, int(documents.words[row]), "en",
        documents.text_hash[row].astype(">u8").tobytes(), 0, np.empty(0, np.uint64), np.empty(0, np.uint16),
    )  # fmt: skip
    content = documents.content_hash[row].astype(">u8").tobytes()
    stamp = FileStamp(documents.path(row), int(documents.size[row]), int(documents.mtime_ns[row]), row, 1, row + 100)
    return DocumentRow(stamp, READ, media=documents.media[row], content_hash=content, text_print=text)


def _measure(library: Path) -> int:
    from PySide6.QtWidgets import QApplication

    from dupfinder.gui.kit import tasks
    from dupfinder.gui.kit.jobs import Job, stop_all
    from dupfinder.gui.kit.theme import Theme, ThemeMode
    from dupfinder.gui.results.page import ResultsPage, make_page
    from dupfinder.gui.shell.starting import TURN_SECONDS
    from dupfinder.review.session import ReviewSession

    application = QApplication([])
    gc.disable()  # as in the program, where one timer collects
    sys.setswitchinterval(TURN_SECONDS)  # as in the program
    pages: list[ResultsPage] = []

    theme = Theme(application, ThemeMode.LIGHT)

    def make(session: ReviewSession) -> None:
        make_page(session, theme, library, show)

    def show(page: ResultsPage) -> None:
        page.resize(1440, 820)
        page.show()
        pages.append(page)

    job = Job(partial(tasks.session, library, None))
    job.succeeded.connect(make)
    begun, processor = time.perf_counter(), time.process_time()
    job.start()
    beat = longest = busiest = 0.0
    until = begun + _PATIENCE
    painted: tuple[float, float] | None = None
    while (now := time.perf_counter()) < until:
        longest = max(longest, now - beat if beat else 0.0)
        beat, thread = now, time.thread_time()
        application.processEvents()
        busiest = max(busiest, time.thread_time() - thread)
        time.sleep(0.001)
        if pages and painted is None:
            pages[0].pane.list.viewport().repaint()
            painted = time.perf_counter() - begun, time.process_time() - processor
            pages[0].entered()
            until = time.perf_counter() + _AFTER
    if painted is None:
        raise TimeoutError("the results were not seen")
    documents = len(pages[0].session.result.documents)
    print(f"{documents:,} documents seen after {painted[0]:.2f} s, {painted[1]:.2f} s of the processor")
    print(f"longest time without an answer {longest * 1000:.0f} ms, {busiest * 1000:.0f} ms of the processor")
    print(f"peak of memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    pages[0].close_session()
    pages[0].close()
    stop_all(60_000)
    return int(painted[0] > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
