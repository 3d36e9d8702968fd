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

from dupfinder.actions.check import Judgement
from dupfinder.cluster.evidence import compare
from dupfinder.cluster.relation import Demand, Relation, decide, of_same_words, similarity
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library import other
from dupfinder.processes.handed import open_handed
from dupfinder.processes.sandbox import Limits, Sandbox
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

_REMEMBERED: Final = 8  # texts kept at hand: a keeper is often that of several victims in a row


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read for judging. `size`: bytes; it sets the deadline."""

    path: Path
    size: int
    scheme: Scheme


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What judging needs of a document: what the search knows of its text, whether reading ended early, its format, and
    what it holds beside words as the library packs it."""

    text_print: TextPrint
    partial: bool
    media: str
    other: bytes


@functools.lru_cache(maxsize=2)
def _fingerprinter(scheme: Scheme) -> Fingerprinter:
    return Fingerprinter(scheme)


def read_facts(task: ReadTask) -> TextFacts | None:
    """The facts of one document; None when it has no text that can be read. Runs in the reading process."""
    try:
        with open(open_handed(task.path), "rb") as stream:
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
    return TextFacts(found, extracted.partial, extracted.media_type, other.packed(extracted.other))


class TextJudge:
    """The judge that front ends hand to `carry_out`. Use it as a context: leaving it ends the reading process.

    Nothing is started before the first judgement, so a plan of exact copies costs nothing here.
    """

    def __init__(self, scheme: Scheme | None = None, limits: Limits | None = None) -> None:
        self._scheme = scheme or Scheme()
        self._sandbox: Sandbox[ReadTask, TextFacts | None] = Sandbox(
            read_facts,
            workers=1,
            limits=limits or Limits(),
            files=lambda task: (task.path,),
            readable=[path for path in (self._scheme.learned,) if path],
        )
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

    def __call__(self, victim: Path, keeper: Path, demand: Demand) -> Judgement | None:
        """What one file is to the other now; None when one cannot be read. OSError when one is gone."""
        left, right = self._facts(victim), self._facts(keeper)
        if left is None or right is None:
            return None
        return judge_facts(left, right, demand, self._scheme.shingle)

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


def judge_facts(victim: TextFacts, keeper: TextFacts, demand: Demand, width: int) -> Judgement:
    """What one document is to another by their texts, as a scan would say. Texts that ended early are never the same.

    width: tokens of a shingle.
    """
    left, right = victim.text_print, keeper.text_print
    if left.text_hash == right.text_hash and not victim.partial and not keeper.partial:
        columns = [np.frombuffer(facts.other, "<u8").astype(np.uint64)[None, :] for facts in (victim, keeper)]
        same_format = np.array([victim.media == keeper.media])
        relation = of_same_words(columns[0], columns[1], same_format, np.zeros(1, np.bool_))
        return Judgement(Relation(int(relation[0])), 1.0, 1.0)
    if not (left.has_features and right.has_features):
        return Judgement(Relation.NONE, 0.0, 0.0)
    pair, evidence = compare(left, right, width)
    relation = decide(evidence, pair, demand)
    return Judgement(Relation(int(relation[0])), float(similarity(evidence)[0]), float(evidence.left_in_right[0]))
