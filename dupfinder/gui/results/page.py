"""The results of a scan: the groups, the copies to keep, and the removal of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QStackedWidget, QWidget

from dupfinder.actions.outcome import Batch
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import COMMAND, SegmentedChoice, button, icon_button
from dupfinder.gui.kit.cards import Icon
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.files import DocumentOpener
from dupfinder.gui.kit.labels import ElidedLabel, label
from dupfinder.gui.kit.layout import across, divided, down, grow, tab_as_laid_out
from dupfinder.gui.kit.page import Page, local_key
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.cluster_detail import NO_CLUSTER, ClusterDetail
from dupfinder.gui.results.cluster_pane import ClusterPane, searched_in_texts
from dupfinder.gui.results.files_view import FilesView
from dupfinder.gui.results.groups import GroupsView, ResultsView, ViewState
from dupfinder.gui.results.other_views import LIST_WIDTH, OtherViews
from dupfinder.gui.results.session_jobs import ActQueue, FileWatch
from dupfinder.gui.results.sheets import ResultsSheets
from dupfinder.review.acts import SessionChange
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import N_, NP_, number_text, say, say_count, say_some
from dupfinder.wording.figures import documents_text, files_text, size_text

PAINTED_MS: Final = 20  # by then the list is painted
GROUPS, FILES, FOLDERS, FORMS = range(4)  # the views, in the order of their tabs
ROOM_FOR_LIST: Final = 1000  # px of the page at the usual size of text: less than any window of that size has
WATCH_MS: Final = 2_000  # between two checks of the files of the open group


def make_page(
    session: ReviewSession,
    theme: Theme,
    library: Path,
    receive: Callable[[ResultsPage], object],
    parent: QWidget | None = None,
) -> None:
    """Create the page of a session, with a parent, and pass it to `receive`.

    Its parts are created one after another, in events between which the window stays responsive.
    """
    pane = ClusterPane(session, Drawing(theme))
    soon = partial(QTimer.singleShot, 0, pane)

    def make_detail() -> None:
        detail = ClusterDetail(session, pane.drawing)
        soon(lambda: put_together(detail))

    def put_together(detail: ClusterDetail) -> None:
        page = ResultsPage(session, library, pane, detail, parent)
        soon(lambda: receive(page))

    soon(make_detail)


class ResultsPage(Page):
    """A scan under review, or its first results. It shows the session and decides nothing."""

    rescan_wanted = Signal(object)  # ScanSummary
    scan_wanted = Signal()  # from first results to the scan
    decision_undone = Signal()  # a message about it no longer holds

    def __init__(
        self, session: ReviewSession, library: Path, pane: ClusterPane, detail: ClusterDetail, parent: QWidget | None
    ) -> None:
        super().__init__(session.result.summary.name or say("Results"), parent=parent)
        self.session, theme = session, pane.drawing.theme
        self._state = ViewState(session)
        self.pane, self.detail = pane, detail
        self._act_queue = ActQueue(session, self)
        self._file_watch = FileWatch(session, self)
        self.acts = DocumentOpener(self)
        self._tools = ResultsTools(theme)
        self.bar = ActionBar(session, theme, self)
        self.sheets = ResultsSheets(session, theme, library, self, lambda: self.shown_view.home)
        self.groups = GroupsView(session, pane, detail, self.acts, self.sheets)
        self.files = FilesView(session, pane, self.acts, self.sheets, self)
        self.view = GROUPS
        # From the outside in: with each new parent, Qt finds the style of every widget below anew: 20 ms here.
        self.others = OtherViews(session, pane.drawing, self.sheets, self)
        down(grow(self.others), self.bar, spacing=0, into=self)
        self._beside = QStackedWidget(self.others)
        self._split = divided(Qt.Orientation.Horizontal, pane, self._beside, self.others)
        self.others.addWidget(self._split)
        for side in (detail, self.files):
            self._beside.addWidget(side)
        self._split.setSizes(self._state.sizes() or [theme.px(LIST_WIDTH), 10_000])
        self.pane.setHidden(self._state.hides_list())
        self._wide_sizes: list[int] = []  # of the two sides, for a window that is wide again; empty while it is
        self._connect()
        self._connect_views()
        self._unsubscribe: Callable[[], None] | None = session.subscribe(self._follow)
        self._watch = QTimer(self, interval=WATCH_MS)
        self._watch.timeout.connect(self._look_at_group)
        self._show_last_group()
        self._offer_tools()

    def _show_last_group(self) -> None:
        """Show the group that was shown when the page was left, or the first one."""
        if not self.pane.list.choose(self._state.cluster()):
            self.pane.list.choose_row(0)
        if not len(self.session.listed()):
            self.detail.show_cluster(NO_CLUSTER)

    def _connect(self) -> None:
        tools = self._tools
        tools.search.textChanged.connect(lambda text: self.shown_view.search(text))
        tools.search_ended.connect(lambda: self.shown_view.home.setFocus())
        tools.list.clicked.connect(lambda: self.shown_view.commands["toggle_list"]())
        tools.export.clicked.connect(lambda: self.sheets.export())
        tools.rules.clicked.connect(self.sheets.select_automatically)
        self.pane.list.chosen.connect(self.detail.show_cluster)
        self.pane.clear_wanted.connect(self.clear_filters)
        self.pane.empty.scan.clicked.connect(self._scan_again)
        self.pane.card.calibration_wanted.connect(self.sheets.calibrate)
        self.pane.mark_wanted.connect(self.groups.commands["mark_shown"])
        self.pane.review.clicked.connect(self.groups.commands["review_pairs"])
        self.pane.pairs_apart_wanted.connect(self.sheets.show_pairs_apart)
        self.pane.list.part_chosen.connect(self.detail.choose_document)
        for key in ("Space", "Del", "Return", "Enter"):
            local_key(self.pane.list, key, self._toggle_remove if key in ("Space", "Del") else self.compare)
        for way in (self.pane.forms, self.pane.empty.forms):
            way.clicked.connect(lambda: self._turn_to(FORMS))
        self.detail.head.up.clicked.connect(self.previous_group)
        self.detail.next_wanted.connect(self.next_group)
        self.detail.changed.links[0].clicked.connect(self._scan_again)
        self.detail.all_reviewed.connect(self.sheets.tell_reviewed)
        self.detail.set_apart.connect(self.sheets.tell_undoable)
        self._act_queue.busy.connect(self.bar.show_busy)
        self._act_queue.failed.connect(self.sheets.explain)
        self.bar.undo.clicked.connect(self.undo)
        self.bar.unmark.clicked.connect(self._unmark_all)
        self.bar.next_step.clicked.connect((self.sheets.review_removal, self.scan_wanted)[self.session.is_unfinished])
        self.sheets.toast_wanted.connect(self.toast_wanted)
        self.sheets.place_wanted.connect(self.acts.open)
        self.acts.toast_wanted.connect(self.toast_wanted)
        self.acts.properties_wanted.connect(self.sheets.show_properties)
        self.sheets.changed_wanted.connect(self.pane.show_marked_changed)
        self.sheets.removed.connect(self.decision_undone)  # "Nothing is removed yet", say
        self.sheets.removed.connect(self._note_removed)
        self.sheets.restored.connect(self.show_restored)
        self.sheets.undo_changed.connect(self.bar.offer_restore)
        tools.similar.clicked.connect(self.sheets.find_similar)

    # ---- groups, files, pairs of folders, or forms ----------------------------------------------------------------
    def _connect_views(self) -> None:
        self._tools.views.chosen.connect(self._turn_to)
        self.others.made.connect(lambda: tab_as_laid_out(self))
        self.others.made.connect(self.heading_changed)  # the window then shows the keys in its tool tips
        for deciding in (self.detail.deciding, self.files.deciding):
            deciding.forms_wanted.connect(self._show_form_of)
        self.sheets.group_wanted.connect(self._show_group_of)

    def _offer_tools(self) -> None:
        """Show the tabs of the views that have something to show, and enable the buttons that have something to do."""
        has_forms = self.session.is_complete and bool(self.session.forms())
        has_groups = self.session.is_complete and len(self.session.all_clusters()) > 0
        self._tools.views.setVisible(has_forms or has_groups)
        self._tools.views.part(FORMS).setVisible(has_forms)
        if self.view == FORMS and not has_forms:
            self._turn_to(GROUPS)
        self._tools.export.setEnabled(self.session.is_complete and not self.session.is_unfinished)
        self._tools.rules.setEnabled(has_groups)

    def _turn_to(self, view: int) -> None:
        self.view = view
        self._tools.views.set_current(view)
        self.others.show_view({FOLDERS: "folders", FORMS: "forms"}.get(view))
        self._beside.setCurrentWidget(self.files if view == FILES else self.detail)
        self._tools.list.setEnabled(view in (GROUPS, FILES))
        self._tools.show_searched(in_texts=view != FOLDERS)
        self.bar.show_hint(view in (GROUPS, FILES))
        self.shown_view.search(self._tools.search.text())
        self.shown_view.entered()

    @property
    def shown_view(self) -> ResultsView:
        return self.others.shown_view or (self.groups, self.files)[self.view]

    def offers(self, slot: str) -> bool:
        if not self.session.is_complete and (slot in self.groups.commands or hasattr(self.sheets, slot)):
            return False
        if (slot == "export" and self.session.is_unfinished) or (slot == "show_unread" and not self.note_command()):
            return False
        return slot in self.shown_view.commands or slot not in self.groups.commands

    def command(self, slot: str) -> Callable[[], object] | None:
        return self.shown_view.commands.get(slot) or super().command(slot) or getattr(self.sheets, slot, None)

    def _show_form_of(self, document: int) -> None:
        self._tools.search.clear()
        self.others.forms.choose_document(document)
        self._turn_to(FORMS)

    def _show_group_of(self, document: int) -> None:
        """Show the group of a document, clearing filters if necessary."""
        if (cluster := self.session.all_clusters().cluster_of(document)) != NO_CLUSTER:
            self.clear_filters()
            self._turn_to(GROUPS)
            self.session.do(lambda: cluster, self.pane.list.choose)  # once the filters are clear

    # ---- the window's side ----------------------------------------------------------------------------------------
    def note(self) -> str:
        summary = self.session.result.summary
        documents, time = documents_text(summary.read), words.when(summary.started)
        if self.session.is_unfinished:
            return say("{documents} so far", documents=documents)
        if summary.read < summary.offered:
            pattern = N_("{read} of {files} read · scanned {time}")
            documents = files_text(summary.offered)
            return say(pattern, read=number_text(summary.read), files=documents, time=time[0].lower() + time[1:])
        return say("{documents} · scanned {time}", documents=documents, time=time[0].lower() + time[1:])

    def note_command(self) -> str:
        summary = self.session.result.summary
        return "show_unread" if summary.read < summary.offered and not self.session.is_unfinished else ""

    def tools(self) -> QWidget | None:
        return self._tools

    def use_of(self, data: QMimeData) -> Callable[[], object] | None:
        return self.sheets.use_of(data)

    def entered(self) -> None:
        self.shown_view.entered()
        self.detail.resume_reading()
        self._watch.start()
        if self.session.is_complete:
            self._file_watch.look()
        else:  # once the list is painted
            look = partial(self.session.do, self.session.complete, lambda _: self._file_watch.look())
            QTimer.singleShot(PAINTED_MS, self, look)

    def _look_at_group(self) -> None:
        """Check the files of the open group."""
        if rows := [member.document for member in self.detail.model.all_members]:
            self._file_watch.look(rows)

    def exited(self) -> None:
        self._watch.stop()
        self._close_readers()
        cluster = NO_CLUSTER if self.session.is_unfinished else self.detail.cluster  # ids change with the whole scan
        self._state.save(cluster, self._wide_sizes or self._split.sizes())

    def close_session(self) -> None:
        """End the subscription to the session, when the page is closed."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._close_readers()
        self.pane.card.ahead.stop()
        self._act_queue.stop()
        self._watch.stop()
        self._file_watch.stop()

    def _close_readers(self) -> None:
        self.detail.close_reader()
        self.others.stop()
        self.files.stop()

    def _scan_again(self) -> None:
        self.rescan_wanted.emit(self.session.result.summary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the list of groups while the window is narrow for the size of its text; F9 shows it all the same."""
        super().resizeEvent(event)
        is_narrow = self.width() < self.pane.drawing.theme.px(ROOM_FOR_LIST)
        if is_narrow and not self._wide_sizes:
            has_focus = self.pane.isAncestorOf(self.focusWidget())
            self._wide_sizes = self._split.sizes()
            self.pane.hide()
            if has_focus:
                self.shown_view.home.setFocus()
        elif self._wide_sizes and not is_narrow:
            self.pane.setHidden(not self._wide_sizes[0])
            self._split.setSizes(self._wide_sizes)
            self._wide_sizes = []

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and self._watch.isActive():
            self._file_watch.look()  # the files may have changed meanwhile

    def _follow(self, change: SessionChange) -> None:
        self.pane.refresh()
        self.detail.refresh()
        self.files.refresh()
        self.others.refresh(change)
        self._offer_tools()
        self.bar.refresh()

    # ---- commands, by the names of shell.commands -----------------------------------------------------------------
    def search(self) -> None:
        """Focus the search field, with its text selected."""
        self._tools.search.setFocus()
        self._tools.search.selectAll()

    def clear_filters(self) -> None:
        with QSignalBlocker(self._tools.search):
            self._tools.search.clear()
        self.pane.clear_filters()

    def next_group(self) -> None:
        """Select the next group, pair of folders or form."""
        self.shown_view.step(1)

    def previous_group(self) -> None:
        """Select the previous group, pair of folders or form."""
        self.shown_view.step(-1)

    def compare(self) -> None:
        self.shown_view.compare()

    def _toggle_remove(self) -> None:
        """Mark what is chosen beside the list, or take the mark back."""
        self.shown_view.commands["toggle_remove"]()

    def _unmark_all(self) -> None:
        """Take all marks back, also those in hidden groups, as one step of undo."""
        text = NP_("{count} document is no longer marked.", "{count} documents are no longer marked.")

        def tell(count: int) -> None:
            if count:
                self.sheets.tell_undoable(say_count(*text, count))

        self.session.do(self.session.marks.unmark_all, tell)

    def undo(self) -> None:
        """Undo the newest decision; directly after a removal, the removal."""
        self.decision_undone.emit()
        self.session.undo(self.sheets.undo_removal)

    def redo(self) -> None:
        self.session.do(self.session.acts.redo)

    def regions(self) -> Sequence[QWidget]:
        return (self._tools.search, *self.shown_view.regions(), self.bar.next_step)

    def _note_removed(self, batch: Batch) -> None:
        from dupfinder.review.removal import note_removed

        self.session.do(partial(note_removed, self.session, batch), self._file_watch.ignore)

    def show_restored(self, batch: Batch) -> None:
        """Update the page after a removal was undone, here or on another page."""
        from dupfinder.review.removal import note_restored

        self.session.do(partial(note_restored, self.session, batch), self._file_watch.include)
        self.sheets.forget_removal(batch)


LEAST_SEARCH: Final = 130  # px: the icon, a word, and the cross that clears it
MORE_SEARCH: Final = 90  # px, with which a few words can be read
MOST_SEARCH: Final = 420
AROUND: Final = 64  # px beside the hint: icons and margins


class SearchField(QLineEdit):
    """As wide as its hint; narrower, with a short hint, only if there is no room."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("look", "search")
        self._theme, self._hint = theme, ""
        self.sign = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self.sign.setText(say("Search"))  # what a screen reader calls it
        theme.changed.connect(self._show_sign)
        self._show_sign()

    def _show_sign(self) -> None:
        self.sign.setIcon(self._theme.icon("search"))

    def show_hint(self, hint: str) -> None:
        """Set what can be searched."""
        self._hint = hint
        self.setAccessibleName(hint)
        self._fit_hint()

    def _fit_hint(self) -> None:
        fits = self._width_of_hint() <= self.width()
        self.setPlaceholderText(self._hint if fits else say("Search"))

    def _width_of_hint(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._hint) + AROUND

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(self._width_of_hint(), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_hint()


class ResultsTools(QWidget):
    """Emits what the person requests; its only state is the text of the search."""

    search_ended = Signal()  # by Escape or Enter

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.search = SearchField(theme, self)
        self.show_searched(in_texts=True)
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(theme.px(LEAST_SEARCH))
        self.search.setMaximumWidth(theme.px(MOST_SEARCH))
        self.search.returnPressed.connect(self.search_ended)
        local_key(self.search, "Esc", self._leave)
        self.list = icon_button(theme, "list", say("Hide or show the list"), command="toggle_list")
        self.views = SegmentedChoice([say("Groups"), say("Files"), say("Folders"), say("Forms")], say("View"))
        self.similar = icon_button(theme, "document", say("Find what is like a document"), command="find_similar")
        self.export = button(theme, say("Export"), icon="export")
        self.rules = button(theme, say("Select automatically…"), icon="wand")
        self._words = {act: act.text() for act in (self.export, self.rules)}
        for command, (act, text) in zip(("export", "select_automatically"), self._words.items(), strict=True):
            act.setAccessibleName(text)
            act.setToolTip(text)
            act.setProperty(COMMAND, command)
        across(self.list, self.views, grow(self.search), self.similar, self.export, self.rules, spacing=8, into=self)

    def _width_of_words(self) -> int:
        """Return how much wider the buttons are with their words beside their signs."""
        flag = Qt.TextFlag.TextShowMnemonic  # as Qt measures buttons
        return sum(act.fontMetrics().size(flag, text).width() for act, text in self._words.items())

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(0 if self.export.text() else self._width_of_words(), 0)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() - QSize(self._width_of_words() if self.export.text() else 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words of the buttons out while the search has too little room beside them."""
        super().resizeEvent(event)
        has_room = self.width() >= self.minimumSizeHint().width() + self._width_of_words() + MORE_SEARCH
        for act, text in self._words.items():
            act.setText(text if has_room else "")

    def show_searched(self, *, in_texts: bool) -> None:
        """Tell in the field what is searched: names, folders and texts, or folders alone."""
        where = say("Search names, folders or texts") if in_texts else say("Search folders")
        self.search.show_hint(where)
        conditions = say("Also folder:  type:pdf  lang:en  size>1MB  date<2024-01-31")
        self.search.setToolTip(f"{searched_in_texts()}\n{conditions}" if in_texts else "")

    def _leave(self) -> None:
        self.search.clear()
        self.search_ended.emit()


class ActionBar(QFrame):
    """Shows the numbers of the marks. Its filled button is the next step of the page."""

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "bottom")
        self._session = session
        self._second_text = ""
        self.can_restore = False  # whether Undo undoes a removal
        self._has_hint = True
        self._scan_goes_on, self._scan_text = session.is_unfinished, ""
        self._icon = Icon(theme, "trash", "remove", 18)
        self._first = label("", "strong")
        self._relations = ElidedLabel("", "secondary", elide=Qt.TextElideMode.ElideRight)
        self._second = ElidedLabel("", "secondary", elide=Qt.TextElideMode.ElideRight)
        self.unmark = button(theme, say("Unmark all"), "quiet")
        self.undo = button(theme, say("Undo"), "quiet", "undo")
        next_text = say("Back to the scan") if session.is_unfinished else say("Review removal…")
        self.next_step = button(theme, next_text, "primary")
        texts = down(across(self._first, grow(self._relations), spacing=8), self._second, spacing=1)
        buttons = self.unmark, self.undo, self.next_step
        across(self._icon, grow(texts), *buttons, margins=(18, 9, 16, 9), spacing=12, into=self)
        self.refresh()

    def show_busy(self, busy: bool) -> None:
        """Show that a decision is being carried out, or the numbers again."""
        self._second.setText(say("Working…") if busy else self._second_text)
        self._second.setVisible(bool(self._second.text()))  # the first line is then in the middle

    def offer_restore(self, can_restore: bool) -> None:
        """Set whether Undo undoes a removal."""
        self.can_restore = can_restore
        self.refresh()

    def show_hint(self, has_hint: bool) -> None:
        """Set whether to show how documents are marked, while none is."""
        self._has_hint = has_hint
        self.refresh()

    def show_scan(self, text: str) -> None:
        """Show how far the scan is, if these are its first results."""
        if self._scan_goes_on and text != self._scan_text:
            self._scan_text = text
            self.refresh()

    def show_scan_ended(self) -> None:
        """Show that the results of the whole scan can be opened in place of these first ones."""
        self._scan_goes_on = False
        self.next_step.setText(say("Show all results"))
        self.refresh()

    def refresh(self) -> None:
        """Update from the session."""
        if not self._session.is_complete and self._session.acts.marked.any():
            self._first.setText(say("Counting…"))
            self.next_step.setEnabled(False)
            self.undo.setEnabled(False)
            self.unmark.hide()
            return
        summary = self._session.summary()
        has_marks = summary.documents > 0
        self.unmark.setVisible(has_marks or summary.hidden_marks > 0)
        self._icon.set_icon("trash", "remove" if has_marks else "tertiary")
        text, relations = say("Nothing marked"), ""
        has_hint = self._has_hint and self._session.counts().clusters > 0
        parts = [say("Mark documents with Space, or use Select automatically.")] if has_hint else []
        if has_marks:
            count, relations = summary.documents, words.counts_of(summary.relations)
            text = say_count("{count} document marked for removal", "{count} documents marked for removal", count)
            size = say("{size} to free", size=size_text(summary.bytes))
            parts = [size, words.what_stays(summary.relations)]
        self._first.setText(text)
        self._relations.setText(relations)
        hidden = summary.hidden_marks
        parts.append(say_some("{count} mark is in a hidden group", "{count} marks are in hidden groups", hidden))
        if self._scan_goes_on:
            parts += [say("You can remove documents when the scan is complete."), self._scan_text]
        self._second_text = "  ·  ".join(filter(None, parts))
        self.show_busy(False)
        self.next_step.setEnabled(has_marks or self._session.is_unfinished)
        self.undo.setEnabled(self._session.acts.can_undo or self.can_restore)
        count = self._session.acts.undo_size
        tip = say("Bring the removed documents back") if self.can_restore else say("Nothing to undo")
        last = say_some("Undo the decision about {count} document", "Undo the decision about {count} documents", count)
        self.undo.setToolTip(last or tip)
