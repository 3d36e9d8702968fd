"""Watching from the window: what comes is told once, and a scan can begin whenever the person likes."""

from __future__ import annotations

import shutil
from pathlib import Path

from pytestqt.qtbot import QtBot

from dupfinder.gui.scanning.watcher import Watcher
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.scan.documents import family


def test_copies_that_come_are_told_with_the_scan_that_holds_them_until_it_stops(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    docs, library = tmp_path / "docs", home / "library.db"
    family(docs, 1)
    request = ScanRequest((Root(docs),), workers=1)
    watcher = Watcher(library)
    with qtbot.waitSignal(watcher.news) as news:
        watcher.watch(request, run_scan(request, library))
        shutil.copy(docs / "letter1.txt", docs / "again.txt")
    text, number = news.args
    assert text.startswith("1 new document") and number >= 2
    stopped: list[bool] = []
    watcher.stop(lambda: stopped.append(watcher.is_watching))
    qtbot.waitUntil(lambda: stopped == [False])
    run_scan(request, library)  # the library is free


def test_a_folder_that_is_gone_ends_it_with_a_sentence(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    docs, library = tmp_path / "docs", home / "library.db"
    family(docs, 1)
    request = ScanRequest((Root(docs),), workers=1)
    watcher = Watcher(library)
    number = run_scan(request, library)
    with qtbot.waitSignal(watcher.ended) as ended:
        shutil.rmtree(docs)
        watcher.watch(request, number)
    assert ended.args[0].startswith("The folders are no longer watched: ") and str(docs) in ended.args[0]
    assert not watcher.is_watching


def test_without_anything_watched_stopping_is_done_at_once(home: Path) -> None:
    done: list[int] = []
    Watcher(home / "library.db").stop(lambda: done.append(1))
    assert done == [1]
