"""What was filled in where in documents that share one form: the common text once, and a column for each place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import numpy as np

from dupfinder.base.paths import weights_dir
from dupfinder.cluster.alignment import MOST_CELLS
from dupfinder.diff.matching import Work, matching_runs
from dupfinder.diff.tokens import Numbering, Options, Tokens, tokens
from dupfinder.processes.sandbox import Limits, Sandbox
from dupfinder.scan.reading import file_holding, read_text
from dupfinder.text.archives.archive import holder_of

MOST_READ: Final = 200  # fillings whose texts are read for one table
MOST_WORDS: Final = 20_000  # of a form that is laid out in a table
_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE: Final = re.compile(
    r"\d{1,4}[-./年]\d{1,2}([-./月]\d{1,4})?日?"
    rf"|(\d{{1,2}}\.? )?({_MONTHS})\w*\.?(,? (\d{{1,2}},? )?\d{{2,4}})?",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"[€$£¥元]\s?\d|\d\s?([€$£¥元]|eur|usd|gbp|cny)\b", re.I)
_NUMBER: Final = re.compile(r"[\d\s.,/:#-]*\d[\d\s.,/:#-]*")


class FillKind(Enum):
    """What the contents of a place look like."""

    TEXT = 0
    NUMBER = 1
    AMOUNT = 2
    DATE = 3


@dataclass(frozen=True, slots=True)
class Layout:
    """A form laid out. With p places:

    common: p + 1 pieces of the text that all share, in order; place i lies between piece i and i + 1.
    kinds:  p, FillKind. fills: for each text its p contents, "" where a place was left empty.
    """

    common: tuple[str, ...]
    kinds: tuple[FillKind, ...]
    fills: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> int:
        """Words of the common text."""
        return sum(len(tokens(piece, Options()).keys) for piece in self.common)


def lay_out(texts: Sequence[str]) -> Layout:
    """Lay texts that share a form out against the first of them.

    Every stretch of words in which some text differs from the first is a place; stretches that touch are one.
    """
    numbering = Numbering()
    split = [tokens(text, Options()) for text in texts]
    numbers = [numbering.of(part.keys) for part in split]
    partners = [_partners(numbers[0], other) for other in numbers]
    places = _places(partners, [len(other) for other in numbers])
    fills = tuple(
        tuple(_content(text, part, *_span(partner, place, len(part.keys))) for place in places)
        for text, part, partner in zip(texts, split, partners, strict=True)
    )
    bounds = [0, *(bound for place in places for bound in place), len(numbers[0])]
    common = tuple(_content(texts[0], split[0], a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    return Layout(common, tuple(_kind([row[at] for row in fills]) for at in range(len(places))), fills)


def _partners(centre: list[int], other: list[int]) -> list[int]:
    """For each word of the first text the place of its equal in another, -1 for none."""
    partners = [-1] * len(centre)
    work = Work(MOST_CELLS, math.inf)
    for i, j, length in matching_runs(np.array(centre, np.int64), np.array(other, np.int64), work):
        partners[i : i + length] = range(j, j + length)
    return partners


def _places(partners: Sequence[list[int]], lengths: Sequence[int]) -> list[tuple[int, int]]:
    """The stretches of the first text at which others differ, (first word, word after the last), apart by a word.

    lengths: words of each text, the first one's first.
    """
    count = lengths[0]
    differs = [False] * count  # the word differs somewhere
    before = [False] * (count + 1)  # something stands before the word somewhere
    for partner, length in zip(partners, lengths, strict=True):
        last = -1
        for at, other in enumerate(partner):
            if other < 0:
                differs[at] = True
            else:
                before[at] |= other != last + 1
                last = other
        before[count] |= last != length - 1
    places: list[tuple[int, int]] = []
    for at in range(count + 1):
        if not before[at] and not (at < count and differs[at]):
            continue
        end = at + 1 if at < count and differs[at] else at
        if places and places[-1][1] >= at:
            places[-1] = (places[-1][0], max(places[-1][1], end))
        else:
            places.append((at, end))
    return places


def _span(partner: list[int], place: tuple[int, int], count: int) -> tuple[int, int]:
    """The words of another text at a place of the first."""
    start, stop = place
    first = partner[start - 1] + 1 if start else 0
    return first, partner[stop] if stop < len(partner) else count


def _content(text: str, part: Tokens, start: int, stop: int) -> str:
    return text[part.spans[start][0] : part.spans[stop - 1][1]] if stop > start else ""


def _kind(contents: Sequence[str]) -> FillKind:
    """What most contents of a place look like."""
    filled = [content.strip() for content in contents if content.strip()]
    for kind, fits in (
        (FillKind.DATE, _DATE.fullmatch),
        (FillKind.AMOUNT, _AMOUNT.search),
        (FillKind.NUMBER, _NUMBER.fullmatch),
    ):
        if filled and sum(fits(one) is not None for one in filled) * 2 > len(filled):
            return kind
    return FillKind.TEXT


@dataclass(frozen=True, slots=True)
class FormTask:
    """The files of one form to read."""

    paths: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Bytes of all files, or of their archives, which set the deadline; 0 for what is gone."""
        files = [holder_of(path) or path for path in self.paths]
        return sum(file.stat().st_size for file in files if file.exists())


@dataclass(frozen=True, slots=True)
class FormView:
    """A form laid out: `read` are the positions, in the task, of the files that could be read, one for each row of
    the fills. layout: None where fewer than two could, or the texts are too long."""

    read: tuple[int, ...]
    layout: Layout | None


def read_form(task: FormTask) -> FormView:
    """Read the files of a form and lay them out. Runs in the reading process."""
    texts, read = [], []
    for place, path in enumerate(task.paths):
        extracted = read_text(path).extracted
        if extracted is not None and len(extracted.text.split()) <= MOST_WORDS:
            texts.append(extracted.text)
            read.append(place)
    return FormView(tuple(read), lay_out(texts) if len(texts) > 1 else None)


class FormReader:
    """Keeps a reading process ready. Use from one thread at a time."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._sandbox = Sandbox(
            read_form,
            workers=1,
            limits=limits or Limits(),
            files=lambda task: tuple(map(file_holding, task.paths)),
            readable=[weights_dir()],
        )

    def read(self, paths: Sequence[Path], check: Callable[[], None] = lambda: None) -> FormView:
        """Lay the form of some files out; `check` may raise Stopped, which ends the process."""
        for done in self._sandbox.run([FormTask(tuple(paths[:MOST_READ]))], check):
            if done.value is not None:
                return done.value
        return FormView((), None)

    def close(self) -> None:
        """End the process."""
        self._sandbox.close()
