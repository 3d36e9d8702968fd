"""TextJudge: reads two documents anew, in a killable process, and compares their texts exactly."""

from __future__ import annotations

import errno
import functools
import os
import stat
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.actions.check import Judgement
from dupfinder.cluster.own import compare_sets
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sandbox import Limits, Sandbox

_NOTHING: Final[NDArray[np.uint64]] = np.empty(0, np.uint64)
_REMEMBERED: Final = 8  # texts kept at hand: a keeper is often that of several victims in a row


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read for judging. `size`: bytes; it sets the deadline."""

    path: Path
    size: int
    scheme: Scheme


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What judging needs of a text: its hash, its whole shingle set (uint64, ascending), whether it ended early."""

    text_hash: bytes
    shingles: NDArray[np.uint64]
    partial: bool


@functools.lru_cache(maxsize=2)
def _fingerprinter(scheme: Scheme) -> Fingerprinter:
    return Fingerprinter(scheme)


def read_facts(task: ReadTask) -> TextFacts | None:
    """The facts of one document; None when it has no text that can be read. Runs in the reading process."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(task.path, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            data = stream.read()
    except OSError:
        return None
    extracted = extract(data, task.path).extracted
    if extracted is None:
        return None
    text = normalise(extracted.text, simplify=task.scheme.simplify)
    fingerprinter = _fingerprinter(task.scheme)
    found = fingerprinter.print_of(text)
    if not found.words:
        return None
    return TextFacts(found.text_hash, fingerprinter.shingle_set(text), extracted.partial)


class TextJudge:
    """The judge that front ends hand to `carry_out`. Use it as a context: leaving it ends the reading process.

    Nothing is started before the first judgement, so a plan of exact copies costs nothing here.
    left_out: shingles of boilerplate that both texts are compared without, as in a plan.
    """

    def __init__(self, scheme: Scheme | None = None, limits: Limits | None = None, left_out: bytes = b"") -> None:
        self._scheme = scheme or Scheme()
        self._left_out = np.frombuffer(left_out, "<u8").astype(np.uint64)
        self._sandbox: Sandbox[ReadTask, TextFacts | None] = Sandbox(read_facts, workers=1, limits=limits or Limits())
        self._remembered: OrderedDict[tuple[Path, int, int, int], TextFacts | None] = OrderedDict()

    def __enter__(self) -> TextJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the reading process."""
        self._sandbox.close()

    def __call__(self, victim: Path, keeper: Path) -> Judgement | None:
        """How alike the texts of two files are now; None when one cannot be read. OSError when one is gone."""
        one, other = self._facts(victim), self._facts(keeper)
        if one is None or other is None:
            return None
        return judge_facts(one, other, self._left_out)

    def _facts(self, path: Path) -> TextFacts | None:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        key = (path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
        if key not in self._remembered:
            task = ReadTask(path, status.st_size, self._scheme)
            (done,) = self._sandbox.run([task])
            self._remembered[key] = done.value
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(key)
        return self._remembered[key]


def judge_facts(victim: TextFacts, keeper: TextFacts, left_out: NDArray[np.uint64] = _NOTHING) -> Judgement:
    """Resemblance and containment of two whole shingle sets. Texts that ended early are never the same."""
    same = victim.text_hash == keeper.text_hash and not victim.partial and not keeper.partial
    if not len(victim.shingles) or not len(keeper.shingles):
        return Judgement(float(same), float(same), float(same), same)
    found = compare_sets(victim.shingles, keeper.shingles, left_out)
    return Judgement(found.resemblance, found.left_in_right, found.right_in_left, same)
