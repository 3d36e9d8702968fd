"""Lay out documents that share one form: the common text, and what each document has in every field."""

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
from dupfinder.diff.matching import WorkBudget, matching_runs
from dupfinder.diff.tokens import DiffTokens, Numbering, Options, tokens
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.reading import file_holding, read_text
from dupfinder.text.source import bytes_on_disk

MOST_READ: Final = 200  # documents whose texts are read for one table
MOST_WORDS: Final = 20_000  # in a document that is laid out
_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE: Final = re.compile(
    r"\d{1,4}[-/年]\d{1,2}([-/月]\d{1,4})?日?|\d{1,4}\.\d{1,2}\.(\d{1,4})?"  # 12.50 is a number
    rf"|(\d{{1,2}}\.? )?({_MONTHS})\w*\.?(,? (\d{{1,2}},? )?\d{{2,4}})?",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"[€$£¥元]\s?\d|\d\s?([€$£¥元]|eur|usd|gbp|cny)\b", re.I)
_NUMBER: Final = re.compile(r"[\d\s.,/:#-]*\d[\d\s.,/:#-]*")


class FillKind(Enum):
    """What the fillings of a field look like."""

    TEXT = 0
    NUMBER = 1
    AMOUNT = 2
    DATE = 3


@dataclass(frozen=True, slots=True)
class FormLayout:
    """A form laid out, with p fields.

    common: p + 1 pieces of the common text, in order; field i is between the pieces i and i + 1.
    kinds:  p, FillKind.
    fills:  for each text its p fillings, "" for an empty field.
    """

    common: tuple[str, ...]
    kinds: tuple[FillKind, ...]
    fills: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> int:
        return sum(len(tokens(piece, Options()).keys) for piece in self.common)


def lay_out(texts: Sequence[str]) -> FormLayout:
    """Lay out texts that share a form, by comparison with the first text.

    Every run of words in which some text differs from the first is a field; adjacent runs are joined.
    """
    numbering = Numbering()
    split = [tokens(text, Options()) for text in texts]
    numbers = [numbering.of(part.keys) for part in split]
    partners = [_partners(numbers[0], other) for other in numbers]
    fields = _fields(partners, [len(other) for other in numbers])
    fills = tuple(
        tuple(_content(text, part, *_span(partner, field, len(part.keys))) for field in fields)
        for text, part, partner in zip(texts, split, partners, strict=True)
    )
    bounds = [0, *(bound for field in fields for bound in field), len(numbers[0])]
    common = tuple(_content(texts[0], split[0], a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    return FormLayout(common, tuple(_kind([row[at] for row in fills]) for at in range(len(fields))), fills)


def _partners(centre: list[int], other: list[int]) -> list[int]:
    """Return for each word of the first text the position of the equal word in another text, -1 for none."""
    partners = [-1] * len(centre)
    work = WorkBudget(MOST_CELLS, math.inf)
    for i, j, length in matching_runs(np.array(centre, np.int64), np.array(other, np.int64), work):
        partners[i : i + length] = range(j, j + length)
    return partners


def _fields(partners: Sequence[list[int]], lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return the fields as runs of the first text, (first word, word after the last), at least one word apart.

    lengths: number of words of each text, the first text first.
    """
    count = lengths[0]
    differs = [False] * count  # the word differs in some text
    before = [False] * (count + 1)  # some text has other words before this word
    for partner, length in zip(partners, lengths, strict=True):
        last = -1
        for at, other in enumerate(partner):
            if other < 0:
                differs[at] = True
            else:
                before[at] |= other != last + 1
                last = other
        before[count] |= last != length - 1
    fields: list[tuple[int, int]] = []
    for at in range(count + 1):
        if not before[at] and not (at < count and differs[at]):
            continue
        end = at + 1 if at < count and differs[at] else at
        if fields and fields[-1][1] >= at:
            fields[-1] = (fields[-1][0], max(fields[-1][1], end))
        else:
            fields.append((at, end))
    return fields


def _span(partner: list[int], field: tuple[int, int], count: int) -> tuple[int, int]:
    """Return the run of words in another text, (first, after the last), that corresponds to a field."""
    start, stop = field
    first = partner[start - 1] + 1 if start else 0
    return first, partner[stop] if stop < len(partner) else count


def _content(text: str, part: DiffTokens, start: int, stop: int) -> str:
    """Return the characters of a run of words, "" for an empty run."""
    return text[part.spans[start][0] : part.spans[stop - 1][1]] if stop > start else ""


def _kind(contents: Sequence[str]) -> FillKind:
    """Return what most fillings of a field look like."""
    filled = [content.strip() for content in contents if content.strip()]
    for kind, fits in (
        (FillKind.DATE, _DATE.fullmatch),
        (FillKind.AMOUNT, _AMOUNT.search),
        (FillKind.NUMBER, _NUMBER.fullmatch),
    ):
        if filled and sum(fits(filling) is not None for filling in filled) * 2 > len(filled):
            return kind
    return FillKind.TEXT


@dataclass(frozen=True, slots=True)
class FormTask:
    """The files of a form to read."""

    paths: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Bytes of all files, or of their archives, which set the deadline; 0 for what is gone."""
        return bytes_on_disk(self.paths)


@dataclass(frozen=True, slots=True)
class FormView:
    """A form laid out.

    read: positions in the task of the files that were read, one for each row of `layout.fills`.
    layout: None if fewer than two files could be read, or the texts are too long.
    """

    read: tuple[int, ...]
    layout: FormLayout | None


def read_form(task: FormTask) -> FormView:
    """Read the files of a form and lay them out. Runs in the reading process."""
    texts, read = [], []
    for position, path in enumerate(task.paths):
        extracted = read_text(path).extracted
        if extracted is not None and len(extracted.text.split()) <= MOST_WORDS:
            texts.append(extracted.text)
            read.append(position)
    return FormView(tuple(read), lay_out(texts) if len(texts) > 1 else None)


class FormReader:
    """Reads forms in a process that stays ready. Not thread-safe."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(
            read_form, workers=1, files=lambda task: tuple(map(file_holding, task.paths)), readable=[weights_dir()]
        )

    def read(self, paths: Sequence[Path], check: Callable[[], None] = lambda: None) -> FormView:
        """Lay out the form of some files. `check` may raise Stopped, which ends the process."""
        (outcome,) = self._sandbox.run([FormTask(tuple(paths[:MOST_READ]))], check)
        return FormView((), None) if outcome.value is None else outcome.value

    def close(self) -> None:
        self._sandbox.close()
