"""Automatic selection: rules choose the copies that stay; the effect is shown before anything is marked."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dupfinder.base.display import shown
from dupfinder.base.errors import PlanError
from dupfinder.base.progress import Reporter
from dupfinder.cluster.relation import FREELY_REMOVED, Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import Segments, button
from dupfinder.gui.kit.cards import Card, Icon, Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.selecting.rule_rows import RuleRows
from dupfinder.gui.selecting.selection_preview import ROW, Preview, PreviewLines, PreviewModel, preview_of
from dupfinder.review.listing import RELATIONS
from dupfinder.review.rules import Rule, apply, select
from dupfinder.review.session import ReviewSession

WIDTH: Final = 1120
SETTLE_MS: Final = 60  # several quick changes cause one preview


class AssistantSheet(Sheet):
    """`marked(documents)` is emitted after the rules were applied, as one step of undo."""

    marked = Signal(int)
    failed = Signal(object)

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme, parent, self.tr("Select automatically"),
            self.tr("Rules choose the copy to keep in each group and mark the others. You see the effect first."),
            width=WIDTH,
        )  # fmt: skip
        self._session = session
        self._drawing = Drawing(theme, self)
        self._preview: Preview | None = None
        self._task = 0
        self._job: Job | None = None
        self._boxes: dict[Relation, QCheckBox] = {}
        roots = session.result.summary.roots
        self._protected = [path for path, role in roots if role == "protect"]
        self.rules = RuleRows(self._drawing, [path for path, role in roots if role == "scan"], self)
        self._own = QCheckBox(self.tr("Replace my own decisions"))
        self._views = Segments([self.tr("Sample"), self.tr("Undecided"), self.tr("By folder")], self.tr("Preview"))
        self._totals = Strip(theme, "shield", "keep")
        self._model = PreviewModel(self)
        self._table = QTableView()
        self._delegate = PreviewLines(self._drawing, self)
        self._go = button(theme, "", "primary")
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._build()
        self._connect()
        self._ask()

    # ---- building -------------------------------------------------------------------------------------------------
    def _build(self) -> None:
        halves = QHBoxLayout()
        halves.setSpacing(24)
        halves.addLayout(self._left_half(), 4)
        rule = QFrame()
        rule.setProperty("look", "rule")
        halves.addWidget(rule)
        halves.addLayout(self._right_half(), 6)
        self.body.addLayout(halves, 1)
        cancel = button(self._theme, self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.buttons.insertWidget(0, self._own)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self._go)
        self._go.setDefault(True)
        self._boxes[Relation.IDENTICAL].setFocus()

    def _left_half(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(label(self.tr("Which duplicates"), "strong"))
        counts = self._session.relation_counts()
        texts = {
            Relation.IDENTICAL: self.tr("Identical"),
            Relation.SAME_TEXT: self.tr("Same text in another format"),
            Relation.SAME_WORDS: self.tr("Same words — pictures or comments differ"),
            Relation.VERSION: self.tr("Versions — their texts differ"),
            Relation.PART: self.tr("Parts of a longer document"),
        }
        for index, relation in enumerate(RELATIONS):
            row = QHBoxLayout()
            box = self._boxes[relation] = QCheckBox(texts[relation])
            box.setChecked(relation in FREELY_REMOVED)
            row.addWidget(box, 1)
            documents = words.documents(int(counts.documents[index]))
            text = self.tr("%1 in %2").replace("%1", documents)
            row.addWidget(label(text.replace("%2", words.groups(int(counts.groups[index]))), "secondary"))
            column.addLayout(row)
        column.addSpacing(8)
        column.addWidget(label(self.tr("Which copy stays"), "strong"))
        hint = self.tr("Drag, or Alt+Up and Alt+Down, to change the order. The first rule that decides wins.")
        column.addWidget(label(hint, "secondary", wrap=True))
        column.addWidget(self._protection())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.rules)
        self.rules.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = area.verticalScrollBar().sizeHint().width()
        area.setMinimumWidth(max(370, self.rules.minimumSizeHint().width() + bar))
        column.addWidget(area, 1)
        return column

    def _protection(self) -> QFrame:
        card = Card(margin=8)
        row = QHBoxLayout()
        row.setContentsMargins(32, 0, 4, 0)
        row.setSpacing(10)
        row.addWidget(Icon(self._theme, "lock", "accent", 16))
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(label(self.tr("Never touch protected folders"), "strong"))
        names = ", ".join(shown(path.name) for path in self._protected) or self.tr("none in this scan")
        always = self.tr("%1 · always on").replace("%1", names)
        texts.addWidget(label(always, "secondary", wrap=True))
        row.addLayout(texts, 1)
        card.column.addLayout(row)
        return card

    def _right_half(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(10)
        heads = QHBoxLayout()
        heads.addWidget(label(self.tr("Preview"), "strong"))
        heads.addStretch(1)
        heads.addWidget(self._views)
        column.addLayout(heads)
        column.addWidget(self._totals)
        table = self._table
        table.setModel(self._model)
        table.setItemDelegate(self._delegate)
        table.horizontalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setAccessibleName(self.tr("What the rules would do"))
        table.setMinimumSize(420, 300)
        column.addWidget(table, 1)
        return column

    def _connect(self) -> None:
        self.rules.changed.connect(self._settle.start)
        for box in (*self._boxes.values(), self._own):
            box.toggled.connect(self._settle.start)
        self._settle.timeout.connect(self._ask)
        self._views.chosen.connect(self._show_lines)
        self._go.clicked.connect(self.mark)

    # ---- previewing -----------------------------------------------------------------------------------------------
    def box(self, relation: Relation) -> QCheckBox:
        """Return the check box of a relation."""
        return self._boxes[relation]

    @property
    def preview(self) -> Preview | None:
        """What the rules would do; None while it is computed."""
        return self._preview

    def _ask(self) -> None:
        """Compute what the rules would do; an outdated result is discarded."""
        self._task += 1
        self._preview = None
        self._go.setEnabled(False)
        relations = frozenset(relation for relation, box in self._boxes.items() if box.isChecked())
        work = partial(_find, self._session, tuple(self.rules.rules()), relations, self._own.isChecked())
        if self._job is not None:
            self._job.stop()
        self._job = Job(work, self)
        self._job.succeeded.connect(partial(self._found, self._task))
        self._job.failed.connect(self._broke)
        self._job.start()

    def _found(self, task: int, preview: Preview) -> None:
        if task != self._task:
            return
        self._job = None
        self._preview = preview
        text = self.tr("%1 keep one copy or more · %2 would be marked · %3")
        text = text.replace("%1", words.groups(len(preview.selection.chosen)))
        text = text.replace("%2", words.documents(preview.documents)).replace("%3", words.size(preview.bytes))
        open_groups = len(preview.selection.undecided)
        note = self.tr("Nothing is removed yet.")
        if open_groups:
            note += " " + self.tr("%Ln groups stay undecided because the rules tie.", None, open_groups)
        self._totals.say(text, note)
        self._views.part(1).setText(self.tr("Undecided %1").replace("%1", words.number(open_groups)))
        self._go.setText(self.tr("Mark %Ln documents", None, preview.documents))
        self._go.setEnabled(preview.documents > 0)
        self._show_lines(self._views.current())

    @Slot(int)
    def _show_lines(self, view: int) -> None:
        if self._preview is not None:
            lines = (self._preview.sample, self._preview.undecided, self._preview.folders)
            self._model.show_lines(lines[view])

    @Slot(object)
    def _broke(self, error: Exception) -> None:
        self._job = None
        self.reject()
        self.failed.emit(error)

    # ---- doing ----------------------------------------------------------------------------------------------------
    @Slot()
    def mark(self) -> None:
        """Apply the rules as previewed."""
        if self._preview is None:
            return
        preview = self._preview
        self.accept()
        try:
            apply(self._session, preview.selection)
        except PlanError as error:
            self.failed.emit(error)
        else:
            self.marked.emit(preview.documents)


def _find(
    session: ReviewSession,
    rules: tuple[Rule, ...],
    relations: frozenset[Relation],
    replace_own: bool,
    reporter: Reporter,
) -> Preview:
    reporter.check()
    selection = select(session, rules, relations, replace_own=replace_own)
    reporter.check()
    return preview_of(session, selection)
