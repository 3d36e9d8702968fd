"""What stands in the place of the list of groups while it has none: why, and the ways on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dupfinder.cluster.relation import LEAST_SIMILARITY
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.filters import Filter
from dupfinder.review.session import ReviewSession


class EmptyList(QWidget):
    """Says why no group is shown. What is offered follows from it: other filters, looser matches, another scan."""

    looser_wanted = Signal()
    clear_wanted = Signal()
    scan_wanted = Signal()

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._why = label("", "medium", wrap=True)
        self._why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._looser = button(theme, self.tr("Look for looser matches"))
        self._clear = button(theme, self.tr("Clear filters"))
        self._scan = button(theme, self.tr("New scan"))
        self._looser.clicked.connect(self.looser_wanted)
        self._clear.clicked.connect(self.clear_wanted)
        self._scan.clicked.connect(self.scan_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 24, 20, 24)
        column.addWidget(self._why)
        column.addSpacing(8)
        for one in self.ways:
            column.addWidget(one, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    @property
    def ways(self) -> tuple[QPushButton, QPushButton, QPushButton]:
        """The buttons for looser matches, without filters, and another scan."""
        return self._looser, self._clear, self._scan

    def refresh(self) -> None:
        """Update from the session."""
        chosen = self._session.filter
        is_filtered = _narrows(chosen) or bool(chosen.text.strip())
        none = self.tr("No duplicates in %Ln documents.", None, self._session.result.summary.read)
        self._why.setText(self.tr("No group matches these filters.") if is_filtered else none)
        self._clear.setVisible(is_filtered)
        self._looser.setVisible(not is_filtered and self._session.min_similarity > LEAST_SIMILARITY)
        self._scan.setVisible(not is_filtered)


def _narrows(chosen: Filter) -> bool:
    """Return whether some chip or filter is on."""
    only = (chosen.only_unreviewed, chosen.only_marked, chosen.only_protected, chosen.only_apart)
    return bool(chosen.relations) or any(only) or chosen.documents is not None
