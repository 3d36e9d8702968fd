"""The view of the groups: their list, the documents of one group, their commands, and the stored state of the view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu, QWidget

from dupfinder.base.paths import data_dir
from dupfinder.gui.kit.buttons import add_acts, passing_menu, with_key
from dupfinder.gui.kit.files import DOCUMENT_ACTS, DocumentOpener
from dupfinder.gui.results.cluster_detail import NO_CLUSTER, ClusterDetail, unmarked_text
from dupfinder.gui.results.cluster_pane import ClusterPane
from dupfinder.gui.results.sheets import ResultsSheets
from dupfinder.library.decisions import Decision
from dupfinder.review.grouping import BARS
from dupfinder.review.listing import GroupOrder
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say
from dupfinder.wording.removal import versioned_sentence

FILE = "views.ini"


class ViewState:
    """The state of the view, in a file of the data folder with a section for each scan. Ignores invalid values."""

    def __init__(self, session: ReviewSession) -> None:
        summary = session.result.summary
        self._session = session
        self._group = f"scan-{summary.id}-{int(summary.started.timestamp())}"
        self._settings = QSettings(str(data_dir() / FILE), QSettings.Format.IniFormat)

    def restore_session(self) -> None:
        """Restore the order and demand of the session."""
        order, present = self._read("order"), self._session.demand
        if order in set(GroupOrder) and GroupOrder(order) is not self._session.sort:
            self._session.set_sort(GroupOrder(order))
        radius = self._number("radius", present.radius)
        percent = self._number("similarity", round(present.similarity * 100))
        demand = replace(
            present,
            radius=radius if 0 <= radius <= self._session.widest_radius else present.radius,
            similarity=percent / 100 if percent in BARS else present.similarity,
            passages=self._read("passages") != "off",
        )
        if demand != present:
            self._session.set_demand(demand)

    def cluster(self) -> int:
        """Return the group that was open, NO_CLUSTER if unknown."""
        return self._number("cluster", NO_CLUSTER)

    def sizes(self) -> list[int]:
        """Return the widths of the two sides of the page in pixels; empty if unknown."""
        widths = [int(part) for part in self._read("sizes").split("-") if part.isdecimal()]
        return widths if len(widths) == 2 and all(widths) else []

    def hides_list(self) -> bool:
        """Tell whether the left side was hidden: it then has no width."""
        return self._read("sizes").startswith("0-")

    def save(self, cluster: int, sizes: Sequence[int]) -> None:
        """Store the present state of the page."""
        for key, value in (
            ("order", self._session.sort.value),
            ("radius", str(self._session.demand.radius)),
            ("similarity", str(round(self._session.demand.similarity * 100))),
            ("passages", "on" if self._session.demand.passages else "off"),
            ("cluster", str(cluster)),
            ("sizes", "-".join(map(str, sizes))),
        ):
            self._settings.setValue(f"{self._group}/{key}", value)
        self._settings.sync()

    def _read(self, key: str) -> str:
        return str(self._settings.value(f"{self._group}/{key}", ""))

    def _number(self, key: str, default: int) -> int:
        try:
            return int(self._read(key))
        except ValueError:
            return default


class ResultsView(Protocol):
    """What the page asks of each of its views.

    commands: about what is chosen in the view, by the names in the table of commands. home: has the focus at first.
    """

    @property
    def commands(self) -> Mapping[str, Callable[[], object]]: ...

    @property
    def home(self) -> QWidget: ...

    def entered(self) -> None:
        """Focus the view, and update what is computed only when it is shown."""

    def search(self, text: str) -> None:
        """Show what meets a search."""

    def step(self, by: int) -> None:
        """Select another entry, `by` rows below."""

    def compare(self) -> None:
        """Show the comparison that belongs to the selected entry."""

    def regions(self) -> Sequence[QWidget]:
        """Return the widgets that F6 goes through, in reading order."""


class GroupsView:
    """The list of groups, and the documents of the selected one.

    commands: about the open group and its documents, by the names in the table of commands.
    """

    def __init__(
        self,
        session: ReviewSession,
        pane: ClusterPane,
        detail: ClusterDetail,
        acts: DocumentOpener,
        sheets: ResultsSheets,
    ) -> None:
        self._session, self._pane, self._detail, self._acts, self._sheets = session, pane, detail, acts, sheets
        self.search = pane.search
        self.commands = self._commands()
        detail.table.act_wanted.connect(self._act_on_current)
        pane.list.menu_wanted.connect(lambda point: group_menu(detail, self._mark_others, pane.list).popup(point))

    def _commands(self) -> Mapping[str, Callable[[], object]]:
        detail, table, card = self._detail, self._detail.table, self._pane.card
        return {
            "toggle_list": partial(self._pane.toggle, table),
            "mark_shown": self._mark_shown,
            "review_pairs": self._review_pairs,
            "select_all": table.selectAll,  # also while the list of groups has the focus
            "toggle_remove": table.toggle_remove,
            "keep": partial(table.decide, Decision.KEEP),
            "keep_this": table.keep_this,
            "undecide": partial(table.decide, Decision.UNDECIDED),
            "next_difference": partial(detail.comparison.canvas.step, 1),
            "previous_difference": partial(detail.comparison.canvas.step, -1),
            "find_text": detail.comparison.find_text,
            "swap_sides": detail.swap,
            "looser": partial(card.step, 1),
            "stricter": partial(card.step, -1),
            "not_duplicates": detail.not_duplicates,
            "mark_reviewed": detail.mark_reviewed,
            **{act: partial(self._act_on_current, act) for act in DOCUMENT_ACTS},
        }

    @property
    def home(self) -> QWidget:
        """The list; if it is hidden, the table of documents."""
        return self._detail.table if self._pane.isHidden() else self._pane.list

    def entered(self) -> None:
        self.home.setFocus()

    def step(self, by: int) -> None:
        self._pane.list.choose_row(self._pane.list.currentIndex().row() + by)

    def compare(self) -> None:
        """Move the focus to the table of documents, or from there to the comparison."""
        table = self._detail.table
        (self._detail.comparison.focus_target if table.hasFocus() else table).setFocus()

    def regions(self) -> Sequence[QWidget]:
        """Return the card, the list, the table and the comparison."""
        return (self._pane.card.axis, self._pane.list, self._detail.table, self._detail.comparison.focus_target)

    def _act_on_current(self, act: str) -> None:
        """Carry out an act of `DocumentOpener` on the current document."""
        if (row := self._detail.table.currentIndex().row()) >= 0:
            self._acts.act(act, self._detail.model.members[row])

    def _mark_shown(self) -> None:
        """Mark as many documents of all listed groups as possible, but nothing under version control."""
        listed, clusters = self._session.listed(), self._session.all_clusters()
        self._mark(
            lambda: clusters.members[np.isin(clusters.ids, listed.ids)[clusters.positions]], also_versioned=False
        )

    def _mark_others(self) -> None:
        """Mark as many documents of the open group as possible; the kept copy stays."""
        documents = np.array([member.document for member in self._detail.model.all_members], np.int64)
        self._mark(lambda: documents, also_versioned=True)

    def _mark(self, choose: Callable[[], NDArray[np.integer[Any]]], *, also_versioned: bool) -> None:
        """Mark as many of some documents as possible, and show which stay. choose: returns the documents."""
        acts, marks = self._session.acts, self._session.marks

        def mark() -> tuple[int, str]:
            before, documents = int(acts.marked.sum()), choose()
            versioned = self._session.grouping.versioned[documents] & (not also_versioned)
            stays = versioned & marks.markable()[documents] & ~marks.decided()[documents]
            spared = [why for _, why in marks.mark_all(documents[~versioned])]
            texts = unmarked_text(spared), versioned_sentence(int(stays.sum()))
            return int(acts.marked.sum()) - before, " · ".join(filter(None, texts))

        self._session.do(mark, lambda done: self._sheets.tell_marked(*done))

    def _review_pairs(self) -> None:
        """Show the open pairs of the listed groups one by one: those of the chosen relations, or else the versions."""
        from dupfinder.gui.results.pair_review import PairReviewPage  # slow to import, and rarely needed
        from dupfinder.review.pair_review import USUAL, PairReview

        def show(review: PairReview) -> None:
            if len(review):
                self._pane.review_wanted.emit(PairReviewPage(self._session, review, self._pane.drawing))
            else:
                self._sheets.tell(say("No pair of these groups is left to decide about."))

        self._session.do(partial(PairReview, self._session, self._session.filter.relations or USUAL), show)


def group_menu(detail: ClusterDetail, mark_others: Callable[[], object], parent: QWidget) -> QMenu:
    """Return a menu of what can be done about the open group. mark_others: marks all but the kept copy."""
    menu = passing_menu(parent)
    add_acts(
        menu,
        (say("Mark all but the kept copy"), mark_others),
        (with_key(say("Mark reviewed and go on"), menu, "mark_reviewed"), detail.mark_reviewed),
        (with_key(say("Not duplicates"), menu, "not_duplicates"), detail.not_duplicates),
    )
    return menu
