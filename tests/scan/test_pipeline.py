"""The whole scan: every file is accounted for, nothing is read twice, and no order or number of workers shows."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details, details_of
from dupfinder.base.errors import LibraryLocked, RootError
from dupfinder.base.paths import default_library, resource
from dupfinder.base.progress import LatestProgress, Progress, Stage, Stopped
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanResult
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.review.grouping import Grouping
from dupfinder.scan import matching, pipeline
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.reading import ReadTask, read_one
from dupfinder.scan.request import Role, Root, ScanRequest
from tests import making
from tests.scan.documents import family, prose, put, strangers, troubles
from tests.scan.scanning import scan


@dataclass
class Recorder:
    """A reporter that remembers the newest state of every stage, and can stop after some files."""

    stop_after: int | None = None
    newest: dict[Stage, Progress] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)

    def check(self) -> None:
        seen = self.newest.get(Stage.READ)
        if self.stop_after is not None and seen is not None and seen.done >= self.stop_after:
            raise Stopped

    def tell(self, progress: Progress) -> None:
        if progress.stage not in self.newest:
            self.stages.append(progress.stage)
        self.newest[progress.stage] = progress


def statuses(result: ScanResult) -> dict[str, str]:
    return {
        os.path.basename(path): status
        for path, status in zip(result.documents.paths, result.documents.status, strict=True)
    }


def without_ids(result: ScanResult) -> list[object]:
    """What a scan found, without the library's numbers, moments and durations."""
    documents = result.documents
    columns = [
        list(documents.paths), list(documents.status), list(documents.detail), list(documents.media),
        list(documents.language), documents.words.tolist(), documents.content_hash.tolist(),
        documents.text_hash.tolist(), documents.fingerprint.tolist(), documents.comparable.tolist(),
    ]  # fmt: skip
    pairs, evidence = result.pairs, result.evidence
    return [
        *columns, pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), evidence.resemblance.tolist(),
        evidence.left_in_right.tolist(), evidence.right_in_left.tolist(), result.rejected.tolist(),
        result.summary.clusters, result.summary.widest_radius,
    ]  # fmt: skip


def read_names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that fills with the names of files that scans hand to reading processes."""
    names: list[str] = []
    real = Sandbox.run

    def run(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        names.extend(task.stamp.path.name for task in tasks)
        return real(self, tasks, *others, **options)

    monkeypatch.setattr(Sandbox, "run", run)
    return names


def test_every_trouble_has_its_status_and_the_scan_goes_on(docs: Path, library: Path) -> None:
    troubles(docs)
    family(docs, 1)
    status_of = statuses(scan(library, docs))
    assert status_of == {
        "empty.txt": "no_text", "cut.docx": "damaged", "cut.pdf": status_of["cut.pdf"], "locked.pdf": "encrypted",
        "numbers.txt": "too_short", "picture.png": "unsupported", "noise": "unsupported", "scanned.pdf": "no_text",
        "letter1.txt": READ, "letter1 (1).txt": READ, "letter1.html": READ, "letter1 draft.txt": READ,
    }  # fmt: skip
    assert status_of["cut.pdf"] in ("damaged", "no_text", READ)


def test_copies_same_texts_and_versions_are_found(docs: Path, library: Path) -> None:
    text_file, copy, page, version = family(docs, 1)
    family(docs, 2)
    strangers(docs, 5)
    result = scan(library, docs)
    row = {path: number for number, path in enumerate(result.documents.paths)}
    hashes, texts = result.documents.content_hash, result.documents.text_hash
    assert (hashes[row[str(text_file)]] == hashes[row[str(copy)]]).all()
    assert (texts[row[str(text_file)]] == texts[row[str(page)]]).all()
    assert (hashes[row[str(text_file)]] != hashes[row[str(page)]]).any()
    near = {
        (result.documents.paths[left], result.documents.paths[right])
        for left, right, alike in zip(
            result.pairs.left, result.pairs.right, result.evidence.resemblance >= 0.7, strict=True
        )
        if alike
    }
    families = {tuple(sorted(os.path.basename(name)[:7] for name in pair)) for pair in near}
    assert families == {("letter1", "letter1"), ("letter2", "letter2")}
    assert any(str(version) in pair for pair in near)
    assert result.summary.clusters == 2


MAKERS: list[Callable[[Sequence[str]], bytes]] = [
    making.txt, making.html, making.docx, making.rtf, making.eml, making.odt,
]  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> dict[str, bytes]:
    """Paths and contents: whole documents, the same cut or with bytes changed, and bytes of no meaning."""
    folders = st.sampled_from(["", "a/", "a/b/", ".hidden/", "A/"])
    endings = st.sampled_from([".txt", ".pdf", ".docx", ".html", "", ".png", ".xyz", ".eml", ".rtf"])
    tree: dict[str, bytes] = {}
    for number in range(draw(st.integers(1, 6))):
        text = prose(draw(st.integers(0, 3)), draw(st.integers(1, 8)))
        whole = draw(st.sampled_from(MAKERS))(text)
        damage = draw(st.sampled_from(["none", "none", "cut", "flip", "noise", "empty"]))
        if damage == "cut":
            whole = whole[: draw(st.integers(0, len(whole)))]
        elif damage == "flip":
            place = draw(st.integers(0, len(whole) - 1))
            whole = whole[:place] + bytes([whole[place] ^ draw(st.integers(1, 255))]) + whole[place + 1 :]
        elif damage == "noise":
            whole = draw(st.binary(max_size=300))
        elif damage == "empty":
            whole = b""
        tree[f"{draw(folders)}file{number}{draw(endings)}"] = whole
    return tree


@settings(max_examples=8)
@given(tree=trees(), hidden=st.booleans())
def test_whatever_lies_in_a_folder_every_file_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, bytes], hidden: bool
) -> None:
    top = tmp_path_factory.mktemp("tree")
    for name, data in tree.items():
        put(top / "docs" / name, data)
    offered = {str(top / "docs" / name) for name in tree if hidden or ".hidden/" not in name}
    if not offered:
        with pytest.raises(RootError, match="empty"):
            scan(top / "library.db", top / "docs", hidden=hidden)
        return
    result = scan(top / "library.db", top / "docs", hidden=hidden)
    paths = result.documents.paths  # a package whose kind is damaged is an archive, whose files are offered
    assert {str(result.documents.archive_of(row) or path) for row, path in enumerate(paths)} == offered
    assert len(set(paths)) == len(paths) == result.summary.offered
    assert all(status == READ or ProblemKind(status) for status in result.documents.status)
    assert result.summary.read == sum(status == READ for status in result.documents.status)
    again = scan(top / "library.db", top / "docs", hidden=hidden)
    assert without_ids(again) == without_ids(result)


def test_a_second_scan_reads_nothing_and_finds_the_same(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family(docs, 1)
    strangers(docs, 3)
    troubles(docs)
    first = scan(library, docs)
    names = read_names(monkeypatch)
    recorder = Recorder()
    second = scan(library, docs, reporter=recorder)
    assert names == []
    assert second.summary.reused == len(second.documents) - 1  # picture.png is told by its name alone, each time
    assert recorder.newest[Stage.READ].reused == second.summary.reused
    assert without_ids(second) == without_ids(first)
    assert scan(library, docs, fresh=True).summary.reused == 0
    assert len(names) == second.summary.reused - 1  # of the letter's two copies one is read


def test_a_changed_file_alone_is_read_again(docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, *_ = family(docs, 1)
    other = strangers(docs, 1)[0]
    before = scan(library, docs)
    stamp = changed.stat()
    put(changed, making.txt(prose(50))[: stamp.st_size].ljust(stamp.st_size))
    os.utime(changed, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # same size, same time: only ctime tells
    other.rename(docs / "renamed.txt")
    names = read_names(monkeypatch)
    after = scan(library, docs)
    assert names == ["letter1.txt"]
    row = list(after.documents.paths).index(str(changed))
    assert (after.documents.text_hash[row] != before.documents.text_hash[row]).any()
    assert "stranger0.txt" not in statuses(after)


def test_a_renamed_file_keeps_what_was_read_of_it(docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    family(docs, 2)
    moved, copied, other_kind, replaced = strangers(docs, 4)
    before = scan(library, docs)
    (docs / "deeper").mkdir()
    moved.rename(docs / "deeper" / "moved.txt")
    put(docs / "copied.txt", copied.read_bytes())
    other_kind.rename(docs / "other.md")
    put(docs / "replaced.txt", replaced.read_bytes()[::-1])
    replaced.unlink()
    names = read_names(monkeypatch)
    after = scan(library, docs)
    assert sorted(names) == ["other.md", "replaced.txt"]
    monkeypatch.undo()
    assert without_ids(after) == without_ids(scan(library.with_name("new.db"), docs))
    rows = [
        list(result.documents.paths).index(str(path))
        for result, path in ((before, moved), (after, docs / "deeper" / "moved.txt"))
    ]
    assert (before.documents.text_hash[rows[0]] == after.documents.text_hash[rows[1]]).all()


def test_files_known_before_are_found_to_be_under_version_control_without_being_read(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a library whose scans noted no history. A commit makes no difference to a later scan."""
    for name in ("site/index.txt", "site/copy.txt", "letter.txt"):
        put(docs / name, making.txt(prose(1)))
    assert not Grouping(scan(library, docs)).versioned.any()
    put(docs / "site/.git/HEAD", b"ref")
    names = read_names(monkeypatch)
    second = scan(library, docs)
    versioned = Grouping(second).versioned.tolist()
    under = {path for path, is_under in zip(second.documents.paths, versioned, strict=True) if is_under}
    assert under == {str(docs / "site" / name) for name in (".git", "index.txt", "copy.txt")}
    put(docs / "site/.git/index", b"a commit")
    third = scan(library, docs)
    assert third.documents.ids.tolist() == second.documents.ids.tolist() and names == []


def test_what_another_choice_left_out_is_read_when_it_is_wanted(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(docs / ".hidden.txt", making.txt(prose(1)))
    put(docs / "large.txt", making.txt(prose(2, 40)))
    put(docs / "page.html", making.html(prose(3)))
    put(docs / "note.txt", making.txt(prose(4)))
    first = statuses(scan(library, docs, hidden=False, largest=3000, formats=frozenset({"text"})))
    assert first == {".hidden.txt": "skipped", "large.txt": "too_large", "page.html": "skipped", "note.txt": READ}
    names = read_names(monkeypatch)
    assert set(statuses(scan(library, docs)).values()) == {READ}
    assert sorted(names) == [".hidden.txt", "large.txt", "page.html"]
    names.clear()
    narrow = scan(library, docs, formats=frozenset({"html"}))
    assert statuses(narrow) == {
        ".hidden.txt": "skipped", "large.txt": "skipped", "page.html": READ, "note.txt": "skipped",
    }  # fmt: skip
    assert details_of(narrow.documents.detail[0]) == details(Clause.OTHER_KINDS, kind="txt")
    assert set(statuses(scan(library, docs)).values()) == {READ}
    assert names == []


def test_the_second_name_of_a_file_is_read_when_the_first_is_left_out(docs: Path, library: Path) -> None:
    put(docs / "a" / "first.txt", making.txt(prose(1)))
    (docs / "b").mkdir()
    os.link(docs / "a" / "first.txt", docs / "b" / "second.txt")
    assert statuses(scan(library, docs)) == {"first.txt": READ, "second.txt": "skipped"}
    assert statuses(scan(library, docs, Root(docs / "a", Role.LEAVE_OUT))) == {"second.txt": READ}


def test_a_file_with_a_temporary_problem_is_read_again(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(docs / "a.txt", making.txt(prose(1)))
    put(docs / "b.txt", making.txt(prose(2)))

    def failing(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        kinds = (ProblemKind.VANISHED, ProblemKind.CHANGED)
        return [TaskResult(task, DocumentRow(task.stamp, kind)) for task, kind in zip(tasks, kinds, strict=True)]

    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "run", failing)
        assert set(statuses(scan(library, docs)).values()) == {"vanished", "changed"}
    assert set(statuses(scan(library, docs)).values()) == {READ}


def test_files_that_go_change_or_turn_into_links_between_walk_and_reading_are_told(docs: Path) -> None:
    from dupfinder.base.stamp import FileStamp
    from dupfinder.fingerprint.scheme import Scheme

    def task(path: Path) -> ReadTask:
        return ReadTask(FileStamp.of(path, path.lstat()), Scheme())

    gone, link, pipe, folder = (put(docs / f"{name}.txt", making.txt(prose(1))) for name in "abcd")
    tasks = {name: task(path) for name, path in zip("abcd", (gone, link, pipe, folder), strict=True)}
    for path in (gone, link, pipe, folder):
        path.unlink()
    link.symlink_to("/etc/hostname")
    os.mkfifo(pipe)
    folder.mkdir()
    rows = [read_one(tasks[name]) for name in "abcd"]  # and no waiting for a writer
    assert [row.status for row in rows if isinstance(row, DocumentRow)] == [
        ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE, ProblemKind.UNREADABLE,
    ]  # fmt: skip


def test_a_stop_keeps_what_was_read_and_it_is_not_read_again(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strangers(docs, 60)
    whole = scan(library.with_name("whole.db"), docs)
    with pytest.raises(Stopped):
        scan(library, docs, reporter=Recorder(stop_after=20))
    with LibraryFile(library) as opened:
        assert opened.scans()[0].state == "unfinished"
        kept = opened.stored_so_far(opened.scans()[0].id)
    assert kept >= 20
    names = read_names(monkeypatch)
    result = scan(library, docs)
    assert len(names) == 60 - kept and result.summary.reused == kept
    assert without_ids(result) == without_ids(whole)
    with LibraryFile(library) as opened:
        assert [opened_scan.state for opened_scan in opened.scans()] == ["done"]


def test_a_stop_does_not_wait_for_a_file_that_takes_long(docs: Path, library: Path) -> None:
    put(docs / "long.html", b"<p>" + b"<b>word</b> " * 1_500_000)
    strangers(docs, 3)

    class StopsAtTheLong(LatestProgress):
        def tell(self, progress: Progress) -> None:
            super().tell(progress)
            if any(path.name == "long.html" for path in progress.current):
                self.stop()

    with pytest.raises(Stopped):
        run_scan(ScanRequest((Root(docs),), workers=2), library, StopsAtTheLong())
    with LibraryFile(library) as opened:
        assert opened.stored_so_far(opened.scans()[0].id) <= 3


def test_neither_the_number_of_workers_nor_the_order_of_reading_changes_the_result(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        family(docs, 10 * seed)
    strangers(docs, 10)
    troubles(docs)
    shutil.copytree(resource("samples/library"), docs / "several languages and formats")
    expected = without_ids(scan(library, docs))
    assert without_ids(scan(library.with_name("two.db"), docs, workers=3)) == expected
    real = Sandbox.run

    def backwards(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        return reversed(list(real(self, tasks[::-1], *others, **options)))

    monkeypatch.setattr(Sandbox, "run", backwards)
    assert without_ids(scan(library.with_name("back.db"), docs)) == expected


def test_an_empty_folder_has_nothing_to_scan(docs: Path, library: Path) -> None:
    with pytest.raises(RootError) as caught:
        scan(library, docs)
    assert caught.value.reason == "empty"


def test_a_root_that_goes_away_while_reading_is_not_taken_for_deleted_files(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family(docs, 1)
    done = scan(library, docs)
    strangers(docs, 2)
    real = Sandbox.run

    def run(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        docs.rename(docs.with_name("away"))
        return real(self, tasks, *others, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "run", run)
        with pytest.raises(RootError) as caught:
            scan(library, docs)
    assert caught.value.reason == "ENOENT"
    with LibraryFile(library) as opened:
        assert without_ids(opened.result()) == without_ids(done)
    docs.with_name("away").rename(docs)
    assert scan(library, docs).summary.read == 6


def test_a_named_file_that_goes_away_while_reading_is_a_problem_and_the_scan_goes_on(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strangers(docs, 2)
    alone = put(docs.with_name("alone.txt"), making.txt(prose(1)))
    real = Sandbox.run

    def run(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        alone.unlink()
        return real(self, tasks, *others, **options)

    monkeypatch.setattr(Sandbox, "run", run)
    assert statuses(scan(library, docs, alone))["alone.txt"] == "vanished"


def test_protected_files_stay_protected_when_their_earlier_readings_are_reused(docs: Path, library: Path) -> None:
    put(docs / "keep" / "a.txt", making.txt(prose(1)))
    put(docs / "b.txt", making.txt(prose(1)))
    for _ in range(2):
        result = scan(library, docs, Root(docs / "keep", Role.PROTECT))
        assert result.documents.protected.tolist() == [False, True]
    assert scan(library, docs).documents.protected.tolist() == [False, False]
    assert [role for _, role in result.summary.roots] == ["scan", "protect"]


@pytest.mark.skipif(os.name != "posix", reason="names as bytes")
def test_names_that_are_no_text_are_scanned_under_their_bytes(docs: Path, library: Path) -> None:
    top = docs / os.fsdecode(b"caf\xe9\nfolder")
    put(top / os.fsdecode(b"\xff\xfe.txt"), making.txt(prose(1)))
    put(top / "two\nlines\u202e.txt", making.txt(prose(1)))
    os.link(top / os.fsdecode(b"\xff\xfe.txt"), top / os.fsdecode(b"\xff\xff.txt"))
    for _ in range(2):
        result = scan(library, top)
        assert {os.fsencode(path) for path in result.documents.paths} == {
            os.fsencode(top) + b"/\xff\xfe.txt", os.fsencode(top / "two\nlines\u202e.txt"),
            os.fsencode(top) + b"/\xff\xff.txt",
        }  # fmt: skip
        assert result.summary.clusters == 1
        assert result.summary.roots == ((top, "scan"),)


@pytest.mark.parametrize("seconds", [-(10**9), 10**11])
def test_files_of_odd_times_are_scanned_and_known_again(docs: Path, library: Path, seconds: int) -> None:
    path = put(docs / "a.txt", making.txt(prose(1)))
    os.utime(path, (seconds, seconds))
    for reused in (0, 1):
        assert scan(library, docs).summary.reused == reused


def test_a_second_scan_into_the_same_library_is_refused_with_the_holder(docs: Path, library: Path) -> None:
    family(docs, 1)
    with LibraryFile(library, write=True), pytest.raises(LibraryLocked) as caught:
        scan(library, docs)
    assert caught.value.holder == os.getpid()
    assert scan(library, docs).summary.read == 4


def test_the_stages_are_reported_in_their_order_and_count_every_file(docs: Path, library: Path) -> None:
    family(docs, 1)
    troubles(docs)
    recorder = Recorder()
    result = scan(library, docs, reporter=recorder)
    assert recorder.stages == [Stage.FIND, Stage.HASH, Stage.READ, Stage.MATCH, Stage.VERIFY, Stage.GROUP]
    read = recorder.newest[Stage.READ]
    assert read.done == read.total == len(result.documents) - 1
    assert sum(read.problems.values()) == len(result.documents) - result.summary.read


def test_a_damaged_library_is_put_aside_and_the_scan_goes_on(docs: Path) -> None:
    library = default_library()
    family(docs, 1)
    library.write_text("Dear diary, this is no library.")
    aside: list[Path] = []
    run_scan(ScanRequest((Root(docs),), workers=1), library, on_put_aside=aside.append)
    assert [path.read_text() for path in aside] == ["Dear diary, this is no library."]
    aside.clear()
    run_scan(ScanRequest((Root(docs),), workers=1), library, on_put_aside=aside.append)
    assert aside == []


def test_damage_that_shows_only_in_the_midst_of_a_scan_is_put_aside_as_well(docs: Path, library: Path) -> None:
    family(docs, 1)
    scan(library, docs)
    connection = sqlite3.connect(library)
    connection.execute("ALTER TABLE sketch RENAME COLUMN trace TO nonsense")
    connection.execute("UPDATE document SET path = 7")
    connection.commit()
    connection.close()
    aside: list[Path] = []
    run_scan(ScanRequest((Root(docs),), workers=1), library, on_put_aside=aside.append)
    assert len(aside) == 1 and aside[0].exists()
    assert scan(library, docs).summary.reused == 4


@pytest.mark.parametrize("change", ["document SET title = 'x' WHERE id", "sketch SET smallest = X'00' WHERE document"])
def test_after_damage_to_a_row_only_its_document_is_read_again(docs: Path, library: Path, change: str) -> None:
    family(docs, 1)
    number = int(scan(library, docs).documents.ids[0])
    connection = sqlite3.connect(library)
    connection.execute(f"UPDATE {change} = {number}")
    connection.commit()
    connection.close()
    (docs / "new.txt").write_text("What is new is compared with all the others, so that their sketches are read.")
    aside: list[Path] = []
    run_scan(ScanRequest((Root(docs),), workers=1), library, on_put_aside=aside.append)
    with LibraryFile(library) as opened:
        result = opened.result()
        assert len(result.documents) == 5 and result.summary.reused >= 3 and opened.check() == []
    assert aside == []


@pytest.mark.parametrize("scanned_before", [False, True])
def test_first_results_come_while_documents_are_read_and_do_not_change_the_last_ones(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch, scanned_before: bool
) -> None:
    monkeypatch.setattr(matching, "FIRST_SECONDS", 0)
    for number in range(2):
        family(docs, number)
    if scanned_before:
        scan(library, docs)
    for number in range(2, 6):
        family(docs, number)
    put(docs / "letter0.html", making.html(prose(77)))
    results: list[ScanResult] = []
    recorder = Recorder()
    run_scan(ScanRequest((Root(docs),), workers=1), library, recorder, on_first=results.append)
    sizes = [len(result.documents) for result in results]
    assert len(sizes) >= 1 + (not scanned_before)
    assert all(before * 2 < after for before, after in itertools.pairwise(sizes)) and sizes[-1] <= 24
    assert {result.summary.state for result in results} == {"unfinished"}
    assert results[-1].clusters is not None and len(results[-1].clusters) == results[-1].summary.clusters
    assert recorder.stages == [Stage.FIND, Stage.HASH, Stage.READ, Stage.MATCH, Stage.VERIFY, Stage.GROUP]
    with LibraryFile(library) as opened:
        last = opened.result()
    assert last.summary.state == "done"
    assert set(results[-1].documents.paths) <= set(last.documents.paths)
    assert without_ids(last) == without_ids(scan(docs.parent / "other.db", docs))


def test_a_stop_is_heard_while_first_results_are_looked_for(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "FIRST_SECONDS", 0)
    family(docs, 1)
    real, recorder = matching.find_groups, Recorder()

    def find_groups(*arguments: Any, **more: Any) -> ScanResult:
        assert recorder.newest[Stage.READ].compares  # so that nobody takes the scan for dead: nothing is read meanwhile
        recorder.stop_after = 0
        return real(*arguments, **more)

    monkeypatch.setattr(pipeline, "find_groups", find_groups)
    with pytest.raises(Stopped):
        run_scan(ScanRequest((Root(docs),), workers=1), library, recorder, on_first=lambda _: None)
    assert Stage.MATCH not in recorder.newest
    monkeypatch.undo()
    assert scan(library, docs).summary.reused >= 1


def test_an_empty_folder_whose_share_was_mounted_there_ends_the_scan_and_nothing_counts_as_deleted(
    docs: Path, library: Path, scratch: Path
) -> None:
    share = docs.with_name("share")
    if os.stat(scratch).st_dev == os.stat(docs).st_dev:
        pytest.skip("needs a second volume")
    put(docs / "here.txt", making.txt(prose(1)))
    put(scratch / "there.txt", making.txt(prose(2)))
    share.symlink_to(scratch)
    scan(library, docs, share)
    share.unlink()
    share.mkdir()
    with pytest.raises(RootError) as caught:
        scan(library, docs, share)
    assert (caught.value.path, caught.value.reason) == (share, "ENODEV")
    with pytest.raises(RootError) as caught:
        scan(library, share)
    assert caught.value.reason == "ENODEV"
    share.rmdir()
    share.symlink_to(scratch)
    assert scan(library, docs, share).summary.reused == 2
    (scratch / "there.txt").unlink()  # the share is connected, and its document was deleted
    assert [Path(path).name for path in scan(library, docs, share).documents.paths] == ["here.txt"]


def test_a_vanished_file_is_gone_from_the_next_scan(docs: Path, library: Path) -> None:
    _, copy, *_ = family(docs, 1)
    scan(library, docs)
    copy.unlink()
    assert len(scan(library, docs).documents) == 3
    shutil.rmtree(docs / "copies")
    assert len(scan(library, docs).documents) == 3


def test_a_request_is_named_after_its_folders(docs: Path, library: Path) -> None:
    family(docs, 1)
    assert scan(library, docs).summary.name == "docs"
    assert scan(library, docs, name="Letters").summary.name == "Letters"
    request = ScanRequest(tuple(Root(docs / name) for name in "abcd"))
    assert request.title == "a & b & c …"
    assert replace(request, roots=(Root(Path("/")),)).title == "/"
