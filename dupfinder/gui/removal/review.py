"""The final dialog before a removal: its files, the way of removing, and the promise that a copy of each stays."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedWidget, QWidget

from dupfinder.actions.plan import Plan, Step, Verb
from dupfinder.actions.trash import lacks_trash
from dupfinder.base.columns import distinct
from dupfinder.base.display import folder_text, shown
from dupfinder.base.progress import Progress, Stage
from dupfinder.cluster.clustering import freed
from dupfinder.cluster.relation import FREELY_REMOVED, Relation
from dupfinder.gui.kit import tasks, words
from dupfinder.gui.kit.buttons import SegmentedChoice, button
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import LEFT, MIDDLE, Drawing
from dupfinder.gui.kit.files import folder_dialog
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import ElidedLabel, label, line, plain_tip
from dupfinder.gui.kit.layout import Stretch, across, add, boxed, down, grow
from dupfinder.gui.kit.progress import ProgressBar, RateMeter
from dupfinder.gui.kit.sheet import MARGINS, JobSheet
from dupfinder.gui.kit.tables import DISPLAY, CellPainter, CellState, ListTable, RowsModel
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.acts import MarkSummary
from dupfinder.review.folder_pairs import FolderLine, by_folder, synced_name
from dupfinder.review.session import ReviewSession
from dupfinder.review.survivors import PlanSteps
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.figures import count_text, documents_text, listed, size_text, waiting_text
from dupfinder.wording.removal import unlinkable_sentence

ROW: Final = 36


@dataclass(frozen=True, slots=True)
class RemovalPreview:
    """What one way of removing would do, computed beside the window.

    folders:   of the documents to be removed, the folder with the most bytes first.
    bytes:     of these documents if they are moved, else the bytes that their removal frees.
    relations: number of these documents by relation to their survivor.
    groups:    number of groups that have such documents.
    unlinkable:  number of marked documents that cannot become hard links.
    without_trash: number of documents that should go to the trash, on drives that have none.
    short_room:  free bytes of a destination on another drive that has not room for all; None if they fit.
    """

    plan: Plan
    folders: Sequence[FolderLine]
    bytes: int
    relations: Mapping[Relation, int]
    groups: int
    unlinkable: int
    without_trash: int = 0
    short_room: int | None = None

    @classmethod
    def of(cls, session: ReviewSession, verb: Verb, destination: Path | None) -> RemovalPreview:
        """Return what removing the marked documents in this way would do."""
        plan = session.plan(verb, destination)
        steps = plan.steps
        assert isinstance(steps, PlanSteps)
        linkable = steps.linkable
        if verb is Verb.HARDLINK:
            steps = steps.where(linkable)
        relations, unlinkable = steps.survivors.relations(), int(np.count_nonzero(~linkable))
        size = steps.bytes if verb is Verb.MOVE else freed(session.grouping.files, steps.victims)
        groups = len(distinct(session.grouping.positions_of(session.demand)[steps.victims])[0])
        folders = by_folder(steps.documents, steps.victims)
        there = (line_of_folder for line_of_folder in folders if verb is Verb.TRASH)
        without_trash = sum(part.documents for part in there if lacks_trash(Path(part.folder)))
        room = None if destination is None else _short_room(destination, folders)
        return cls(replace(plan, steps=steps), folders, size, relations, groups, unlinkable, without_trash, room)

    @property
    def synced(self) -> Mapping[str, int]:
        """Number of documents by the names of their folders, if these are usual for cloud storage."""
        counts: Counter[str] = Counter()
        for line_of_folder in self.folders:
            if name := synced_name(line_of_folder.folder):
                counts[name] += line_of_folder.documents
        return counts


def _short_room(destination: Path, folders: Sequence[FolderLine]) -> int | None:
    """Return the free bytes of a folder if what comes from other drives does not fit into them, else None."""
    try:
        drive = destination.stat().st_dev
        needed = sum(part.bytes for part in folders if Path(part.folder).stat().st_dev != drive)
        free = shutil.disk_usage(destination).free
    except OSError:
        return None  # the removal itself tells what is wrong
    return free if needed > free else None


class RemovalModel(RowsModel):
    """Rows are folders (name, documents, bytes) or files (name, kept copy, bytes)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, 3)
        self._removal: RemovalPreview | None = None
        self.by_file = False

    def show_removal(self, removal: RemovalPreview) -> None:
        """Show the folders or files of another way of removing."""
        self._removal = removal
        self.show_files(self.by_file)

    def show_files(self, by_file: bool) -> None:
        """Show files, or else folders."""
        self.by_file, removal = by_file, self._removal
        self.show_rows(() if removal is None else removal.plan.steps if by_file else removal.folders)

    def is_number(self, column: int) -> bool:
        return column == 2 or (column == 1 and not self.by_file)

    def cell(self, row: int, column: int, role: int) -> object:
        texts = self._file(self.rows[row]) if self.by_file else self._folder(self.rows[row])
        if role == DISPLAY:
            return texts[column]
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return plain_tip(texts[0])
        if role == Qt.ItemDataRole.ToolTipRole and self.by_file:
            return plain_tip(shown(self.rows[row].keeper.path))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(texts) if column == 0 else texts[column]
        return None

    def _folder(self, line: FolderLine) -> tuple[str, str, str]:
        return shown(line.folder), documents_text(line.documents), size_text(line.bytes)

    def _file(self, step: Step) -> tuple[str, str, str]:
        plan = None if self._removal is None else self._removal.plan
        folders = () if plan is None else (*plan.roots, *plan.protected)
        survivor = say("kept: {name}", name=folder_text(step.keeper.path, folders))
        return shown(step.victim.path), survivor, size_text(step.victim.stamp.size)


class RemovalPainter(CellPainter):
    """An icon and a name, then less prominent facts, and a thin line below."""

    _model: RemovalModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        model = self._model
        self.paint_line(painter, box, box.left(), box.right() + 1)
        text = str(model.cell(row, column, DISPLAY))
        if column == 0:
            name = "document" if model.by_file else "folder"
            self._drawing.icon(painter, name, "secondary", QRectF(box.left() + 2, box.center().y() - 8, 16, 16))
            elide = LEFT if model.by_file else MIDDLE  # files of one folder differ at the end
            self._drawing.text(painter, box.adjusted(28, 0, -8, 0), text, "body", "text", elide=elide)
        else:
            align = Qt.AlignmentFlag.AlignRight if model.is_number(column) else Qt.AlignmentFlag.AlignLeft
            self._drawing.text(painter, box.adjusted(4, 0, 0, 0), text, "secondary", "secondary", align, MIDDLE)


VERBS: Final = (Verb.TRASH, Verb.MOVE, Verb.HARDLINK)
WIDTH: Final = 780


class RemovalSheet(JobSheet):
    """Cancel is the default; Enter never confirms. `removed(Batch)` is emitted after the files were removed."""

    removed = Signal(object)
    changed_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, session: ReviewSession, theme: Theme, library: Path, parent: QWidget) -> None:
        super().__init__(theme, parent, "", " ", width=WIDTH)
        self._session = session
        self._library = library
        self._summary: MarkSummary = session.summary()
        self._verb = Verb.TRASH
        self._destination: Path | None = None
        self._method: tuple[Verb, Path | None] | None = None  # of removing; None once the dialog is closed
        self._removal: RemovalPreview | None = None
        self._job: Job | None = None
        self._figures = RemovalFigures()
        self._methods = SegmentedChoice([words.trash_name(), say("Move to folder…"), say("Replace by hard link")],
                              say("Remove by"))  # fmt: skip
        self._target = ElidedLabel("", "secondary")
        self._choose = button(theme, say("Choose…"), "link", act=self._choose_folder)
        self._target_row = boxed(across(grow(self._target), self._choose, margins=(0, 0, 0, 0)))
        self._notes = RemovalNotes(theme)
        self.lines = RemovalModel(self)
        painter = RemovalPainter(Drawing(theme), self.lines)
        self._table = ListTable(self.lines, say("What would be removed"), painter, row=ROW)
        self._heading = label("", "strong")
        self._show_all = button(theme, "", "link", act=self._toggle_files)
        self._export = button(theme, say("Export list…"), "link", act=self.export_wanted)
        self._hint = label("", "secondary")
        self._cancel = button(theme, say("Cancel"), act=self.reject)
        self._go = button(theme, "", "danger", act=self.start)
        self._pages = QStackedWidget()
        self._bar = ProgressBar(say("Progress of the removal"))
        self._count, self._pace = label("", "lead"), RateMeter()
        self._current = ElidedLabel("", "secondary")
        self._methods.chosen.connect(self._method_chosen)
        self._notes.review_wanted.connect(self._review_changed)
        self._build()
        self._apply_method()

    # ---- building -------------------------------------------------------------------------------------------------
    def _build(self) -> None:
        self._pages.addWidget(self._question_page())
        self._pages.addWidget(self._progress_page())
        self.body.addWidget(self._pages)
        self.buttons.insertWidget(0, self._hint)
        add(self.buttons, self._cancel, self._go)
        self._cancel.setDefault(True)
        self._cancel.setFocus()

    def _question_page(self) -> QWidget:
        choice = across(label(say("Remove by"), "medium"), self._methods, grow(self._target_row), spacing=12)
        heads = across(self._heading, Stretch(), self._show_all, self._export)
        self._prepare_table()
        parts = (self._figures, line(), choice, self._notes, heads, grow(self._table))
        return boxed(down(*parts, spacing=10))

    def _prepare_table(self) -> None:
        table = self._table
        for column, width in ((1, 190), (2, 86)):
            table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            table.setColumnWidth(column, width)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setMinimumHeight(ROW)  # in the lowest window with all texts; otherwise it has room for more

    def _progress_page(self) -> QWidget:
        parts = (Stretch(), self._count, self._bar, self._current, Stretch(2))
        return boxed(down(*parts, margins=(11, 11, 11, 11), spacing=10))

    # ---- the plan -------------------------------------------------------------------------------------------------
    @property
    def plan(self) -> Plan | None:
        """The plan of the chosen way of removing; None while it is computed."""
        return None if self._removal is None else self._removal.plan

    def _apply_method(self) -> None:
        method = self._method = (self._verb, self._destination if self._verb is Verb.MOVE else None)
        self._removal = None
        self._tell()
        self._session.do(lambda: RemovalPreview.of(self._session, *method) if method == self._method else None,
                         partial(self._show_removal, method))  # fmt: skip

    def _show_removal(self, method: tuple[Verb, Path | None], removal: RemovalPreview | None) -> None:
        if removal is None or method != self._method:
            return
        self._removal = removal
        is_first = self.lines.rowCount() == 0
        self.lines.show_removal(removal)
        self._tell()
        if is_first:  # other ways of removing must not move a button under the pointer
            _reserve_room(self._target_row)
            self._notes.reserve_room(removal)
        self._fit_table()

    def _fit_table(self) -> None:
        """Limit the height of the table to its rows; in a low window also to the room beside all else."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # or old sizes are measured
        layout, table = self.card.layout(), self._table
        assert layout is not None
        others = layout.totalHeightForWidth(min(self.card.maximumWidth(), self._window.width() - 2 * MARGINS))
        others -= min(table.sizeHint().height(), table.maximumHeight())
        rows = ROW * max(3, self.lines.rowCount()) + 4
        table.setMaximumHeight(max(ROW, min(rows, self._window.height() - MARGINS - _ROUNDING - others)))

    def choose_method(self, index: int) -> None:
        """Choose a member of VERBS by its index, without asking for a folder."""
        self._methods.set_current(index)
        self._verb = VERBS[index]
        self._apply_method()

    def _method_chosen(self, index: int) -> None:
        self.choose_method(index)
        if self._verb is Verb.MOVE and self._destination is None:
            self._choose_folder()

    def _choose_folder(self) -> None:
        folder_dialog(self, say("Folder that receives the documents"), self.move_to).open()

    def move_to(self, folder: str) -> None:
        """Set the folder for moved documents."""
        self._destination = Path(folder)
        self._apply_method()

    # ---- words ----------------------------------------------------------------------------------------------------
    def _tell(self) -> None:
        summary, removal = self._summary, self._removal
        count, size, groups, relations = summary.documents, summary.bytes, summary.clusters, summary.relations
        if removal is not None:
            count, size, groups = len(removal.plan.steps), removal.bytes, removal.groups
            relations = removal.relations
        texts = removal_words(self._verb, count, groups)
        self._figures.show_figures((count_text(count), size_text(size), count_text(groups)), texts.legends)
        self.title.setText(texts.title)
        self.setWindowTitle(texts.title)
        self.quiet.setText(texts.restoring)
        self._go.setText(texts.go)
        self._target_row.setVisible(self._verb is Verb.MOVE)
        self._target.setText(shown(self._destination) if self._destination else say("No folder chosen yet"))
        is_linking = self._verb is Verb.HARDLINK
        left_out = 0 if removal is None or not is_linking else removal.unlinkable
        synced = {} if removal is None or is_linking else removal.synced
        place = "" if removal is None else _place_text(removal)
        self._notes.show_notes(relations, summary.unseen, left_out, synced, place)
        all_files = say("Show all {number}", number=count_text(count))
        self._show_all.setText(say("Show folders") if self.lines.by_file else all_files)
        self._heading.setText(say("These files") if self.lines.by_file else say("From these folders"))
        ready = removal is not None and count > 0 and (self._verb is not Verb.MOVE or self._destination is not None)
        self._go.setEnabled(ready)
        key = self._go.shortcut().toString(QKeySequence.SequenceFormat.NativeText)  # the one that its text marks with &
        self._hint.setText(say("Confirm with {key}", key=key) if key else "")

    def _toggle_files(self) -> None:
        self.lines.show_files(not self.lines.by_file)
        self._table.setColumnWidth(1, 300 if self.lines.by_file else 190)  # for the folders of kept copies
        self._fit_table()
        self._tell()

    def _review_changed(self) -> None:
        self.reject()
        self.changed_wanted.emit()

    # ---- doing ----------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Carry out the plan."""
        if self.plan is None or self._job is not None or not self._go.isEnabled():
            return
        self._pages.setCurrentIndex(1)
        self._go.hide()
        self._hint.clear()
        self._cancel.setText(say("Stop"))
        self.title.setText(say("Removing"))
        self.quiet.setText(say("Stopping waits for the current file."))
        self._progressed(Progress(Stage.REMOVE))
        self._job = Job(partial(tasks.remove, self.plan, self._library), self)
        self._job.progressed.connect(self._progressed)
        self._job.stopped.connect(self.accept)
        self.close_after(self._job, self.removed)

    def _progressed(self, progress: Progress) -> None:
        total = len(self.plan.steps) if self.plan is not None else 0
        self._bar.set_share(progress.done / total if total else 0.0)
        parts = [say("{done} of {total} documents", done=count_text(progress.done), total=count_text(total))]
        self._pace.note(time.monotonic(), progress.done)
        if (remaining := self._pace.seconds_remaining(time.monotonic(), total)) is not None:
            parts.append(say("{time} left", time=waiting_text(remaining)))
        self._count.setText("  ·  ".join(parts))
        if progress.current:
            self._current.setText(shown(progress.current[0]))

    def done(self, result: int) -> None:
        """Close the dialog; a plan that is being computed is not shown."""
        self._method = None
        super().done(result)

    def reject(self) -> None:
        """Close the dialog; during a removal stop after the current file."""
        if self._job is None:
            super().reject()
        else:
            self._cancel.setEnabled(False)
            self._job.stop()


@dataclass(frozen=True, slots=True)
class RemovalWords:
    """Texts for one way of removing.

    title: the question. restoring: how to undo it. go: the button. legends: below the three figures.
    """

    title: str
    restoring: str
    go: str
    legends: tuple[str, str, str]


def removal_words(verb: Verb, count: int, groups: int) -> RemovalWords:
    """Return the texts for removing `count` documents of some groups in this way."""
    trash = words.trash_name()
    kept = say_count("group, which keeps 1 or more", "groups, each keeps 1 or more", groups)
    title, restoring, go, documents, size = {
        Verb.TRASH: (
            say_count(
                "Move {count} document to the {trash}?", "Move {count} documents to the {trash}?", count, trash=trash
            ),
            say("You can undo this from History, or from the {trash}.", trash=trash),
            say_count("&Move {count} to {trash}", "&Move {count} to {trash}", count, trash=trash),
            say_count("document to the {trash}", "documents to the {trash}", count, trash=trash),
            say("freed when it is emptied"),
        ),
        Verb.MOVE: (
            say_count("Move {count} document to another folder?", "Move {count} documents to another folder?", count),
            say("Sub-folders are kept, and nothing is overwritten. You can undo this from History."),
            say_count("&Move {count} document", "&Move {count} documents", count),
            say_count("document to the folder", "documents to the folder", count),
            say("leave their folders"),
        ),
        Verb.HARDLINK: (
            say_count("Replace {count} document by a hard link?", "Replace {count} documents by hard links?", count),
            say(
                "Each file stays under its name, but is then one file with the kept copy: editing one changes the "
                "other. You can undo this from History."
            ),
            say_count("&Make {count} hard link", "&Make {count} hard links", count),
            say_count("document to be linked", "documents to be linked", count),
            say("freed at once"),
        ),
    }[verb]
    return RemovalWords(title, restoring, go, (documents, size, kept))


_ROUNDING: Final = 2  # px by which heights for a width may be too small
_MOST_NAMES: Final = 3  # of folders, in one sentence
MANY: Final = 1_000  # documents: more than this are a reason for a warning


class RemovalFigures(QWidget):
    """Three figures in a row, each with its legend below."""

    def __init__(self) -> None:
        super().__init__()
        self._figures = [label("", "figure", tone) for tone in ("remove", "text", "keep")]
        self._legends = [label("", "secondary", wrap=True) for _ in self._figures]
        row = across(into=self)
        for index, (figure, legend) in enumerate(zip(self._figures, self._legends, strict=True)):
            if index:
                row.addWidget(line("rule"))
            row.addLayout(down(figure, legend, margins=(20, 0, 12, 4), spacing=2), 1)

    def show_figures(self, figures: Sequence[str], legends: Sequence[str]) -> None:
        for widget, text in zip((*self._figures, *self._legends), (*figures, *legends), strict=True):
            widget.setText(text)


class RemovalNotes(QWidget):
    """Strips that say that a copy stays, which documents are not the same as what stays, and other warnings."""

    review_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._safe = Strip(theme, "shield", "keep")
        self._changed = Strip(theme, "warning", "warn")
        self._warning = Strip(theme, "warning", "warn")
        self._changed.links[0].clicked.connect(self.review_wanted)
        down(self._safe, self._changed, self._warning, spacing=10, into=self)

    def show_notes(
        self,
        relations: Mapping[Relation, int],
        unseen: int,
        unlinkable: int,
        synced: Mapping[str, int],
        place: str,
    ) -> None:
        """Set the texts.

        relations: documents to be removed, by relation to their survivor. unseen: how many changed ones were not
        opened in the comparison. unlinkable: how many stay because they cannot be linked. synced: how many are in
        folders with names of cloud storage, by these. place: about where documents go, or "".
        """
        text = say("Just before each file is moved, it and its kept copy are checked again on disk.")
        changed = {relation: count for relation, count in relations.items() if relation not in FREELY_REMOVED}
        self._safe.show_text(words.what_stays(relations), text)
        title = say("Not the same as what stays: {counts}", counts=words.counts_of(changed)) if changed else ""
        text = say_some(
            "{count} of them has not been opened in the comparison yet.",
            "{count} of them have not been opened in the comparison yet.",
            unseen,
        )
        link = say_count("Review it", "Review these {count}", sum(changed.values()))
        self._changed.show_text(title, text, link)
        count = sum(relations.values())
        texts = _warning_text(count, unlinkable), place, _synced_text(synced)
        warnings = list(filter(None, texts))
        self._warning.show_text(*warnings or ("",))

    def reserve_room(self, removal: RemovalPreview) -> None:
        """Reserve room for the strips that another way of removing may show."""
        if any(relation not in FREELY_REMOVED for relation in removal.relations):
            _reserve_room(self._changed)
        if removal.unlinkable or removal.synced or removal.without_trash:
            _reserve_room(self._warning)


def _warning_text(count: int, unlinkable: int) -> str:
    if unlinkable:
        return unlinkable_sentence(unlinkable)
    text = NP_("This is {count} document. Take your time.", "These are {count} documents. Take your time.")
    return say_count(*text, count) if count > MANY else ""


def _place_text(removal: RemovalPreview) -> str:
    """Return what is to know of the place that documents go to: a full drive, or one without a trash; else ""."""
    if removal.short_room is not None:
        room = size_text(removal.short_room)
        return say("Only {size} are free in that folder: not all of these documents fit.", size=room)
    return say_some(
        "{count} document is on a drive without a reliable {trash}, such as a network drive or a memory stick. It goes "
        "to the quarantine instead, from which History restores it.",
        "{count} documents are on drives without a reliable {trash}, such as network drives and memory sticks. They go "
        "to the quarantine instead, from which History restores them.",
        removal.without_trash,
        trash=words.trash_name(),
    )


def _synced_text(synced: Mapping[str, int]) -> str:
    names = [shown(name) for name in sorted(synced, key=synced.__getitem__, reverse=True)]
    return say_some(
        "{count} document is in a folder named like one of cloud storage ({names}), which would remove it on other "
        "devices, too.",
        "{count} documents are in folders named like those of cloud storage ({names}), which would remove them on "
        "other devices, too.",
        sum(synced.values()),
        names=listed([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])]),
    )


def _reserve_room(widget: QWidget) -> None:
    """Keep the room of a widget while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
