"""What happens at a moment: an end without warning, an error of the system, or another program at the same files."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tests.faults import shim


class Act(StrEnum):
    """What happens right before a call."""

    KILL = "kill"
    HALF = "half"  # of a write is done, then a kill
    EIO = "EIO"
    ENOSPC = "ENOSPC"
    EPERM = "EPERM"
    EINTR = "EINTR"
    SAVE = "save"  # another program saves the victim's name: a new file takes the name
    WRITE = "write"  # another program opens the victim's name and writes it anew
    REMOVE = "remove"
    SWAP = "swap"  # the victim's file gets another name, and a folder takes its own
    SAVE_KEPT = "save kept"
    REMOVE_KEPT = "remove kept"


KILLS = (Act.KILL, Act.HALF)
ERRORS = (Act.EIO, Act.ENOSPC, Act.EPERM, Act.EINTR)
MEDDLING = (Act.SAVE, Act.WRITE, Act.REMOVE, Act.SWAP)
OF_KEEPER = (Act.SAVE_KEPT, Act.REMOVE_KEPT)
SWAPPED = "~swapped"
Event = tuple[int, Act]  # the number of a call, from 1


@dataclass(slots=True)
class Said:
    """What the other program did.   saved, destroyed: contents.   calls: (call, path, whether it changes)."""

    saved: set[bytes] = field(default_factory=set)
    destroyed: set[bytes] = field(default_factory=set)
    calls: list[tuple[str, str, bool]] = field(default_factory=list)
    happened: list[Act] = field(default_factory=list)

    @property
    def was_meddled_with(self) -> bool:
        return bool(set(self.happened) & {*MEDDLING, *OF_KEEPER})


class Meddler:
    """Answers the shim: does what is to happen at the n-th call, and writes what it did into a pipe.

    changes_only: only calls that change something are counted.
    lacking: calls that the file system does not have -> the number of the error that it gives instead.
    """

    def __init__(
        self,
        events: tuple[Event, ...],
        victim: Path,
        keeper: Path,
        tell: int,
        changes_only: bool,
        lacking: Mapping[str, int],
    ) -> None:
        self._events, self._victim, self._keeper, self._tell = events, victim, keeper, tell
        self._changes_only, self._lacking = changes_only, lacking
        self._count = 0

    def __call__(self, call: str, path: str, changes: bool) -> int:
        if self._changes_only and not changes:
            return shim.GO_ON
        self._count += 1
        self._say("call", f"{call.replace(' ', '_')} {int(changes)} {path}")
        answer = self._lacking.get(call, shim.GO_ON)
        for number, act in self._events:
            if number == self._count:
                self._say("act", act.value)
                answer = self._happen(act, call) or answer
        return answer

    def _happen(self, act: Act, call: str) -> int:
        if act is Act.KILL or (act is Act.HALF and call == "copy"):
            return shim.KILL if act is Act.KILL else shim.HALF
        if act in ERRORS:
            return int(getattr(errno, act.value))
        if act is Act.SAVE or act is Act.SAVE_KEPT:
            self._save(self._victim if act is Act.SAVE else self._keeper)
        elif act is Act.WRITE:
            self._write(self._victim)
        elif act is Act.REMOVE or act is Act.REMOVE_KEPT:
            self._remove(self._victim if act is Act.REMOVE else self._keeper)
        elif act is Act.SWAP:
            self._swap(self._victim)
        return shim.GO_ON

    def _say(self, what: str, words: str) -> None:
        os.write(self._tell, json.dumps([what, words]).encode("ascii") + b"\n")

    def _loses(self, path: Path) -> None:
        """The content of `path` is about to be lost by the other program, unless the keeper is the same file and stays.

        A second name that dupfinder is about to drop does not count: whoever replaces a file that was just put back
        replaces it, whether its old place is empty by then or not.
        """
        if not path.is_file() or path.is_symlink():
            return
        stays = path != self._keeper and self._keeper.exists() and path.samefile(self._keeper)
        if not stays:
            self._say("destroyed", path.read_bytes().decode("latin-1"))

    def _new(self, path: Path) -> bytes:
        content = f"saved by another program as {path.name}, {self._count}".encode()
        self._say("saved", content.decode("latin-1"))
        return content

    def _save(self, path: Path) -> None:
        if path.is_dir():
            return
        beside = path.with_name(path.name + ".part")
        beside.write_bytes(self._new(path))
        self._loses(path)
        os.replace(beside, path)

    def _write(self, path: Path) -> None:
        if path.is_dir():
            return
        content = self._new(path)
        if path.is_file():
            self._say("destroyed", path.read_bytes().decode("latin-1"))  # for every name that it has
        path.write_bytes(content)

    def _remove(self, path: Path) -> None:
        if path.is_file():
            self._loses(path)
            path.unlink()

    def _swap(self, path: Path) -> None:
        if path.is_file():
            path.rename(path.with_name(path.name + SWAPPED))
        if not path.exists():
            path.mkdir()
            (path / "inside").write_bytes(self._new(path))


def heard(said: bytes) -> Said:
    """What a meddler wrote into its pipe."""
    result = Said()
    for line in said.splitlines():
        what, words = json.loads(line)
        if what == "call":
            call, changes, path = words.split(" ", 2)
            result.calls.append((call, path, changes == "1"))
        elif what == "act":
            result.happened.append(Act(words))
        else:
            (result.saved if what == "saved" else result.destroyed).add(words.encode("latin-1"))
    return result
