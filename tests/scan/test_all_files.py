"""Files of every kind: compared by their bytes alone where they are no documents, and only where that is asked for."""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dupfinder.gui.kit import words
from dupfinder.library.rows import READ, ScanResult
from dupfinder.report import json as json_report
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from tests import making
from tests.report.schema import validator
from tests.scan import scanning
from tests.scan.documents import prose, put
from tests.scan.scanning import statuses

CHANCE = random.Random(3)
PHOTO, VIDEO, NOISE = (CHANCE.randbytes(size) for size in (3000, 70_000, 900))
scan = partial(scanning.scan, largest=50_000)  # bytes of a document that is read


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Twice each: a photo, a video, a program, noise without a suffix, an archive, a text too large to be read."""
    docs = tmp_path / "docs"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("letter.txt", making.txt(prose(1)))
    large = making.txt(prose(2)) * 40
    for folder in ("one", "two"):
        put(docs / folder / "photo.jpg", PHOTO)
        put(docs / folder / "video.mp4", VIDEO)
        put(docs / folder / "program.py", b"print('the same program')\n")
        put(docs / folder / "noise", NOISE)
        put(docs / folder / "letters.zip", packed.getvalue())
        put(docs / folder / "large.txt", large)
    put(docs / "one" / "lone.png", NOISE[:500])
    put(docs / "one" / "empty.png", b"")
    put(docs / "two" / "empty.png", b"")
    put(docs / "two" / "letter.txt", making.txt(prose(1)))
    return docs


def identical(result: ScanResult, docs: Path) -> set[tuple[str, ...]]:
    """The groups of files that are the same bytes, by their paths; members of archives are left out."""
    by_bytes = defaultdict(list)
    documents = result.documents
    for place, copy in enumerate(documents.files().representative.tolist()):
        if not documents.inside[place]:
            by_bytes[copy].append(os.path.relpath(documents.paths[place], docs))
    return {tuple(paths) for paths in by_bytes.values() if len(paths) > 1}


PAIRS = {
    (f"one/{name}", f"two/{name}")
    for name in ("photo.jpg", "video.mp4", "program.py", "noise", "letters.zip", "large.txt")
}


def test_files_of_every_kind_and_size_are_found_as_copies_and_told_as_no_documents(docs: Path, tmp_path: Path) -> None:
    result = scan(tmp_path / "library.db", docs, all_files=True)
    status_of = statuses(result, docs)
    assert {name for name, status in status_of.items() if status == READ} == {
        "two/letter.txt", "one/letters.zip/letter.txt", "two/letters.zip/letter.txt",
    }  # fmt: skip
    assert {status for name, status in status_of.items() if name.endswith("letters.zip")} == {"skipped"}
    assert {status for name, status in status_of.items() if not name.endswith((".zip", "letter.txt"))} == {"bytes_only"}
    assert identical(result, docs) == PAIRS
    session = ReviewSession(result)
    for place in range(len(session.all_clusters())):
        for member in session.members_at(place):
            assert member.bytes_only == (member.path.suffix not in (".zip", ".txt") or member.name == "large.txt")
            if member.bytes_only and not member.is_keeper:
                assert words.detail_of(member, None) == "same bytes; not a document"
    report = report_of(session)
    clusters = {cluster.members[0].path.suffix: cluster for cluster in report.clusters}
    assert [member.relation for member in clusters[".mp4"].members] == ["keeper", "identical"]
    summary = report.summary
    assert summary.bytes_only == 13 and summary.read + summary.problems + summary.skipped + 13 == summary.offered
    written = io.BytesIO()
    json_report.write(report, written)
    validator().validate(json.loads(written.getvalue()))


def test_a_scan_that_does_not_ask_for_them_finds_none(docs: Path, tmp_path: Path) -> None:
    result = scan(tmp_path / "library.db", docs)
    assert identical(result, docs) == set()
    assert "bytes_only" not in statuses(result, docs).values()


def test_what_was_asked_for_before_never_shows(docs: Path, tmp_path: Path) -> None:
    """Whatever was asked for in earlier scans, a scan finds what it finds in a new library."""
    library = tmp_path / "library.db"
    asked: list[dict[str, Any]] = [
        {"all_files": True}, {}, {"all_files": True, "formats": frozenset({"pdf"})}, {"formats": frozenset({"pdf"})},
        {"all_files": True, "archives": False}, {"all_files": True},
    ]  # fmt: skip
    for number, choices in enumerate(asked):
        result = scan(library, docs, **choices)
        afresh = scan(tmp_path / f"new{number}.db", docs, **choices)
        assert statuses(result, docs) == statuses(afresh, docs), choices
        assert identical(result, docs) == identical(afresh, docs), choices


def test_a_copy_of_an_archive_frees_its_bytes_though_its_members_are_listed_too(docs: Path, tmp_path: Path) -> None:
    listed, closed = (
        scan(tmp_path / f"{choice}.db", docs, all_files=True, archives=choice) for choice in (True, False)
    )
    assert listed.documents.inside.any() and not closed.documents.inside.any()
    size = (docs / "one" / "letters.zip").stat().st_size
    frees = [ReviewSession(result).counts().bytes_to_free for result in (listed, closed)]
    assert frees[0] == frees[1] >= size


def test_an_unchanged_second_scan_takes_every_file_over(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library.db"
    first = scan(library, docs, all_files=True)
    with monkeypatch.context() as patch:
        patch.setattr("dupfinder.scan.exact._hash_file", lambda *_: pytest.fail("an unchanged file was opened"))
        second = scan(library, docs, all_files=True)
        second = scan(library, docs, all_files=True)
        scan(library, docs)  # which leaves most of them out
        assert identical(scan(library, docs, all_files=True), docs) == PAIRS
    assert second.documents.ids.tolist() == first.documents.ids.tolist()
    put(docs / "two" / "photo.jpg", NOISE)
    put(docs / "two" / "lone.png", NOISE[:500])
    third = scan(library, docs, all_files=True)
    changed = {("one/noise", "two/noise", "two/photo.jpg"), ("one/lone.png", "two/lone.png")}
    assert identical(third, docs) == PAIRS - {("one/photo.jpg", "two/photo.jpg"), ("one/noise", "two/noise")} | {
        tuple(sorted(paths)) for paths in changed
    }


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_photo_that_may_not_be_read_is_told_as_trouble(docs: Path, tmp_path: Path) -> None:
    (docs / "one" / "photo.jpg").chmod(0)
    assert statuses(scan(tmp_path / "library.db", docs, all_files=True), docs)["one/photo.jpg"] == "unreadable"


def test_files_left_out_for_the_same_reason_are_stored_once(docs: Path, tmp_path: Path) -> None:
    library = tmp_path / "library.sqlite"
    first = scan(library, docs)
    again = scan(library, docs)
    assert again.documents.ids.tolist() == first.documents.ids.tolist()
    os.utime(docs / "one" / "photo.jpg", (1, 1))
    photo = [path.endswith(os.path.join("one", "photo.jpg")) for path in first.documents.paths].index(True)
    changed = scan(library, docs)
    assert [place for place, number in enumerate(changed.documents.ids) if number != first.documents.ids[place]] == [
        photo
    ]
    assert statuses(changed, docs) == statuses(first, docs)
