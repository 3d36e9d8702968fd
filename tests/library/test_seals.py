"""Damaged rows of a library are never returned as results; they are named, and no other rows are lost."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import DupfinderError, LibraryDamaged
from dupfinder.base.errors import LibraryPart as Part
from dupfinder.library import schema, seals
from dupfinder.library.decisions import Decisions
from dupfinder.library.library import LibraryFile
from dupfinder.library.store import damaged_parts, repair, with_repair
from dupfinder.library.stored import SketchKind
from dupfinder.wording.catalogue import speaking
from dupfinder.wording.errors import part_words
from tests.library.making import REVISION, row, stored

VALUES = st.lists(st.none() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary(max_size=40), max_size=6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a library with two scans of thirty documents."""
    path = tmp_path / "library.db"
    with LibraryFile(path, write=True) as library:
        for folder in ("docs", "more"):
            rows = [row(Path(f"/{folder}/{seed}"), seed) for seed in range(30)]
            stored(library, *rows, root=Path(f"/{folder}"))
    return path


def plain(value: Any) -> Any:
    """Return a result as values that compare by content."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, value.tobytes())
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


READINGS: tuple[Callable[[LibraryFile], Any], ...] = (
    lambda library: library.scans(),
    lambda library: library.result(),
    lambda library: library.result(1),
    lambda library: library.documents(1),
    *(lambda library, kind=kind: library.sketches(np.arange(1, 61), kind) for kind in SketchKind),
)
CACHES: tuple[Callable[[LibraryFile], dict[Any, Any]], ...] = (  # what is missing in them is only read again
    lambda library: library.known(REVISION),
    lambda library: library.known_members(),
)


def returned(path: Path) -> list[Any]:
    """Return the result of each way of reading, or the class of its error."""
    said: list[Any] = []
    for read in (*READINGS, *CACHES):
        try:
            with LibraryFile(path) as library:
                said.append(plain(read(library)))
        except DupfinderError as error:
            said.append(type(error))
    return said


def flip_bytes(path: Path, times: int, seed: int) -> tuple[int, int]:
    """Flip one byte at a time; return the flips that were detected, and those that changed a result undetected."""
    whole, before, chance = path.read_bytes(), returned(path), random.Random(seed)
    met = silent = 0
    for _ in range(times):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        path.write_bytes(damaged)
        after = returned(path)
        met += any(isinstance(said, type) for said in after)
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if isinstance(new, type):
                continue
            is_cache = number >= len(READINGS)
            silent += (not new.items() <= old.items()) if is_cache else new != old
    path.write_bytes(whole)
    return met, silent


def test_no_flipped_byte_changes_what_is_returned_without_a_word(path: Path) -> None:
    met, silent = flip_bytes(path, 40, 1)
    assert silent == 0 and met > 10


@pytest.mark.slow
def test_none_of_two_hundred_flipped_bytes_changes_what_is_returned_without_a_word(path: Path) -> None:
    met, silent = flip_bytes(path, 200, 2)
    assert silent == 0 and met > 50


CHANGES = [
    ("UPDATE document SET title = 'x' WHERE id = 7", Part("document", 7)),
    ("UPDATE document SET path = X'2F7A' WHERE id = 7", Part("document", 7)),
    ("UPDATE document SET title = CAST(X'FF' AS TEXT) WHERE id = 7", Part("document", 7)),
    ("UPDATE sketch SET trace = X'0102030405060708' || substr(trace, 9) WHERE document = 7", Part("document", 7)),
    ("DELETE FROM sketch WHERE document = 7", Part("scan", 1)),
    ("DELETE FROM document WHERE id = 7", Part("scan", 1)),
    ("UPDATE scan_document SET protected = 1 WHERE scan = 1 AND document = 7", Part("scan", 1)),
    ("DELETE FROM scan_document WHERE scan = 1 AND document = 7", Part("scan", 1)),
    ("UPDATE scan SET min_similarity = 0.1 WHERE id = 1", Part("scan", 1)),
    ("UPDATE scan_column SET data = (SELECT data FROM scan_column WHERE name = 'left') WHERE name = 'right'"
     " AND scan = 1", Part("scan", 1)),
]  # fmt: skip


@pytest.mark.parametrize(("change", "part"), CHANGES)
def test_damage_is_named_dropped_alone_and_decisions_are_kept(path: Path, change: str, part: Part) -> None:
    decisions = Decisions(path.with_name("decisions.db"))
    decisions.store([(Path("/docs/6"), "aa", 2)])
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.commit()
    connection.close()
    with LibraryFile(path) as library:
        assert part in library.check()
        with pytest.raises(LibraryDamaged):
            for kind in SketchKind:
                library.sketches(library.documents(1).ids, kind)
            library.result(1)
    assert part in repair(path)
    with LibraryFile(path, write=True) as library:
        assert library.put_aside is None and library.check() == []
        assert [scan.id for scan in library.scans()] == [2]
        assert len(library.known(REVISION)) >= 59
        assert len(library.result().documents) == 30
    assert decisions.load() == {"/docs/6": ("aa", 2)}


def test_work_that_meets_damage_is_done_again_without_it_and_the_rest_stays(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE document SET words = 1 WHERE id = 3")
    connection.commit()
    connection.close()
    repaired: list[Part] = []

    def work() -> int:
        with LibraryFile(path, write=True) as library:
            return sum(len(library.documents(scan.id)) for scan in library.scans())

    assert with_repair(path, work, lambda aside: pytest.fail(str(aside)), repaired.extend) == 30
    assert repaired == [Part("document", 3)]


def test_a_library_of_which_nothing_can_be_dropped_is_put_aside(path: Path) -> None:
    before = path.read_bytes()
    aside: list[Path] = []
    refusals = [True]

    def work() -> int:
        if refusals and refusals.pop():
            raise LibraryDamaged(path)
        with LibraryFile(path, write=True) as library:
            return library.counts()["documents"]

    assert with_repair(path, work, aside.append, lambda names: pytest.fail(str(names))) == 0
    assert [path.read_bytes() for path in aside] == [before]


def test_a_library_from_before_checksums_is_sealed_without_reading_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old.db"
    connection = sqlite3.connect(old, isolation_level=None)
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "VERSION", schema.STEPS.index(schema._checksums))
        schema.mark(connection)
        schema.migrate(connection)
    names = [name for _, name, *_ in connection.execute("PRAGMA table_info(document)")][1:]
    plain = {"path": b"/docs/z.txt", "revision": "r", "status": "read", "media": "txt", "archive": None, "shingles": 2}
    values = [
        plain.get(name, "" if name in ("detail", "reader", "title", "author", "language") else 0) for name in names
    ]
    connection.execute(f"INSERT INTO document ({', '.join(names)}) VALUES ({','.join('?' * len(values))})", values)
    smallest = np.array([7, 9], np.uint32)
    connection.execute("INSERT INTO sketch VALUES (1, ?, x'', x'', x'')", (smallest.tobytes(),))
    connection.close()
    with LibraryFile(old, write=True) as library:
        assert library.put_aside is None and library.check() == []
        assert library.sketches(np.array([1])).values.tolist() == [7, 9]
        assert len(library.sketches(np.array([1]), SketchKind.TRACE).values) == 0


def test_a_migration_does_not_make_a_damaged_row_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE document SET title = 'x' WHERE id = 7")
    connection.commit()
    connection.close()

    def later_step(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE document ADD COLUMN later TEXT")

    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, later_step))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    with LibraryFile(path, write=True) as library:
        assert library.check() == [Part("document", 7)]
        assert len(library.documents(2)) == 30


@given(values=VALUES, other=VALUES)
def test_equal_rows_alone_have_equal_sums(values: list[Any], other: list[Any]) -> None:
    assert (seals.row_sum(*values) == seals.row_sum(*other)) == (values == other)


@given(blob=st.binary(max_size=60), document=st.integers(1, 2**62), place=st.integers(0, 63), bit=st.integers(0, 7))
def test_a_sealed_blob_comes_back_and_no_flipped_bit_passes(blob: bytes, document: int, place: int, bit: int) -> None:
    data = bytearray(seals.seal(blob, document, "parts"))
    assert seals.unseal(bytes(data), document, "parts") == blob
    for number, column in ((document + 1, "parts"), (document, "bag")):
        with pytest.raises(seals.DamagedPart):
            seals.unseal(bytes(data), number, column)
    data[place % len(data)] ^= 1 << bit
    with pytest.raises(seals.DamagedPart):
        seals.unseal(bytes(data), document, "parts")


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (-1)", "values"),
        ("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'i'", "pages"),
        ("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' WHERE a > 5' WHERE name = 'i'", "index"),
    ],
)
def test_what_sqlite_finds_damaged_is_named_in_the_language_in_use(tmp_path: Path, damage: str, kind: str) -> None:
    path = tmp_path / "small.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE t (a CHECK (a > 0)); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1)")
        connection.executescript(damage)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        damaged = damaged_parts(connection)
    assert Part(kind) in damaged
    with speaking("es"):
        assert not {part_words(part) for part in damaged} & {"an index of the database", "pages of the database"}
