"""Decisions: stored apart from the library, with a checksum for each row."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import shutil
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import DecisionsDamaged, LibraryUnreachable
from dupfinder.base.paths import default_library
from dupfinder.library import store
from dupfinder.library.decisions import Decision, Decisions, StoredVerdict, VerdictKind
from dupfinder.library.library import LibraryFile
from tests.library.making import row, stored

PATHS = st.sampled_from([Path("/a"), Path("/two\nlines"), Path(os.fsdecode(b"/caf\xe9")), Path("/年")])
ROWS = st.lists(st.tuples(PATHS, st.sampled_from(["aa", "bb", ""]), st.sampled_from([0, 1, 2])), max_size=6)


@given(st.lists(ROWS, max_size=5))
def test_the_last_decision_on_a_path_is_the_one_that_is_kept(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[tuple[Path, str, int]]]
) -> None:
    path = tmp_path_factory.mktemp("kept") / "decisions.db"
    expected: dict[str, tuple[str, int]] = {}
    for batch in batches:
        Decisions(path).store(batch)
        for name, content, decision in batch:
            expected[str(name)] = (content, decision)
    assert Decisions(path).load() == {name: kept for name, kept in expected.items() if kept[1]}


def test_decisions_and_verdicts_keep_the_numbers_by_which_they_were_stored() -> None:
    names = {"UNDECIDED": 0, "KEEP": 1, "REMOVE": 2, "REMOVE_PART": 3, "REMOVE_COPY": 4}
    assert {kind.name: kind.value for kind in Decision} == names
    kinds = {"REVIEWED": 1, "APART": 2, "NOT_A_FORM": 3, "PAIR_APART": 4}
    assert {kind.name: kind.value for kind in VerdictKind} == kinds


def test_many_decisions_are_stored_in_pieces_and_the_last_one_on_a_path_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupfinder.library.decisions._AT_ONCE", 2)
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.store((Path(f"/{number % 5}"), "aa", 1 + number // 5) for number in range(9))
    assert decisions.load() == {f"/{number}": ("aa", 1 if number == 4 else 2) for number in range(5)}


def test_decisions_survive_a_cleared_and_a_damaged_library(tmp_path: Path) -> None:
    library = default_library()
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.store([(Path("/a"), "aa", 2)])
    with LibraryFile(library, write=True) as opened:
        stored(opened, row(Path("/a"), 1))
    store.delete(library)
    assert decisions.load() == {"/a": ("aa", 2)}
    library.write_text("no library " * 1000)
    LibraryFile(library, write=True).close()
    assert decisions.load() == {"/a": ("aa", 2)}


@pytest.mark.parametrize("change", ["decision = 1", "content = 'cc'", "path = X'2F7A'", "checksum = X'00'"])
def test_a_row_that_was_tampered_with_counts_as_not_there(tmp_path: Path, change: str) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.store([(Path("/a"), "aa", 2), (Path("/b"), "bb", 2)])
    connection = sqlite3.connect(decisions.path)
    connection.execute(f"UPDATE decision SET {change} WHERE path = X'2F61'")
    connection.commit()
    connection.close()
    assert decisions.load() == {"/b": ("bb", 2)}
    with pytest.raises(DecisionsDamaged):
        decisions.check()
    decisions.check()  # it is told once
    assert decisions.load() == {"/b": ("bb", 2)}


def test_a_damaged_file_is_put_aside_and_the_next_decision_is_kept(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.path.write_text("no decisions " * 1000)
    assert decisions.load() == {}
    assert len(list(tmp_path.glob("decisions.db.damaged-*"))) == 1
    decisions.store([(Path("/a"), "aa", 2)])
    with pytest.raises(DecisionsDamaged) as caught:
        decisions.check()
    assert caught.value.moved_to in list(tmp_path.iterdir())
    decisions.check()  # it is told once
    assert decisions.load() == {"/a": ("aa", 2)}


def test_decisions_can_be_stored_after_their_file_was_damaged(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.path.write_text("no decisions " * 1000)
    decisions.store([(Path("/a"), "aa", 2)])
    assert decisions.load() == {"/a": ("aa", 2)}


def test_bytes_flipped_anywhere_lose_decisions_but_make_none_up(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    kept = {f"/docs/{number}": (f"{number:032x}", 1 + number % 2) for number in range(40)}
    decisions.store((Path(path), content, decision) for path, (content, decision) in kept.items())
    whole = decisions.path.read_bytes()
    chance = random.Random(1)
    for _ in range(80):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 30))):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        decisions.path.write_bytes(damaged)
        decisions = Decisions(decisions.path)
        assert decisions.load().items() <= kept.items()
        if decisions.load() != kept:
            with pytest.raises(DecisionsDamaged):
                decisions.check()


def test_a_damaged_file_that_may_not_be_renamed_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Path:
        raise OSError(errno.EROFS, "Read-only file system")

    decisions = Decisions(tmp_path / "decisions.db")
    decisions.path.write_text("no decisions " * 1000)
    monkeypatch.setattr(Path, "rename", refuse)
    for ask in (decisions.load, decisions.check, decisions.verdicts):
        with pytest.raises(LibraryUnreachable):
            ask()


def test_a_change_that_was_cut_off_is_not_seen_also_in_a_folder_that_may_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cut").mkdir()
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.store((f"/docs/{number}", "aa", 1) for number in range(3_000))
    with contextlib.closing(sqlite3.connect(decisions.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # pages, so that changes reach the file before they are committed
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE decision SET decision = 2, checksum = x'00'")
        for name in ("decisions.db", "decisions.db-journal"):
            shutil.copy(tmp_path / name, tmp_path / "cut")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert Decisions(tmp_path / "cut" / "decisions.db").load() == decisions.load()


def test_the_file_is_checked_again_only_after_another_program_changed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(statements.append)
        return connection

    def checks() -> int:
        count = sum("quick_check" in statement for statement in statements)
        statements.clear()
        return count

    monkeypatch.setattr("dupfinder.library.decisions._AT_ONCE", 2)
    monkeypatch.setattr(sqlite3, "connect", traced)
    decisions, other = Decisions(tmp_path / "decisions.db"), Decisions(tmp_path / "decisions.db")
    decisions.store((f"/docs/{number}", "aa", 1) for number in range(9))
    assert checks() == 1
    decisions.store([("/docs/1", "aa", 2)])
    assert decisions.load()["/docs/1"] == ("aa", 2) and checks() == 0
    other.store((f"/more/{number}", "aa", 1) for number in range(100))
    assert checks() == 1
    assert len(decisions.load()) == 109 and checks() == 1


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_the_file_is_readable_by_its_owner_alone(tmp_path: Path, umask: None) -> None:
    Decisions(tmp_path / "kept" / "decisions.db").store([(Path("/a"), "aa", 2)])
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "kept").iterdir()} == {0o600}


VERDICTS = st.builds(
    StoredVerdict,
    st.integers(1, 2),
    st.lists(st.tuples(PATHS.map(str), st.sampled_from(["aa", ""])), max_size=3).map(tuple),
)


@given(st.lists(st.tuples(st.lists(VERDICTS, max_size=3), st.lists(VERDICTS, max_size=3)), max_size=4))
def test_verdicts_are_kept_until_they_are_dropped(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[list[StoredVerdict], list[StoredVerdict]]]
) -> None:
    decisions = Decisions(tmp_path_factory.mktemp("kept") / "decisions.db")
    expected: set[StoredVerdict] = set()
    for added, dropped in changes:
        decisions.store_verdicts(added, dropped)
        expected = (expected - set(dropped)) | set(added)
    kept = decisions.verdicts()
    assert set(kept) == expected and len(kept) == len(expected)


@pytest.mark.parametrize("change", ["body = '[1, null, []]'", "id = X'00'", "body = X'00'"])
def test_a_verdict_that_was_tampered_with_counts_as_not_there(tmp_path: Path, change: str) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    decisions.store_verdicts([StoredVerdict(1, (("/a", "aa"),))])
    connection = sqlite3.connect(decisions.path)
    connection.execute(f"UPDATE verdict SET {change}")
    connection.commit()
    connection.close()
    assert decisions.verdicts() == []
    with pytest.raises(DecisionsDamaged):
        decisions.check()
    decisions.path.write_text("no database " * 1000)
    assert decisions.verdicts() == []


def test_a_verdict_of_an_earlier_version_on_what_is_inside_a_document_is_not_one_on_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions, kept = Decisions(tmp_path / "decisions.db"), StoredVerdict(1, (("/a", "aa"), ("/b", "bb")))
    monkeypatch.setattr(StoredVerdict, "body", lambda self: json.dumps([self.kind, ["/whole", "cc"], self.documents]))
    decisions.store_verdicts([kept])
    monkeypatch.undo()
    assert decisions.verdicts() == []
    decisions.store_verdicts([kept])
    assert decisions.verdicts() == [kept]
