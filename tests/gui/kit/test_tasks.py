from __future__ import annotations

import os
import time
from dataclasses import fields, make_dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.plan import Verb
from dupfinder.base.details import ProblemKind
from dupfinder.base.errors import LibraryMissing, RootError
from dupfinder.base.progress import LatestProgress, SilentReporter, Stopped
from dupfinder.cluster.clustering import CLUSTERING_REVISION, Clusters
from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.tasks import ScanCounts
from dupfinder.library.decisions import Decision
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanResult, ScanSummary
from dupfinder.review.grouping import Grouping
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.wording.catalogue import speaking
from tests.actions.making import alike, plan_of, step

SENTENCE = "Part {} of the archive keeps every letter that the committee received between spring and autumn. "


LEASE = (
    "Lease. Tenant: {name}. Born on: {day} March {year}. The tenant rents the flat in Harbour Road from the landlord. "
    "The rent is due on the first day of each month and is paid by transfer. The landlord keeps the house in good "
    "repair and the tenant treats the flat with care. A deposit is paid when the lease begins, and is paid back when "
    "it ends, less what is still owed. Keys are handed over in the presence of a witness. Monthly rent: {rent} euros. "
    "Deposit: {rent}0 euros. Signed on {day} May 2024.\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "letters"
    (top / "old").mkdir(parents=True)
    for number in range(3):
        text = "".join(SENTENCE.format(number * 100 + part) for part in range(20))
        (top / f"letter {number}.txt").write_text(text, encoding="utf-8")
        (top / "old" / f"copy {number}.txt").write_text(text, encoding="utf-8")
    (top / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF follows")
    return top


@pytest.fixture
def scanned(folder: Path, home: Path) -> Path:
    """A library that holds a scan of the folder."""
    library = home / "library.db"
    tasks.scan(ScanRequest((Root(folder),), workers=1), library, tasks.ScanFindings(), SilentReporter())
    return library


def test_with_no_library_there_is_no_recent_scan_and_no_review(home: Path) -> None:
    assert tasks.recent_scans(home / "library.db", SilentReporter()) == []
    with pytest.raises(LibraryMissing):
        tasks.session(home / "library.db", None, SilentReporter())


def test_a_look_for_removals_locks_nothing_where_there_were_none(home: Path) -> None:
    assert tasks.cut_off_removal(SilentReporter()) is None
    assert tasks.removals(timedelta(days=90), SilentReporter()) == []
    assert not Journal().path.exists()  # a lock would have made it


def test_a_scan_is_listed_once_however_often_it_ran(scanned: Path, folder: Path) -> None:
    tasks.scan(ScanRequest((Root(folder),), workers=1), scanned, tasks.ScanFindings(), SilentReporter())
    listed = tasks.recent_scans(scanned, SilentReporter())
    assert [entry.summary.name for entry in listed] == ["letters"]
    assert (listed[0].missing, listed[0].marked) == ((), 0)


def test_a_folder_that_the_system_cannot_look_at_is_missing_and_the_scans_are_listed(home: Path) -> None:
    unreachable = Path("/" + "x" * 300)  # as on a share whose server is down, looking at it is an error
    with LibraryFile(home / "library.db", write=True) as library:
        started = datetime(2026, 1, 1, tzinfo=UTC)
        roots = ((unreachable, "scan"),)
        library.begin_scan(ScanSummary.begun("share", roots, started, Demand(0.7, 0.85, 8), "s"), "1")
    (listed,) = tasks.recent_scans(home / "library.db", SilentReporter())
    assert listed.missing == (unreachable,)


def test_a_count_of_groups_by_other_rules_is_corrected_when_the_scan_is_opened(scanned: Path) -> None:
    (before,) = tasks.recent_scans(scanned, SilentReporter())
    with LibraryFile(scanned, write=True) as library:
        library.note_groups(before.summary.id, before.summary.clusters + 7)
        session = tasks.session(scanned, None, SilentReporter())  # while another writes, the count waits
        assert library.scans()[0].clusters == before.summary.clusters + 7
    assert len(session.all_clusters()) == before.summary.clusters > 0
    tasks.session(scanned, None, SilentReporter())
    assert tasks.recent_scans(scanned, SilentReporter())[0].summary.clusters == before.summary.clusters


def test_a_scan_that_found_forms_alone_is_listed_with_them(home: Path, tmp_path: Path) -> None:
    names = ("Mara Lind", "Jon Berg", "Ada Holm", "Nils Falk", "Rosa Dahl", "Piet Moor", "Olga Brandt")
    (tmp_path / "forms").mkdir()
    for number, name in enumerate(names):
        filled = LEASE.format(name=name, day=number + 3, year=1960 + number, rent=317 * number + 840)
        (tmp_path / "forms" / f"form {number}.txt").write_text(filled, encoding="utf-8")
    library = home / "library.db"
    tasks.scan(ScanRequest((Root(tmp_path / "forms"),), workers=1), library, tasks.ScanFindings(), SilentReporter())
    (listed,) = tasks.recent_scans(library, SilentReporter())
    assert listed.summary.clusters == 0 and listed.only_forms
    for part in home.glob("library.db.*.columns"):
        part.write_bytes(b"")
    (listed,) = tasks.recent_scans(library, SilentReporter())
    assert not listed.only_forms  # that it is damaged is told when it is opened


def test_marks_and_missing_folders_are_told_in_the_list(scanned: Path, folder: Path) -> None:
    session = tasks.session(scanned, None, SilentReporter())
    cluster = int(session.listed().ids[0])
    session.marks.decide([session.members(cluster)[1].document], Decision.REMOVE)
    assert tasks.recent_scans(scanned, SilentReporter())[0].marked == 1
    marked_path = session.members(cluster)[1].path
    marked_path.rename(folder / "aside")
    assert tasks.recent_scans(scanned, SilentReporter())[0].marked == 0  # what went, as by a removal, is no mark
    (folder / "aside").rename(marked_path)
    assert tasks.recent_scans(scanned, SilentReporter())[0].marked == 1
    os.utime(marked_path, (time.time() + 60,) * 2)
    assert tasks.recent_scans(scanned, SilentReporter())[0].marked == 0  # nor what changed, which is not removed
    folder.rename(folder.with_name("moved"))
    assert tasks.recent_scans(scanned, SilentReporter())[0].missing == (folder,)


def test_a_scan_without_groups_is_listed_without_the_marks_of_a_wider_scan(scanned: Path, folder: Path) -> None:
    session = tasks.session(scanned, None, SilentReporter())
    copies = [int(row) for row, path in enumerate(session.result.documents.paths) if "copy" in path]
    session.marks.decide(copies, Decision.REMOVE)
    tasks.scan(ScanRequest((Root(folder / "old"),), workers=1), scanned, tasks.ScanFindings(), SilentReporter())
    listed = {entry.summary.name: entry.marked for entry in tasks.recent_scans(scanned, SilentReporter())}
    assert listed == {"letters": 3, "old": 0}  # as its results show


def test_counting_tells_what_is_unchanged_by_the_innermost_folder(scanned: Path, folder: Path) -> None:
    counts = ScanCounts()
    request = ScanRequest((Root(folder), Root(folder / "old", Role.PROTECT)))
    (folder / "letter 0.txt").write_text("another text", encoding="utf-8")
    tasks.count(request, scanned, counts, SilentReporter())
    assert counts.complete
    assert {path.name: documents for path, (documents, _) in counts.by_root.items()} == {"letters": 4, "old": 3}
    assert counts.unchanged == 6


def test_files_that_are_named_one_by_one_are_counted_one_by_one(folder: Path, home: Path) -> None:
    counts, files = ScanCounts(), [folder / f"letter {number}.txt" for number in range(2)]
    tasks.count(ScanRequest((*map(Root, files), Root(folder / "old"))), home / "library.db", counts, SilentReporter())
    assert {path: documents for path, (documents, _) in counts.by_root.items()} == {
        files[0]: 1, files[1]: 1, folder / "old": 3,
    }  # fmt: skip


def test_what_a_removal_moved_into_a_scanned_folder_is_not_counted(folder: Path, home: Path) -> None:
    kept, copy = folder / "letter 0.txt", folder / "old" / "copy 0.txt"
    carry_out(plan_of([step(copy, kept, Verb.MOVE)], folder, to=folder / "aside"), journal=Journal(), judge=alike)
    counts = ScanCounts()
    tasks.count(ScanRequest((Root(folder),)), home / "library.db", counts, SilentReporter())
    assert (folder / "aside").is_dir() and counts.documents == 6


def test_counting_can_be_stopped_and_tells_of_a_folder_that_is_gone(folder: Path, home: Path) -> None:
    stopped = LatestProgress()
    stopped.stop()
    with pytest.raises(Stopped):
        tasks.count(ScanRequest((Root(folder),)), home / "library.db", ScanCounts(), stopped)
    with pytest.raises(RootError):
        tasks.count(ScanRequest((Root(folder / "gone"),)), home / "library.db", ScanCounts(), SilentReporter())


def test_the_time_that_reading_takes_is_told_by_the_newest_scan_that_read_enough() -> None:
    def scan(read: int, reused: int, seconds: float, days: int) -> ScanSummary:
        started = datetime(2026, 1, 1, tzinfo=UTC) - timedelta(days=days)
        return ScanSummary(days, "", (), started, seconds, "done", read, read, 0, 8, 0.7, 0.85, 16, "s", reused)

    pace = tasks._pace([scan(1000, 0, 100.0, 3), scan(500, 490, 1.0, 1), scan(2000, 0, 100.0, 2)])
    assert pace == 20
    assert ScanCounts({Path("/a"): (1000, 0)}, unchanged=400, pace=pace).seconds() == 30
    assert ScanCounts({Path("/a"): (1000, 0)}).seconds() is None


def test_the_files_of_one_kind_of_trouble_are_listed_with_their_clause(scanned: Path, folder: Path) -> None:
    (problem,) = tasks.problems(scanned, ProblemKind.DAMAGED, SilentReporter())
    assert problem == (folder / "broken.pdf", "pdfium cannot open it")
    with speaking("zh_CN"):
        assert tasks.problems(scanned, ProblemKind.DAMAGED, SilentReporter()) == [
            (folder / "broken.pdf", "pdfium 无法打开它")
        ]
    assert tasks.problems(scanned, ProblemKind.ENCRYPTED, SilentReporter()) == []


def test_clearing_forgets_every_scan_and_no_document(scanned: Path, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    tasks.clear_library(scanned, SilentReporter())
    assert tasks.recent_scans(scanned, SilentReporter()) == []
    assert sorted(folder.rglob("*")) == before


def test_only_unfinished_scans_are_discarded(scanned: Path) -> None:
    tasks.clear_library(scanned, SilentReporter(), unfinished_alone=True)
    assert len(tasks.recent_scans(scanned, SilentReporter())) == 1


def test_stored_groups_are_those_that_the_pairs_form_and_others_are_formed_again(
    scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def result() -> ScanResult:
        with LibraryFile(scanned) as opened:
            return opened.result()

    stored = result()
    demand = stored.summary.demand
    clusters, formed = (
        Grouping(replace(stored, clusters=clusters)).clusters(demand) for clusters in (stored.clusters, None)
    )
    assert clusters is stored.clusters and len(formed) > 0
    for column in fields(Clusters):
        np.testing.assert_array_equal(getattr(clusters, column.name), getattr(formed, column.name), strict=True)
    with monkeypatch.context() as changed:
        changed.setattr("dupfinder.library.library.CLUSTERING_REVISION", CLUSTERING_REVISION + 1)
        assert result().clusters is None
    renamed = make_dataclass("Renamed", [(f"{field.name}_of_old", object) for field in fields(Clusters)])
    monkeypatch.setattr("dupfinder.library.library.Clusters", renamed)
    assert result().clusters is None, "an earlier program stored them under other names"


def test_of_a_large_scan_the_list_is_there_first_and_then_the_same_as_of_a_small_one(
    scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = tasks.session(scanned, None, SilentReporter())
    monkeypatch.setattr(tasks, "_AT_ONCE", 0)
    session = tasks.session(scanned, None, SilentReporter())
    cluster = int(session.listed().ids[0])
    assert (at_once.is_complete, session.is_complete) == (True, False)
    assert session.listed().ids.tolist() == at_once.listed().ids.tolist()
    assert session.counts() == at_once.counts() and session.members(cluster) == []
    session.complete()
    assert session.is_complete and session.members(cluster) == at_once.members(cluster) != []
    assert (
        session.grouping.histogram(session.demand).by_similarity.tolist()
        == at_once.grouping.histogram(at_once.demand).by_similarity.tolist()
    )
