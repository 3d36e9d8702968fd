"""What the results put into the top bar: the choice of the view, the search, the export and the rules."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from dupfinder.gui.kit.buttons import Segments, button
from dupfinder.gui.kit.theme import Theme

LEAST_SEARCH: Final = 110  # px
MOST_SEARCH: Final = 420
AROUND: Final = 64  # px beside the hint: the glass, the cross and the margins


class SearchField(QLineEdit):
    """As wide as its hint wants; narrower only where there is no room."""

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return super().sizeHint().expandedTo(QSize(words + AROUND, 0))


class ResultsTools(QWidget):
    """Tells what is asked for; holds nothing but the words that were typed."""

    export_wanted = Signal()
    rules_wanted = Signal()
    search_left = Signal()  # by Escape or Enter

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(self)
        self.search.setPlaceholderText(self.tr("Search names or folders"))
        self.search.setAccessibleName(self.tr("Search names or folders"))
        self.search.setToolTip(self.tr("Also folder:  type:pdf  lang:en  size>1MB  date<2024-01-31"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setStyleSheet("QToolButton { border: none; padding: 0; margin: 0; min-width: 0; min-height: 0; }")
        self.search.setMinimumWidth(theme.px(LEAST_SEARCH))
        self.search.setMaximumWidth(theme.px(MOST_SEARCH))
        self.search.returnPressed.connect(self.search_left)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self._leave)
        self.views = Segments([self.tr("Groups"), self.tr("Same form")], self.tr("View"))
        export = button(theme, self.tr("Export"), icon="export")
        export.clicked.connect(self.export_wanted)
        rules = button(theme, self.tr("Select automatically…"), icon="wand")
        rules.clicked.connect(self.rules_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.views)
        row.addWidget(self.search, 1)
        row.addWidget(export)
        row.addWidget(rules)

    def go_to_search(self) -> None:
        """Give the search the keyboard, its words selected."""
        self.search.setFocus()
        self.search.selectAll()

    def clear_search(self) -> None:
        """Forget what was typed without telling."""
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)

    def _leave(self) -> None:
        """Nothing is searched for any more."""
        self.search.clear()
        self.search_left.emit()
