"""Excerpts for a report: the first differences between a kept copy and its versions, side by side."""

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
MOST_PAIRS: Final = 50  # of a report; two files are read again for each

Compare = Callable[[Path, Path], Comparison | None]


def with_excerpts(report: Report, compare: Compare, most: int = MOST_PAIRS) -> Report:
    """Return `report` with excerpts for up to `most` versions, first of the clusters that free the most space.

    compare: returns the comparison of two files, None if one can no longer be read; such pairs are skipped.
    """
    excerpts: list[ReportExcerpt] = []
    for cluster in sorted(report.clusters, key=lambda cluster: (-cluster.bytes_to_free, cluster.id)):
        for path in _versions(cluster):
            if len(excerpts) >= most:
                return replace(report, excerpts=tuple(excerpts))
            comparison = compare(cluster.keeper, path)
            if comparison is not None and comparison.differences:
                excerpts.append(excerpt_of(cluster.keeper, path, comparison))
    return replace(report, excerpts=tuple(excerpts))


def excerpt_of(left: Path, right: Path, comparison: Comparison, most: int = MOST_DIFFERENCES) -> ReportExcerpt:
    """Return the first `most` differences of a comparison, each after its preceding line."""
    lines: list[ExcerptLine] = []
    for index in comparison.differences[:most]:
        before = comparison.blocks[index - 1] if index else None
        if before is not None and before.kind is Kind.SAME:
            i, j = before.left_stop - 1, before.right_stop - 1
            lines.append(ExcerptLine("same", comparison.left_lines[i], comparison.right_lines[j]))
        lines.extend(_lines(comparison, comparison.blocks[index]))
    return ReportExcerpt(left, right, len(comparison.differences), min(most, len(comparison.differences)), tuple(lines))


def _versions(cluster: ReportCluster) -> list[Path]:
    """Return members whose text differs from the keeper's; of files with the same text only the first."""
    seen: set[tuple[float | None, int | None]] = set()
    paths: list[Path] = []
    for member in members_in_order(cluster):
        similarity_and_words = (member.similarity, member.words)
        if member.relation == "version" and similarity_and_words not in seen:
            seen.add(similarity_and_words)
            paths.append(member.path)
    return paths


def _lines(comparison: Comparison, block: Block) -> Iterator[ExcerptLine]:
    """Yield the first MOST_LINES lines of a block, left and right in pairs."""
    left = range(block.left_start, block.left_stop)[:MOST_LINES]
    right = range(block.right_start, block.right_stop)[:MOST_LINES]
    for i, j in zip_longest(left, right):
        yield ExcerptLine(
            block.kind.value,
            None if i is None else comparison.left_lines[i],
            None if j is None else comparison.right_lines[j],
            _marks(comparison.left_marks, i),
            _marks(comparison.right_marks, j),
        )


def _marks(marks: Marks, line: int | None) -> tuple[tuple[int, int], ...]:
    return () if line is None else marks.get(line, ())
