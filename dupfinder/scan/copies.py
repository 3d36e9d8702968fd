"""Files with equal bytes: only the first is read, and its result applies to the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from dupfinder.base.problems import ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.library.rows import DocumentRow
from dupfinder.scan.reading import Listing, ReadTask
from dupfinder.scan.walk import ending

_PASSING = frozenset((ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE))
_WITHOUT_HASH = frozenset((ProblemKind.SKIPPED, ProblemKind.UNSUPPORTED, *_PASSING))


class Copies:
    """Copies that wait until the first file with their bytes is read. contents: content hash of each hashed file."""

    def __init__(self, contents: Mapping[FileStamp, bytes]) -> None:
        self._contents = contents
        self._waiting: dict[Path, list[ReadTask]] = {}

    def first_of_each(self, tasks: Iterable[ReadTask]) -> list[ReadTask]:
        """Return the tasks without copies of earlier ones, which wait.

        The end of a name decides how a file is read, so only files with equal ends of names count as copies here.
        """
        firsts: dict[tuple[bytes, str], Path] = {}
        firsts_only: list[ReadTask] = []
        for task in tasks:
            path = task.stamp.path
            content = self._contents.get(task.stamp) if task.inside is None else None
            first = path if content is None else firsts.setdefault((content, ending(path.name)), path)
            if first == path:
                firsts_only.append(task)
            else:
                self._waiting.setdefault(first, []).append(task)
        return firsts_only

    def rows_of(
        self, answer: DocumentRow | Listing, task: ReadTask
    ) -> tuple[list[tuple[DocumentRow, ReadTask]], list[ReadTask]]:
        """Return (rows of a file's copies, tasks of copies that must be read), by the result of reading the file.

        An archive is listed again for each copy, because each has its own members. A file that changed since it was
        hashed says nothing about its copies.
        """
        copies = self._waiting.pop(task.stamp.path, [])
        if not copies:
            return [], []
        if isinstance(answer, Listing):
            return [], copies
        has_changed = bool(answer.content_hash) and answer.content_hash != self._contents[task.stamp]
        if has_changed or answer.status in _PASSING:
            return [], self.first_of_each(copies)
        return [(self.completed(replace(answer, stamp=copy.stamp, seconds=None)), copy) for copy in copies], []

    def completed(self, row: DocumentRow) -> DocumentRow:
        """Return a row with the content hash, also if reading ended before all bytes were known."""
        if row.content_hash or row.status in _WITHOUT_HASH:
            return row
        return replace(row, content_hash=self._contents.get(row.stamp, b""))
