"""The terminal: questions, and progress on standard error as a bar, as plain lines, or as JSON lines for programs."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TextIO

from dupfinder.base.display import columns_of, shown
from dupfinder.base.errors import UsageError
from dupfinder.base.files import Closable
from dupfinder.base.progress import IdenticalCounts, Progress, Stage, Stopped
from dupfinder.wording.catalogue import N_, number_text, say, say_as, say_count
from dupfinder.wording.figures import (
    files_text,
    groups_text,
    joined,
    percent_text,
    seconds_text,
    size_text,
    waiting_text,
)


def tell(source: str, /, *, file: TextIO | None = None, **facts: object) -> None:
    """Print a sentence of the catalogue. file: None: standard output."""
    print(say(source, **facts), file=file)


def remark(line: str, end: str = "\n") -> None:
    """Print a line on standard error, at once. If that is full or closed, the line is lost: nobody can read it."""
    with suppress(OSError):
        print(line, end=end, file=sys.stderr, flush=True)


def agreed(question: str, *, in_full: bool = False, unasked: str = "") -> bool:
    """Ask, and return whether the answer is yes, in English or in the language in use.

    in_full: the first letter is not enough. unasked: the sentence of the UsageError that is raised without a terminal.
    """
    if unasked and not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(unasked)
    print(question, end=" ", file=sys.stderr, flush=True)
    answer, yes = _plain(sys.stdin.readline()), _plain(say_as("answer", "yes"))
    return answer in ("yes", yes) or (not in_full and answer in ("y", yes[:1]))


def add_progress(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--progress", choices=MODES, default="auto", help=say("how to show progress on standard error"))


def _plain(text: str) -> str:
    """Return a text in lower case without accents."""
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_NAMES = {
    Stage.FIND: N_("Finding files"),
    Stage.HASH: N_("Finding identical files"),
    Stage.READ: N_("Reading"),
    Stage.MATCH: N_("Matching"),
    Stage.VERIFY: N_("Checking differences"),
    Stage.GROUP: N_("Grouping"),
    Stage.CHECK: N_("Checking"),
    Stage.REMOVE: N_("Removing"),
    Stage.RESTORE: N_("Restoring"),
    Stage.WRITE: N_("Writing"),
}
_IN_PARTS = (Stage.MATCH, Stage.GROUP)  # each part counts other things, so that there is no amount of all
_BAR = 20  # characters
_COLUMNS = 80  # of a terminal of unknown width
_BAR_SECONDS = 0.1  # between two states of a bar, at least
_TENTH_SECONDS = 5.0  # between two plain lines where a tenth more is done, at least
_LINE_SECONDS = 60.0  # between others
_SOON = 1.0  # seconds of a stage before its rate is shown
SLOW = 5.0  # seconds of reading after which --verbose names a file
MODES = ("auto", "bar", "plain", "json", "none")


@dataclass(slots=True)
class Printer(Closable):
    """A Reporter that prints, at most a few times a second. The keyboard interrupt stops it.

    Plain lines, which may be a log, are printed at the beginning and the end of each stage; in between at each tenth of
    it, at most every five seconds, and at least every minute. verbose: name slow files, and tell the amount and time of
    each stage in other modes too.
    """

    mode: str
    verbose: bool = False
    _last: float = 0.0
    _tenth: int = 0
    _most: int = 0
    _began: float = 0.0
    _first: int = 0
    _newest: Progress | None = None
    _open: bool = False
    _stop: bool = False
    _named: dict[Path, float] = field(default_factory=dict)  # slow files being read, and when each is printed next

    @classmethod
    def of(cls, mode: str, *, verbose: bool = False) -> Printer:
        """Return a printer. mode: "auto" is a bar on a terminal, plain lines elsewhere. verbose: see the class."""
        return cls(("bar" if sys.stderr.isatty() else "plain") if mode == "auto" else mode, verbose)

    def check(self) -> None:
        """Raise Stopped after an interrupt."""
        if self._stop:
            raise Stopped

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop the work at its next check. A handler of signals, where KeyboardInterrupt would come too soon."""
        self._stop = True

    def tell(self, progress: Progress) -> None:
        if self.verbose:
            self._name_slow(progress)
        now = time.monotonic()
        changed = self._newest is None or progress.stage is not self._newest.stage
        if changed:
            self._end_stage(now, self._most)
            self._began, self._first, self._most = now, progress.done, 0
        self._newest = progress
        self._most = max(self._most, progress.done, progress.total or 0)  # each part of a stage has another total
        tenth = 10 * progress.done // progress.total if progress.total else 0
        if self.mode == "plain":
            is_due = now - self._last > (_TENTH_SECONDS if tenth != self._tenth else _LINE_SECONDS)
        else:
            is_due = now - self._last > _BAR_SECONDS or progress.done == progress.total
        if self.mode == "none" or not (changed or is_due):
            return
        self._last, self._tenth = now, tenth
        self._print(progress, now - self._began)

    def _print(self, progress: Progress, passed: float) -> None:
        if self.mode == "json":
            same = progress.identical
            facts = {
                "stage": progress.stage.value, "done": progress.done, "total": progress.total,
                "bytes": progress.bytes_done, "reused": progress.reused, "problems": dict(progress.problems),
                "identical": {"groups": same.groups, "copies": same.copies, "bytes": same.bytes},
                "current": [{"path": os.fspath(path), "seconds": round(seconds, 1)}
                            for path, seconds in zip(progress.current, progress.seconds, strict=False)],
            }  # fmt: skip
            remark(json.dumps(facts))
            return
        line = _counted(progress) + self._pace(progress, passed)
        if progress.stage is Stage.HASH and progress.identical.groups:
            line = joined((line, groups_text(progress.identical.groups)))
        if self.mode == "plain":
            remark(line)
            return
        filled = _BAR * progress.done // progress.total if progress.total else 0
        line = f"[{'#' * filled}{'.' * (_BAR - filled)}] {line}"
        if progress.current:
            line += f"  {shown(progress.current[0].name)}"
        remark(f"\r\x1b[2K{fitting(line, _columns() - 1)}", end="")
        self._open = True

    def _pace(self, progress: Progress, passed: float) -> str:
        """Return the rate and the remaining time of the stage; "" at its beginning."""
        done = progress.done - self._first
        if passed < _SOON or done <= 0:
            return ""
        rate = done / passed
        pace = say("{rate}/s", rate=_amount(progress, rate))
        if progress.total is None or progress.done >= progress.total:
            return f", {pace}"
        remaining = say("{duration} left", duration=waiting_text((progress.total - progress.done) / rate))
        return f", {pace}, {remaining}"

    def _end_stage(self, now: float, amount: float) -> None:
        """Print the amount and time of the stage that ended; in a log only if its first line was long ago."""
        passed = now - self._began
        if self._newest is not None and (self.verbose or (self.mode == "plain" and passed >= _SOON)):
            self._clear()
            stage = say(_NAMES[self._newest.stage])
            if self._newest.stage not in _IN_PARTS:
                stage = say("{stage}: {done}", stage=stage, done=_amount(self._newest, amount))
            remark(say("{stage} in {duration}", stage=stage, duration=seconds_text(passed)))
            if self._newest.stage is Stage.HASH and self.verbose:
                _tell_identical(self._newest.identical)

    def _name_slow(self, progress: Progress) -> None:
        """Print each file that has been read for SLOW seconds, and again whenever that time has doubled."""
        in_hand = dict(zip(progress.current, progress.seconds, strict=False))
        self._named = {path: limit for path, limit in self._named.items() if path in in_hand}
        for path, seconds in in_hand.items():
            if seconds >= self._named.get(path, SLOW):
                self._named[path] = 2 * seconds
                self._clear()
                remark(say("Still reading after {seconds} s: {path}", seconds=number_text(seconds), path=shown(path)))

    def close(self) -> None:
        """Clear the terminal's line."""
        if self._newest is not None:
            self._end_stage(time.monotonic(), self._newest.done)  # less than all of it after a stop
        self._newest = None
        self._clear()

    def _clear(self) -> None:
        if self._open:
            remark("\r\x1b[2K", end="")
            self._open = False


def printer_of(arguments: argparse.Namespace) -> Printer:
    """Return the printer that --progress and --verbose select."""
    return Printer.of(arguments.progress, verbose=arguments.verbose)


def _counted(progress: Progress) -> str:
    """Return the stage and how much of it is done: "Reading: 12 of 40 (30 %)"."""
    stage, done = say(_NAMES[progress.stage]), _amount(progress, progress.done)
    if not progress.total:
        return say("{stage}: {done}", stage=stage, done=done)
    share = percent_text(100 * progress.done // progress.total)
    return say("{stage}: {done} of {total} ({share})", stage=stage, done=done, total=_amount(progress, progress.total),
               share=share)  # fmt: skip


def _amount(progress: Progress, number: float) -> str:
    """Return an amount of a stage: a size for bytes, else a number; with one decimal for a rate below ten."""
    if progress.stage is Stage.HASH:
        return size_text(number)
    return number_text(number, 1 if isinstance(number, float) and number < 10 else 0)


def _tell_identical(identical: IdenticalCounts) -> None:
    """Print the number of groups of identical files, and the paths of the largest."""
    if not identical.groups:
        return
    line = say(
        "{groups}; extra copies: {copies}, {size}",
        groups=say_count("{count} group of identical files", "{count} groups of identical files", identical.groups),
        copies=files_text(identical.copies),
        size=size_text(identical.bytes),
    )
    remark(f"  {line}")
    for paths in identical.largest:
        line = say("identical: {paths}", paths=", ".join(map(shown, paths)))
        remark(f"  {line}")


def fitting(line: str, columns: int) -> str:
    """Return a line cut to the columns of a terminal, in which some characters take two."""
    width = 0
    for index, char in enumerate(line):
        width += columns_of(char)
        if width > columns:
            return line[:index]
    return line


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS
