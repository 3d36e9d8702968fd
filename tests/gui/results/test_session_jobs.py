"""What is no longer on the disk leaves the results; what is back returns; a missing drive loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.base.errors import LastCopyError
from dupfinder.base.progress import SilentReporter
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.members import MemberColumn
from dupfinder.gui.results.session_jobs import FileWatch, file_states
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import put_up

COPIES = [Paper(f"{folder}/Board minutes.txt", "The board met and decided nothing.\n" * 3) for folder in "abc"]


def test_a_document_that_went_leaves_the_results_and_comes_back_with_its_file(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    watch = FileWatch(session)
    victim = tmp_path / "minutes" / "Board minutes (1).txt"
    victim.rename(tmp_path / "aside.txt")
    watch.look()
    qtbot.waitUntil(lambda: len(session.listed()) == 1)
    (tmp_path / "aside.txt").rename(victim)
    watch.look()
    qtbot.waitUntil(lambda: len(session.listed()) == 2)


def test_nothing_is_gone_while_its_drive_is_not_connected(tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    session = session_in(folder)
    folder.rename(tmp_path / "elsewhere")
    assert set(file_states(session, SilentReporter()).values()) == {FileState.THERE}


def test_a_page_that_is_shown_again_looks_again(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = put_up(page_on(session_in(tmp_path), theme), qtbot)
    (tmp_path / "minutes" / "Board minutes.txt").unlink()
    page.entered()
    qtbot.waitUntil(lambda: len(page.session.listed()) == 1)


def test_files_that_are_all_present_change_nothing(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    changes: list[object] = []
    session.subscribe(changes.append)
    watch = FileWatch(session)
    watch.look()
    qtbot.wait(200)
    assert changes == []


def test_a_document_that_is_gone_is_neither_compared_nor_decided(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = put_up(page_on(session_in(tmp_path), theme), qtbot)
    second = page.detail.model.members[1]
    assert page.detail.model.pair == (0, 1)
    second.path.unlink()
    page.entered()
    qtbot.waitUntil(lambda: page.detail.model.members[1].state is FileState.GONE)
    assert page.detail.model.pair == (0, 2)
    page.detail.table.choose_row(1)
    page.groups.commands["toggle_remove"]()
    assert page.session.summary().documents == 0
    page.grab()


def test_the_pair_and_the_chosen_row_stay_when_a_stack_of_copies_loses_one(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    session = ReviewSession(scan_result(tmp_path, COPIES, ()))
    page = put_up(page_on(session, theme), qtbot)
    model, table = page.detail.model, page.detail.table
    (stack,) = [row for row in range(len(model.rows)) if model.rows[row].stack]
    table.choose_row(stack)
    kept, copies = model.members[0].document, [copy.document for copy in model.rows[stack].stack]
    session.note_files(copies[-1:], FileState.GONE)
    assert {model.members[row].document for row in model.pair} == {kept, copies[0]}
    assert table.chosen_documents() == copies[:1]


def test_the_mark_of_a_document_is_remembered_while_it_is_away_until_it_is_removed(tmp_path: Path) -> None:
    stored = Decisions(tmp_path / "decisions.db")
    session = ReviewSession(scan_result(tmp_path / "papers"), stored)
    session.marks.decide([5], Decision.REMOVE)
    session.note_files([5], FileState.GONE)
    assert len(stored.load()) == 1
    session.note_removed([5])
    assert stored.load() == {}


def test_what_is_gone_counts_neither_as_a_document_nor_as_space_to_free(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    table = session.listed()
    place = table.size.tolist().index(4)
    cluster, before = int(table.ids[place]), int(table.bytes_to_free[place])
    keeper, *others = session.members(cluster)
    session.note_files([others[0].document], FileState.GONE)
    table = session.listed()
    place = table.ids.tolist().index(cluster)
    assert table.size[place] == 3
    assert table.bytes_to_free[place] == before - others[0].size
    session.note_files([keeper.document], FileState.GONE)
    table = session.listed()
    place = table.ids.tolist().index(cluster)
    assert table.size[place] == 2
    assert 0 < table.bytes_to_free[place] <= max(paper.size for paper in others[1:])


def test_a_file_that_changed_is_told_at_once_and_counts_no_more_until_it_is_as_it_was(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    session = session_in(tmp_path)
    page = put_up(page_on(session, theme), qtbot)
    second = page.detail.model.members[1]
    session.marks.decide([second.document], Decision.REMOVE)
    was, status = second.path.read_text(encoding="utf-8"), second.path.stat()
    second.path.write_text(was + " and more", encoding="utf-8")
    page.entered()
    qtbot.waitUntil(lambda: page.detail.model.members[1].state is FileState.CHANGED)
    assert page.detail.table.model().index(1, MemberColumn.RELATION).data() == "Changed since the scan"
    assert page.detail.changed.isVisible() and session.plan().steps == ()
    page.detail.table.choose_row(1)
    page.groups.commands["toggle_remove"]()
    assert session.summary().documents == 0
    page.grab()
    second.path.write_text(was, encoding="utf-8")
    os.utime(second.path, ns=(status.st_atime_ns, status.st_mtime_ns))
    page._look_at_group()
    qtbot.waitUntil(lambda: page.detail.model.members[1].state is FileState.THERE)
    assert page.detail.changed.isHidden()


def test_a_file_whose_only_copy_changed_cannot_be_marked(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    session.note_files([4], FileState.CHANGED)
    with pytest.raises(LastCopyError):
        session.marks.decide([5], Decision.REMOVE)


def test_a_look_that_is_older_than_a_removal_is_not_believed(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    watch = FileWatch(session)
    watch.look()
    session.note_files([5], FileState.GONE)
    watch.ignore([5])
    watch.look()
    qtbot.waitUntil(lambda: not watch._job.is_running)
    assert session.file_state(5) is FileState.GONE


def test_what_changed_is_read_again_by_a_new_scan_of_the_same_folders(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    page = page_on(session_in(tmp_path), theme, qtbot)
    page.session.note_files([page.detail.model.members[1].document], FileState.CHANGED)
    with qtbot.waitSignal(page.rescan_wanted) as rescan:
        page.detail.changed.links[0].click()
    assert rescan.args[0] is page.session.result.summary
