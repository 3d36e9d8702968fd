"""The radius that fits a person's documents: a chart, a table, a sentence, and a button to use it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dupfinder.base.progress import Reporter
from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import Segments, button
from dupfinder.gui.kit.cards import banner
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.calibration_chart import CalibrationChart, share_words
from dupfinder.review.calibration import Calibration, calibrate
from dupfinder.review.grouping import Grouping
from dupfinder.review.session import ReviewSession

_ROW: Final = 24

Index = QModelIndex | QPersistentModelIndex
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CalibrationSheet(Sheet):
    """Emits `radius_wanted(int)` for the chosen radius; `written(Path)` or `failed(error)` at the end of an export."""

    radius_wanted = Signal(int)
    written = Signal(object)
    failed = Signal(object)

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget) -> None:
        text = self.tr(
            "Pairs of your documents by the number of fingerprint bits that differ, and whether their texts are alike "
            "by at least %1."
        ).replace("%1", words.percent(session.min_similarity))
        super().__init__(theme, parent, self.tr("Which radius fits your documents?"), text, width=860)
        self._session = session
        self._found: Calibration | None = None
        self._saving: Job | None = None
        drawing = Drawing(theme, self)
        self.chart = CalibrationChart(drawing)
        self.table = QTableView()
        self._legend = QWidget()
        self._said = label("", "secondary", wrap=True)
        self._waiting = label(self.tr("Counting…"), "medium")
        self._stack = QStackedWidget()
        self._place = QVBoxLayout()
        self.body.addLayout(self._place)
        self.body.addLayout(self._choice())
        self.body.addWidget(self._stack)
        self.body.addWidget(self._said)
        self._add_stack()
        self._add_buttons()
        self.chart.valueChanged.connect(self._tell_radius)
        self._job = Job(partial(_calibrate, session.grouping, replace(session.demand, passages=False)), self)
        self._job.succeeded.connect(self._show)
        self._job.failed.connect(self._broke)
        self._job.start()

    def _choice(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._views = Segments([self.tr("Chart"), self.tr("Table")], self.tr("View"))
        self._views.chosen.connect(self._stack.setCurrentIndex)
        row.addWidget(self._views)
        row.addStretch(1)
        keys = QHBoxLayout(self._legend)
        keys.setContentsMargins(0, 0, 0, 0)
        keys.setSpacing(14)
        for mark, tone, text in (
            ("■", "accent", self.tr("alike")), ("■", "groove", self.tr("not alike")),
            ("●", "near", self.tr("precision")), ("●", "keep", self.tr("recall")),
        ):  # fmt: skip
            pair = QHBoxLayout()
            pair.setSpacing(4)
            pair.addWidget(label(mark, "body", tone))
            pair.addWidget(label(text, "secondary"))
            keys.addLayout(pair)
        self._views.chosen.connect(lambda index: self._legend.setVisible(index == 0))
        row.addWidget(self._legend)
        return row

    def _add_stack(self) -> None:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        self._waiting.setMinimumHeight(self.chart.sizeHint().height())
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self._waiting)
        column.addWidget(self.chart)
        self.chart.hide()
        self._stack.addWidget(holder)
        table = self.table
        table.setAccessibleName(self.tr("Pairs, precision and recall of each radius"))
        table.setProperty("look", "framed")
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(max(_ROW, self._theme.px(_ROW)))
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setHighlightSections(False)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        self._stack.addWidget(table)

    def _add_buttons(self) -> None:
        copy = button(self._theme, self.tr("Copy as JSON"), "", "copy")
        save = button(self._theme, self.tr("Save as JSON…"), "", "export")
        close = button(self._theme, self.tr("Close"))
        self._use = button(self._theme, self.tr("Use this radius"), "primary")
        for widget, act in (
            (copy, self.copy),
            (save, self._choose_place),
            (close, self.reject),
            (self._use, self._take),
        ):
            widget.clicked.connect(act)
            self.buttons.addWidget(widget)
        self._data: tuple[QWidget, ...] = (copy, save)
        for widget in (*self._data, self._use):
            widget.setEnabled(False)
        close.setFocus()

    @Slot(object)
    def _show(self, calibration: Calibration) -> None:
        self._found = calibration
        fitting = calibration.fitting()
        self._place.addWidget(self._verdict(calibration, fitting))
        self._waiting.hide()
        self.chart.show()
        self.chart.show_calibration(calibration, self._session.radius)
        self.chart.setValue(self._session.radius if fitting is None else fitting)
        self.table.setModel(CalibrationModel(calibration, self._session.radius, self.table))
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.selectRow(self.chart.value())
        for widget in self._data:
            widget.setEnabled(True)
        self._tell_radius(self.chart.value())
        self.chart.setFocus(Qt.FocusReason.TabFocusReason)

    def _verdict(self, calibration: Calibration, fitting: int | None) -> QWidget:
        if fitting is None:
            title = self.tr("No two texts of this scan are alike, so no radius fits better than another.")
            return banner(self._theme, "info", "accent", title)
        title = self.tr("A radius of %1 fits these documents.").replace("%1", str(fitting))
        text = (
            self.tr("The results then show %1 of the %2 pairs that are alike. A wider radius adds next to none.")
            .replace("%1", share_words(calibration.shown_share(fitting)))
            .replace("%2", words.number(calibration.found))
        )
        if fitting == self._session.radius:
            title = self.tr("The radius in use, %1, fits these documents.").replace("%1", str(fitting))
        frame = banner(self._theme, "shield", "keep", title, text)
        frame.setAccessibleName(" ".join(part.text() for part in frame.findChildren(QLabel)))
        return frame

    def _row_chosen(self) -> None:
        self.chart.setValue(self.table.currentIndex().row())

    def _tell_radius(self, radius: int) -> None:
        self._said.setText(self.chart.sentence(radius))
        self.chart.setAccessibleDescription(self._said.text())
        self._use.setText(self.tr("Use radius %1").replace("%1", str(radius)))
        self._use.setEnabled(self._found is not None and radius != self._session.radius)
        if self.table.currentIndex().row() != radius:
            self.table.selectRow(radius)

    def _take(self) -> None:
        self.accept()
        self.radius_wanted.emit(self.chart.value())

    # ---- the data -------------------------------------------------------------------------------------------------
    def json(self) -> str:
        """Return the calibration as JSON; empty before it is computed."""
        return "" if self._found is None else json.dumps(self._found.plain(), indent=1)

    @Slot()
    def copy(self) -> None:
        """Copy the data to the clipboard."""
        QGuiApplication.clipboard().setText(self.json())
        self._said.setText(self.tr("The data was copied."))

    @Slot()
    def _choose_place(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the data as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("radius.json")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.write_to)
        dialog.open()

    @Slot(str)
    def write_to(self, name: str) -> None:
        """Write the data to a file."""
        self._saving = Job(partial(_write, self._session.grouping, self.json(), Path(name)), self)
        self._saving.succeeded.connect(self._saved)
        self._saving.failed.connect(self._broke)
        self._saving.start()

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self.accept()
        self.written.emit(path)

    @Slot(object)
    def _broke(self, error: Exception) -> None:
        self.accept()
        self.failed.emit(error)


def _calibrate(grouping: Grouping, demand: Demand, reporter: Reporter) -> Calibration:
    reporter.check()
    return calibrate(grouping, demand)


def _write(grouping: Grouping, data: str, path: Path, reporter: Reporter) -> Path:
    from dupfinder.base.output import refuse_document, replacing
    from dupfinder.review.calibration import is_ours

    reporter.check()
    refuse_document(path, map(Path, grouping.result.documents.paths))
    # The dialog asked whether to replace a file of this name.
    with replacing(path, is_ours, force=True) as file:
        file.write(data.encode())
    return path


class CalibrationModel(QAbstractTableModel):
    """Radius, verified and other pairs at that distance, precision, recall and the share that the results show."""

    def __init__(self, calibration: Calibration, used: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found, self._used = calibration, used

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._found.widest + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._names())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        texts = self._texts(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._names()[index.column()]}: {texts[index.column()]}"
        return None

    def _names(self) -> tuple[str, ...]:
        return (
            self.tr("Radius k"), self.tr("Alike"), self.tr("Not alike"), self.tr("Precision"), self.tr("Recall"),
            self.tr("Results show"),
        )  # fmt: skip

    def _texts(self, row: int) -> tuple[str, ...]:
        calibration = self._found
        radius = self.tr("%1 (in use)").replace("%1", str(row)) if row == self._used else str(row)
        return (
            radius, words.number(int(calibration.verified[row])), words.number(int(calibration.unverified[row])),
            share_words(calibration.precision(row)), share_words(calibration.recall(row)),
            share_words(calibration.shown_share(row)),
        )  # fmt: skip
