"""Watching from the window: what comes is told once, and a scan can begin whenever the person likes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import WATCH, Settings
from dupfinder.gui.scanning.watcher import Watcher
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.scan.documents import family


@pytest.fixture
def watcher(settings: Settings, home: Path) -> Watcher:
    settings.set(WATCH, True)
    return Watcher(home / "library.db", settings)


def test_copies_that_come_are_told_with_the_scan_that_holds_them_until_another_scan_begins(
    qtbot: QtBot, watcher: Watcher, home: Path, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    request = ScanRequest((Root(docs),), workers=1)
    numbers: list[int] = []

    def run(request: ScanRequest) -> None:
        numbers.append(run_scan(request, home / "library.db"))  # raises LibraryLocked if it is not free

    watcher.begin(request, run)
    with qtbot.waitSignal(watcher.news) as news:
        watcher.scan_ended(numbers[0])
        shutil.copy(docs / "letter1.txt", docs / "again.txt")
    text, number = news.args
    assert text.startswith("1 new document") and number > numbers[0]
    watcher.begin(request, run)
    watcher.begin(request, run)  # pressed twice
    qtbot.waitUntil(lambda: not watcher._job)
    assert len(numbers) == 2


def test_a_missing_folder_is_told_and_waited_for(qtbot: QtBot, watcher: Watcher, home: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    request = ScanRequest((Root(docs),), workers=1)
    watcher.begin(request, lambda request: run_scan(request, home / "library.db"))
    with qtbot.waitSignal(watcher.trouble) as waiting:
        shutil.rmtree(docs)
        watcher.scan_ended(1)
    assert waiting.args[0] == (
        f"The folder {docs} cannot be read: it is not there. Watching goes on when it can be read again."
    )
    assert watcher._job
    watcher.begin(request, lambda request: None)  # stops it
    qtbot.waitUntil(lambda: not watcher._job)


def test_a_library_that_cannot_be_used_ends_watching_with_a_sentence(
    qtbot: QtBot, watcher: Watcher, home: Path, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    watcher.begin(ScanRequest((Root(docs),), workers=1), lambda request: run_scan(request, home / "library.db"))
    (home / "library.db").unlink()
    with qtbot.waitSignal(watcher.trouble) as ended:
        watcher.scan_ended(1)
    assert ended.args[0].startswith("The folders are no longer watched: ")
    assert not watcher._job


def test_watching_ends_when_the_person_switches_it_off(
    qtbot: QtBot, watcher: Watcher, settings: Settings, home: Path, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    watcher.begin(ScanRequest((Root(docs),), workers=1), lambda request: run_scan(request, home / "library.db"))
    watcher.scan_ended(1)
    watcher.follow_setting()
    settings.set(WATCH, False)
    assert watcher._job, "the setting was not changed yet"
    watcher.follow_setting()
    qtbot.waitUntil(lambda: not watcher._job)


def test_nothing_is_watched_unless_the_person_wants_so(watcher: Watcher, settings: Settings, tmp_path: Path) -> None:
    settings.set(WATCH, False)
    watcher.begin(ScanRequest((Root(tmp_path),), workers=1), lambda request: None)
    watcher.scan_ended(1)
    assert not watcher._job
