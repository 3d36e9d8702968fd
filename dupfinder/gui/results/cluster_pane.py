"""The left side of the results: similarity, relations, order, and the list, or the reason why it is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from dupfinder.cluster.relation import LEAST_SIMILARITY, Relation
from dupfinder.gui.kit.buttons import COMMAND, TIP, add_tickable, button, chip, choice_menu, inset
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.layout import Space, Stretch, across, aligned, down, grow
from dupfinder.gui.kit.page import Flow
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.cluster_list import ClusterList, ClustersModel
from dupfinder.gui.results.similarity_card import QUIET_MS, SimilarityCard
from dupfinder.review.grouping import BorderlinePairs
from dupfinder.review.listing import FILTERED_RELATIONS, GroupFilter, GroupOrder, GroupTrait
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say, say_count, say_some
from dupfinder.wording.figures import count_text, percent_text
from dupfinder.wording.relations import relation_meaning


def searched_in_texts() -> str:
    """Return the sentence that tells which searches are in texts too."""
    return say("Two words or more in a row, or a long number, are searched for in the texts too.")


def why_empty(session: ReviewSession) -> str:
    """Return the sentence that tells why no group is listed."""
    chosen = session.filter
    has_filters = bool(chosen.relations or chosen.only) or chosen.documents is not None
    if chosen.text.strip():
        unmet = say("No group matches the search and these filters.")
        return unmet if has_filters else say("No group matches the search.")
    if has_filters:
        return say("No group matches these filters.")
    if len(session.all_clusters()):  # they are removed, gone or no longer listed
        return say("Of the duplicates that were found, none is left.")
    read = session.result.summary.read
    return say_count("No duplicates in {count} document.", "No duplicates in {count} documents.", read)


class EmptyList(QWidget):
    """Says why no group is shown. What is offered follows from it: other filters, forms, looser matches, a new scan."""

    def __init__(self, session: ReviewSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._why = label("", "medium", wrap=True)
        self._why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.forms = button(theme, say("Look at filled-in forms"))
        self.looser = button(theme, say("Look for looser matches"))
        self.clear = button(theme, say("Clear filters"))
        self.scan = button(theme, say("New scan"))
        buttons = (self.forms, self.looser, self.clear, self.scan)
        buttons_below = (aligned(way, Qt.AlignmentFlag.AlignHCenter) for way in buttons)
        down(self._why, Space(8), *buttons_below, Stretch(), margins=(20, 24, 20, 24), into=self)

    def refresh(self) -> None:
        """Update from the session."""
        chosen = self._session.filter
        is_searched = bool(chosen.text.strip())
        has_filters = bool(chosen.relations or chosen.only) or chosen.documents is not None
        is_filtered = is_searched or has_filters
        none = why_empty(self._session)
        if is_searched:  # the last word may not be typed to its end yet
            whole_words = say("In texts, only whole words are found.")
            none += "\n" + (whole_words if self._session.query().phrase else searched_in_texts())
        self._why.setText(none)
        self.clear.setText(say("Show everything") if is_searched else say("Clear filters"))
        self.clear.setVisible(is_filtered)
        self.forms.setVisible(not has_filters and self._session.is_complete and bool(self._session.listed_forms()))
        self.looser.setVisible(not is_filtered and self._session.demand.similarity > LEAST_SIMILARITY)
        self.scan.setVisible(not is_filtered)


TYPING_MS: Final = 180  # pause in typing before the search
LEAST_WIDTH: Final = 300
MOST_WIDTH: Final = 520
ROOM_FOR_SOURCES: Final = 600  # px: in a lower pane the sources of pairs are hidden, so that the list has room
ROOM_FOR_BARS: Final = 480  # px: in a lower pane the bars are low, too
MANY: Final = 20_000  # documents: sorting more names takes longer than a frame, so it is done in advance


class ClusterPane(QWidget):
    """Passes filter, order and demand to the session, and shows the result."""

    clear_wanted = Signal()
    mark_wanted = Signal()
    review_wanted = Signal(object)  # PairReviewPage
    pairs_apart_wanted = Signal()  # the pairs that were said to be no duplicates

    def __init__(self, session: ReviewSession, drawing: Drawing) -> None:
        super().__init__()
        self._session, self.drawing = session, drawing
        roots = [path for path, _ in session.result.summary.roots]
        self._model = ClustersModel(session.listed(), session.parts, roots, self)
        self.list = ClusterList(self._model, drawing, self)
        self.card = SimilarityCard(session, drawing, self)
        self.hint = Strip(drawing.theme, "", "warn")
        self._kept = label("", "small")
        self._chips = {relation: chip("") for relation in FILTERED_RELATIONS}
        self.forms = chip("")
        self._rule = line("rule")
        self._order = button(drawing.theme, "", "quiet", "sort")
        self._filters = button(drawing.theme, say("Filter"), "quiet", "filter")
        self.review = button(drawing.theme, say("Review"), "link", "play")
        self.review.setAccessibleName(say("Review"))
        self.review.setProperty(COMMAND, "review_pairs")
        self.review.setProperty(TIP, say("Decide pair by pair, the most similar first"))
        self._range = label("", "secondary")
        self._head = QWidget()
        self._stack = QStackedWidget(self)
        self.empty = EmptyList(session, drawing.theme, self)
        self._typed = ""
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._filter_menu = QMenu(self)
        self._filter_acts: dict[GroupTrait, QAction] = {}
        self._borderline_documents: frozenset[int] | None = None  # documents to which the list is limited
        if len(session.result.documents) > MANY:
            QTimer.singleShot(QUIET_MS, self, self._prepare_names)
        self._build()
        self.setMinimumWidth(max(LEAST_WIDTH, self.card.minimumSizeHint().width() + 28))
        self.setMaximumWidth(drawing.theme.px(MOST_WIDTH))
        self._connect()
        self.refresh()

    def _build(self) -> None:
        heads = Flow(label(say("Relation to the kept copy"), "label", "secondary"), self._kept)
        top = down(self.card, heads, self._chip_rows(), margins=(14, 0, 14, 0), spacing=6)
        across(self._order, self._filters, self.review, Stretch(), self._range, margins=(6, 4, 14, 2), spacing=2,
               into=self._head)  # fmt: skip
        self._stack.setMinimumHeight(self.list.verticalHeader().defaultSectionSize())
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        # The hint is below the list, so that no row moves when it appears.
        down(
            top, self._head, line(), grow(self._stack), inset(self.hint, 8), margins=(0, 10, 0, 0), spacing=0, into=self
        )
        choice_menu(self._order, self._sorts(), self._session.sort, self._session.set_sort)
        self._fill_filter_menu()

    def _chip_rows(self) -> Flow:
        flow = Flow(*self._chips.values())
        self._rule.setFixedHeight(20)
        flow.add_separator(self._rule)
        flow.addWidget(self.forms)
        self.forms.setCheckable(False)
        for relation, toggle in (*self._chips.items(), (Relation.SAME_FORM, self.forms)):
            toggle.setToolTip(relation_meaning(relation))
        counted = say("Counted by the relation to the kept copy: two identical versions of it are versions.")
        identical = self._chips[Relation.IDENTICAL]
        identical.setToolTip(f"{identical.toolTip()}\n{counted}")
        return flow

    def _fill_filter_menu(self) -> None:
        for trait in self._filter_texts():
            self._filter_acts[trait] = add_tickable(self._filter_menu, "", False, self._filter)
        self._filter_menu.addSeparator()
        self._filter_menu.addAction(say("Show everything")).triggered.connect(self.clear_wanted)
        self._filter_menu.addAction(say("Mark all that is shown")).triggered.connect(self.mark_wanted)
        self._pairs_apart = self._filter_menu.addAction(say("Pairs that are no duplicates…"))
        self._pairs_apart.triggered.connect(self.pairs_apart_wanted)
        self._filter_menu.aboutToShow.connect(self._offer_pairs_apart)
        self._filters.setMenu(self._filter_menu)
        self._filters.setProperty("menu", "true")

    def _offer_pairs_apart(self) -> None:
        self._pairs_apart.setVisible(bool(self._session.acts.verdicts.pairs_apart()))

    def _connect(self) -> None:
        for relation, toggle in self._chips.items():
            toggle.setObjectName(f"chip_{relation.name.lower()}")
            toggle.clicked.connect(self._filter)
        self.card.demand_wanted.connect(self._session.set_demand)
        self.hint.links[0].clicked.connect(self.show_borderline)
        self.hint.links[1].clicked.connect(lambda: self.card.step(1))
        self.list.view_moved.connect(self._tell_range)
        self.empty.looser.clicked.connect(lambda: self.card.step(1))
        self.empty.clear.clicked.connect(self.clear_wanted)
        self._typing.timeout.connect(self._search_now)

    # ---- words ----------------------------------------------------------------------------------------------------
    def _chip_texts(self) -> dict[Relation, str]:
        return {
            Relation.IDENTICAL: say("Identical {number}"),
            Relation.SAME_TEXT: say("Same text {number}"),
            Relation.SAME_WORDS: say("Same words {number}"),
            Relation.VERSION: say("Versions {number}"),
            Relation.PART: say("Parts {number}"),
        }

    def _filter_texts(self) -> dict[GroupTrait, str]:
        return {
            GroupTrait.UNREVIEWED: say("Not reviewed ({number})"),
            GroupTrait.FREE: say("With space to free ({number})"),
            GroupTrait.MARKED: say("Marked ({number})"),
            GroupTrait.PROTECTED: say("With protected copies ({number})"),
            GroupTrait.APART: say("Said to be no duplicates ({number})"),
        }

    def _sorts(self) -> dict[GroupOrder, str]:
        return {
            GroupOrder.NEWEST: say("Newest first"),
            GroupOrder.SPACE: say("Space to free"),
            GroupOrder.SIMILARITY: say("Most similar"),
            GroupOrder.COPIES: say("Most copies"),
            GroupOrder.NAME: say("Name"),
            GroupOrder.FOLDER: say("Folder"),
        }

    def toggle(self, beside: QWidget) -> None:
        """Hide this side, or show it again. The focus goes to the list, or to what is beside it."""
        self.setHidden(not self.isHidden())
        (beside if self.isHidden() else self.list).setFocus()

    # ---- asking the session ---------------------------------------------------------------------------------------
    def search(self, text: str) -> None:
        """Show only groups that match, after the person pauses typing."""
        if text != self._typed:
            self._typed = text
            self._typing.start()

    def _search_now(self) -> None:
        """Filter by the search, and select the first hit."""
        self._filter()
        self._session.do(lambda: None, lambda _: self.list.choose_row(0))  # after the filter

    def _filter(self) -> None:
        self._typing.stop()
        relations = frozenset(relation for relation, toggle in self._chips.items() if toggle.isChecked())
        only = frozenset(trait for trait, act in self._filter_acts.items() if act.isChecked())
        self._session.set_filter(GroupFilter(relations, self._typed, only, self._borderline_documents))

    def clear_filters(self) -> None:
        self._typed = ""
        self._choose_filters()

    def show_marked_changed(self) -> None:
        """Show the groups with marked documents that are not the same as the survivor."""
        self._choose_filters((Relation.SAME_WORDS, Relation.VERSION, Relation.PART), GroupTrait.MARKED)

    def _choose_filters(self, relations: Sequence[Relation] = (), only: GroupTrait | None = None) -> None:
        self._borderline_documents = None
        for relation, toggle in self._chips.items():
            toggle.setChecked(relation in relations)
        for trait, act in self._filter_acts.items():
            act.setChecked(trait is only)
        self._filter()

    def show_borderline(self) -> None:
        """Show the groups with a pair close to the least similarity."""
        self._borderline_documents = self._session.grouping.borderline_documents(self._session.demand)
        self._filter()

    # ---- showing --------------------------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Update from the session."""
        table = self._session.listed()
        self._model.set_sought(self._session.query().words_in_paths, self._session.hit_of)
        if np.array_equal(self._model.table.ids, table.ids):
            self._model.refresh(table)
        else:
            self._swap_rows()
        self._tell_chips()
        self._order.setText(self._sorts()[self._session.sort])
        self.card.refresh()
        self._tell_borderline()
        self.review.setEnabled(self._session.is_complete and len(table) > 0)
        self._stack.setCurrentIndex(int(not len(table)))
        self.empty.refresh()
        self._tell_range()

    def _swap_rows(self) -> None:
        """Replace the rows; select the same group, or the group in the same row."""
        bar, height = self.list.verticalScrollBar(), self.list.verticalHeader().defaultSectionSize()
        row = max(0, self.list.currentIndex().row())
        cluster, offset = self._model.cluster_at(row), bar.value() - row * height
        self._model.show_table(self._session.listed())
        new_row = self._model.row_of(cluster)
        if new_row >= 0:
            bar.setValue(new_row * height + offset)
        self.list.choose_row(new_row if new_row >= 0 else row)
        if not self._model.rowCount():
            self.list.chosen.emit(-1)

    def _tell_chips(self) -> None:
        counts = self._session.relation_counts().documents
        for (relation, text), count in zip(self._chip_texts().items(), counts.tolist(), strict=True):
            self._chips[relation].setText(text.format(number=count_text(count)))
            self._chips[relation].setVisible(count > 0 or self._chips[relation].isChecked())
        fillings = self._fillings() if self._session.is_complete else 0
        self.forms.setText(say("Same form {number}", number=count_text(fillings)))
        self.forms.setVisible(fillings > 0)
        self._rule.setVisible(fillings > 0)
        groups = self._session.trait_counts()
        all_groups, shown_groups = count_text(groups[GroupTrait.ALL]), count_text(int(counts.sum()))
        self._kept.setText(say("{kept} kept + {others} beside them", kept=all_groups, others=shown_groups))
        chosen = self._session.filter
        for trait, text in self._filter_texts().items():
            act, count = self._filter_acts[trait], groups[trait]
            act.setText(text.format(number=count_text(count)))
            act.setVisible(count > 0 or trait in {*chosen.only, GroupTrait.UNREVIEWED})
        filters = len(chosen.only) + (chosen.documents is not None)
        self._filters.setAccessibleName(say("Filter ({number})", number=filters) if filters else say("Filter"))

    def _fillings(self) -> int:
        """Return the number of fillings of the forms that meet the search; copies of one text are one filling."""
        representative = self._session.grouping.representative
        return sum(int(np.count_nonzero(representative[rows] == rows)) for rows in self._session.listed_forms())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.card.sources.setVisible(self.height() >= self.drawing.theme.px(ROOM_FOR_SOURCES))
        self.card.set_low(self.height() < self.drawing.theme.px(ROOM_FOR_BARS))
        self._fit_head()

    def _fit_head(self) -> None:
        """Hide the range of the list, and the words beside the signs of review and filter, if a button would be cut."""
        self._head.setMinimumWidth(1)  # so that the range does not widen the pane
        self.review.setText(say("Review"))
        self._filters.setText(self._filters.accessibleName())
        self._filters.setToolTip("")
        self._range.show()
        if self._head.sizeHint().width() > self.width():
            self._range.hide()
        if self._head.sizeHint().width() > self.width():
            self.review.setText("")
        if self._head.sizeHint().width() > self.width():
            self._filters.setText(self._filters.text().removeprefix(say("Filter")).strip())  # the number of filters
            self._filters.setToolTip(self._filters.accessibleName())

    def _tell_borderline(self) -> None:
        """Show the number of pairs close to the least similarity, if there are any."""
        session = self._session
        borderline = session.grouping.borderline_pairs(session.demand) if session.is_complete else BorderlinePairs(0, 0)
        title = say_some(
            "{count} pair lies on the border of {similarity}.",
            "{count} pairs lie on the border of {similarity}.",
            borderline.shown + borderline.hidden,
            similarity=percent_text(round(self._session.demand.similarity * 100)),
        )
        shown, hidden = count_text(borderline.shown), count_text(borderline.hidden)
        text = say("By an estimate of their similarity: {shown} shown, {hidden} not shown.", shown=shown, hidden=hidden)
        self.hint.setToolTip(text)
        self.hint.setAccessibleDescription(text)
        review = say("Review {number} shown", number=shown) if borderline.shown else ""
        self.hint.show_text(title, "", review, say("Show {number} more", number=hidden) if borderline.hidden else "")

    def _tell_range(self) -> None:
        first, last = self.list.visible_rows()
        count = self._model.rowCount()
        shown = {"first": count_text(first + 1), "last": count_text(last + 1), "total": count_text(count)}
        self._range.setText(say("{first}–{last} / {total}", **shown) if count else "")
        self._fit_head()

    def _prepare_names(self) -> None:
        """Sort the names in a job, before a person selects that order."""
        Job(lambda _reporter: self._session.names.prepare()).start()
