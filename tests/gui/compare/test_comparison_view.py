"""The header of each side: in a narrow window the name has the room of the facts."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dupfinder.gui.compare.comparison_view import SideHeader
from dupfinder.gui.kit.theme import Theme


def test_a_narrow_header_shows_the_name_and_hides_the_facts(qtbot: QtBot, theme: Theme) -> None:
    header = SideHeader("A")
    qtbot.addWidget(header)
    header.show_document("a rather long name of a document, version 7, signed.docx", "12 Mar 2024 · 142 KB", "path")
    (facts,) = [label for label in header.findChildren(QLabel) if "142 KB" in label.text()]
    for width, is_shown in ((700, True), (260, False), (700, True)):
        header.resize(width, 36)
        header.show()
        assert facts.isVisible() == is_shown
