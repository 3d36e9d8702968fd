"""Automatic selection: ordered rules choose the copies that stay; the effect is shown before anything is marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from dupfinder.base.display import folder_text, shown
from dupfinder.base.paths import data_dir
from dupfinder.base.progress import Reporter
from dupfinder.cluster.relation import FREELY_REMOVED, Relation
from dupfinder.gui.kit.buttons import SegmentedChoice, Switch, button, leave_scrolling
from dupfinder.gui.kit.cards import Card, Icon, Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.files import folder_dialog
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.gui.kit.labels import label, line, set_look
from dupfinder.gui.kit.layout import Space, Stretch, across, add, down, grow
from dupfinder.gui.kit.messages import QuestionSheet
from dupfinder.gui.kit.page import bare_area
from dupfinder.gui.kit.sheet import JobSheet
from dupfinder.gui.kit.tables import ListTable
from dupfinder.gui.kit.theme import Theme, smooth_painter
from dupfinder.gui.selecting.selection_preview import (
    ROW,
    RULE_TEXTS,
    Preview,
    PreviewKind,
    PreviewLine,
    PreviewModel,
    PreviewPainter,
    preview_of,
)
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.review.rules import Rule, RuleKind, select
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say, say_count
from dupfinder.wording.figures import NOTHING, count_text, documents_text, groups_text, size_text
from dupfinder.wording.relations import relation_meaning
from dupfinder.wording.removal import versioned_sentence

# The rules that are on initially, in this order; the others follow, off.
USUAL_RULES: Final = (
    RuleKind.IN_FOLDER, RuleKind.PLAIN_NAME, RuleKind.RICHER, RuleKind.NEWEST, RuleKind.SHORTEST_PATH,
)  # fmt: skip


class Grip(QWidget):
    """A handle of six dots for dragging."""

    dragged = Signal(float)

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing
        self.setFixedSize(16, 24)
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        for x in (5, 11):
            for y in (6, 12, 18):
                self._drawing.shape(painter, QRectF(x - 1.5, y - 1.5, 3, 3), "tertiary", 1.5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.dragged.emit(event.globalPosition().y())


OFF: Final = "-"  # before a stored rule that is off
SHORTEST_FOLDER: Final = 12  # letters of a folder that are always visible
SHORTEST_PLACE: Final = 20  # the same beside the buttons, where there is more room


class FolderChoice(QComboBox):
    """A choice of one of the scanned folders, or one below them. `chosen` is emitted when the person has chosen."""

    chosen = Signal()

    def __init__(self, drawing: Drawing, scanned: Sequence[Path], name: str, title: str, none: str = "") -> None:
        """Fill it with `none`, if it is a text, and the scanned folders. title: of the dialog for another folder."""
        super().__init__()
        self._drawing, self._scanned, self._title, self._none = drawing, scanned, title, none
        self._preferred = 0  # index of the folder among the choices
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(SHORTEST_FOLDER)  # a long path must not widen the sheet
        leave_scrolling(self)
        self.setAccessibleName(name)
        self.addItems([none, say("Another folder…")] if none else [say("Another folder…")])
        short = [folder_text(folder, scanned) for folder in scanned]
        for folder, text in zip(scanned, short, strict=True):
            self._add(folder, text if short.count(text) == 1 else shown(folder))
        self.setCurrentIndex(0)
        self.activated.connect(self._activated)

    def _add(self, folder: Path, text: str) -> None:
        """Add a folder to the choices, before the one that asks for another."""
        index = self.count() - 1
        self.insertItem(index, text, folder)
        self.setItemData(index, shown(folder), Qt.ItemDataRole.ToolTipRole)

    def index_of(self, folder: str) -> int:
        """Return the index of a folder among the choices, which it joins if it was scanned; else -1."""
        folders = [str(self.itemData(index)) for index in range(self.count() - 1)]
        if folder not in folders and any(Path(folder).is_relative_to(root) for root in self._scanned):
            self._add(Path(folder), folder_text(Path(folder), self._scanned))
            folders.append(folder)
        return folders.index(folder) if folder in folders else -1

    def choose(self, index: int) -> None:
        self._preferred = index
        self.setCurrentIndex(index)

    def _activated(self, index: int) -> None:
        if index < self.count() - 1:
            self._preferred = index
            self.chosen.emit()
            return
        self.setCurrentIndex(self._preferred)
        dialog = folder_dialog(self, self._title, self.prefer)
        dialog.setDirectory(str(self.currentData() or self._scanned[0]))
        dialog.open()

    def prefer(self, folder: str) -> None:
        """Choose a folder; tell the person if it was not scanned."""
        if (index := self.index_of(folder)) >= 0:
            self.choose(index)
            self.chosen.emit()
        else:
            close = say("Close"), "primary", None
            text = say("Choose one of the scanned folders, or one below them.")
            QuestionSheet(self._drawing.theme, self, say("This folder was not scanned"), text, close).open()


class RuleRow(QFrame):
    """One rule. Alt+Up and Alt+Down move it; Space switches it on or off."""

    changed = Signal()
    move_wanted = Signal(object, int)  # the row, how far
    dragged = Signal(object, float)  # the row, y on the screen

    def __init__(self, drawing: Drawing, kind: RuleKind, folders: Sequence[Path], *, on: bool) -> None:
        super().__init__()
        self.kind = kind
        set_look(self, look="card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        texts = RULE_TEXTS[kind]
        title, explanation = say(texts.title), say(texts.explanation) if texts.explanation else ""
        self.setAccessibleName(title)
        self._number = label("", "strong", "secondary")
        self._number.setFixedWidth(18)
        self._icon = Icon(drawing.theme, RULE_TEXTS[kind].icon, "accent", 16)
        self._title = label(title, "strong")
        self.switch = Switch(title, checked=on)
        self.switch.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.switch.toggled.connect(self.changed)
        self.folder = FolderChoice(drawing, folders, title, say("Folder whose copies are preferred"))
        column = down(self._title, spacing=1)
        if kind is RuleKind.IN_FOLDER:
            self.folder.currentIndexChanged.connect(self.changed)
            self.folder.chosen.connect(partial(self.switch.setChecked, True))
            column.addWidget(self.folder)
        elif explanation:
            column.addWidget(label(explanation, "secondary"))
        grip = Grip(drawing)
        grip.dragged.connect(partial(self.dragged.emit, self))
        across(self._number, self._icon, grow(column), grip, self.switch, margins=(12, 6, 12, 6), spacing=10, into=self)

    def rule(self) -> Rule | None:
        """Return the rule; None while it is off."""
        folder = self.folder.currentData()
        is_on = self.switch.isChecked() and (folder is not None or self.kind is not RuleKind.IN_FOLDER)
        return Rule(self.kind, folder) if is_on else None

    def text(self) -> str:
        """Return the rule as it is stored: "newest", "-oldest" if it is off, "in:/folder"."""
        folder = f":{self.folder.currentData()}" if self.kind is RuleKind.IN_FOLDER else ""
        return ("" if self.switch.isChecked() else OFF) + self.kind.value + folder

    def take_over(self, text: str) -> None:
        """Set the switch and the folder by a result of `text`. A folder that is not of this scan switches it off."""
        _, _, folder = text.partition(":")
        index = self.folder.index_of(folder) if folder else -1
        if index >= 0:
            self.folder.choose(index)
        self.switch.setChecked(not text.startswith(OFF) and (index >= 0 or not folder))

    def show_number(self, number: int) -> None:
        """Show its number among the rules that are on; 0: it is off."""
        self._number.setText(str(number) if number else "")
        set_look(self._title, tone="text" if number else "tertiary")
        self._icon.set_icon(RULE_TEXTS[self.kind].icon, "accent" if number else "tertiary")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.move_wanted.emit(self, by)
        elif event.key() == Qt.Key.Key_Space:
            self.switch.toggle()
        else:
            super().keyPressEvent(event)


class RuleRows(QWidget):
    """All rules, as they were when the person last marked by them; `changed` is emitted with every change of them."""

    changed = Signal()

    def __init__(self, drawing: Drawing, folders: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = down(margins=(0, 0, 6, 0), spacing=6, into=self)
        self.rows: list[RuleRow] = []
        for kind in RuleKind:
            if kind is RuleKind.IN_FOLDER and not folders:
                continue
            row = RuleRow(drawing, kind, folders, on=False)
            row.changed.connect(self._number_rows)
            row.move_wanted.connect(self._moved)
            row.dragged.connect(self._dragged)
            self.rows.append(row)
            self._column.addWidget(row)
        self._column.addStretch(1)
        self._settings = QSettings(str(data_dir() / "rules.ini"), QSettings.Format.IniFormat)
        self.set_usual()
        self._take_over(str(self._settings.value("rules", "")).split("\n"))

    def set_usual(self) -> None:
        """Set the order and the switches that the rules have at first. The person chooses which folder to prefer."""
        on = [kind.value for kind in USUAL_RULES]
        self._take_over([OFF + RuleKind.IN_FOLDER.value, *on[1:], *(OFF + kind.value for kind in RuleKind)])

    def remember(self) -> None:
        """Store the rules for the next time, one on each line; those that are off begin with OFF."""
        self._settings.setValue("rules", "\n".join(map(RuleRow.text, self.rows)))
        self._settings.sync()

    def _take_over(self, texts: Sequence[str]) -> None:
        """Set order, switches and folder by results of `RuleRow.text`. Unknown and repeated rules are ignored."""
        rows, ordered = {row.kind.value: row for row in self.rows}, list[RuleRow]()
        for text in texts:
            row = rows.pop(text.removeprefix(OFF).partition(":")[0], None)
            if row is not None:
                row.take_over(text)
                ordered.append(row)
        self.rows = [*ordered, *rows.values()]
        for index, row in enumerate(self.rows):
            self._column.removeWidget(row)
            self._column.insertWidget(index, row)
        self._number_rows()

    def rules(self) -> list[Rule]:
        """Return the rules that are on, in order."""
        return [rule for rule in (row.rule() for row in self.rows) if rule is not None]

    def move_rule(self, index: int, to: int) -> None:
        to = min(max(0, to), len(self.rows) - 1)
        if to == index:
            return
        row = self.rows.pop(index)
        self.rows.insert(to, row)
        self._column.removeWidget(row)
        self._column.insertWidget(to, row)
        self._number_rows()

    def _number_rows(self) -> None:
        """Show the numbers of the rules that are on, after any change."""
        number = 0
        for row in self.rows:
            on = row.rule() is not None
            number += on
            row.show_number(number if on else 0)
        self.changed.emit()

    def _moved(self, row: RuleRow, by: int) -> None:
        self.move_rule(self.rows.index(row), self.rows.index(row) + by)
        row.setFocus()

    def _dragged(self, row: RuleRow, y: float) -> None:
        local_y = self.mapFromGlobal(QPointF(0.0, y)).y()
        above = sum(other.geometry().bottom() < local_y for other in self.rows)
        self.move_rule(self.rows.index(row), above)


WIDTH: Final = 1120
_UNDECIDED: Final = 1  # the part of the preview with the groups that no rule decides
SETTLE_MS: Final = 60  # several quick changes cause one preview


class AssistantSheet(JobSheet):
    """`agreed(preview)` is emitted when the person asks to mark what was previewed; the dialog is then closed."""

    agreed = Signal(object)  # Preview

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget) -> None:
        text = say("Rules choose the copy to keep in each group and mark the others. You see the effect first.")
        groups, listed = session.counts().clusters, len(session.listed())
        if listed < groups:  # by a search or filters, which may be forgotten
            numbers = {"shown": count_text(listed), "total": count_text(groups)}
            text += "\n" + say("The list shows {shown} of {total} groups; only these are marked.", **numbers)
        super().__init__(theme, parent, say("Select automatically"), text, width=WIDTH)
        self._session = session
        self._drawing = Drawing(theme)
        self.preview: Preview | None = None
        self._job = OneJob(self)
        self._boxes: dict[Relation, QCheckBox] = {}
        self._counts: list[QLabel] = []
        roots = session.result.summary.roots
        self._protected = [path for path, role in roots if role == "protect"]
        chosen = (path for path, role in roots if role == "scan")
        scanned = list(dict.fromkeys(path.parent if path.is_file() else path for path in chosen))
        self.rules = RuleRows(self._drawing, scanned, self)
        self.within = FolderChoice(
            self._drawing, scanned, say("Mark only in"), say("Folder in which files may be marked"), say("all folders")
        )
        self._overrule = QCheckBox(say("Replace my own decisions"))
        self._views = SegmentedChoice([say("Sample"), say("Undecided"), say("By folder")], say("Preview"))
        self._totals = Strip(theme, "shield", "keep", say("Working…"))
        self._model = PreviewModel(self)
        self._table = ListTable(
            self._model, say("What the rules would do"), PreviewPainter(self._drawing, self._model), row=ROW
        )
        self._go = button(theme, say("Working…"), "primary", act=self.mark)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._build()
        self._connect()
        self._unsubscribe = session.subscribe(lambda _: self._outdate())  # files vanished or changed
        self._outdate()

    # ---- building -------------------------------------------------------------------------------------------------
    def _build(self) -> None:
        halves = across(grow(self._left_half(), 4), line("rule"), grow(self._right_half(), 6), spacing=24)
        self.body.addLayout(halves, 1)
        name = label(say("Mark only in"))
        name.setBuddy(self.within)
        self.within.setMinimumContentsLength(SHORTEST_PLACE)
        for index, widget in enumerate((name, self.within, self._overrule)):
            self.buttons.insertWidget(index, widget)
        self.end_with_cancel(self._go)
        self._boxes[Relation.IDENTICAL].setFocus()

    def _left_half(self) -> QVBoxLayout:
        by = label(say("by the closest copy that stays"), "secondary")
        column = down(across(label(say("Which duplicates"), "strong"), Stretch(), by), spacing=6)
        texts = {
            Relation.IDENTICAL: say("Identical"),
            Relation.SAME_TEXT: say("Same text in another format"),
            Relation.SAME_WORDS: say("Same words — pictures or comments differ"),
            Relation.VERSION: say("Versions — their texts differ"),
            Relation.PART: say("Parts of a longer document"),
        }
        for relation in FILTERED_RELATIONS:
            box = self._boxes[relation] = QCheckBox(texts[relation])
            box.setChecked(relation in FREELY_REMOVED)
            box.setToolTip(relation_meaning(relation))
            self._counts.append(label("", "secondary"))
            column.addLayout(across(box, Stretch(), self._counts[-1]))
        usual = button(self._theme, say("Usual rules"), "link", act=self.rules.set_usual)
        add(column, Space(8), across(label(say("Which copy stays"), "strong"), Stretch(), usual))
        hint = say("Drag, or Alt+Up and Alt+Down, to change the order. The first rule that decides wins.")
        add(column, label(hint, "secondary", wrap=True), self._protection())
        area = bare_area(self.rules)
        bar = area.verticalScrollBar().sizeHint().width()
        area.setMinimumWidth(max(370, self.rules.minimumSizeHint().width() + bar))
        add(column, grow(area))
        return column

    def _protection(self) -> QFrame:
        card = Card(margin=8)
        names = ", ".join(shown(path.name) for path in self._protected) or say("none in this scan")
        always = say("{folders} · always on", folders=names)
        title = label(say("Never touch protected folders"), "strong")
        texts = down(title, label(always, "secondary", wrap=True), spacing=1)
        row = across(Icon(self._theme, "lock", "accent", 16), grow(texts), margins=(32, 0, 4, 0), spacing=10)
        card.column.addLayout(row)
        return card

    def _right_half(self) -> QVBoxLayout:
        heads = across(label(say("Preview"), "strong"), Stretch(), self._views)
        table = self._table
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setMinimumSize(320, 300)
        return down(heads, self._totals, grow(table), spacing=10)

    def _connect(self) -> None:
        self.rules.changed.connect(self._outdate)
        self.within.currentIndexChanged.connect(self._outdate)
        for box in (*self._boxes.values(), self._overrule):
            box.toggled.connect(self._outdate)
        self._settle.timeout.connect(self._ask)
        self._views.chosen.connect(self._show_lines)

    # ---- previewing -----------------------------------------------------------------------------------------------
    def _outdate(self) -> None:
        """Discard the preview: nothing can be marked until the rules as they are now have one."""
        self.preview = None
        self._job.give_up()
        self._go.setEnabled(False)
        self._settle.start()

    def _ask(self) -> None:
        """Compute what the rules would do; an outdated result is discarded."""
        relations = frozenset(relation for relation, box in self._boxes.items() if box.isChecked())
        rules, overrule = self.rules.rules(), self._overrule.isChecked()
        work = partial(_preview, self._session, rules, relations, overrule, self.within.currentData())
        self._job.start(work, succeeded=self._show_preview, failed=partial(self.close_and_emit, self.failed))

    def _show_preview(self, preview: Preview) -> None:
        self.preview = preview
        text = say(
            "{documents} would be marked · {size} · one copy or more stays in {groups}",
            groups=groups_text(len(preview.selection.chosen)),
            documents=documents_text(preview.documents),
            size=size_text(preview.bytes).replace(" ", "\u00a0"),  # number and unit stay in one line
        )
        for folder in preview.places:
            self.within.index_of(folder)  # which offers it
        open_groups = len(preview.selection.undecided)
        note = say("Nothing is removed yet.")
        if versioned := versioned_sentence(preview.selection.versioned):
            note += " " + versioned
        if open_groups:
            note += " " + say_count(
                "{count} group stays undecided because the rules prefer no copy.",
                "{count} groups stay undecided because the rules prefer no copy.",
                open_groups,
            )
        self._totals.show_text(text if preview.documents else say("No further document would be marked."), note)
        self._views.part(_UNDECIDED).setText(say("Undecided {number}", number=count_text(open_groups)))
        self._go.setText(say_count("Mark {count} document", "Mark {count} documents", preview.documents))
        self._go.setEnabled(preview.documents > 0)
        for index, (count, box) in enumerate(zip(self._counts, self._boxes.values(), strict=True)):
            # What is chosen adds up to the total; of the rest, how much rules could reach.
            counts = preview.relations if box.isChecked() else preview.counts
            documents, groups = int(counts.documents[index]), int(counts.groups[index])
            text = say("{documents} in {groups}", documents=count_text(documents), groups=groups_text(groups))
            count.setText(text if documents else NOTHING)
        self._show_lines(self._views.current())

    def _show_lines(self, view: int) -> None:
        if self.preview is not None:
            lines = (self.preview.sample, self.preview.undecided, self.preview.folders)
            nothing = PreviewLine(PreviewKind.HEADING, say("The rules decide which copy stays in every group."))
            self._model.show_rows(lines[view] or [nothing] * (view == _UNDECIDED))

    # ---- doing ----------------------------------------------------------------------------------------------------
    def done(self, result: int) -> None:
        """Close the dialog; a preview that is being computed is given up."""
        self._unsubscribe()
        self._settle.stop()
        self._job.give_up()
        super().done(result)

    def mark(self) -> None:
        """Close the dialog and ask to mark what was previewed."""
        if self.preview is not None:
            self.rules.remember()
            self.accept()
            self.agreed.emit(self.preview)


def _preview(
    session: ReviewSession,
    rules: Sequence[Rule],
    relations: frozenset[Relation],
    overrule: bool,
    within: Path | None,
    reporter: Reporter,
) -> Preview:
    selection = select(session, rules, relations, overrule=overrule, within=within, reporter=reporter)
    reporter.check()
    return preview_of(session, selection)
