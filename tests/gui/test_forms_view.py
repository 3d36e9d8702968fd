"""Forms that were filled in: the list, the text they share, and a column for each place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dupfinder.gui.models.forms import forms_of
from dupfinder.gui.pages.results import ResultsPage
from dupfinder.gui.theme import Theme
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import PAIRS, PAPERS, Paper, scan_result
from tests.gui.showing import page_on

RECEIPT = "Received from {} the deposit for the premises at Harbour Road, which is paid back when the lease ends."
NAMES = ("Fernhill Bakery", "Quay Street Press", "Oldmill Cycles")
FILLED = tuple(Paper(f"forms/Receipt {name}.txt", RECEIPT.format(name)) for name in NAMES)
COPY = Paper("forms/Copy of receipt.txt", RECEIPT.format(NAMES[0]))


def session_with_forms(folder: Path) -> ReviewSession:
    first = len(PAPERS)
    filled = [(one, other, 6, 0.8) for one, other in combinations(range(first, first + len(FILLED)), 2)]
    result = scan_result(folder, (*PAPERS, *FILLED, COPY), (*PAIRS, *filled))
    form = np.arange(len(PAIRS) + len(filled)) >= len(PAIRS)
    return ReviewSession(replace(result, evidence=replace(result.evidence, form=form)))


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> Iterator[ResultsPage]:
    made = page_on(session_with_forms(tmp_path / "papers"), theme)
    qtbot.addWidget(made)
    qtbot.addWidget(made.tools() or QWidget())
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close_session()


def test_a_form_is_named_by_what_its_files_names_share(tmp_path: Path) -> None:
    (entry,) = forms_of(session_with_forms(tmp_path / "papers"))
    assert entry.title == "Receipt"
    assert len(entry.fillings) == 3
    assert sorted(map(len, entry.copies)) == [0, 0, 1]
    assert entry.folder.endswith("forms")


def test_the_places_of_a_form_are_columns_and_its_common_text_is_shown_once(page: ResultsPage, qtbot: QtBot) -> None:
    page.show_forms()
    model = page.forms.fillings
    qtbot.waitUntil(lambda: model.places == 1, timeout=60_000)
    assert {model.index(row, 0).data() for row in range(model.rowCount())} == set(NAMES)
    assert "the deposit for the premises at Harbour Road" in " ".join(page.forms.common.toPlainText().split())
    assert {model.index(row, 2).data() for row in range(3)} == {"1 identical", "none"}


def test_the_copies_of_a_filling_lead_to_their_group(page: ResultsPage, qtbot: QtBot) -> None:
    page.show_forms()
    model = page.forms.fillings
    qtbot.waitUntil(lambda: model.places == 1, timeout=60_000)
    row = next(row for row in range(3) if model.has_copies(row))
    page.forms.table.clicked.emit(model.index(row, 2))
    assert model.document(row) in {member.document for member in page.detail.everyone}
    assert page.pane.isVisible() and not page.forms.isVisible()


def test_a_scan_without_forms_offers_no_view_of_them(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = page_on(ReviewSession(scan_result(tmp_path / "papers")), theme)
    qtbot.addWidget(page)
    tools = page.tools()
    assert tools is not None
    qtbot.addWidget(tools)
    page.show()
    tools.show()
    assert not page.forms.has_forms
    assert not page._tools.views.isVisible()
    page.close_session()
