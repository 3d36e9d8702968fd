"""Lines of the painted lists: hits in bold, and never elided away."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from dupfinder.base.display import split_at
from dupfinder.gui.kit.drawing import Drawing, hit_spans
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.listing import GroupFilter
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import put_up


@given(st.text("aAbB é", max_size=12), st.lists(st.text("ab", min_size=1, max_size=3), max_size=3))
def test_the_pieces_of_a_line_make_the_line_and_the_hits_are_what_was_typed(line: str, hits: list[str]) -> None:
    pieces = split_at(line, hit_spans(line, hits))
    assert "".join(piece for piece, _ in pieces) == line
    assert all((piece.casefold() in hits) == is_hit for piece, is_hit in pieces if is_hit)
    assert not any(hit in piece.casefold() for piece, is_hit in pieces if not is_hit for hit in hits)


@pytest.mark.parametrize("width", [60, 90, 140, 400])
def test_a_hit_is_seen_however_little_room_a_line_has(theme: Theme, qtbot: QtBot, width: int) -> None:
    drawing = Drawing(theme)
    line = "a very long title of a document whose only HIT stands here and then goes on for quite a while"
    assert "HIT" in drawing._around_hit(line, hit_spans(line, ["hit"])[0], "medium", width, Qt.TextElideMode.ElideRight)


def test_a_painted_hit_stands_on_its_own_ground(theme: Theme, qtbot: QtBot) -> None:
    drawing = Drawing(theme)
    image = QImage(300, 30, QImage.Format.Format_RGB32)
    image.fill(drawing.colour("surface"))
    painter = QPainter(image)
    drawing.text(painter, QRectF(0, 0, 300, 30), "plain hit plain", "medium", "text", sought=["hit"])
    painter.end()
    ground = drawing.colour("warn_soft").rgb()
    columns = [x for x in range(300) if any(image.pixel(x, y) == ground for y in range(30))]
    before = drawing.metrics("medium").horizontalAdvance("plain ")
    assert columns and abs(columns[0] - before) <= 3


def test_a_group_that_was_found_by_another_document_than_its_kept_copy_names_it(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    page = put_up(page_on(session_in(tmp_path), theme), qtbot)
    page.session.set_filter(GroupFilter(text="v6"))
    model = page.pane._model
    assert model.rowCount() == 1 and model.sought == ("v6",)
    assert model.hit_name(0) == "Supply agreement v6.txt"
    page.session.set_filter(GroupFilter(text="folder:minutes"))
    assert model.sought == ("minutes",) and model.hit_name(0) == ""
    page.grab()
