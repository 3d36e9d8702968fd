"""Scanned pages in a scan: recognised when asked, read again for that alone; what limits cut short is tried again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, Details, ProblemKind, details, details_of
from dupfinder.base.settings import FILE_MEMORY, FILE_SECONDS, Settings
from dupfinder.base.stamp import FileStamp
from dupfinder.cli.main import main
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanResult
from dupfinder.processes.child import Child
from dupfinder.processes.errands import Errand
from dupfinder.processes.sandbox import Sandbox
from dupfinder.report.figures import reason_text
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.scan import readers
from dupfinder.scan.reading import ListedArchive, ReadTask, Unprinted, read_unprinted, with_prints
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.scan.revisions import Revisions
from dupfinder.text.document import Attempt
from tests import making
from tests.scan.documents import prose, put
from tests.scan.scanning import scan, statuses

posix = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for tesseract is a script")

# Sees the same words on every page, and knows two languages.
STAND_IN = """#!{python}
import sys
if sys.argv[1:] == ["--list-langs"]:
    print("List of available languages (2):", "eng", "deu", sep="\\n")
else:
    sys.stdin.buffer.read()
    print({words!r}, "in", sys.argv[4])
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    put(folder / "scan.pdf", making.scanned_pdf())
    put(folder / "note.txt", making.txt(prose(1)))
    put(folder / "empty.txt", b"")
    return folder


@pytest.fixture
def tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = put(tmp_path / "bin" / "tesseract", STAND_IN.format(python=sys.executable, words=prose(7)[0]).encode())
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that fills with the names of files handed to reading processes; a star marks those to recognise.

    A file is there twice if it was read twice, or waited behind a slow one and was handed to another process.
    """
    read: list[str] = []

    class Watched(Sandbox[ReadTask, DocumentRow | ListedArchive]):
        def _send(self, worker: Child[ReadTask], batch: Sequence[Errand[ReadTask]]) -> None:
            read.extend(job.task.stamp.path.name + "*" * bool(job.task.ocr) for job in batch)
            super()._send(worker, batch)

    monkeypatch.setattr(readers, "Sandbox", Watched)
    return read


def once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


def row_of(result: ScanResult, name: str) -> int:
    return [Path(path).name for path in result.documents.paths].index(name)


@posix
@pytest.mark.usefixtures("tesseract")
def test_switching_recognition_on_and_off_reads_the_scanned_pages_again_and_nothing_else(
    docs: Path, library: Path, names: list[str]
) -> None:
    plain = scan(library, docs)
    assert plain.documents.status[row_of(plain, "scan.pdf")] == ProblemKind.NO_TEXT
    names.clear()
    seen = scan(library, docs, ocr="eng")
    row = row_of(seen, "scan.pdf")
    assert names == ["scan.pdf*"]
    assert (seen.documents.status[row], seen.documents.reader[row]) == (READ, "tesseract")
    assert details_of(seen.documents.detail[row]) == details(Clause.RECOGNISED, languages="eng")
    names.clear()
    assert scan(library, docs, ocr="eng").documents.status == seen.documents.status
    assert names == []
    scan(library, docs, ocr="deu")
    assert names == ["scan.pdf*"]
    names.clear()
    assert scan(library, docs).documents.status == plain.documents.status
    assert names == []


@posix
@pytest.mark.usefixtures("tesseract")
def test_a_first_scan_recognises_last_and_the_report_says_so(docs: Path, library: Path, names: list[str]) -> None:
    result = scan(library, docs, ocr="eng+deu")
    assert sorted(once(names)[:-1]) == ["empty.txt", "note.txt", "scan.pdf"] and names[-1] == "scan.pdf*"
    assert result.summary.read == 2
    files = {file.path.name: file for file in report_of(ReviewSession(result)).files}
    assert (files["scan.pdf"].reader, reason_text(files["scan.pdf"])) == ("tesseract", "Read by OCR (eng+deu).")
    assert reason_text(files["note.txt"]) == ""


def test_without_tesseract_the_pages_stay_a_problem(docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = scan(library, docs, ocr="eng")
    assert result.documents.status[row_of(result, "scan.pdf")] == ProblemKind.NO_TEXT


@posix
@pytest.mark.usefixtures("tesseract")
def test_the_command_line_takes_languages_that_are_installed(
    docs: Path, library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["scan", str(docs), "--library", str(library), "--progress", "none", "--ocr"]
    assert main([*asked, "eng+fra"]) == 2
    assert "no language fra" in capsys.readouterr().err
    assert main([*asked, "eng"]) == 0
    with LibraryFile(library) as opened:
        assert "tesseract" in opened.result().documents.reader
    monkeypatch.setenv("PATH", "")
    assert main([*asked, "eng"]) == 2
    assert "not installed" in capsys.readouterr().err


def test_what_limits_cut_short_is_read_again_under_other_limits(
    docs: Path, library: Path, names: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(readers, "_IN_STEPS", (slow_on_notes, with_prints))
    chosen = Settings(tmp_path / "settings.json")
    first = scan(library, docs, settings=chosen)
    assert first.documents.status[row_of(first, "note.txt")] == ProblemKind.TOO_SLOW
    names.clear()
    scan(library, docs, settings=chosen)
    assert names == []
    chosen.set(FILE_SECONDS, 60.0)
    scan(library, docs, settings=chosen)
    assert names == ["note.txt"]
    names.clear()
    chosen.set(FILE_MEMORY, 2048)
    monkeypatch.setattr(readers, "_IN_STEPS", (read_unprinted, with_prints))
    after = scan(library, docs, settings=chosen)
    assert names == ["note.txt"] and after.documents.status[row_of(after, "note.txt")] == READ
    chosen.set(FILE_SECONDS, 5.0)
    scan(library, docs, settings=chosen)
    assert names == ["note.txt"]


def slow_on_notes(task: ReadTask) -> DocumentRow | Unprinted | ListedArchive:
    """Read, but give up on notes. Runs in the reading process."""
    if task.stamp.path.name == "note.txt":
        return DocumentRow(task.stamp, ProblemKind.TOO_SLOW, details(Clause.AFTER_SECONDS, seconds=12))
    return read_unprinted(task)


def read_first_page(task: ReadTask) -> DocumentRow | Unprinted | ListedArchive:
    """As `read_unprinted`, with no time for a second page of a PDF. Runs in the reading process."""
    from dupfinder.text.pdf import reader

    reader.SOFT_SHARE = -1.0
    return read_unprinted(task)


def test_texts_that_were_read_in_part_are_never_taken_for_the_same(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "_IN_STEPS", (read_first_page, with_prints))
    first, *others = (prose(seed) for seed in (1, 2, 3))
    put(docs / "one.pdf", making.pdf([first, others[0]]))
    put(docs / "two.pdf", making.pdf([first, others[1]]))
    put(docs / "copy of one.pdf", (docs / "one.pdf").read_bytes())
    result = scan(library, docs)
    session = ReviewSession(result)
    report = report_of(session)
    file_of = {file.path.name: file for file in report.files}
    assert file_of["one.pdf"].status == READ and reason_text(file_of["one.pdf"]) == "1 of 2 pages read."
    first_row, second, copy_row = (row_of(result, name) for name in ("one.pdf", "two.pdf", "copy of one.pdf"))
    relations = {member.path.name: member.relation for cluster in report.clusters for member in cluster.members}
    assert "same_text" not in {str(relation) for relation in relations.values()}
    assert not result.documents.text_hash[[first_row, second, copy_row]].any()
    assert (result.documents.content_hash[first_row] == result.documents.content_hash[copy_row]).all()


def endless_at_first(task: ReadTask) -> DocumentRow | Unprinted | ListedArchive:
    """Reads letters by their plainest reader alone: any other takes for ever. Runs in the reading process."""
    while "letter" in task.stamp.path.name and task.attempt is not Attempt.PLAINEST:
        pass
    return read_unprinted(task)


def test_a_file_that_runs_out_of_its_time_is_read_plainly_and_the_report_says_so(
    docs: Path, library: Path, names: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put(docs / "letter.docx", making.docx(prose(1)))
    put(docs / "letter.txt", making.txt(prose(2)))
    monkeypatch.setattr(readers, "_IN_STEPS", (endless_at_first, with_prints))
    chosen = Settings(tmp_path / "settings.json")
    chosen.set(FILE_SECONDS, 1.0)
    result = scan(library, docs, settings=chosen)
    assert names.count("letter.docx") >= 2
    docx, txt, note = (row_of(result, name) for name in ("letter.docx", "letter.txt", "note.txt"))
    documents = result.documents
    assert (documents.status[docx], documents.reader[docx]) == (READ, "plainly")
    assert documents.fingerprint[docx] == documents.fingerprint[note]
    assert (documents.status[txt], documents.reader[txt]) == (READ, "plainly")
    reasons = {Path(file.path).name: reason_text(file) for file in report_of(ReviewSession(result)).files}
    assert reasons["letter.docx"] == "Only its words were read, not its layout, which took too long."
    names.clear()
    monkeypatch.setattr(readers, "_IN_STEPS", (read_unprinted, with_prints))
    chosen.set(FILE_SECONDS, 5.0)
    scan(library, docs, settings=chosen)
    assert once(names) == ["letter.docx", "letter.txt"]


@posix
@pytest.mark.usefixtures("tesseract")
def test_a_copy_of_scanned_pages_is_recognised_if_the_first_of_them_vanishes(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(docs / "twin.pdf", making.scanned_pdf())

    class Vanishing(Sandbox[ReadTask, DocumentRow | ListedArchive]):
        def _send(self, worker: Child[ReadTask], batch: Sequence[Errand[ReadTask]]) -> None:
            if any(errand.task.ocr for errand in batch):
                (docs / "scan.pdf").unlink(missing_ok=True)
            super()._send(worker, batch)

    monkeypatch.setattr(readers, "Sandbox", Vanishing)
    result = scan(library, docs, ocr="eng")
    status_of = statuses(result, docs)
    assert (status_of["scan.pdf"], status_of["twin.pdf"]) == (ProblemKind.VANISHED, READ)


@posix
@pytest.mark.usefixtures("tesseract")
def test_pages_whose_recognition_took_too_long_are_tried_again_under_other_limits(
    docs: Path, library: Path, names: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(readers, "_IN_STEPS", (slow_to_recognise, with_prints))
    chosen = Settings(tmp_path / "settings.json")
    first = scan(library, docs, settings=chosen, ocr="eng")
    assert first.documents.status[row_of(first, "scan.pdf")] == ProblemKind.TOO_SLOW
    names.clear()
    monkeypatch.setattr(readers, "_IN_STEPS", (read_unprinted, with_prints))
    scan(library, docs, settings=chosen, ocr="eng")
    assert names == []
    chosen.set(FILE_SECONDS, 60.0)
    for _ in range(2):
        after = scan(library, docs, settings=chosen, ocr="eng")
        assert after.documents.status[row_of(after, "scan.pdf")] == READ
        assert once(names) == ["scan.pdf", "scan.pdf*"]


def slow_to_recognise(task: ReadTask) -> DocumentRow | Unprinted | ListedArchive:
    """Read, but give up on pages to recognise. Runs in the reading process."""
    if task.ocr:
        return DocumentRow(task.stamp, ProblemKind.TOO_SLOW, details(Clause.AFTER_SECONDS, seconds=12))
    return read_unprinted(task)


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (READ, details(Clause.READ_PLAINLY)),
        (ProblemKind.DAMAGED, details(Clause.ENDED_OUT_OF_MEMORY, signal="SIGABRT")),
    ],
)
def test_what_a_lack_of_memory_may_have_caused_is_read_again_under_other_limits(
    tmp_path: Path, status: str, why: Details
) -> None:
    """A plain reader reads after another needed more than it was allowed; libraries end the process then."""
    chosen, request = Settings(tmp_path / "settings.json"), ScanRequest((Root(tmp_path),))
    stamp = FileStamp(tmp_path / "letter.docx", 1, 1, 1, 1, 1)
    row = DocumentRow(stamp, status, why)
    before = Revisions.of(request, chosen).of_row(row, recognised=False)
    chosen.set(FILE_MEMORY, 512)
    assert Revisions.of(request, chosen).of_row(row, recognised=False) != before


@posix
@pytest.mark.usefixtures("tesseract")
def test_copies_of_scanned_pages_are_stored_as_the_first_of_them_is(
    docs: Path, library: Path, names: list[str]
) -> None:
    put(docs / "twin.pdf", making.scanned_pdf())
    seen = statuses(scan(library, docs, ocr="eng"), docs)
    assert (seen["scan.pdf"], seen["twin.pdf"]) == (READ, READ)
    without = statuses(scan(library, docs), docs)
    assert (without["scan.pdf"], without["twin.pdf"]) == (ProblemKind.NO_TEXT, ProblemKind.NO_TEXT)
    names.clear()
    scan(library, docs, ocr="deu")
    assert names == ["scan.pdf*"]


@posix
@pytest.mark.usefixtures("tesseract")
def test_copies_of_scanned_pages_without_words_are_in_the_results_too(
    docs: Path, library: Path, names: list[str], tmp_path: Path
) -> None:
    put(docs / "twin.pdf", making.scanned_pdf())
    program = tmp_path / "bin" / "tesseract"
    program.write_text(STAND_IN.format(python=sys.executable, words="").replace(', "in", sys.argv[4]', ""))
    for expected in ({"scan.pdf*"}, set()):
        names.clear()
        status_of = statuses(scan(library, docs, ocr="eng"), docs)
        assert (status_of["scan.pdf"], status_of["twin.pdf"]) == (ProblemKind.NO_TEXT, ProblemKind.NO_TEXT)
        assert {name for name in names if name.endswith("*")} == expected
