"""Members of archives in the library: stored with their archive, known again, and deleted with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, details
from dupfinder.base.errors import LibraryDamaged
from dupfinder.library import schema, seals
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import DocumentRow
from tests.library.making import assert_same_documents, row, summary

ARCHIVE = Path("/docs/a.zip")
NEW = {"a": "read", "a.zip-": "locked", "é": "read", "z.txt": "read"}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LibraryFile]:
    with LibraryFile(tmp_path / "library.db", write=True) as opened:
        yield opened


def member(number: int | None, name: str, seed: int, **changes: object) -> DocumentRow:
    return replace(row(ARCHIVE / name, seed), archive=number, **changes)  # type: ignore[arg-type]


def stored(library: LibraryFile, revision: str = "r") -> tuple[int, int]:
    """Store a scan of an archive with two members, one read and one excluded; return (scan, archive)."""
    scan = library.begin_scan(summary(Path("/docs")), revision)
    (archive,) = library.add(scan, revision, [(replace(row(ARCHIVE, status="skipped"), members=2), False)])
    library.add(scan, revision, [(member(archive, "in/b.txt", 2), True), (row(Path("/docs/z.txt"), 3), False)])
    library.add(scan, "", [(member(archive, "c.txt", 4, status="skipped", details=details(Clause.HIDDEN_FILE)), False)])
    return scan, archive


def test_each_member_is_told_with_the_row_of_its_archive(library: LibraryFile) -> None:
    scan, _ = stored(library)
    documents = library.documents(scan)
    assert list(documents.paths) == ["/docs/a.zip", "/docs/a.zip/c.txt", "/docs/a.zip/in/b.txt", "/docs/z.txt"]
    assert documents.archive.tolist() == [-1, 0, 0, -1]
    assert documents.inside.tolist() == [False, True, True, False]
    assert documents.archive_of(2) == ARCHIVE and documents.archive_of(3) is None
    assert [(documents.archive_of(place) or documents.path(place)).name for place in range(4)] == [
        "a.zip",
        "a.zip",
        "a.zip",
        "z.txt",
    ]
    assert documents.files().size.tolist() == [1000, 0, 0, 1003]


@pytest.mark.parametrize("gone", range(4))
def test_documents_known_from_another_scan_are_not_loaded_again_and_are_the_same(
    library: LibraryFile, gone: int
) -> None:
    scan, archive = stored(library)
    known = library.documents(scan)
    again = library.begin_scan(summary(Path("/docs")), "r")
    library.reuse(again, [(number, True) for number in known.ids.tolist() if number not in known.ids[[gone, 3]]])
    new = [row(Path(f"/docs/{name}"), seed, status=status) for seed, (name, status) in enumerate(NEW.items(), 10)]
    library.add(
        again, "r", [(replace(added, media="pdf"), False) for added in new] + [(member(archive, "b", 20), False)]
    )
    if gone == 0:  # members stay behind without their archive
        with pytest.raises(LibraryDamaged):
            library.documents(again, known)
        return
    assert_same_documents(library.documents(again, known), library.documents(again))
    assert_same_documents(library.documents(scan, library.documents(again)), known)


def test_an_archive_is_known_with_the_number_of_its_members_and_they_with_what_was_found(library: LibraryFile) -> None:
    _, archive = stored(library)
    known = library.known("r")
    assert set(known) == {b"/docs/a.zip", b"/docs/z.txt"}, "members are none of the files"
    assert (known[b"/docs/a.zip"].id, known[b"/docs/a.zip"].members) == (archive, 2)
    assert known[b"/docs/z.txt"].members is None
    (members,) = library.known_members().values()
    facts = {path: (known.id, known.revision, *known.key[2:4], known.status, known.detail, known.media)
             for path, known in members.items()}  # fmt: skip
    assert facts == {
        b"/docs/a.zip/in/b.txt": (archive + 1, "r", 1002, 10**18 + 2, "read", "", "txt"),
        b"/docs/a.zip/c.txt": (archive + 3, "", 1004, 10**18 + 4, "skipped", '{"hidden_file":{}}', "txt"),
    }


def test_what_was_read_of_a_member_counts_before_what_a_later_request_left_out(library: LibraryFile) -> None:
    scan, archive = stored(library)
    library.add(scan, "", [(member(archive, "in/b.txt", 5, status="skipped"), False)])
    assert library.known_members()[archive][b"/docs/a.zip/in/b.txt"].revision == "r"


@pytest.mark.parametrize("status", ["vanished", "changed", "unreadable"])
def test_a_member_with_a_passing_trouble_is_not_known(library: LibraryFile, status: str) -> None:
    scan, archive = stored(library)
    library.add(scan, "r", [(member(archive, "d.txt", 6, status=status), False)])
    assert b"/docs/a.zip/d.txt" not in library.known_members()[archive]


def test_members_are_forgotten_with_their_scan(library: LibraryFile) -> None:
    scan, _ = stored(library)
    library.delete_scan(scan)
    assert library.known_members() == {} and library.counts()["documents"] == 0


def test_a_member_without_its_archive_is_damage(library: LibraryFile) -> None:
    scan = library.begin_scan(summary(Path("/docs")), "r")
    library.add(scan, "r", [(member(4711, "b.txt", 2), False)])
    with pytest.raises(LibraryDamaged):
        library.documents(scan)


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_library_from_before_archives_keeps_what_it_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path, isolation_level=None)
    seals.register(connection)
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "VERSION", version)
        schema.mark(connection)
        schema.migrate(connection)
    names = [name for _, name, *_ in connection.execute("PRAGMA table_info(document)")]
    assert ("archive" in names) == (version >= 3)
    plain = {"path": b"/docs/z.txt", "revision": "r", "status": "read", "detail": "", "media": "txt", "archive": None}
    values = [plain.get(name, "" if name in ("reader", "title", "author", "language") else 0) for name in names[1:]]
    connection.execute(f"INSERT INTO document ({', '.join(names[1:])}) VALUES ({','.join('?' * len(values))})", values)
    if version >= 5:
        seals.reseal(connection)
    connection.close()
    with LibraryFile(path, write=True) as library:
        assert library.known("r")[b"/docs/z.txt"].members is None or version >= 3
        assert library.known_members() == {}
