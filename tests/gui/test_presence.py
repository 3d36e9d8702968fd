"""What is no longer on the disk leaves the results; what is back returns; a missing drive loses nothing."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Silent
from dupfinder.gui.theme import Theme
from dupfinder.gui.views.presence import Presence, missing_documents
from dupfinder.library.decisions import Decisions
from dupfinder.review.members import Decision
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import scan_result
from tests.gui.showing import page_on, session_in


def test_a_document_that_went_leaves_the_results_and_comes_back_with_its_file(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    presence = Presence(session)
    victim = tmp_path / "minutes" / "Board minutes (1).txt"
    victim.rename(tmp_path / "aside.txt")
    presence.look()
    qtbot.waitUntil(lambda: len(session.clusters()) == 1)
    (tmp_path / "aside.txt").rename(victim)
    presence.look()
    qtbot.waitUntil(lambda: len(session.clusters()) == 2)


def test_nothing_is_gone_while_its_drive_is_not_connected(tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    session = session_in(folder)
    folder.rename(tmp_path / "elsewhere")
    assert missing_documents(session, Silent()) == frozenset()


def test_a_page_that_is_shown_again_looks_again(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = page_on(session_in(tmp_path), theme)
    qtbot.addWidget(page)
    page.show()
    (tmp_path / "minutes" / "Board minutes.txt").unlink()
    page.entered()
    qtbot.waitUntil(lambda: len(page.session.clusters()) == 1)
    page.close_session()


def test_all_present_changes_nothing(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    told: list[object] = []
    session.subscribe(told.append)
    presence = Presence(session)
    presence.look()
    qtbot.wait(200)
    assert told == []


def test_a_document_that_is_gone_is_neither_compared_nor_decided(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = page_on(session_in(tmp_path), theme)
    qtbot.addWidget(page)
    page.show()
    second = page.detail.members[1]
    assert page.detail.pair == (0, 1)
    second.path.unlink()
    page.entered()
    qtbot.waitUntil(lambda: page.detail.members[1].gone)
    assert page.detail.pair == (0, 2)
    page.detail.table.choose_row(1)
    page.toggle_remove()
    assert page.session.summary().documents == 0
    page.grab()
    page.close_session()


def test_the_mark_of_a_document_that_went_is_not_remembered(tmp_path: Path) -> None:
    stored = Decisions(tmp_path / "decisions.db")
    session = ReviewSession(scan_result(tmp_path / "papers"), stored)
    session.decide([5], Decision.REMOVE)
    assert len(stored.load()) == 1
    session.forget([5])
    assert stored.load() == {}


def test_what_is_gone_counts_neither_as_a_document_nor_as_space_to_free(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    table = session.clusters()
    place = table.size.tolist().index(4)
    cluster, before = int(table.ids[place]), int(table.bytes_to_free[place])
    keeper, *others = session.members(cluster)
    session.forget([others[0].document])
    table = session.clusters()
    place = table.ids.tolist().index(cluster)
    assert table.size[place] == 3
    assert table.bytes_to_free[place] == before - others[0].size
    session.forget([keeper.document])
    table = session.clusters()
    place = table.ids.tolist().index(cluster)
    assert table.size[place] == 2
    assert 0 < table.bytes_to_free[place] <= max(one.size for one in others[1:])
