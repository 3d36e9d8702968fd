"""Of files with the same bytes one is read; what is told of the others is what reading them would tell."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.rows import READ, DocumentRow
from dupfinder.scan.exact import WaitingCopies
from dupfinder.scan.reading import HASH_BYTES, ListedArchive, ReadTask, read_one
from dupfinder.text.archives.members import ArchiveContents
from tests import making
from tests.scan.documents import prose

CONTENTS = (
    making.txt(prose(1)), making.txt(prose(2)), making.html(prose(1)), making.rtf(prose(1)), b"12 34 56\n", b"",
    random.Random(5).randbytes(500), making.docx(prose(3))[:300],
)  # fmt: skip
NAMES = ("letter.txt", "letter.html", "letter", "letter.rtf", "letter.dat.txt", "Letter.TXT", "letter.docx", "a.csv")


def tasks_of(folder: Path, files: list[tuple[int, str]]) -> tuple[list[ReadTask], dict[FileStamp, bytes]]:
    """Tasks for new files, each of a content and a name; and the content hash of each."""
    tasks, contents = [], {}
    for number, (content, name) in enumerate(files):
        path = folder / f"{number}" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(CONTENTS[content])
        stamp = FileStamp.of(path, path.lstat())
        tasks.append(ReadTask(stamp, Scheme()))
        contents[stamp] = hashlib.blake2b(CONTENTS[content], digest_size=HASH_BYTES).digest()
    return tasks, contents


def facts(row: DocumentRow | ListedArchive) -> list[Any]:
    """All that a row tells but how long its reading took."""
    assert isinstance(row, DocumentRow)
    values = [getattr(row, field.name) for field in fields(row) if field.name not in ("seconds", "text_print")]
    print_ = row.text_print
    parts = [] if print_ is None else [getattr(print_, field.name) for field in fields(print_)]
    return values + [value.tolist() if isinstance(value, np.ndarray) else value for value in parts]


def read_with(copies: WaitingCopies, tasks: list[ReadTask]) -> tuple[dict[Path, DocumentRow], list[Path]]:
    """The rows of all tasks by path, and the paths that were read."""
    rows: dict[Path, DocumentRow] = {}
    read: list[Path] = []
    waiting = copies.first_of_each(tasks)
    while waiting:
        task = waiting.pop()
        read.append(task.stamp.path)
        answer = read_one(task)
        assert isinstance(answer, DocumentRow)
        rows[task.stamp.path] = copies.completed(answer)
        more, again = copies.rows_of(answer, task)
        rows |= {copy.stamp.path: row for row, copy in more}
        waiting += again
    return rows, read


@given(st.lists(st.tuples(st.integers(0, len(CONTENTS) - 1), st.sampled_from(NAMES)), min_size=1, max_size=12))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_content_is_read_once_under_each_kind_of_name_with_the_same_result(
    tmp_path: Path, files: list[tuple[int, str]]
) -> None:
    tasks, contents = tasks_of(tmp_path, files)
    rows, read = read_with(WaitingCopies(contents), tasks)
    each, _ = read_with(WaitingCopies({}), tasks)
    left_out = (ProblemKind.UNSUPPORTED, ProblemKind.SKIPPED)
    for path, row in each.items():
        hashed = {stamp.path: digest for stamp, digest in contents.items()}[path]
        expected = row if row.content_hash or row.status in left_out else replace(row, content_hash=hashed)
        assert facts(rows[path]) == facts(expected)
    kinds = {(content, name.lower().rpartition("letter")[2]) for content, name in files}
    assert len(read) == len(kinds) and set(rows) == {task.stamp.path for task in tasks}


def test_a_first_file_that_changed_or_is_gone_says_nothing_of_its_copies(tmp_path: Path) -> None:
    tasks, contents = tasks_of(tmp_path, [(0, "letter.txt")] * 4)
    tasks[0].stamp.path.write_bytes(CONTENTS[1])
    tasks[1].stamp.path.unlink()
    rows, read = read_with(WaitingCopies(contents), tasks)
    assert len(read) == 3
    statuses = Counter(str(row.status) for row in rows.values())
    assert statuses == {READ: 3, ProblemKind.VANISHED.value: 1}
    words = {path: row.text_print.words for path, row in rows.items() if row.text_print is not None}
    assert words[tasks[2].stamp.path] == words[tasks[3].stamp.path]
    assert rows[tasks[0].stamp.path].content_hash != rows[tasks[2].stamp.path].content_hash


def test_copies_of_an_archive_are_each_listed(tmp_path: Path) -> None:
    tasks, contents = tasks_of(tmp_path, [(0, "letters.zip")] * 2)
    copies = WaitingCopies(contents)
    (first,) = copies.first_of_each(tasks)
    assert copies.rows_of(ListedArchive(first.stamp, ArchiveContents(())), first) == ([], tasks[1:])


def test_a_copy_of_a_file_that_took_too_long_is_not_tried_again(tmp_path: Path) -> None:
    tasks, contents = tasks_of(tmp_path, [(0, "letter.txt")] * 3)
    copies = WaitingCopies(contents)
    (first,) = copies.first_of_each(tasks)
    slow = details(Clause.AFTER_SECONDS, seconds=12)
    rows, again = copies.rows_of(DocumentRow(first.stamp, ProblemKind.TOO_SLOW, slow), first)
    assert again == [] and [row.stamp for row, _ in rows] == [task.stamp for task in tasks[1:]]
    outcomes = [(row.status, row.details, row.content_hash) for row, _ in rows]
    assert outcomes == [(ProblemKind.TOO_SLOW, slow, contents[first.stamp])] * 2
