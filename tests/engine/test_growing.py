"""The index in a folder: it answers as brute force does after any changes, and no kill damages it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.errors import DiskFullError, Fault, IndexFileError, IndexLocked
from dupfinder.base.files import Lock
from dupfinder.base.progress import LatestProgress, Stopped
from dupfinder.engine import growing, sorted_run
from dupfinder.engine.coding import Coding
from dupfinder.engine.growing import FolderIndex, write_index
from dupfinder.index.design import PAPER, TableDesign, family, named_design
from dupfinder.index.tables import PermutedTables
from tests.index.making import from_integers, planted, random_fingerprints

Entries = dict[int, tuple[int, str]]  # row: fingerprint and path


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk: a killed process loses nothing that it gave to the system."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.mark.parametrize("name", PAPER)
def test_an_index_answers_as_uncompressed_tables_do(tmp_path: Path, name: str) -> None:
    fingerprints = planted(3000, 3)
    fingerprints[7:12] = fingerprints[3]
    write_index(tmp_path / "index", fingerprints, named_design(name))
    tables = PermutedTables(fingerprints, named_design(name))
    with FolderIndex(tmp_path / "index") as index:
        for fingerprint in fingerprints[:150].tolist():
            hits, expected = index.query(fingerprint), tables.query(fingerprint)
            assert np.array_equal(np.sort(hits.rows), expected.row)
            assert np.array_equal(fingerprints[hits.rows], hits.fingerprints)
            assert np.array_equal(np.sort(hits.distance), np.sort(expected.distance))


def agrees(index: FolderIndex, entries: Entries, asked: list[int]) -> None:
    """Check every answer of an index against all that it should hold."""
    assert len(index) == len(entries)
    rows, values = index.fingerprints()
    assert dict(zip(rows.tolist(), values.tolist(), strict=True)) == {row: entries[row][0] for row in sorted(entries)}
    assert index.paths(entries) == [path for _, path in entries.values()]
    for value in asked:
        for radius in (0, index.design.radius):
            near = [(distance, other, row) for row, (other, _) in entries.items()
                    if (distance := (other ^ value).bit_count()) <= radius]  # fmt: skip
            hits = index.query(value, radius)
            columns = (hits.distance.tolist(), hits.fingerprints.tolist(), hits.rows.tolist())
            assert list(zip(*columns, strict=True)) == sorted(near)


# Few different values, so that rows share fingerprints and lie near each other.
values = st.integers(0, 40).map(lambda number: (number * 0x0101_0000_4000_0201) & (2**64 - 1))
changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(values, max_size=9)),
        st.tuples(st.just("replace"), st.lists(values, max_size=4)),
        st.tuples(st.just("remove"), st.lists(st.integers(0, 60), max_size=9)),
        st.tuples(st.sampled_from(["merge", "reopen"]), st.just([])),
    ),
    max_size=9,
)


@settings(max_examples=25)
@given(kind=st.sampled_from([(named_design("4"), Coding.XOR), (family(32, 2, 4), Coding.DIFFERENCE)]), steps=changes)
def test_any_adding_removing_merging_and_reopening_answers_as_brute_force(
    tmp_path_factory: pytest.TempPathFactory, kind: tuple[TableDesign, Coding], steps: list[tuple[str, list[int]]]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "index"
    design, coding = kind
    width, most = (np.uint32, 2**32 - 1) if design.bits == 32 else (np.uint64, 2**64 - 1)
    write_index(folder, np.empty(0, width), design, coding=coding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_run, "SEGMENT_KEYS", 5)
        patch.setattr(growing, "_BATCH_ROWS", 4)
        entries: Entries = {}
        index, next_row = FolderIndex(folder), 0
        for verb, numbers in steps:
            if verb in ("add", "replace"):
                # Of the added rows, only every second batch has paths.
                paths = [f"p{number % 7}" for number in range(len(numbers))] if next_row % 2 else None
                some = from_integers([number & most for number in numbers], design.bits)
                rows = index.add(some, paths, replace_paths=verb == "replace")
                assert rows == range(next_row, next_row + len(numbers))
                next_row = rows.stop
                if verb == "replace" and paths:
                    entries = {row: entry for row, entry in entries.items() if entry[1] not in paths}
                for place, row in enumerate(rows):
                    entries[row] = (int(some[place]), paths[place] if paths else "")
            elif verb == "remove":
                rows_left = [row for row in dict.fromkeys(numbers) if row in entries]
                index.remove(rows_left)
                for row in rows_left:
                    del entries[row]
            elif verb == "merge":
                index.merge()
            else:
                index.close()
                index = FolderIndex(folder)
        agrees(index, entries, [0, most, *(value & most for value, _ in list(entries.values())[:4])])
        index.verify()
        index.close()
    shutil.rmtree(folder)


def test_rows_of_paths_are_found_and_removed_rows_are_not(tmp_path: Path) -> None:
    write_index(tmp_path / "index", planted(5, 3), named_design("4"), paths=["a", "b", "a", "\udcff", ""])
    with FolderIndex(tmp_path / "index") as index:
        index.add(planted(2, 3), None)
        index.remove([0])
        assert index.rows_of(["a", "\udcff", "none", ""]) == {"a": [2], "\udcff": [3], "none": []}
        assert index.paths([6, 3]) == ["", "\udcff"]
        assert index.contents()[2] == ["b", "a", "\udcff", "", "", ""]
        for unknown in (0, 7, -1, 2**40):
            with pytest.raises(KeyError):
                index.remove([1, unknown])
        assert len(index) == 6


def test_runs_stay_few_and_removed_rows_leave_the_files(tmp_path: Path) -> None:
    folder, fingerprints = tmp_path / "index", planted(640, 3)
    write_index(folder, fingerprints[:10], named_design("4"))
    with FolderIndex(folder) as index:
        for start in range(10, 640, 10):
            index.add(fingerprints[start : start + 10])
        facts = index.facts()
        assert (facts.count, sum(facts.runs)) == (640, 640)
        assert len(facts.runs) <= 9
        index.remove(range(0, 640, 2))
        assert (index.facts().runs, index.facts().removed) == ((320,), 0)
        assert index.facts().file_bytes < facts.file_bytes
        index.remove(index.fingerprints()[0].tolist())
        assert (len(index), index.facts().runs) == (0, ())
        assert index.add(fingerprints[:1]) == range(640, 641)


def test_opening_reads_no_table(tmp_path: Path) -> None:
    write_index(tmp_path / "index", planted(300, 3), named_design("4"))
    for path in (tmp_path / "index").glob("*.dft"):
        path.write_bytes(b"")
    with FolderIndex(tmp_path / "index") as index:
        assert len(index) == 300
        with pytest.raises(IndexFileError):
            index.query(int(planted(300, 3)[0]))


def test_an_open_index_sees_what_another_changes(tmp_path: Path) -> None:
    fingerprints = planted(50, 3)
    write_index(tmp_path / "index", fingerprints[:10], named_design("4"))
    with FolderIndex(tmp_path / "index") as reader, FolderIndex(tmp_path / "index") as writer:
        assert reader.query(int(fingerprints[40])).rows.tolist() == []
        for start in range(10, 50, 10):
            writer.add(fingerprints[start : start + 10])
        writer.remove([3])
        writer.merge()
        assert 40 in reader.query(int(fingerprints[40])).rows
        assert len(reader) == 49


def test_a_file_missing_damaged_or_of_another_index_is_refused(tmp_path: Path) -> None:
    write_index(tmp_path / "one", planted(300, 3), named_design("4"), paths=["x"] * 300)
    with FolderIndex(tmp_path / "one") as index:
        index.remove([5])
    names = sorted(path.name for path in (tmp_path / "one").iterdir() if path.stat().st_size)
    assert {name.partition(".")[2] for name in names} == {"", "dft", "rows", "ends", "paths"}
    for name in names:
        for damage in ("missing", "turned"):
            folder = tmp_path / "copy"
            shutil.copytree(tmp_path / "one", folder)
            content = bytearray((folder / name).read_bytes())
            (folder / name).unlink()
            if damage == "turned":
                content[len(content) // 2] ^= 1
                (folder / name).write_bytes(content)
            with pytest.raises(IndexFileError), FolderIndex(folder) as index:
                index.verify()
            shutil.rmtree(folder)
    with pytest.raises(IndexFileError) as caught:
        FolderIndex(tmp_path)
    assert caught.value.fault is Fault.NOT_AN_INDEX


def test_a_merge_does_not_carry_damage_on(tmp_path: Path) -> None:
    write_index(tmp_path / "index", planted(300, 3), named_design("4"))
    with FolderIndex(tmp_path / "index") as index:
        path = next((tmp_path / "index").glob("*-002-*.dft"))
        content = bytearray(path.read_bytes())
        content[-100] ^= 4
        path.write_bytes(content)
        index.add(planted(20, 3))
        with pytest.raises(IndexFileError):
            index.merge()
        assert len(index) == 320


def test_an_index_is_never_half_written_nor_written_over(tmp_path: Path) -> None:
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        write_index(tmp_path / "index", planted(300, 3), named_design("4"), reporter=reporter)
    assert not list(tmp_path.iterdir())
    write_index(tmp_path / "index", planted(300, 3), named_design("4"))
    with pytest.raises(IndexFileError):
        write_index(tmp_path / "index", planted(300, 3), named_design("4"))
    (tmp_path / f".other.{os.getpid()}.new").mkdir()  # by a process of this number on another machine
    write_index(tmp_path / "other", planted(300, 3), named_design("4"))
    assert sorted(os.listdir(tmp_path)) == [f".other.{os.getpid()}.new", "index", "other"]
    before = sorted(os.listdir(tmp_path / "index"))
    with FolderIndex(tmp_path / "index") as index:
        with pytest.raises(Stopped):
            index.add(planted(10, 3), reporter=reporter)
        with Lock(tmp_path / "index" / "lock", tmp_path / "index" / "holder").held(), pytest.raises(IndexLocked):
            index.remove([1])
        for wrong in (random_fingerprints(9, 32), random_fingerprints(9, 128)):
            with pytest.raises(ValueError):
                index.add(wrong)
        with pytest.raises(ValueError):
            index.add(planted(2, 3), ["only one"])
        assert len(index) == 300
    assert sorted(os.listdir(tmp_path / "index")) == before
    with pytest.raises(ValueError):
        write_index(tmp_path / "wide", random_fingerprints(9, 128), family(128, 3, 4))


CHANGES = {"os.rename", "os.remove", "os.mkdir", "open"}


def hurt_at(count: int, work: Callable[[], object], fault: str) -> bool:
    """Run `work` in a child whose `count`-th file operation kills it, or is refused with a full disk; tell whether it
    came to that."""
    child = os.fork()
    if child == 0:
        left = count

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in CHANGES:
                left -= 1
                if left == 0 and fault == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if left == 0:
                    raise OSError(28, os.strerror(28))

        sys.addaudithook(hook)
        status = 1
        try:
            work()
            status = 0 if left > 0 else 7
        except (OSError, DiskFullError, IndexFileError, IndexLocked):
            status = 7
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) in (0, 7)
    return os.WEXITSTATUS(status) == 7


def state_of(folder: Path) -> tuple[NDArray[np.uint32], NDArray[np.unsignedinteger], list[str] | None]:
    """Return all rows, fingerprints and paths of an index."""
    with FolderIndex(folder) as index:
        index.verify()
        return index.contents()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_a_kill_at_some_file_operations_loses_at_most_the_last_batch(tmp_path: Path) -> None:
    each_moment_is_harmless(tmp_path, "add", "kill", step=7)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
@pytest.mark.parametrize("fault", ["kill", "full disk"])
@pytest.mark.parametrize("change", ["add", "remove", "merge"])
def test_a_kill_at_any_file_operation_loses_at_most_the_last_batch(tmp_path: Path, change: str, fault: str) -> None:
    each_moment_is_harmless(tmp_path, change, fault, step=1)


def each_moment_is_harmless(tmp_path: Path, change: str, fault: str, step: int) -> None:
    """Check that a change which is killed, or refused the disk, at every `step`-th moment leaves a whole index."""
    fingerprints = planted(60, 3)
    start = tmp_path / "start"
    write_index(start, fingerprints[:10], family(64, 1, 2), paths=[f"{row}" for row in range(10)])
    with FolderIndex(start) as index:
        index.add(fingerprints[10:20], [f"{row}" for row in range(10, 20)])
        index.add(fingerprints[20:30], None)
        index.remove([0, 12])
    before = state_of(start)

    def work(folder: Path) -> None:
        with FolderIndex(folder) as index:
            if change == "add":
                index.add(fingerprints[30:40], ["1", *"abcdefghi"], replace_paths=True)
            elif change == "remove":
                index.remove([3, 15, 25, 26, 27, 28])
            else:
                index.merge()

    shutil.copytree(start, tmp_path / "whole")
    work(tmp_path / "whole")
    after = state_of(tmp_path / "whole")
    ends, moment = set(), 1 - step
    while True:
        moment += step
        folder = tmp_path / str(moment)
        shutil.copytree(start, folder)
        if not hurt_at(moment, partial(work, folder), fault):
            break
        state = state_of(folder)
        ends.add(repr(state))
        assert repr(state) in (repr(before), repr(after))
        with FolderIndex(folder) as index:  # the next change works, and deletes what was left behind
            rows = index.add(fingerprints[40:41])
            assert index.query(int(fingerprints[40]), 0).rows.tolist() == list(rows)
            index.merge()
            assert len(list(folder.iterdir())) == len(index._manifest.files()) + 2
        shutil.rmtree(folder)
    assert moment > 10
    assert len(ends) == (1 if change == "merge" else 2)


@pytest.mark.slow
@pytest.mark.parametrize("coding", list(Coding))
def test_a_million_answer_a_thousand_queries_as_uncompressed_tables_do(tmp_path: Path, coding: Coding) -> None:
    fingerprints, rng = planted(1_000_000, 3), np.random.default_rng(8)
    asked = rng.choice(fingerprints, 1000)
    for _ in range(4):
        asked[200:800] ^= np.uint64(1) << rng.integers(0, 64, 600, dtype=np.uint64)
    asked[800:] = rng.integers(0, 2**64, 200, dtype=np.uint64)
    tables = PermutedTables(fingerprints, named_design("4"))
    write_index(tmp_path / "index", fingerprints[:600_000], named_design("4"), coding=coding)
    with_hits = 0
    with FolderIndex(tmp_path / "index") as index:
        index.add(fingerprints[600_000:])
        for value in asked.tolist():
            hits, expected = index.query(value), tables.query(value)
            assert np.array_equal(np.sort(hits.rows), expected.row)
            with_hits += len(expected.row) > 0
    assert with_hits > 200
