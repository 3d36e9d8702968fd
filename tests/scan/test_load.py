"""What a scan finds does not depend on what else the machine does, nor on who ends its reading processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from dupfinder.base.details import Clause, ProblemKind, details, stored
from dupfinder.base.settings import FILE_SECONDS, Settings
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanResult
from dupfinder.processes.child import Child
from dupfinder.processes.errands import Errand
from dupfinder.processes.sandbox import TaskResult
from dupfinder.processes.worker import Failure
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.reading import ListedArchive, ReadTask, answer_of, read_one
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.text.archives.members import ArchiveContents, ArchiveMember
from tests import making
from tests.scan.documents import family, prose, put, strangers, troubles

BUSY = 16  # processes beside the scan that do nothing but work
SPIN = "while True: pass"
posix = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signal")


@contextmanager
def busy_machine(count: int) -> Iterator[None]:
    """Keep `count` other processes busy while the block runs."""
    busy = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def scanned(library: Path, docs: Path, settings: Settings | None = None, **more: object) -> ScanResult:
    scan = run_scan(ScanRequest((Root(docs),), workers=2), library, settings=settings, **more)  # type: ignore[arg-type]
    with LibraryFile(library) as opened:
        return opened.result(scan)


def facts(result: ScanResult) -> list[tuple[object, ...]]:
    """All that a report says of each file and of each pair."""
    documents = result.documents
    columns = (documents.paths, documents.status, documents.detail, documents.media, documents.reader)
    numbers = (documents.words, documents.pages, documents.fingerprint, documents.shingles)
    pairs = result.pairs
    return [
        *zip(*columns, *(column.tolist() for column in numbers), strict=True),
        *zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True),
    ]


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_busy_machine_changes_nothing_in_the_report(tmp_path: Path, docs: Path) -> None:
    """Each file takes a third of its time limit alone; beside sixteen busy processes a ninth of a processor is left."""
    family(docs, 1)
    strangers(docs, 20)
    troubles(docs)
    for number in range(6):
        pages = [[f"{words} on page {page} of {number}" for words in making.PARAGRAPHS * 6] for page in range(300)]
        put(docs / f"long{number}.pdf", making.pdf(pages))
    settings = Settings()
    settings.set(FILE_SECONDS, 4.0)
    reports = []
    for busy in (0, BUSY):
        folder = tmp_path / f"kept{busy}"
        folder.mkdir()
        with busy_machine(busy):
            reports.append(facts(scanned(folder / "library.db", docs, settings)))
    assert reports[0] == reports[1]
    assert sum(row[1] == READ for row in reports[0] if len(row) > 3) == 4 + 20 + 6


@dataclass
class Kills:
    """Ends each reading process that is about to be handed the named file, `remaining` times."""

    name: str
    remaining: int

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        send = Child.send

        def killed_before(child: Child[ReadTask], batch: Sequence[Errand[ReadTask]], *more: Any) -> None:
            if self.remaining and any(job.task.stamp.path.name == self.name for job in batch):
                self.remaining -= 1
                child.process.kill()
                child.process.join()
            send(child, batch, *more)

        monkeypatch.setattr(Child, "send", killed_before)


@posix
def test_files_whose_reading_process_was_killed_are_read_in_the_end(
    library: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [put(docs / f"{number}.txt", making.txt(prose(number))) for number in range(40)]
    kills = Kills("7.txt", remaining=1)
    kills.install(monkeypatch)
    result = scanned(library, docs)
    assert kills.remaining == 0
    assert list(result.documents.status) == [READ] * len(texts)


@posix
def test_a_file_killed_again_and_again_is_not_called_damaged_and_is_read_by_the_next_scan(
    library: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(docs / "a.txt", making.txt(prose(3)))
    put(docs / "b.txt", making.txt(prose(4)))
    with monkeypatch.context() as during:
        Kills("b.txt", remaining=sys.maxsize).install(during)
        result = scanned(library, docs)
    statuses = dict(zip((Path(path).name for path in result.documents.paths), result.documents.status, strict=True))
    assert statuses == {"a.txt": READ, "b.txt": ProblemKind.UNREADABLE}
    assert stored(details(Clause.ENDED_FROM_OUTSIDE)) in result.documents.detail
    again = scanned(library, docs)
    assert list(again.documents.status) == [READ, READ]


def test_an_answer_that_cannot_be_is_not_believed(docs: Path) -> None:
    path = put(docs / "a.txt", making.txt(prose(1)))
    from dupfinder.base.stamp import FileStamp
    from dupfinder.fingerprint.scheme import Scheme

    task = ReadTask(FileStamp.of(path, path.stat()), Scheme())
    row = read_one(task)
    assert isinstance(row, DocumentRow) and row.text_print is not None
    assert answer_of(TaskResult(task, row)) is row
    elsewhere = replace(row.stamp, path=docs / "other.txt")
    escaping = ArchiveMember("../../other.txt", 0, 0, 1, 1, 0)
    impossible: list[DocumentRow | ListedArchive] = [
        replace(row, stamp=elsewhere),
        replace(row, stamp=replace(row.stamp, size=-1)),
        replace(row, status="splendid"),
        replace(row, archive=7),
        replace(row, members=3),
        replace(row, pages=1 << 63),
        replace(row, pages=1 << 31),
        replace(row, reader="\ud800"),
        replace(row, title="x" * 2_000_000),
        replace(row, details=details(Clause.EARLIER, text="Call this number")),
        replace(row, details=details(Clause.CUT_OFF) * 1000),
        replace(row, content_hash=b"short"),
        replace(row, text_print=replace(row.text_print, fingerprint=1 << 64)),
        replace(row, text_print=replace(row.text_print, words=-1)),
        replace(row, text_print=replace(row.text_print, text_hash=b"")),
        replace(row, text_print=replace(row.text_print, sketch=row.text_print.sketch[:0])),
        replace(row, text_print=replace(row.text_print, sketch=row.text_print.sketch.reshape(1, -1))),
        ListedArchive(elsewhere, ArchiveContents(())),
        ListedArchive(row.stamp, ArchiveContents((escaping,))),
        ListedArchive(row.stamp, ArchiveContents((), details(Clause.EARLIER, text="Call this number"))),
        ListedArchive(row.stamp, ArchiveContents((replace(escaping, name="/etc/passwd"),))),
        ListedArchive(row.stamp, ArchiveContents((replace(escaping, name="a.txt", offset=-1),))),
    ]
    for answer in impossible:
        believed = answer_of(TaskResult(task, answer))
        assert isinstance(believed, DocumentRow)
        assert (believed.status, believed.stamp) == (ProblemKind.DAMAGED, task.stamp)


def test_a_process_that_was_ended_says_nothing_of_its_file(docs: Path) -> None:
    path = put(docs / "a.txt", making.txt(prose(1)))
    from dupfinder.base.stamp import FileStamp
    from dupfinder.fingerprint.scheme import Scheme

    task = ReadTask(FileStamp.of(path, path.stat()), Scheme())
    ended: TaskResult[ReadTask, DocumentRow | ListedArchive] = TaskResult(
        task, None, Failure.ENDED, details(Clause.ENDED_FROM_OUTSIDE)
    )
    row = answer_of(ended)
    assert isinstance(row, DocumentRow) and row.status == ProblemKind.UNREADABLE
    assert row.seconds is None


def test_what_attempts_in_vain_cost_is_kept_with_the_file(docs: Path) -> None:
    path = put(docs / "a.txt", making.txt(prose(1)))
    from dupfinder.base.stamp import FileStamp
    from dupfinder.fingerprint.scheme import Scheme

    task = ReadTask(FileStamp.of(path, path.stat()), Scheme())
    killed: TaskResult[ReadTask, DocumentRow | ListedArchive] = TaskResult(task, None, Failure.TOO_SLOW, seconds=12.5)
    plainly: TaskResult[ReadTask, DocumentRow | ListedArchive] = TaskResult(
        task, DocumentRow(task.stamp, READ, seconds=0.25), seconds=12.5
    )
    rows = [answer_of(killed), answer_of(plainly)]
    assert [row.seconds for row in rows if isinstance(row, DocumentRow)] == [12.5, 12.75]
