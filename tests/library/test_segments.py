"""Segments: columns come back as they were stored, and no damaged, missing or unused file does harm."""

from __future__ import annotations

import errno
import io
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dupfinder.base.errors import LibraryDamaged, LibraryPart
from dupfinder.base.files import unfinished_path, write_whole
from dupfinder.library import schema, segments, store
from dupfinder.library.library import LibraryFile
from tests.library.making import REVISION, row, stored
from tests.library.test_seals import plain

COLUMNS = st.dictionaries(
    st.sampled_from("abcd"),
    arrays.arrays(
        st.sampled_from([np.uint8, np.bool_, np.int32, np.float32, np.uint64]),
        arrays.array_shapes(max_dims=2, min_side=0, max_side=9),
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a library with a finished scan of five documents."""
    path = tmp_path / "library.db"
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(5)))
    return path


def only_segment(path: Path) -> Path:
    (segment,) = segments.files(path).values()
    return segment


@pytest.fixture(scope="module")
def open_library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Return the connection of a library with a scan."""
    with closing(store.connect(tmp_path_factory.mktemp("columns") / "library.db", write=True)) as connection:
        names = [name for _, name, *_ in connection.execute("PRAGMA table_info(scan)")]
        connection.execute(f"INSERT INTO scan VALUES ({', '.join('?' * len(names))})", [1] + [0] * (len(names) - 1))
        yield connection


@settings(max_examples=30)
@given(columns=COLUMNS, packed=st.booleans())
def test_columns_come_back_as_they_were_stored(
    open_library: sqlite3.Connection, columns: dict[str, np.ndarray[Any, Any]], packed: bool
) -> None:
    open_library.execute("DELETE FROM scan_column")
    segments.store_columns(open_library, 1, columns, packed=packed)
    loaded = segments.load_columns(open_library, 1)
    assert plain(loaded) == plain({name: columns[name] for name in loaded}) and loaded.keys() == columns.keys()
    assert not any(column.flags.writeable for column in loaded.values() if column.size)
    segments.remove_unused(open_library)
    assert len(segments.files(segments.library_path(open_library))) == bool(columns)


def test_each_flipped_byte_of_a_column_is_met_and_costs_the_scan_alone(path: Path) -> None:
    segment = only_segment(path)
    whole = segment.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, data FROM scan_column").fetchall()
    for name, data in rows:
        column = segments.StoredColumn.of(data)
        if not column.size:
            continue
        damaged = bytearray(whole)
        damaged[column.start + column.size - 1] ^= 1
        segment.write_bytes(damaged)
        with LibraryFile(path) as library, pytest.raises(LibraryDamaged):
            pytest.fail(f"{name}: {library.result()}")
    with LibraryFile(path) as library:
        assert library.check() == [LibraryPart("scan", 1)]
    assert store.repair(path) == [LibraryPart("scan", 1)]
    with LibraryFile(path, write=True) as library:
        assert library.scans() == [] and len(library.known(REVISION)) == 5
    assert segments.files(path) == {}


@pytest.mark.parametrize("lost", [Path.unlink, lambda segment: segment.write_bytes(segment.read_bytes()[:-9])])
def test_a_missing_or_cut_off_segment_is_damage_of_its_scan(path: Path, lost: Any) -> None:
    lost(only_segment(path))
    with LibraryFile(path) as library:
        assert library.check() == [LibraryPart("scan", 1)]
        with pytest.raises(LibraryDamaged):
            library.result()


def test_what_a_kill_left_is_removed_and_no_file_of_a_person(path: Path) -> None:
    kept = only_segment(path)
    shutil.copy(kept, path.with_name(f"{path.name}.{'1' * 16}.columns"))
    assert len(segments.files(path)) == 2
    cut_off = unfinished_path(kept)
    others = [path.with_name("library.db.mine.columns"), path.with_name(f"library.db.{'0' * 16}.columns")]
    for file in (cut_off, *others):
        file.write_bytes(b"my columns")
    LibraryFile(path, write=True).close()
    assert only_segment(path) == kept
    assert not cut_off.exists() and all(file.exists() for file in others)
    cut_off.write_bytes(b"half of the columns")
    store.delete(path)
    assert not cut_off.exists() and all(file.exists() for file in others)


def test_older_scans_of_the_same_folders_are_packed_and_read_the_same(path: Path) -> None:
    with LibraryFile(path) as library:
        before = plain(library.result(1))
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(9)))
        assert plain(library.result(1)) == before
        assert len(library.result().documents) == 9
        first, second = (library.scan_files()[scan] for scan in (1, 2))
        library.delete_scan(1)
    assert not first.exists() and second.exists()


def test_results_that_earlier_versions_stored_are_still_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LibraryFile(path) as library:
        before = library.result(1)
    monkeypatch.setattr("dupfinder.library.segments.zstd.compress", lambda data, _level: zlib.compress(bytes(data)))
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(5)))  # packs the first result
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM scan_column WHERE scan = 1 AND name IN ('revision', 'frequent')")
    with LibraryFile(path) as library:
        result = library.result(1)
    assert np.array_equal(result.pairs.left, before.pairs.left) and len(before.pairs) == 1
    assert np.array_equal(result.evidence.resemblance, before.evidence.resemblance)
    assert result.revision == 0 and not len(result.frequent)


def test_a_library_of_rows_alone_keeps_its_results_without_reading_a_document(path: Path) -> None:
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(9)))
        before = [plain(library.result(scan)) for scan in (1, 2)]
    with closing(store.connect(path, write=True)) as connection:
        for scan in (1, 2):
            for name, column in segments.load_columns(connection, scan).items():
                stream = io.BytesIO()
                np.save(stream, column)
                change = "UPDATE scan_column SET data = ? WHERE scan = ? AND name = ?"
                connection.execute(change, (zlib.compress(stream.getvalue()), scan, name))
        connection.execute(f"PRAGMA user_version = {schema.STEPS.index(schema._segments)}")
    for segment in segments.files(path).values():
        segment.unlink()
    with LibraryFile(path) as library:
        assert library.check() == []
        assert [plain(library.result(scan)) for scan in (1, 2)] == before


def test_segments_go_where_the_library_goes(path: Path) -> None:
    with LibraryFile(path) as library:
        before = plain(library.result())
    aside = store.put_aside(path)
    assert segments.files(path) == {}
    with LibraryFile(aside) as library:
        assert plain(library.result()) == {**before, "library": aside}
    assert store.delete(aside) > 0
    assert not [file for file in path.parent.iterdir() if file.suffix not in (".lock", ".holder")]


def test_what_is_unused_stays_until_there_is_room_and_nothing_fails_for_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(sqlite3.Connection):
        """A connection to a library on a full disk, where the log cannot be written back."""

        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            if sql == "PRAGMA wal_checkpoint":
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(sql, *parameters)

    first = only_segment(path)
    with monkeypatch.context() as patch:
        patch.setattr(store, "open_connection", lambda path: sqlite3.connect(path, isolation_level=None, factory=Full))
        with LibraryFile(path, write=True) as library:
            stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(6)))
            library.delete_scan(1)
    assert first.exists()
    with LibraryFile(path, write=True) as library:
        assert len(library.result().documents) == 6
    assert not first.exists()


def test_a_scan_is_stored_also_where_older_ones_cannot_be_packed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LibraryFile(path) as library:
        before = plain(library.result(1))

    def write(path: Path, parts: Iterator[bytes | memoryview]) -> int:
        if len(segments.files(path.with_name("library.db"))) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_whole(path, parts)

    monkeypatch.setattr("dupfinder.library.segments.write_whole", write)
    with LibraryFile(path, write=True) as library:
        stored(library, *(row(Path(f"/docs/{seed}"), seed) for seed in range(6)))
        assert len(library.result().documents) == 6 and plain(library.result(1)) == before


def test_a_segment_on_a_bad_part_of_the_disk_is_damage_of_its_scan(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(segments, "_loaded", fail)
    with LibraryFile(path) as library, pytest.raises(LibraryDamaged) as caught:
        library.result()
    assert caught.value.part == LibraryPart("scan", 1)
