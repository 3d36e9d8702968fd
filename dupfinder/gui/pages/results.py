"""The results of a scan: what was found, which copies stay, and the way to their removal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QSplitter, QStackedWidget, QWidget

from dupfinder.actions.outcome import Batch, State
from dupfinder.base.display import shown
from dupfinder.base.progress import Reporter
from dupfinder.gui import figures
from dupfinder.gui.components.buttons import Segments, button
from dupfinder.gui.components.page import Page, filled
from dupfinder.gui.components.sheet import Sheet
from dupfinder.gui.dialogs.messages import explain
from dupfinder.gui.jobs import Job
from dupfinder.gui.theme import Theme
from dupfinder.gui.views import words
from dupfinder.gui.views.action_bar import ActionBar
from dupfinder.gui.views.cluster_detail import ClusterDetail
from dupfinder.gui.views.cluster_pane import ClusterPane
from dupfinder.gui.views.forms_view import FormsView
from dupfinder.gui.views.ink import Ink
from dupfinder.gui.views.pair_reader import PairReader
from dupfinder.gui.views.places import text_of, url_of
from dupfinder.gui.views.presence import Presence
from dupfinder.gui.views.view_state import ViewState
from dupfinder.review.members import Decision, Member
from dupfinder.review.session import Changed, ReviewSession

LEFT_WIDTH: Final = 372
MOST_LEFT: Final = 520
WATCH_MS: Final = 2_000  # between two looks at the files of the open group
_MANY: Final = (
    20_000  # documents: sorting so many names takes longer than a frame, so it is done before it is asked for
)


class ResultsPage(Page):
    """One finished scan under review. Everything it shows is the session's; it decides nothing itself."""

    toast_wanted = Signal(str, str, object)  # sentence, name of the act ("": none), what it calls

    def __init__(
        self,
        session: ReviewSession,
        theme: Theme,
        library: Path,
        parent: QWidget | None = None,
        *,
        reader: PairReader | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._library = library
        self._ink = Ink(theme, self)
        self._state = ViewState(session)
        self._state.restore_session()
        self._restoring: Job | None = None
        self._removal: Batch | None = None  # the newest, while it can be taken back from here
        self._preparing: Job | None = None
        if len(session.result.documents) > _MANY:
            self._preparing = Job(partial(_prepare, session)).start()
        self._presence = Presence(session, self)
        self._search = QLineEdit(self)
        self._tools = self._make_tools()
        self.pane = ClusterPane(session, self._ink, self)
        self.detail = ClusterDetail(session, self._ink, reader, self)
        self.bar = ActionBar(session, theme, self)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self.pane)
        self._split.addWidget(self.detail)
        self._split.setStretchFactor(1, 1)
        self.pane.setMaximumWidth(theme.px(MOST_LEFT))
        self._split.setSizes(self._state.sizes() or [theme.px(LEFT_WIDTH), 10_000])
        self.forms = FormsView(session, self._ink, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._split)
        self._stack.addWidget(self.forms)
        filled(self, self._stack, self.bar)
        self._connect()
        self._unsubscribe: Callable[[], None] | None = session.subscribe(self._follow)
        self._watch = QTimer(self)
        self._watch.setInterval(WATCH_MS)
        self._watch.timeout.connect(self._look_at_group)
        if not self.pane.list.choose(self._state.cluster()):
            self.pane.list.choose_row(0)

    def _make_tools(self) -> QWidget:
        tools = QWidget()
        row = QHBoxLayout(tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._search.setPlaceholderText(self.tr("Search names or folders"))
        self._search.setAccessibleName(self.tr("Search names or folders"))
        self._search.setToolTip(self.tr("Also folder:  type:pdf  lang:en  size>1MB  date<2024-01-31"))
        self._search.setClearButtonEnabled(True)
        self._search.addAction(self._theme.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self._search.setStyleSheet("QToolButton { border: none; padding: 0; margin: 0; min-width: 0; min-height: 0; }")
        self._search.setMinimumWidth(110)
        self._search.setMaximumWidth(280)
        export = button(self._theme, self.tr("Export"), icon="export")
        export.clicked.connect(self.export)
        self._automatic = button(self._theme, self.tr("Select automatically…"), icon="wand")
        self._automatic.clicked.connect(self.select_automatically)
        self._views = Segments([self.tr("Groups"), self.tr("Same form")], self.tr("View"))
        for one in (self._views, self._search, export, self._automatic):
            row.addWidget(one)
        return tools

    def _connect(self) -> None:
        self.pane.chosen.connect(self.detail.show_cluster)
        self.pane.clear_wanted.connect(self.clear_filters)
        self.pane.card.calibration_wanted.connect(self.calibrate)
        self._search.textChanged.connect(self.pane.search)
        self._search.returnPressed.connect(self.pane.list.setFocus)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._search)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self._leave_search)
        self.pane.mark_wanted.connect(self.mark_shown)
        self.pane.part_chosen.connect(self.detail.choose_document)
        self.pane.forms_wanted.connect(self.show_forms)
        self.detail.forms_wanted.connect(self._show_form_of)
        self.forms.group_wanted.connect(self._show_group_of)
        self._views.chosen.connect(self._turn_to)
        self._views.setVisible(self.forms.has_forms)
        self.detail.previous_wanted.connect(self.previous_group)
        self.detail.next_wanted.connect(self.next_group)
        self.detail.act_wanted.connect(self._act_on)
        self.detail.all_reviewed.connect(self._tell_all_reviewed)
        self.bar.undo_wanted.connect(self.undo)
        self.bar.removal_wanted.connect(self.review_removal)

    # ---- groups or forms ------------------------------------------------------------------------------------------
    def _turn_to(self, view: int) -> None:
        self._stack.setCurrentIndex(view)
        if view:
            self.forms.entered()
        else:
            self.pane.list.setFocus()

    def show_forms(self) -> None:
        """Show the forms that were filled in."""
        self._views.set_current(1)
        self._turn_to(1)

    def _show_form_of(self, document: int) -> None:
        self.show_forms()
        self.forms.choose_document(document)

    def _show_group_of(self, document: int) -> None:
        """Show the group of a document, whatever the filters hide."""
        clusters = self._session.present()
        places = clusters.places[clusters.members == document]
        if len(places):
            self.clear_filters()
            self._views.set_current(0)
            self._turn_to(0)
            self.pane.list.choose(int(clusters.ids[places[0]]))

    # ---- the window's side ----------------------------------------------------------------------------------------
    def crumb(self) -> str:
        return self._session.result.summary.name or self.tr("Results")

    def note(self) -> str:
        summary = self._session.result.summary
        text = self.tr("%1 · scanned %2").replace("%1", words.documents(summary.read))
        return text.replace("%2", figures.when(summary.started))

    def tools(self) -> QWidget | None:
        return self._tools

    def entered(self) -> None:
        self.pane.list.setFocus()
        self._presence.look()
        self._watch.start()

    def _look_at_group(self) -> None:
        """Whether the documents of the open group are still there."""
        rows = [member.document for member in self.detail.everyone]
        if rows:
            self._presence.look(rows)

    def left(self) -> None:
        self._watch.stop()
        self.detail.close_reader()
        self.forms.close_reader()
        self._state.save(self.detail.cluster, self._split.sizes())

    def close_session(self) -> None:
        """The page is given up: hear no more of the session."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self.detail.close_reader()
        self.forms.close_reader()
        self.pane.stop()
        self._watch.stop()
        self._presence.stop()

    @property
    def session(self) -> ReviewSession:
        """What is under review."""
        return self._session

    def _follow(self, change: Changed) -> None:
        self.pane.refresh(change)
        self.detail.refresh(change)
        self.bar.refresh()

    # ---- commands, by the names of gui.commands -------------------------------------------------------------------
    def search(self) -> None:
        """Go to the search field."""
        self._search.setFocus()
        self._search.selectAll()

    def _leave_search(self) -> None:
        """Nothing is searched for any more; back to the list."""
        self._search.clear()
        self.pane.list.setFocus()

    def mark_shown(self) -> None:
        """Mark as many documents of all groups that are shown as may go."""
        before = self._session.summary().documents
        shown, clusters = self._session.clusters(), self._session.present()
        inside = np.isin(clusters.ids, shown.ids)[clusters.places]
        spared = self._session.mark_all(clusters.members[inside].tolist())
        text = self.tr("%Ln documents marked. Nothing is removed yet.", None,
                       self._session.summary().documents - before)  # fmt: skip
        left = self.detail.refusal.left([why for _, why in spared])
        self.toast_wanted.emit(f"{text} {left}", self.tr("Undo"), self.undo)

    def clear_filters(self) -> None:
        """Show every group again."""
        self._search.blockSignals(True)
        self._search.clear()
        self._search.blockSignals(False)
        self.pane.clear_filters()

    def next_group(self) -> None:
        """The next cluster of the list."""
        self.pane.list.choose_row(self.pane.list.currentIndex().row() + 1)

    def previous_group(self) -> None:
        """The cluster before."""
        self.pane.list.choose_row(self.pane.list.currentIndex().row() - 1)

    def toggle_remove(self) -> None:
        """Mark the current document for removal, or unmark it."""
        self.detail.table.toggle_remove()

    def keep(self) -> None:
        """Keep the chosen documents."""
        self.detail.table.decide(Decision.KEEP)

    def keep_this(self) -> None:
        """Keep the current document and mark the rest of its group."""
        self.detail.table.keep_this()

    def undecide(self) -> None:
        """Leave the chosen documents open."""
        self.detail.table.decide(Decision.UNDECIDED)

    def compare(self) -> None:
        """Go to the comparison of the current document with the kept copy."""
        if self.detail.table.hasFocus():
            self.detail.comparison.canvas.setFocus()
        else:
            self.detail.table.setFocus()

    def next_difference(self) -> None:
        """The next place where the two texts differ."""
        self.detail.comparison.next_difference()

    def previous_difference(self) -> None:
        """The place before."""
        self.detail.comparison.previous_difference()

    def swap_sides(self) -> None:
        """A becomes B."""
        self.detail.swap()

    def looser(self) -> None:
        """One step looser on the slider that is shown."""
        self.pane.card.step(1)

    def stricter(self) -> None:
        """One step stricter."""
        self.pane.card.step(-1)

    def not_duplicates(self) -> None:
        """These documents are no duplicates."""
        self.detail.not_duplicates()

    def mark_reviewed(self) -> None:
        """This cluster was looked at; go on."""
        self.detail.mark_reviewed()

    def _tell_all_reviewed(self) -> None:
        """Every cluster was looked at: say so, and name the next step."""
        count, marked = self._session.counts().clusters, self._session.summary().documents
        text = self.tr("All %Ln groups reviewed.", None, count)
        if marked:
            text += " " + self.tr("%Ln documents are marked.", None, marked)
        act = self.tr("Review removal…") if marked else ""
        self.toast_wanted.emit(text, act, self.review_removal if marked else None)

    def undo(self) -> None:
        """Take the newest decision back; right after a removal, the removal."""
        if self._session.can_undo:
            self._session.undo()
        elif self._removal is not None:
            self.undo_removal(self._removal)

    def redo(self) -> None:
        """Make it again."""
        self._session.redo()

    def open_document(self) -> None:
        """Open the current document with the system's program for it."""
        self._act_on_current("open")

    def reveal(self) -> None:
        """Open the folder of the current document."""
        self._act_on_current("reveal")

    def copy_path(self) -> None:
        """Put the path of the current document on the clipboard."""
        self._act_on_current("copy_path")

    def next_region(self) -> None:
        """Search, slider, list, members, comparison, action bar, and round again."""
        self._go_region(1)

    def previous_region(self) -> None:
        """The other way round."""
        self._go_region(-1)

    def regions(self) -> Sequence[QWidget]:
        """What F6 goes through, in reading order."""
        canvas = self.detail.comparison.canvas
        return (self._search, self.pane.card.axis, self.pane.list, self.detail.table, canvas, self.bar.next_step)

    def _go_region(self, by: int) -> None:
        regions = [one for one in self.regions() if one.isVisible() and one.isEnabled()]
        focused = QGuiApplication.focusObject()
        here = next((at for at, one in enumerate(regions) if one is focused), 0 if by < 0 else -1)
        regions[(here + by) % len(regions)].setFocus(Qt.FocusReason.TabFocusReason)

    def _act_on_current(self, act: str) -> None:
        row = self.detail.table.current_row()
        if row >= 0:
            self._act_on(act, self.detail.members[row])

    def _act_on(self, act: str, member: Member) -> None:
        if act == "copy_path":
            data = QMimeData()
            data.setText(text_of(member.path))
            data.setUrls([url_of(member.file)])
            QGuiApplication.clipboard().setMimeData(data)
            self.toast_wanted.emit(self.tr("The path was copied."), "", None)
        else:
            self._open_place(member.file if act == "open" else member.file.parent)

    def _open_place(self, path: Path) -> None:
        if not QDesktopServices.openUrl(url_of(path)):
            self.toast_wanted.emit(self.tr("The system has no program to open this."), "", None)

    # ---- sheets ---------------------------------------------------------------------------------------------------
    def _open(self, sheet: Sheet) -> None:
        before = QApplication.focusWidget()
        sheet.finished.connect(sheet.deleteLater)
        sheet.finished.connect(partial(self._give_focus, before))
        sheet.open()

    def _give_focus(self, before: QWidget | None, _result: int = 0) -> None:
        """After a sheet the keyboard is where it was, or at the list."""
        target = before if before is not None and self.isAncestorOf(before) and before.isVisible() else self.pane.list
        target.setFocus()

    def _explain(self, error: Exception) -> None:
        explain(self._theme, self, error)

    def export(self) -> None:
        """Write a report."""
        self._export("all")

    def _export(self, scope: str) -> None:
        from dupfinder.gui.dialogs.export import ExportSheet

        sheet = ExportSheet(self._session, self._theme, self, scope)
        sheet.written.connect(self._written)
        sheet.failed.connect(self._explain)
        self._open(sheet)

    def _written(self, path: Path) -> None:
        text = self.tr("Written: %1").replace("%1", shown(path.name))
        self.toast_wanted.emit(text, self.tr("Open"), partial(self._open_place, path))

    def calibrate(self) -> None:
        """Show what each radius finds among these documents."""
        from dupfinder.gui.dialogs.calibration import CalibrationSheet

        sheet = CalibrationSheet(self._session, self._theme, self)
        sheet.radius_wanted.connect(self._session.set_radius)
        sheet.written.connect(self._written)
        sheet.failed.connect(self._explain)
        self._open(sheet)

    def select_automatically(self) -> None:
        """Let rules decide."""
        from dupfinder.gui.dialogs.assistant import AssistantSheet

        sheet = AssistantSheet(self._session, self._theme, self)
        sheet.marked.connect(self._marked)
        sheet.failed.connect(self._explain)
        self._open(sheet)

    def _marked(self, documents: int) -> None:
        text = self.tr("%Ln documents marked. Nothing is removed yet.", None, documents)
        self.toast_wanted.emit(text, self.tr("Undo"), self.undo)

    def review_removal(self) -> None:
        """Show what would be removed, and remove it once that is confirmed."""
        from dupfinder.gui.dialogs.review_removal import RemovalSheet

        if not self._session.summary().documents:
            return
        sheet = RemovalSheet(self._session, self._theme, self._library, self)
        sheet.removed.connect(self._removed)
        sheet.failed.connect(self._explain)
        sheet.changed_wanted.connect(self.pane.show_marked_changed)
        sheet.export_wanted.connect(partial(self._export, "marked"))
        self._open(sheet)

    def _removed(self, batch: Batch) -> None:
        from dupfinder.gui.dialogs.removal_work import note_removed, skipped
        from dupfinder.gui.dialogs.removed import RemovedSheet

        self._presence.note_gone(note_removed(self._session, batch))
        self._keep_removal(batch if batch.count(State.DONE) else None)
        self.pane.list.setFocus()
        if skipped(batch):
            sheet = RemovedSheet(self._theme, self, batch)
            sheet.undo_wanted.connect(self.undo_removal)
            self._open(sheet)
        else:
            self.toast_wanted.emit(words.removed(batch), self.tr("Undo"), partial(self.undo_removal, batch))

    def _keep_removal(self, batch: Batch | None) -> None:
        """Remember a removal that Undo takes back."""
        self._removal = batch
        self.bar.can_restore = batch is not None
        self.bar.refresh()

    def undo_removal(self, batch: Batch) -> None:
        """Bring back what a removal took."""
        from dupfinder.gui.dialogs.removal_work import restore

        self._restoring = Job(partial(restore, batch.id), self)
        self._restoring.succeeded.connect(self._restored)
        self._restoring.failed.connect(self._explain)
        self._restoring.start()

    def _restored(self, batch: Batch) -> None:
        from dupfinder.gui.dialogs.removal_work import note_restored

        self._presence.note_back(note_restored(self._session, batch))
        self._keep_removal(None)
        self.toast_wanted.emit(words.restored(batch), "", None)


def _prepare(session: ReviewSession, reporter: Reporter) -> None:
    reporter.check()
    session.names.prepare()
