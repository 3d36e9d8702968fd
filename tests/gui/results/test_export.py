"""Reports from the window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.errors import InputError
from dupfinder.base.paths import default_library
from dupfinder.base.progress import SilentReporter
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.files import file_dialog, save
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.sheets import ExportSheet
from dupfinder.library.decisions import Decision
from dupfinder.review.listing import GroupFilter
from dupfinder.review.reporting import ReportScope, report_within
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests import making
from tests.gui.showing import page_on, session_in
from tests.scan.documents import family, prose


def export_of(page: ResultsPage, theme: Theme, qtbot: QtBot, scope: ReportScope = ReportScope.ALL) -> ExportSheet:
    sheet = ExportSheet(page.session, theme, page, scope)
    qtbot.addWidget(sheet)
    return sheet


def choose(sheet: ExportSheet, form: int, scope: int) -> None:
    sheet._formats.button(form).setChecked(True)
    sheet._scopes.button(scope).setChecked(True)


@pytest.mark.parametrize("number", range(5))
def test_every_format_is_written_and_told(tmp_path: Path, qtbot: QtBot, theme: Theme, number: int) -> None:
    page = page_on(session_in(tmp_path / "papers"), theme, qtbot)
    sheet = export_of(page, theme, qtbot)
    choose(sheet, number, 0)
    with qtbot.waitSignal(sheet.written) as written:
        sheet.write_to(str(tmp_path / "report"))
    assert written.args == [tmp_path / f"report{sheet.ending}"]
    assert (tmp_path / f"report{sheet.ending}").stat().st_size > 100


def test_the_first_place_to_save_is_at_home_and_the_next_where_the_last_was(tmp_path: Path, qtbot: QtBot) -> None:
    chosen: list[str] = []
    opener = QWidget()
    qtbot.addWidget(opener)
    for expected in (Path.home(), tmp_path):
        dialog = file_dialog(opener, "Save the report as", chosen.append)
        assert Path(dialog.directory().absolutePath()) == expected
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDirectory(str(tmp_path))
        dialog.selectFile("report.csv")
        dialog.open()
        dialog.accept()
    assert chosen == [str(tmp_path / "report.csv")] * 2


def test_a_report_over_a_scanned_document_is_refused(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path)
    page = page_on(session, theme, qtbot)
    sheet = export_of(page, theme, qtbot)
    choose(sheet, 4, 0)
    victim = tmp_path / "minutes" / "Board minutes.txt"
    link = tmp_path / "report.json"
    link.symlink_to(victim)
    text = victim.read_bytes()
    with qtbot.waitSignal(sheet.failed):
        sheet.write_to(str(link))
    assert victim.read_bytes() == text


def test_no_scope_lets_a_report_replace_a_scanned_document(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path)
    page = page_on(session, theme, qtbot)
    victim = (tmp_path / "alone" / "Lonely.txt").rename(tmp_path / "alone" / "Lonely.html")
    paths = cast(list[str], session.result.documents.paths)
    paths[paths.index(str(victim.with_suffix(".txt")))] = str(victim)
    before = victim.read_bytes()
    sheet = export_of(page, theme, qtbot)
    choose(sheet, 0, 2)
    with qtbot.waitSignal(sheet.failed):
        sheet.write_to(str(victim))
    assert victim.read_bytes() == before


def test_a_report_over_a_document_of_another_scan_is_refused(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    family(tmp_path / "other", 1)
    victim = (tmp_path / "other" / "page.html").resolve()
    victim.write_bytes(making.html(prose(4)))
    run_scan(ScanRequest((Root(tmp_path / "other"),)), default_library(), SilentReporter())
    page = page_on(session_in(tmp_path / "papers"), theme, qtbot)
    sheet = export_of(page, theme, qtbot)
    choose(sheet, 0, 0)
    with qtbot.waitSignal(sheet.failed):
        sheet.write_to(str(victim))
    assert victim.read_bytes() == making.html(prose(4))
    with pytest.raises(InputError):
        save(victim, (), lambda file: file.write(b"pairs"), SilentReporter(), agreed=True)


def test_a_file_that_the_dialog_did_not_ask_about_is_not_replaced(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = page_on(session_in(tmp_path / "papers"), theme, qtbot)
    mine = tmp_path / "thesis.html"
    mine.write_text("mine")
    sheet = export_of(page, theme, qtbot)
    with qtbot.waitSignal(sheet.failed):
        sheet.write_to(str(tmp_path / "thesis"))
    assert mine.read_text() == "mine"
    sheet = export_of(page, theme, qtbot)
    with qtbot.waitSignal(sheet.written):
        sheet.write_to(str(mine))  # the dialog asks whether to replace what was chosen by its whole name
    assert mine.read_text() != "mine"


def test_the_scope_limits_the_report_to_what_is_shown_or_marked(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    assert len(report_within(session, ReportScope.ALL).clusters) == 2
    session.set_filter(GroupFilter(relations=frozenset({Relation.VERSION})))
    shown = report_within(session, ReportScope.SHOWN)
    assert len(shown.clusters) == 1
    assert shown.summary.documents_in_clusters == 4 == len(shown.files) == sum(shown.summary.relations.values())
    paths = {file.path for file in shown.files}
    assert shown.pairs and all({pair.left, pair.right} <= paths for pair in shown.pairs)
    assert report_within(session, ReportScope.MARKED).clusters == ()
    session.marks.decide([5], Decision.REMOVE)
    marked = report_within(session, ReportScope.MARKED)
    assert [len(cluster.members) for cluster in marked.clusters] == [2]


def test_the_json_report_holds_the_decisions(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path / "papers")
    session.marks.decide([5], Decision.REMOVE)
    page = page_on(session, theme, qtbot)
    sheet = export_of(page, theme, qtbot, ReportScope.MARKED)
    assert sheet.scope == "marked"
    choose(sheet, 4, 2)
    with qtbot.waitSignal(sheet.written):
        sheet.write_to(str(tmp_path / "report.json"))
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(report["clusters"]) == 1


def test_writing_a_report_is_given_up_with_the_dialog(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path / "papers")
    page = page_on(session, theme, qtbot)
    sheet = ExportSheet(session, theme, page)
    sheet.write_to(str(tmp_path / "report.html"))
    job = sheet._job
    sheet.reject()
    assert job is not None
    qtbot.waitUntil(lambda: not job.is_running())
