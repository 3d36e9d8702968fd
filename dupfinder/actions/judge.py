"""TextJudge: reads two documents again, in a process that can be killed, and compares their texts."""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dupfinder.actions.check import Judgement
from dupfinder.base.files import Closable
from dupfinder.cluster.pair import ComparedText, PairEvidence
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.sandbox import Sandbox
from dupfinder.text.document import Unreadable
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.source import read_path

_CACHED: Final = 8  # texts in the cache: consecutive victims often have the same keeper


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """One file to read. size: bytes, which set the deadline."""

    path: Path
    size: int
    scheme: Scheme


def read_for_judgement(task: JudgeTask) -> ComparedText | None:
    """Return the facts of one document; None if it has no readable text. Runs in the reading process."""
    try:
        extracted = extract(read_path(task.path), task.path).extracted
    except (OSError, Unreadable):
        return None
    if extracted is None:
        return None
    text = normalise(extracted.text)
    text_print = fingerprinter(task.scheme).print_of(text)
    if not text_print.words:
        return None
    return ComparedText.of(extracted, text_print)


class TextJudge(Closable):
    """The judge that front ends pass to `carry_out`. Use it as a context: leaving it ends the reading process.

    The process starts at the first judgement, so a plan of exact copies needs none.
    """

    def __init__(self, scheme: Scheme | None = None) -> None:
        self._scheme = scheme or Scheme()
        self._sandbox: Sandbox[JudgeTask, ComparedText | None] = Sandbox(
            read_for_judgement,
            workers=1,
            files=lambda task: (task.path,),
            readable=[path for path in (self._scheme.learned,) if path],
        )
        self._cache: OrderedDict[tuple[Path, int, int, int], ComparedText | None] = OrderedDict()

    def close(self) -> None:
        self._sandbox.close()

    def __call__(self, victim: Path, keeper: Path, demand: Demand) -> Judgement | None:
        """Return the relation of `victim` to `keeper` now; None if one cannot be read. OSError if one is missing."""
        left, right = self._facts(victim), self._facts(keeper)
        if left is None or right is None:
            return None
        return judge_facts(left, right, demand, self._scheme.shingle)

    def _facts(self, path: Path) -> ComparedText | None:
        """Return the facts of a file, from the cache if it is unchanged. Raises OSError."""
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        key = (path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
        if key not in self._cache:
            task = JudgeTask(path, status.st_size, self._scheme)
            (done,) = self._sandbox.run([task])
            self._cache[key] = done.value
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]


def judge_facts(victim: ComparedText, keeper: ComparedText, demand: Demand, width: int) -> Judgement:
    """Return the relation of one text to another; partial texts are never the same. width: of a shingle, in tokens."""
    evidence = PairEvidence.of(victim, keeper, width)
    if evidence.same_words is None and evidence.distance is None:
        return Judgement(Relation.NONE, 0.0, 0.0, victim.partial)
    return Judgement(evidence.relation(demand), evidence.similarity, evidence.left_in_right, victim.partial)
