"""Two documents side by side in a sheet of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QWidget

from dupfinder.base.display import shown
from dupfinder.gui.compare.comparison_view import ComparisonView
from dupfinder.gui.compare.pair_reader import PairReader
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.ink import Ink
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.comparison import PairView

AROUND: Final = 190  # px of the window that the comparison leaves to the rest of the sheet and its margins
WIDTH: Final = 1160


class PairSheet(Sheet):
    """Compares two files line by line; nothing is decided here."""

    def __init__(
        self, theme: Theme, ink: Ink, parent: QWidget, paths: tuple[Path, Path], reader: PairReader | None = None
    ) -> None:
        names = " · ".join(shown(path.name) for path in paths)
        super().__init__(theme, parent, self.tr("Two fillings of one form"), names, width=theme.px(WIDTH))
        self._paths = paths
        self._reader = reader or PairReader(self)
        self.comparison = ComparisonView(ink, self)
        self.comparison.setMinimumHeight(max(200, parent.window().height() - AROUND - 100))
        self.body.addWidget(self.comparison)
        close = button(theme, self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        self.buttons.addWidget(close)
        for side, path in enumerate(paths):
            self.comparison.show_side(side, shown(path.name), "", words.plain_tip(shown(path)))
        self.comparison.show_files(same_bytes=False, same_type=True, contained=False)
        self.comparison.options_changed.connect(self._read)
        self.comparison.swap_wanted.connect(self._swap)
        self._reader.found.connect(self._show)
        self._reader.failed.connect(self.comparison.show_message)
        self.finished.connect(self._reader.close)
        self._read()
        self.comparison.canvas.setFocus()

    def _read(self) -> None:
        self.comparison.show_loading()
        self._reader.read(*self._paths, self.comparison.options())

    def _swap(self) -> None:
        """A becomes B."""
        self._paths = (self._paths[1], self._paths[0])
        for side, path in enumerate(self._paths):
            self.comparison.show_side(side, shown(path.name), "", words.plain_tip(shown(path)))
        self._read()

    def _show(self, view: PairView) -> None:
        if view.comparison is not None:
            self.comparison.show_comparison(view.comparison)
