"""Properties tell what is known of a document, and nothing that is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit import words
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.sheets import PropertiesSheet
from tests.gui.showing import session_in, shown
from tests.gui.widgets import said


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    return shown(session_in(tmp_path), theme, qtbot)


def properties(page: ResultsPage, row: int) -> dict[str, str]:
    model = page.detail.model
    return dict(words.properties_of(page.session.result.documents, model.members[row], model.keeper))


def test_the_kept_copy_has_no_shares_of_itself_and_others_have(page: ResultsPage) -> None:
    kept, other = properties(page, 0), properties(page, 1)
    assert "In the kept copy" not in kept and kept["Relation to the kept copy"].startswith("Kept copy")
    assert other["In the kept copy"].endswith("%")
    for known in (kept, other):
        assert "" not in known.values() and "—" not in known.values()
        assert len(known["Fingerprint"]) == 16


def test_the_hash_is_that_of_the_report(page: ResultsPage) -> None:
    document = page.detail.model.members[1].document
    assert properties(page, 1)["Hash of the bytes (BLAKE2b)"] == page.session.result.documents.content_hex(document)


def test_all_properties_are_shown_and_can_be_copied(page: ResultsPage) -> None:
    page.detail.table.choose_row(1)
    page.groups.commands["properties"]()
    sheet = next(sheet for sheet in page.window().findChildren(PropertiesSheet) if sheet.isVisible())
    known = properties(page, 1)
    for name, value in known.items():
        assert name in said(sheet) and value in said(sheet)
    next(button for button in sheet.findChildren(QPushButton) if button.text() == "Copy all").click()
    assert QGuiApplication.clipboard().text().splitlines() == [f"{name}\t{value}" for name, value in known.items()]
    sheet.accept()
