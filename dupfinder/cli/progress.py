"""Progress on standard error: a bar on a terminal, plain lines otherwise, JSON lines for machines."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass

from dupfinder.base.progress import Progress, Stage

_NAMES = {
    Stage.FIND: "Finding files",
    Stage.READ: "Reading",
    Stage.MATCH: "Matching",
    Stage.VERIFY: "Checking differences",
    Stage.GROUP: "Grouping",
    Stage.REMOVE: "Removing",
    Stage.WRITE: "Writing",
}
_BAR = 28  # characters
MODES = ("auto", "bar", "plain", "json", "none")


@dataclass(slots=True)
class Printer:
    """A Reporter that prints, a few times a second at most. Stopping comes from the keyboard."""

    mode: str
    _last: float = 0.0
    _stage: Stage | None = None
    _open: bool = False

    @classmethod
    def of(cls, mode: str) -> Printer:
        """`auto` means a bar on a terminal and plain lines elsewhere."""
        return cls(("bar" if sys.stderr.isatty() else "plain") if mode == "auto" else mode)

    def check(self) -> None:
        return None

    def tell(self, progress: Progress) -> None:
        now = time.monotonic()
        changed = progress.stage is not self._stage
        pause = 5.0 if self.mode == "plain" else 0.1
        ended = progress.total is not None and progress.done == progress.total
        if self.mode == "none" or not (changed or ended or now - self._last > pause):
            return
        if self.mode == "plain" and not changed and now - self._last < pause:
            return
        self._last, self._stage = now, progress.stage
        if self.mode == "json":
            facts = {
                "stage": progress.stage.value, "done": progress.done, "total": progress.total,
                "bytes": progress.bytes_done, "reused": progress.reused, "problems": dict(progress.problems),
            }  # fmt: skip
            print(json.dumps(facts), file=sys.stderr, flush=True)
            return
        line = f"{_NAMES[progress.stage]}: {progress.done:,}"
        if progress.total:
            line += f" of {progress.total:,} ({100 * progress.done // progress.total} %)"
        if self.mode == "plain":
            print(line, file=sys.stderr, flush=True)
            return
        filled = _BAR * progress.done // progress.total if progress.total else 0
        print(f"\r\x1b[2K[{'#' * filled}{'.' * (_BAR - filled)}] {line}", end="", file=sys.stderr, flush=True)
        self._open = True

    def end(self) -> None:
        """Leave the terminal's line clean."""
        if self._open:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
            self._open = False
