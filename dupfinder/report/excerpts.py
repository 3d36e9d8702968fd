"""What differs, shown side by side in a report: the first differences between a kept copy and its versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

from dupfinder.diff.blocks import Block, Comparison, Kind, Marks
from dupfinder.report.rows import ExcerptLine, Report, ReportCluster, ReportExcerpt, members_in_order

MOST_DIFFERENCES: Final = 5  # of one pair
MOST_LINES: Final = 6  # of one difference
MOST_PAIRS: Final = 50  # of a report; each means reading two files again

Compare = Callable[[Path, Path], Comparison | None]


def with_excerpts(report: Report, compare: Compare, most: int = MOST_PAIRS) -> Report:
    """`report` with an excerpt for up to `most` versions, those of the clusters that free the most space first.

    compare: the comparison of two files, None when one cannot be read any more; such a pair is passed over.
    """
    excerpts: list[ReportExcerpt] = []
    for cluster in sorted(report.clusters, key=lambda one: (-one.bytes_to_free, one.id)):
        for path in _versions(cluster):
            if len(excerpts) >= most:
                return replace(report, excerpts=tuple(excerpts))
            found = compare(cluster.keeper, path)
            if found is not None and found.differences:
                excerpts.append(excerpt_of(cluster.keeper, path, found))
    return replace(report, excerpts=tuple(excerpts))


def excerpt_of(left: Path, right: Path, found: Comparison, most: int = MOST_DIFFERENCES) -> ReportExcerpt:
    """The first `most` differences of a comparison, each with the line before it."""
    lines: list[ExcerptLine] = []
    for index in found.differences[:most]:
        before = found.blocks[index - 1] if index else None
        if before is not None and before.kind is Kind.SAME:
            i, j = before.left_stop - 1, before.right_stop - 1
            lines.append(ExcerptLine("same", found.left_lines[i], found.right_lines[j]))
        lines.extend(_lines(found, found.blocks[index]))
    return ReportExcerpt(left, right, len(found.differences), min(most, len(found.differences)), tuple(lines))


def _versions(cluster: ReportCluster) -> list[Path]:
    """Members whose text differs from the keeper's; of files with one text, a single one."""
    seen: set[tuple[float | None, int | None]] = set()
    paths: list[Path] = []
    for member in members_in_order(cluster):
        alike = (member.similarity, member.words)
        if member.relation == "version" and alike not in seen:
            seen.add(alike)
            paths.append(member.path)
    return paths


def _lines(found: Comparison, block: Block) -> Iterator[ExcerptLine]:
    """A block's lines in pairs, the first MOST_LINES of them."""
    left = range(block.left_start, block.left_stop)[:MOST_LINES]
    right = range(block.right_start, block.right_stop)[:MOST_LINES]
    for i, j in zip_longest(left, right):
        yield ExcerptLine(
            block.kind.value,
            None if i is None else found.left_lines[i],
            None if j is None else found.right_lines[j],
            _marks(found.left_marks, i),
            _marks(found.right_marks, j),
        )


def _marks(marks: Marks, line: int | None) -> tuple[tuple[int, int], ...]:
    return () if line is None else marks.get(line, ())
