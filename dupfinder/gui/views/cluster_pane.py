"""The left side of the results: how similar, which kinds, in which order, and the list itself."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from dupfinder.gui.components.buttons import button, chip
from dupfinder.gui.components.flow import Flow
from dupfinder.gui.components.labels import label, line
from dupfinder.gui.models.clusters import ClustersModel
from dupfinder.gui.views import words
from dupfinder.gui.views.cluster_list import ClusterList
from dupfinder.gui.views.ink import Ink
from dupfinder.gui.views.regrouping import Regrouping
from dupfinder.gui.views.similarity_card import SimilarityCard
from dupfinder.review.filters import Filter, Kind, Sort
from dupfinder.review.session import Changed, ReviewSession

TYPING_MS: Final = 180  # a search follows when the typing pauses
LEAST_WIDTH: Final = 300


class ClusterPane(QWidget):
    """Hands filter, order, radius and least similarity to the session, and shows what it makes of them."""

    chosen = Signal(int)
    clear_wanted = Signal()

    def __init__(self, session: ReviewSession, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._model = ClustersModel(session.clusters(), self)
        self.list = ClusterList(self._model, ink, self)
        self.card = SimilarityCard(session, ink, self)
        self._chips = {name: chip("") for name in self._chip_texts()}
        self._order = button(ink.theme, "", "quiet", "sort")
        self._range = label("", "secondary")
        self._stack = QStackedWidget(self)
        self._empty = label("", "medium", wrap=True)
        self._looser = button(ink.theme, self.tr("Look for looser matches"))
        self._clear = button(ink.theme, self.tr("Clear filters"))
        self._typed = ""
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._sort_menu = QMenu(self)
        self._regrouping = Regrouping(session, self)
        self._build()
        self.setMinimumWidth(max(LEAST_WIDTH, self.card.minimumSizeHint().width() + 28))
        self._connect()
        self.refresh(Changed(clusters=True))

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 14, 0, 0)
        column.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(14, 0, 14, 0)
        top.setSpacing(10)
        top.addWidget(self.card)
        flow = Flow()
        for one in self._chips.values():
            flow.addWidget(one)
        top.addLayout(flow)
        column.addLayout(top)
        row = QHBoxLayout()
        row.setContentsMargins(6, 6, 14, 4)
        row.addWidget(self._order)
        row.addStretch(1)
        row.addWidget(self._range)
        column.addLayout(row)
        column.addWidget(line())
        self.list.setMinimumHeight(self.list.verticalHeader().defaultSectionSize())
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty_page())
        column.addWidget(self._stack, 1)
        self._fill_sort_menu()

    def _empty_page(self) -> QWidget:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 24, 20, 24)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self._empty)
        column.addSpacing(8)
        for one in (self._looser, self._clear):
            column.addWidget(one, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return page

    def _fill_sort_menu(self) -> None:
        group = QActionGroup(self)
        for order, text in self._sorts().items():
            action = self._sort_menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(order is self._session.sort)
            action.setData(order.value)
            group.addAction(action)
        self._sort_menu.triggered.connect(self._sort_chosen)
        self._order.setMenu(self._sort_menu)

    def _connect(self) -> None:
        for name, one in self._chips.items():
            one.setObjectName(f"chip_{name}")
            one.clicked.connect(self._all_clicked if name == "all" else self._filter)
        self.card.radius_wanted.connect(self._session.set_radius)
        self.card.similarity_wanted.connect(self._regrouping.ask)
        self.list.chosen.connect(self.chosen)
        self.list.view_moved.connect(self._tell_range)
        self._looser.clicked.connect(self._loosen)
        self._clear.clicked.connect(self.clear_wanted)
        self._typing.timeout.connect(self._filter)

    def chip(self, name: str) -> QPushButton:
        """The chip of a name of `ReviewSession.kind_counts`."""
        return self._chips[name]

    # ---- words ----------------------------------------------------------------------------------------------------
    def _chip_texts(self) -> dict[str, str]:
        return {
            "all": self.tr("All %1"),
            "exact": self.tr("Exact %1"),
            "same_text": self.tr("Same text %1"),
            "near": self.tr("Near %1"),
            "contained": self.tr("Contained %1"),
            "unreviewed": self.tr("Not reviewed"),
            "marked": self.tr("Marked %1"),
            "protected": self.tr("Protected %1"),
            "apart": self.tr("Not duplicates %1"),
        }

    def _sorts(self) -> dict[Sort, str]:
        return {
            Sort.NEWEST: self.tr("Newest first"),
            Sort.SPACE: self.tr("Space to free"),
            Sort.SIMILARITY: self.tr("Most similar"),
            Sort.COPIES: self.tr("Most copies"),
            Sort.NAME: self.tr("Name"),
            Sort.FOLDER: self.tr("Folder"),
        }

    # ---- asking the session ---------------------------------------------------------------------------------------
    def search(self, text: str) -> None:
        """Show only clusters that match, once the typing pauses."""
        self._typed = text
        self._typing.start()

    def _filter(self) -> None:
        kinds = {"exact": Kind.EXACT, "same_text": Kind.SAME_TEXT, "near": Kind.NEAR, "contained": Kind.CONTAINED}
        self._typing.stop()
        self._session.set_filter(
            Filter(
                kinds=frozenset(kind for name, kind in kinds.items() if self._chips[name].isChecked()),
                text=self._typed,
                only_unreviewed=self._chips["unreviewed"].isChecked(),
                only_marked=self._chips["marked"].isChecked(),
                only_protected=self._chips["protected"].isChecked(),
                only_apart=self._chips["apart"].isChecked(),
            )
        )

    def _all_clicked(self) -> None:
        for one in self._chips.values():
            one.setChecked(False)
        self._filter()

    def clear_filters(self) -> None:
        """Show everything again."""
        self._typed = ""
        self._all_clicked()

    def show_marked_near(self) -> None:
        """Show the near-duplicates with marks: those whose text differs from what is kept."""
        for name, one in self._chips.items():
            one.setChecked(name in ("near", "marked"))
        self._filter()

    def _sort_chosen(self, action: QAction) -> None:
        self._session.set_sort(Sort(action.data()))

    def _loosen(self) -> None:
        self._session.set_radius(self._session.radius + 1)

    # ---- showing --------------------------------------------------------------------------------------------------
    def refresh(self, change: Changed) -> None:
        """Follow the session."""
        table = self._session.clusters()
        if self._model.same_rows(table):
            self._model.refresh(table)
        else:
            self._swap_rows()
        self._tell_chips()
        self._order.setText(self._sorts()[self._session.sort])
        self.card.refresh()
        self._tell_empty()
        self._tell_range()

    def _swap_rows(self) -> None:
        """Other rows: stay at the same cluster, or at the same place of the list."""
        row = self.list.currentIndex().row() if self.list.currentIndex().isValid() else 0
        cluster = self._model.cluster_at(row)
        offset = self.list.verticalScrollBar().value() - max(0, row) * self.list.verticalHeader().defaultSectionSize()
        self._model.show_table(self._session.clusters())
        here = self._model.row_of(cluster)
        if here >= 0:
            bar = self.list.verticalScrollBar()
            bar.setValue(here * self.list.verticalHeader().defaultSectionSize() + offset)
        self.list.choose_row(here if here >= 0 else row)
        if not self._model.rowCount():
            self.chosen.emit(-1)

    def _tell_chips(self) -> None:
        counts = self._session.kind_counts()
        chosen = self._session.filter
        for name, text in self._chip_texts().items():
            one: QPushButton = self._chips[name]
            one.setText(text.replace("%1", words.number(counts[name])))
            useful = name in ("all", "unreviewed") or counts[name] > 0 or one.isChecked()
            one.setVisible(useful)
        self._chips["all"].setChecked(not _narrowed(chosen))

    def _tell_empty(self) -> None:
        empty = not len(self._session.clusters())
        self._stack.setCurrentIndex(int(empty))
        if not empty:
            return
        chosen = self._session.filter
        filtered = _narrowed(chosen) or bool(chosen.text.strip())
        read = self._session.result.summary.read
        text = self.tr("No duplicates in %Ln documents.", None, read)
        self._empty.setText(self.tr("No group matches these filters.") if filtered else text)
        self._clear.setVisible(filtered)
        self._looser.setVisible(not filtered and self._session.radius < self._session.widest_radius)

    def _tell_range(self) -> None:
        first, last = self.list.visible_rows()
        locale, count = QLocale(), self._model.rowCount()
        text = self.tr("%1–%2 / %3").replace("%1", locale.toString(first + 1)).replace("%2", locale.toString(last + 1))
        self._range.setText(text.replace("%3", locale.toString(count)) if count else "")

    def stop(self) -> None:
        """The page is given up: work out no more."""
        self.card.ahead.stop()
        self._regrouping.stop()


def _narrowed(chosen: Filter) -> bool:
    """Whether some chip besides "All" is on."""
    only = (chosen.only_unreviewed, chosen.only_marked, chosen.only_protected, chosen.only_apart)
    return bool(chosen.kinds) or any(only)
