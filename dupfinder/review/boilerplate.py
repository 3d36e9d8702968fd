"""Boilerplate as the reviewer sees it: the passages that stand in many files, each of which can be switched off."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from dupfinder.base.errors import UsageError
from dupfinder.base.progress import Reporter, Silent
from dupfinder.base.settings import Settings
from dupfinder.library.library import Library
from dupfinder.scan.again import match_again


@dataclass(frozen=True, slots=True)
class BoilerplatePassage:
    """A passage that stands in many files of a scan.

    number:   from 1, those in most files first.
    key:      names it, in this scan and in others.
    text:     its beginning, as one of the files has it, lines and all.
    files, groups: how many hold it, copies included, and how many groups of versions these are.
    enabled:  it is left out of comparisons. used: it was, when the scan was matched; where the two differ, the scan
              has to be matched again.
    examples: a few of the files.
    """

    number: int
    key: str
    text: str
    files: int
    groups: int
    enabled: bool
    used: bool
    examples: tuple[Path, ...]


def passages(library: Path, scan: int | None = None) -> list[BoilerplatePassage]:
    """The passages of a finished scan, the newest if none is named, in most files first. LibraryError."""
    with Library.open(library) as opened:
        number = opened.summary(scan).id
        standings = opened.boilerplate.standings(number)
        paths = opened.paths([document for one in standings for document in one.examples])
        return [
            BoilerplatePassage(
                place, one.passage.key, one.passage.text, one.files, one.groups, one.enabled, one.used,
                tuple(paths[document] for document in one.examples if document in paths),
            )
            for place, one in enumerate(standings, 1)
        ]  # fmt: skip


def switch(library: Path, keys: Collection[str], enabled: bool) -> None:
    """Leave passages out of comparisons, or compare them like any other text, from the next matching on: that of the
    next scan, or `regroup`. The choice outlives the scan. Raises LibraryError, DiskFullError."""
    with Library.open(library, write=True) as opened:
        opened.boilerplate.switch(keys, enabled)


def regroup(
    library: Path, scan: int | None = None, reporter: Reporter | None = None, settings: Settings | None = None
) -> int:
    """Match a finished scan (the newest if none is named) again with the passages as they are switched now; its number.

    No document is read again. What was found before stays until the end. Raises LibraryError, DiskFullError, Stopped.
    """
    return match_again(library, scan, settings or Settings(), reporter or Silent())


def named(every: list[BoilerplatePassage], numbers: Collection[int]) -> list[str]:
    """The keys of the passages with these numbers. UsageError for one that is not there."""
    keys = {one.number: one.key for one in every}
    for number in numbers:
        if number not in keys:
            raise UsageError(f"There is no passage {number}; `dupfinder boilerplate list` shows them.")
    return [keys[number] for number in numbers]
