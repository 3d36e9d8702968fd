"""Pages of two PDFs side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dupfinder.gui.compare.comparison_view import ComparisonView
from dupfinder.gui.compare.pages_view import MOST_PICTURES, MOST_WIDTH, ZOOM_STEP, PagedDocument, PageReader, PagesView
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from dupfinder.text.pdf.pdfium import PageTask, render_page
from tests import making
from tests.gui.widgets import put_up


class DirectPages(PageReader):
    """Renders in this process, at once."""

    asked: list[PageTask]

    def __init__(self) -> None:
        super().__init__()
        self.asked = []

    def read(self, task: PageTask) -> None:
        self.asked.append(task)
        self.rendered.emit(task, render_page(task))


def pdf(folder: Path, name: str, pages: int) -> PagedDocument:
    path = folder / name
    path.write_bytes(making.pdf([[f"Page {number} of {name}."] for number in range(pages)]))
    return PagedDocument(path, pages)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[PagesView]:
    made = put_up(PagesView(Drawing(theme), DirectPages()), qtbot, 900, 500)
    yield made
    made.reader.close()


def asked(view: PagesView) -> list[PageTask]:
    reader = view.reader
    assert isinstance(reader, DirectPages)
    return reader.asked


def test_only_the_pages_that_are_seen_are_rendered(tmp_path: Path, view: PagesView) -> None:
    view.show_pair((pdf(tmp_path, "a.pdf", 12), pdf(tmp_path, "b.pdf", 9)))
    view.grab()
    assert {task.page for task in asked(view)} == {0}
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view.grab()
    assert 11 in {task.page for task in asked(view) if task.path.name == "a.pdf"}
    assert 5 not in {task.page for task in asked(view)}


def test_the_number_of_the_page_at_the_top_is_emitted(tmp_path: Path, qtbot: QtBot, view: PagesView) -> None:
    view.show_pair((pdf(tmp_path, "a.pdf", 4), pdf(tmp_path, "b.pdf", 4)))
    with qtbot.waitSignal(view.moved, check_params_cb=lambda page, count: (page, count) == (4, 4)):
        qtbot.keyClick(view, Qt.Key.Key_End)


def test_no_more_pictures_are_kept_than_memory_allows(tmp_path: Path, view: PagesView) -> None:
    view.show_pair((pdf(tmp_path, "a.pdf", 14), pdf(tmp_path, "b.pdf", 14)))
    bar = view.verticalScrollBar()
    view.resize(300, 300)
    for step in range(30):
        bar.setValue(round(bar.maximum() * step / 29))
        view.grab()
    assert len(asked(view)) > MOST_PICTURES
    assert len(view._pictures) <= MOST_PICTURES


def test_pages_grow_around_their_middle_and_are_rendered_anew(tmp_path: Path, qtbot: QtBot, view: PagesView) -> None:
    view.show_pair((pdf(tmp_path, "a.pdf", 3), pdf(tmp_path, "b.pdf", 3)))
    view.grab()
    usual = asked(view)[-1].width
    beside = view.horizontalScrollBar()
    assert beside.maximum() == 0
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    view.grab()
    assert asked(view)[-1].width == pytest.approx(usual * ZOOM_STEP**2, abs=2)
    assert beside.value() == pytest.approx(beside.maximum() / 2, abs=2) and beside.maximum() > 100
    for _ in range(20):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    view.grab()
    assert asked(view)[-1].width <= MOST_WIDTH and len(view._pictures) <= 4
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert beside.maximum() == 0


def test_all_pages_that_are_seen_are_rendered_once_however_many(tmp_path: Path, qtbot: QtBot, view: PagesView) -> None:
    view.resize(300, 1500)
    view.show_pair((pdf(tmp_path, "a.pdf", 14), pdf(tmp_path, "b.pdf", 14)))
    for _ in range(20):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    view.verticalScrollBar().setValue(400)  # three rows
    view.grab()
    rendered = len(asked(view))
    view.grab()
    assert len(asked(view)) == rendered and len(view._pictures) >= 6


def test_a_page_that_cannot_be_rendered_is_said_so_once(tmp_path: Path, view: PagesView) -> None:
    (tmp_path / "broken.pdf").write_text("no PDF")
    view.show_pair((PagedDocument(tmp_path / "broken.pdf", 1), pdf(tmp_path, "b.pdf", 1)))
    for _ in range(3):
        view.grab()
    assert len([task for task in asked(view) if task.path.name == "broken.pdf"]) == 1


def test_pages_are_offered_for_two_pdfs_only(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    comparison = put_up(ComparisonView(Drawing(theme)), qtbot, 900, 500)
    comparison._modes.part(1).click()
    assert not comparison.pages.isVisible()
    comparison.show_pages_of(pdf(tmp_path, "a.pdf", 2), pdf(tmp_path, "b.pdf", 2))
    comparison._modes.part(1).click()
    assert comparison.pages.isVisible()
    comparison.show_pages_of(None, None)
    assert not comparison.pages.isVisible()
    comparison.pages.reader.close()


def test_pages_come_from_a_process_of_their_own(tmp_path: Path, qtbot: QtBot) -> None:
    reader = PageReader()
    document = pdf(tmp_path, "a.pdf", 1)
    with qtbot.waitSignal(reader.rendered) as rendered:
        reader.read(PageTask(document.path, 0, 200))
    assert rendered.args is not None
    assert abs(rendered.args[1].width - 200) <= 1
    assert not reader.is_busy
    reader.close()
