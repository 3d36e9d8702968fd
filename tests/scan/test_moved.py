"""What was decided of a file follows it when it was moved or renamed between two scans, and never another file."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.library.decisions import Decision, Decisions, StoredVerdict, VerdictKind
from tests import making
from tests.scan.documents import prose, put
from tests.scan.scanning import scan

TEXT, OTHER = making.txt(prose(1)), making.txt(prose(2))


class Place:
    """A folder with a file and a copy of it that is to be removed, scanned once."""

    def __init__(self, top: Path) -> None:
        self.docs, self.library = top / "docs", top / "data" / "library.db"
        self.first, self.copy = put(self.docs / "letter.txt", TEXT), put(self.docs / "in" / "copy.txt", TEXT)
        put(self.docs / "other.txt", OTHER)
        documents = scan(self.library, self.docs).documents
        self.content = documents.content_hex(list(documents.paths).index(str(self.copy)))
        self.decisions = Decisions(self.library.parent / DECISIONS_NAME)
        self.decisions.store([(self.copy, self.content, Decision.REMOVE), (self.first, self.content, Decision.KEEP)])

    def scan_again(self, *, fresh: bool = False) -> dict[str, Decision]:
        """Return the decisions after another scan, by path below the folder."""
        scan(self.library, self.docs, fresh=fresh)
        decisions = self.decisions.load().items()
        return {os.path.relpath(path, self.docs): Decision(decision) for path, (_, decision) in decisions}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


BEFORE = {"letter.txt": Decision.KEEP, "in/copy.txt": Decision.REMOVE}


@pytest.mark.parametrize("fresh", [False, True])
def test_a_mark_and_a_keep_follow_their_files(place: Place, fresh: bool) -> None:
    place.copy.rename(place.docs / "renamed.txt")
    assert place.scan_again(fresh=fresh) == {"letter.txt": Decision.KEEP, "renamed.txt": Decision.REMOVE}
    place.first.rename(put(place.docs / "kept" / "moved.txt", b""))
    assert place.scan_again(fresh=fresh) == {"kept/moved.txt": Decision.KEEP, "renamed.txt": Decision.REMOVE}


def test_what_was_said_of_a_group_names_the_new_path(place: Place) -> None:
    documents = ((str(place.copy), place.content), (str(place.first), place.content))
    place.decisions.store_verdicts([StoredVerdict(VerdictKind.APART, documents)])
    place.copy.rename(place.docs / "renamed.txt")
    place.scan_again()
    moved = ((str(place.first), place.content), (str(place.docs / "renamed.txt"), place.content))
    assert place.decisions.verdicts() == [StoredVerdict(VerdictKind.APART, moved)]


def test_a_further_copy_takes_over_no_decision(place: Place) -> None:
    put(place.docs / "new.txt", TEXT)
    assert place.scan_again() == BEFORE
    place.copy.unlink()  # and no file is new
    assert place.scan_again() == BEFORE


def test_nothing_follows_where_it_is_not_clear_which_file_is_which(place: Place) -> None:
    place.copy.rename(place.docs / "one.txt")
    put(place.docs / "two.txt", TEXT)
    assert place.scan_again() == BEFORE
    (place.docs / "one.txt").rename(place.docs / "three.txt")
    place.first.rename(place.docs / "four.txt")
    assert place.scan_again() == BEFORE


def test_no_decision_moves_to_another_content_or_while_the_file_is_there(place: Place) -> None:
    put(place.docs / "letter.txt", OTHER)  # the kept file says something else now, and a copy of it is new
    put(place.docs / "new.txt", TEXT)
    assert place.scan_again() == BEFORE
    place.copy.rename(place.docs.parent / "outside.txt")
    put(place.docs / "in" / "changed.txt", OTHER)
    assert place.scan_again() == BEFORE


@pytest.mark.parametrize("count", range(4))
def test_a_kill_while_decisions_follow_their_files_loses_none(
    place: Place, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Kill before the first, second, ... transaction that changes decisions."""
    documents = ((str(place.copy), place.content), (str(place.first), place.content))
    place.decisions.store_verdicts([StoredVerdict(VerdictKind.APART, documents)])
    place.copy.rename(place.docs / "renamed.txt")
    real, left = Decisions._change, count

    def change(self: Decisions, write: Callable[[sqlite3.Connection], object]) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return real(self, write)

    with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(Decisions, "_change", change)
        place.scan_again()
    assert place.scan_again() == {"letter.txt": Decision.KEEP, "renamed.txt": Decision.REMOVE}
    (verdict,) = place.decisions.verdicts()
    assert {path for path, _ in verdict.documents} == {str(place.first), str(place.docs / "renamed.txt")}


def test_files_that_took_each_others_names_keep_their_decisions(place: Place) -> None:
    (content,) = {content for _, content in place.decisions.documents()}
    chain = {("a", content): "b", ("b", content): "c"}
    place.decisions.store([("a", content, Decision.KEEP), ("b", content, Decision.REMOVE)])
    place.decisions.follow(chain)
    decisions = {path: decision for path, (_, decision) in place.decisions.load().items() if len(path) == 1}
    assert decisions == {"b": Decision.KEEP, "c": Decision.REMOVE}


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="needs a second drive")
def test_decisions_stay_with_the_files_of_a_drive_that_is_not_connected(place: Place) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as drive:
        connected = place.docs.parent / "drive"
        connected.symlink_to(drive)
        if os.stat(drive).st_dev == os.stat(place.docs).st_dev:
            pytest.skip("one drive holds both folders")
        on_drive = put(connected / "book.txt", making.txt(prose(3)))
        documents = scan(place.library, connected).documents
        place.decisions.store([(on_drive, documents.content_hex(0), Decision.REMOVE)])
        connected.unlink()
        connected.mkdir()  # where the drive was
        put(place.docs.parent / "others" / "book.txt", making.txt(prose(3)))
        scan(place.library, place.docs.parent / "others")
    assert place.decisions.load()[str(on_drive)] == (documents.content_hex(0), Decision.REMOVE)
