"""Keep a library fresh: scan folders, and scan them again whenever their files have changed."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Self

from dupfinder.base.errors import LibraryLocked, RootError
from dupfinder.base.files import Closable
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import Settings
from dupfinder.cluster.relation import Demand
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Role, ScanRequest
from dupfinder.scan.walk import Walk, checked_roots, once_each

# A look is a walk through the folders, which shows what has changed.
PAUSE_SECONDS = 60.0  # between two looks while the system reports no change
SETTLE_SECONDS = 2.0  # without a change before a look: a file that is being saved or loaded changes many times
_LONGEST_SETTLE = 30.0  # seconds of changes; then comes a look, even if they go on
_LEAST_REST = 50  # least pause between such looks, in durations of the last one: at most 2 % of a processor
_MOST_FOLDERS = 8_192  # watched below one root on Linux, where each folder takes a handle of the kernel
_CHECK_SECONDS = 0.2  # between two checks whether to stop


class FolderWatch(Closable):
    """Notices changes of the files that a request would scan.

    The system reports changes (inotify, FSEvents, ReadDirectoryChangesW) where it can. Network shares do not report
    what other machines change, and very large trees would take too many handles, so the folders are also looked at in
    regular intervals. Use it in a `with` statement.

    pause: seconds between two such looks; longer where a look takes long. settle: seconds without a change before a
    look. most_folders: watched below one root on Linux; a root with more is only looked at.
    """

    def __init__(
        self,
        request: ScanRequest,
        pause: float = PAUSE_SECONDS,
        settle: float = SETTLE_SECONDS,
        most_folders: int = _MOST_FOLDERS,
    ) -> None:
        # Imported here: a program that does not watch need not load it.
        from watchdog.observers import Observer

        self._request, self._pause, self._settle = request, pause, settle
        self._folders = watchable(
            [root.path for root in request.roots if root.role is not Role.LEAVE_OUT], most_folders
        )
        self._observer = Observer()
        self._heard = threading.Event()
        self._seen: int | None = None
        self._duration = 0.0

    def __enter__(self) -> Self:
        from watchdog import events

        heard = self._heard

        class ChangeHandler(events.FileSystemEventHandler):
            """Sets the event when anything changes."""

            def on_any_event(self, event: events.FileSystemEvent) -> None:
                heard.set()

        changes: list[type[events.FileSystemEvent]] = [
            events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent,
            events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent,
        ]  # fmt: skip
        self._observer.start()
        for folder in self._folders:
            try:
                self._observer.schedule(ChangeHandler(), os.fspath(folder), recursive=True, event_filter=changes)
            except OSError:
                continue  # no handles left, or a file system without such messages: the regular looks remain
        return self

    def close(self) -> None:
        """Stop listening."""
        self._observer.stop()
        self._observer.join()

    def wait(self, reporter: Reporter) -> None:
        """Return when the files differ from those at the end of the last call; at once at the first call.

        Raises Stopped, RootError.
        """
        while True:
            self._heard.clear()
            begun = time.monotonic()
            state = self._look(reporter)
            self._duration = time.monotonic() - begun
            if state != self._seen:
                self._seen = state
                return
            self._rest(reporter)

    def _look(self, reporter: Reporter) -> int:
        """Return a number of 64 bits that stays the same while no file changes, comes, goes or is renamed.

        Files that a scan leaves out do not count.
        """
        entries = once_each(tuple(Walk(self._request, reporter).entries()))
        return sum(hash(entry.stamp) for entry in entries if entry.refused is None) & (1 << 64) - 1

    def _rest(self, reporter: Reporter) -> None:
        """Wait until changes were heard and have settled, or until the next look is due."""
        due = time.monotonic() + max(self._pause, _LEAST_REST * self._duration)
        while time.monotonic() < due:
            reporter.check()
            if self._heard.wait(_CHECK_SECONDS):
                latest = time.monotonic() + _LONGEST_SETTLE
                while self._heard.is_set() and time.monotonic() < latest:
                    self._heard.clear()
                    _sleep(self._settle, reporter)
                return


def watchable(folders: Sequence[Path], most: int = _MOST_FOLDERS) -> list[Path]:
    """Return the folders whose changes the system can report without too many handles; files are left out.

    most: the most folders below each on Linux. Elsewhere one handle serves for a whole tree.
    """
    return [
        folder
        for folder in folders
        if os.path.isdir(folder) and not (sys.platform == "linux" and _exceeds(folder, most))
    ]


def _exceeds(top: Path, most: int) -> bool:
    """Tell whether `top` and the folders below it are more than `most`."""
    return any(number > most for number, _ in enumerate(os.walk(top), 1))


def _sleep(seconds: float, reporter: Reporter) -> None:
    """Wait for some seconds. Raises Stopped."""
    until = time.monotonic() + seconds
    while (remaining := until - time.monotonic()) > 0:
        reporter.check()
        time.sleep(min(_CHECK_SECONDS, remaining))


def keep_fresh(
    request: ScanRequest,
    library: Path,
    reporter: Reporter,
    demand: Demand,
    settings: Settings,
    pause: float = PAUSE_SECONDS,
    settle: float = SETTLE_SECONDS,
    on_away: Callable[[RootError], object] = lambda _: None,
) -> Generator[int]:
    """Scan, then again after every change. Yield the number of each scan in the library; only an error ends this.

    Wait while the folders hold no file, while another program writes the library, and while a folder cannot be read,
    for example because its share is not connected. on_away: receives why a folder cannot be read.
    Raises LibraryError, DiskFullError, Stopped.
    """
    while True:
        try:
            with FolderWatch(request, pause, settle) as watch:  # a new one, which hears of a folder that is back
                while True:
                    watch.wait(reporter)
                    if (scan := _scan(request, library, reporter, demand, settings)) is not None:
                        yield scan
        except RootError as error:
            on_away(error)
            _wait_for_folders(request, reporter, pause, error)


def _wait_for_folders(request: ScanRequest, reporter: Reporter, pause: float, error: RootError) -> None:
    """Wait until all folders can be read and the cause of `error` has ended. Raises Stopped."""
    while True:
        _sleep(pause, reporter)
        with contextlib.suppress(RootError, OSError):
            checked_roots(request.roots)
            if error.reason != "ENODEV" or any(error.path.iterdir()):
                return


def _scan(request: ScanRequest, library: Path, reporter: Reporter, demand: Demand, settings: Settings) -> int | None:
    """Scan as soon as no other program writes the library. Returns None if there is no file."""
    while True:
        try:
            return run_scan(request, library, reporter, demand, settings)
        except LibraryLocked:
            _sleep(SETTLE_SECONDS, reporter)
        except RootError as error:
            if error.reason != "empty":
                raise
            return None
