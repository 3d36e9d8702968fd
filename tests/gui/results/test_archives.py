"""Members of archives in the window: shown and compared; opening one opens its archive, and none can be marked."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import SilentReporter
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.members import MemberColumn, MembersModel
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.session_jobs import file_states
from dupfinder.library.decisions import Decision
from dupfinder.library.library import LibraryFile
from dupfinder.review.members import FileState, Member
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Role, Root, ScanRequest
from tests import making
from tests.gui.showing import page_on
from tests.gui.widgets import put_up
from tests.scan.documents import prose, put


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    letter = prose(1)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("in/letter.pdf", making.pdf([letter]))
        made.writestr("letter.txt", making.txt(letter))
    put(tmp_path / "docs" / "old.zip", stream.getvalue())
    put(tmp_path / "docs" / "letter.pdf", making.pdf([letter]))
    return tmp_path / "docs"


@pytest.fixture
def session(docs: Path, tmp_path: Path) -> ReviewSession:
    number = run_scan(ScanRequest((Root(docs),), workers=1), tmp_path / "library.db")
    with LibraryFile(tmp_path / "library.db") as library:
        return ReviewSession(library.result(number))


def members(session: ReviewSession) -> list[Member]:
    return session.members(int(session.listed().ids[0]))


def test_the_place_of_a_member_is_told_up_to_its_archive_and_inside_it(session: ReviewSession, docs: Path) -> None:
    model = MembersModel([docs])
    model.show_members(members(session))
    assert [model.folder(member) for member in model.members] == ["docs", "docs / old.zip › in", "docs / old.zip"]
    tip = model.tip(model.members[1], MemberColumn.DOCUMENT)
    assert tip is not None and "old.zip › in/letter.pdf" in tip


def test_copies_in_an_archive_and_beside_it_are_one_row_of_which_the_file_can_be_marked(
    docs: Path, tmp_path: Path
) -> None:
    (docs / "old.zip").rename(docs / "a.zip")
    put(docs / "kept" / "letter.pdf", (docs / "letter.pdf").read_bytes())
    request = ScanRequest((Root(docs), Root(docs / "kept", Role.PROTECT)), workers=1)
    number = run_scan(request, tmp_path / "library.db")
    with LibraryFile(tmp_path / "library.db") as library:
        session = ReviewSession(library.result(number))
    model = MembersModel([docs])
    model.show_members(members(session))
    row = next(place for place, row in enumerate(model.rows) if row.stack)
    assert model.text(row, MemberColumn.DECISION) == "Decide"
    session.marks.decide(model.rows[row].documents, Decision.REMOVE)
    model.show_members(members(session))
    assert model.text(row, MemberColumn.DECISION) == "Remove 1"
    assert [member.path for member in model.all_members if member.decision is Decision.REMOVE] == [docs / "letter.pdf"]


def test_dragging_members_drags_their_archive_once(session: ReviewSession, docs: Path) -> None:
    model = MembersModel([docs])
    model.show_members(members(session))
    data = model.mimeData([model.index(row, 0) for row in range(3)])
    assert [Path(url.toLocalFile()) for url in data.urls()] == [docs / "letter.pdf", docs / "old.zip"]


def test_members_are_there_as_long_as_their_archive_is(session: ReviewSession, docs: Path) -> None:
    assert set(file_states(session, SilentReporter()).values()) == {FileState.THERE}
    (docs / "old.zip").unlink()
    inside = {member.document for member in members(session) if member.archive is not None}
    states = file_states(session, SilentReporter())
    assert {row for row, state in states.items() if state is FileState.GONE} == inside


def test_a_member_is_not_marked_and_the_window_says_why(
    session: ReviewSession, theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page: ResultsPage = put_up(page_on(session, theme), qtbot)
    opened: list[Path] = []
    monkeypatch.setattr(page.acts, "open", opened.append)
    table = page.detail.table
    row = next(place for place, member in enumerate(page.detail.model.members) if member.name == "letter.txt")
    member = page.detail.model.members[row]
    table.choose_row(row)
    table.decide(Decision.REMOVE)
    assert session.marks.decision(member.document) is Decision.UNDECIDED
    assert page.detail.refusal.isVisible() and "old.zip" in page.detail.refusal._title.text()
    assert not [action.text() for action in table.row_menu(row).actions() if action.text().startswith("Remove")]
    page.acts.act("open_document", member)
    page.acts.act("reveal", member)
    assert opened == [member.archive, member.file.parent]
