"""The library: loads what was stored, stores batches atomically, and survives locks, damage and full disks."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.details import Clause, ProblemKind, details, details_of
from dupfinder.base.errors import (
    DiskFullError,
    DupfinderError,
    Fault,
    LibraryDamaged,
    LibraryLocked,
    LibraryMissing,
    LibraryTooNew,
    LibraryUnreachable,
)
from dupfinder.base.paths import default_library
from dupfinder.library import schema, seals, store
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import DocumentRow
from dupfinder.library.store import transaction
from dupfinder.library.stored import SketchKind, stamp_key
from tests.library.making import REVISION, assert_same_documents, findings, row, stored, summary, text_print

posix = pytest.mark.skipif(os.name != "posix", reason="needs the system's own calls")
NAMES = [
    "a.txt",
    "two\nlines.txt",
    os.fsdecode(b"caf\xe9 \xff.txt"),
    "x" * 255,
    "年.txt",
    "\u202efdp",
    "-rf",
    "'; DROP--",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "library.db"


@pytest.fixture
def library(path: Path) -> Iterator[LibraryFile]:
    with LibraryFile(path, write=True) as opened:
        yield opened


def test_what_was_stored_comes_back_as_it_was(library: LibraryFile) -> None:
    rows = [row(Path("/docs") / name, seed) for seed, name in enumerate(NAMES)]
    scan = stored(library, *rows)
    result = library.result(scan)
    expected = sorted(rows, key=lambda row: os.fsencode(row.stamp.path))
    documents = result.documents
    assert list(documents.paths) == [str(row.stamp.path) for row in expected]
    for number, source in enumerate(expected):
        print_ = source.text_print
        assert print_ is not None
        assert documents.stamp(number) == source.stamp
        assert documents.content_hex(number) == source.content_hash.hex()
        assert documents.text_hash[number].astype(">u8").tobytes() == print_.text_hash
        assert int(documents.fingerprint[number]) == print_.fingerprint
        assert (documents.title[number], int(documents.words[number])) == (source.title, print_.words)
        assert (documents.pages[number], documents.inside_date[number]) == (3, source.inside_date)
        assert documents.shingles[number] == print_.shingles and documents.comparable[number]
    pairs, evidence, rejected = findings((0, 1, 3, 0.9))
    for stored_column, column in (
        (result.pairs.left, pairs.left), (result.pairs.right, pairs.right), (result.pairs.distance, pairs.distance),
        (result.evidence.resemblance, evidence.resemblance), (result.evidence.form, evidence.form),
        (result.evidence.left_in_right, evidence.left_in_right), (result.rejected, rejected),
    ):  # fmt: skip
        assert stored_column.dtype == column.dtype and (stored_column == column).all()
    assert (result.summary.seconds, result.summary.state, result.summary.offered) == (1.5, "done", len(rows))


def test_the_columns_that_a_finished_scan_keeps_are_those_of_its_rows(library: LibraryFile) -> None:
    rows = [row(Path("/docs") / name, seed) for seed, name in enumerate(NAMES)]
    scan = stored(library, *rows)
    assert_same_documents(library.result(scan).documents, library.documents(scan))


def test_a_scan_without_kept_columns_is_read_from_its_rows(path: Path) -> None:
    with LibraryFile(path, write=True) as library:
        stored(library, row(Path("/docs/a"), 1), row(Path("/docs/b"), 2))
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM scan_column WHERE name = 'documents.size'")
    connection.commit()
    connection.close()
    with LibraryFile(path) as library:
        assert list(library.result().documents.paths) == ["/docs/a", "/docs/b"]


def test_sketches_come_in_the_order_that_was_asked_for(library: LibraryFile) -> None:
    rows = [row(Path(f"/docs/{seed}"), seed) for seed in range(5)]
    rows[2] = replace(rows[2], text_print=None, status=ProblemKind.DAMAGED)
    scan = stored(library, *rows)
    ids = library.documents(scan).ids
    asked = ids[[4, 2, 0]]
    wanted = [text_print(4), None, text_print(0)]
    for kind, name in ((SketchKind.SMALLEST, "sketch"), (SketchKind.TRACE, "trace")):
        sketches = library.sketches(asked, kind)
        for place, print_ in enumerate(wanted):
            values = sketches.values[sketches.starts[place] : sketches.starts[place + 1]]
            kept = np.empty(0, np.uint64) if print_ is None else getattr(print_, name)
            assert values.tolist() == (kept >> np.uint64(32) if kind is SketchKind.SMALLEST else kept).tolist()
    assert len(library.sketches(ids[:0]).values) == 0


def test_a_version_is_known_by_its_path_and_revision(library: LibraryFile) -> None:
    first, second = row(Path("/docs/a"), 1), row(Path("/docs/a"), 2)
    scan = library.begin_scan(summary(Path("/docs")), REVISION)
    library.add(scan, REVISION, [(first, False)])
    library.add(scan, REVISION, [(second, False)])
    known = library.known(REVISION)
    assert known[b"/docs/a"].key == stamp_key(second.stamp) and len(known) == 1
    assert library.known("another") == {}


@pytest.mark.parametrize("kind", [ProblemKind.VANISHED, ProblemKind.CHANGED, ProblemKind.UNREADABLE])
def test_a_temporary_problem_is_not_reused_and_hides_no_earlier_reading(
    library: LibraryFile, kind: ProblemKind
) -> None:
    scan = library.begin_scan(summary(Path("/docs")), REVISION)
    library.add(scan, REVISION, [(row(Path("/docs/a"), 1), False)])
    library.add(scan, REVISION, [(row(Path("/docs/a"), 1, status=kind), False)])
    assert library.known(REVISION)[b"/docs/a"].status == "read"


def test_a_batch_is_stored_whole_or_not_at_all(library: LibraryFile) -> None:
    scan = library.begin_scan(summary(Path("/docs")), REVISION)
    library.add(scan, REVISION, [(row(Path("/docs/a"), 1), False)])
    broken = replace(row(Path("/docs/c"), 3), media=object())  # type: ignore[arg-type]
    with pytest.raises(sqlite3.ProgrammingError):
        library.add(scan, REVISION, [(row(Path("/docs/b"), 2), False), (broken, False)])
    assert list(library.documents(scan).paths) == ["/docs/a"]
    library.add(scan, REVISION, [(row(Path("/docs/b"), 2), False)])
    assert library.stored_so_far(scan) == 2


def test_text_from_outside_that_is_no_utf_8_is_stored_all_the_same(library: LibraryFile) -> None:
    hostile = replace(
        row(Path("/docs/a"), 1), title="\udcff title", author="\ud800", details=details(Clause.EARLIER, text="\udc80")
    )
    scan = library.begin_scan(summary(Path(os.fsdecode(b"/\xff")), name="\udcff"), REVISION)
    library.add(scan, REVISION, [(hostile, False)])
    assert library.documents(scan).title == ["? title"]
    assert details_of(library.documents(scan).detail[0]) == hostile.details
    assert library.scans()[0].roots == ((Path(os.fsdecode(b"/\xff")), "scan"),)


def test_the_newest_finished_scan_is_the_result_unless_another_is_named(library: LibraryFile) -> None:
    with pytest.raises(LibraryMissing):
        library.result()
    first = stored(library, row(Path("/a"), 1))
    second = stored(library, row(Path("/b"), 2), root=Path("/other"))
    library.begin_scan(summary(Path("/third")), REVISION)
    assert library.result().summary.id == second and library.result(first).summary.id == first
    with pytest.raises(LibraryMissing):
        library.result(99)


def test_a_scan_that_was_cut_off_has_counted_nothing(library: LibraryFile) -> None:
    library.begin_scan(summary(Path("/docs")), REVISION)
    (begun,) = library.scans()
    assert begun.state == "unfinished"
    counts = begun.seconds, begun.offered, begun.read, begun.reused, begun.clusters, begun.widest_radius
    assert counts == (0, 0, 0, 0, 0, 0)


def test_each_document_has_the_hash_of_its_own_bytes(library: LibraryFile) -> None:
    rows = [row(Path(f"/docs/{name}"), seed) for seed, name in enumerate("abc")]
    rows[1] = replace(rows[1], content_hash=b"")
    documents = library.documents(stored(library, *rows))
    hexes = [rows[0].content_hash.hex(), "", rows[2].content_hash.hex()]
    assert documents.content_hexes(np.arange(3)) == hexes and len(hexes[0]) == 32
    assert [documents.content_hex(place) for place in range(3)] == hexes
    assert documents.rows_with([hexes[2], "ab" * 16]) == {hexes[2]: [2]}


def test_old_scans_of_the_same_folders_and_what_only_they_knew_are_dropped(library: LibraryFile) -> None:
    other = stored(library, row(Path("/else"), 500), root=Path("/else"))
    for number in range(25):
        library.begin_scan(summary(Path("/docs")), REVISION)  # killed
        newest = stored(library, row(Path("/docs/a"), number))
    scans = library.scans()
    assert len(scans) == 21 and {scan.state for scan in scans} == {"done"}
    assert scans[0].id == newest and scans[-1].id == other
    assert library.counts()["documents"] == 21
    library.delete_scan(newest)
    assert library.counts() == {**library.counts(), "documents": 20, "scans": 20}


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there")
@pytest.mark.parametrize("name", [b"caf\xe9.db", b"a[1] %41?x=#.db"])
def test_the_file_of_a_library_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    with LibraryFile(path, write=True) as opened:
        stored(opened, row(Path("/a"), 1))
    with LibraryFile(path) as opened:
        assert opened.result().documents.paths[0] == "/a"
        assert opened.counts()["bytes"] > 0
    assert store.size_on_disk(path) == store.delete(path) > 0


def test_partial_text_never_makes_two_files_equal(library: LibraryFile) -> None:
    first, second = (replace(row(Path(f"/{n}"), 7), partial=partial) for n, partial in (("a", True), ("b", False)))
    documents = library.documents(stored(library, first, second))
    assert not documents.text_hash[0].any() and documents.text_hash[1].any()


def test_columns_are_well_formed_when_there_is_nothing(library: LibraryFile) -> None:
    result = library.result(stored(library))
    assert len(result.documents) == 0 and result.documents.content_hash.shape == (0, 2)
    assert len(result.pairs) == 0


@posix
def test_the_folder_and_files_are_private(path: Path, umask: None) -> None:
    with LibraryFile(path, write=True) as library:
        stored(library, row(Path("/a"), 1))
        assert (path.with_name("library.db-wal")).exists()
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}, modes


def test_one_writer_at_a_time_and_readers_besides(path: Path) -> None:
    with LibraryFile(path, write=True) as library:
        stored(library, row(Path("/a"), 1))
        with pytest.raises(LibraryLocked) as caught:
            LibraryFile(path, write=True)
        assert caught.value.holder == os.getpid()
        with pytest.raises(LibraryLocked):
            store.delete(path)
        with LibraryFile(path) as reader:
            assert reader.counts()["documents"] == 1
    with LibraryFile(path, write=True) as library:
        assert library.put_aside is None


HOLD = (
    "import sys, time, pathlib\nfrom dupfinder.library.library import LibraryFile\n"
    "library = LibraryFile(pathlib.Path(sys.argv[1]), write=True)\nprint('held', flush=True)\ntime.sleep(600)"
)


@posix
def test_another_process_that_holds_it_is_named_and_its_death_frees_it(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "held\n"
        with pytest.raises(LibraryLocked) as caught:
            LibraryFile(path, write=True)
        assert caught.value.holder == child.pid
        child.send_signal(signal.SIGKILL)
        child.wait()
    with LibraryFile(path, write=True) as library:
        assert library.counts()["scans"] == 0
    assert not path.with_name("library.db.holder").exists()


def test_a_stale_or_garbled_holder_file_is_no_lock() -> None:
    path = default_library()
    path.with_name("library.db.holder").write_text("99999999 or so")
    path.with_name("library.db.lock").touch()
    with LibraryFile(path, write=True) as library:
        stored(library, row(Path("/a"), 1))


def test_reading_a_missing_library_creates_no_file(path: Path) -> None:
    with pytest.raises(LibraryMissing):
        LibraryFile(path)
    assert not path.parent.exists()


def _whole(path: Path) -> None:
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(30)))


def _flip_head(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.write(b"SQLITE?")


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 100)


def _text(path: Path) -> None:
    path.write_text("Dear diary,\n" * 1000)


def _foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize("damage", [_flip_head, _cut, _text, _foreign])
def test_a_damaged_library_is_put_aside_whole_and_begun_anew(damage: object) -> None:
    path = default_library()
    _whole(path)
    damage(path)  # type: ignore[operator]
    before = path.read_bytes()
    with pytest.raises(LibraryDamaged):
        LibraryFile(path).result()
    assert path.read_bytes() == before
    with LibraryFile(path, write=True) as library:
        assert library.put_aside is not None and library.put_aside.read_bytes() == before
        assert library.counts()["scans"] == 0
        stored(library, row(Path("/a"), 1))
    with LibraryFile(path, write=True) as library:
        assert library.put_aside is None and library.check() == []


def test_two_damaged_libraries_in_one_second_are_both_kept() -> None:
    path = default_library()
    for number in range(2):
        path.write_text(f"no library {number} " * 100)
        LibraryFile(path, write=True).close()
    assert len([file for file in path.parent.iterdir() if ".damaged-" in file.name]) == 2


def test_bytes_flipped_anywhere_never_end_in_anything_but_a_clear_error(path: Path) -> None:
    _whole(path)
    whole = path.read_bytes()
    chance = random.Random(1)
    outcomes = set()
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 40))):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        path.write_bytes(damaged)
        try:
            with LibraryFile(path) as library:
                library.known(REVISION)
                result = library.result()
                library.sketches(result.documents.ids)
            outcomes.add("served")
        except DupfinderError as error:
            outcomes.add(type(error).__name__)
    possible = {"served", "LibraryDamaged", "LibraryTooNew", "LibraryMissing", "NotALibrary"}
    assert "LibraryDamaged" in outcomes and outcomes <= possible


def test_a_library_that_lost_a_table_is_damaged_also_for_those_who_count_its_rows(path: Path) -> None:
    _whole(path)
    with LibraryFile(path) as library:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("DROP TABLE scan_document")
        for count in (lambda: library.stored_so_far(1), lambda: library.documents(1)):
            with pytest.raises(LibraryDamaged):
                count()


def test_a_library_is_made_as_a_whole_so_that_others_never_read_half_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS[:-1], full))
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            schema.migrate(connection)
        connection.execute("ROLLBACK")
        assert schema.version_of(connection) == 0
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


def test_a_library_in_a_folder_that_may_only_be_read_is_in_use_if_another_program_changed_it_meanwhile(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _whole(path)

    def read_only() -> LibraryFile:
        with monkeypatch.context() as folder:
            folder.setattr(os, "access", lambda *_: False)
            return LibraryFile(path)

    with read_only() as reader:
        before = reader.counts()
    with pytest.raises(LibraryLocked), read_only() as reader:
        assert reader.counts() == before
        with LibraryFile(path, write=True) as writer:
            stored(writer, row(Path("/later"), 9))
    with read_only() as reader:
        assert reader.counts()["documents"] == before["documents"] + 1


def test_an_older_library_that_another_process_migrates_is_in_use_not_read_only(path: Path) -> None:
    _whole(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION - 1}")
    with store.WriteLock(path).held(), pytest.raises(LibraryLocked) as caught:
        LibraryFile(path)
    assert caught.value.holder == os.getpid()
    with LibraryFile(path) as library:
        assert library.check() == []


@posix
@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_migration_that_was_cut_off_leaves_the_library_as_it_was_and_is_done_again(
    path: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    with monkeypatch.context() as earlier, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as made:
        earlier.setattr(schema, "VERSION", version)
        schema.mark(made)
        seals.register(made)
        schema.migrate(made)
    if (child := os.fork()) == 0:
        monkeypatch.setattr(seals, "reseal", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        monkeypatch.setattr(schema, "_SEALED", frozenset())
        store.connect(path, write=True)
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    with contextlib.closing(sqlite3.connect(path)) as left:
        assert schema.version_of(left) == version
    with LibraryFile(path) as library:
        assert library.check() == []


def test_a_library_of_a_newer_version_is_left_alone(path: Path) -> None:
    _whole(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    for write in (False, True):
        with pytest.raises(LibraryTooNew) as caught:
            LibraryFile(path, write=write)
        assert (caught.value.version, caught.value.known) == (schema.VERSION + 1, schema.VERSION)
    assert path.read_bytes() == before
    LibraryFile(path.with_name("other.db"), write=True).close()


def test_a_folder_in_its_place_or_a_file_above_it_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for impossible in (tmp_path, tmp_path / "file" / "library.db"):
        with pytest.raises(LibraryUnreachable) as caught:
            LibraryFile(impossible, write=True)
        assert caught.value.fault in (Fault.IS_FOLDER, Fault.UNREADABLE)
    assert (tmp_path / "file").stat().st_size == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_is_told_and_what_was_stored_stays(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system does not let root mount")
    try:
        path = disk / "library.db"
        with LibraryFile(path, write=True) as library:
            scan = library.begin_scan(summary(Path("/docs")), REVISION)
            stored_rows = 0
            with pytest.raises(DiskFullError) as caught:
                for seed in range(100_000):
                    library.add(scan, REVISION, [(row(Path(f"/docs/{seed}"), seed), False)])
                    stored_rows = seed + 1
            assert caught.value.path == path and stored_rows > 10
            assert library.stored_so_far(scan) == stored_rows
        with LibraryFile(path) as library:
            assert library.stored_so_far(scan) == stored_rows and library.check() == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_clearing_leaves_nothing_of_the_text(path: Path) -> None:
    marker = "quarterly-plum-marmalade"
    with LibraryFile(path, write=True) as library:
        stored(library, replace(row(Path(f"/docs/{marker}.txt"), 1), title=marker, author=marker))
    assert marker.encode() in path.read_bytes()
    assert store.delete(path) > 0
    assert all(marker.encode() not in file.read_bytes() for file in path.parent.iterdir())
    assert not path.exists()
    with pytest.raises(LibraryUnreachable):
        store.delete(path)


def test_check_finds_a_whole_library_whole(library: LibraryFile) -> None:
    stored(library, row(Path("/a"), 1), row(Path("/b"), 2))
    assert library.check() == []


def test_a_long_list_of_sketches_is_fetched_in_parts(library: LibraryFile) -> None:
    scan = library.begin_scan(summary(Path("/docs")), REVISION)
    template = row(Path("/docs/x"), 1)
    rows: list[tuple[DocumentRow, bool]] = [
        (replace(template, stamp=replace(template.stamp, path=Path(f"/docs/{n:05}"))), False) for n in range(10_050)
    ]
    library.add(scan, REVISION, rows)
    sketches = library.sketches(library.documents(scan).ids)
    assert (np.diff(sketches.starts) == len(text_print(1).sketch)).all()


@pytest.mark.parametrize(
    ("code", "expected"),
    [(sqlite3.SQLITE_IOERR_READ, LibraryUnreachable), (sqlite3.SQLITE_PROTOCOL, LibraryLocked)],
)
def test_a_library_on_a_drive_that_is_gone_or_with_a_busy_log_is_not_called_damaged(
    tmp_path: Path, code: int, expected: type[DupfinderError]
) -> None:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    with pytest.raises(expected), store.faults(tmp_path / "unplugged" / "library.db"):
        raise error


def test_a_transaction_that_cannot_be_committed_is_rolled_back() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(
        "PRAGMA foreign_keys = ON; CREATE TABLE up (id INTEGER PRIMARY KEY);"
        "CREATE TABLE down (up REFERENCES up DEFERRABLE INITIALLY DEFERRED)"
    )
    with pytest.raises(sqlite3.IntegrityError), transaction(connection):
        connection.execute("INSERT INTO down VALUES (1)")
    with transaction(connection):
        connection.execute("INSERT INTO up VALUES (1)")
    assert connection.execute("SELECT count(*) FROM up, down").fetchone() == (0,)
    connection.close()


def test_a_path_that_the_system_cannot_look_at_is_no_missing_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryUnreachable):
        LibraryFile(tmp_path / ("x" * 300))
