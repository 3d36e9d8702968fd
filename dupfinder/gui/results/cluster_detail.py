"""The right side of the results: the documents of a group, decisions about them, and the comparison of two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from dupfinder.base.display import located, shown
from dupfinder.base.errors import LastCopyError, LastCopyReason, PlanError
from dupfinder.cluster.relation import SURVIVING, Relation
from dupfinder.gui.compare.comparison_view import ComparisonView
from dupfinder.gui.compare.pages_view import PagedDocument
from dupfinder.gui.compare.pair_reader import PairReader
from dupfinder.gui.kit.buttons import ROOM_FOR_WORDS, SegmentedChoice, button, icon_button, show_words
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import ElidedLabel, line, plain_tip
from dupfinder.gui.kit.layout import across, divided, down, grow
from dupfinder.gui.kit.messages import announce, error_sentence
from dupfinder.gui.kit.page import fill
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.cluster_pane import why_empty
from dupfinder.gui.results.members import MembersModel
from dupfinder.gui.results.members_table import MembersTable
from dupfinder.gui.results.timeline import TimelineView
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.review.listing import GroupTrait
from dupfinder.review.members import FileState, Member
from dupfinder.review.session import ReviewSession
from dupfinder.review.timeline import has_timeline, timeline_of
from dupfinder.wording.catalogue import NP_, say, say_count, say_some
from dupfinder.wording.figures import day_text, documents_text, size_text


class Decider(QObject):
    """Passes decisions to the session, and shows above the documents why some were refused."""

    forms_wanted = Signal(int)  # document

    def __init__(self, session: ReviewSession, refusal: Strip, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._refusal = session, refusal
        self._alternative: Callable[[], object] | None = None  # what the link of the refusal does
        refusal.links[0].clicked.connect(self._take_alternative)

    def decide(self, documents: Sequence[int], decision: Decision) -> None:
        """Decide about documents. Of several documents, as many as possible are marked."""
        self._refusal.hide()
        marks, first = self._session.marks, documents[0]
        if decision is Decision.REMOVE and len(documents) > 1:
            self._session.do(partial(marks.mark_all, documents), partial(self._tell_staying, documents))
        else:
            self._session.do(partial(marks.decide, documents, decision), refused=partial(self._refuse, first))

    def keep_this(self, document: int) -> None:
        """Keep one document and mark the rest of its group that may be removed."""
        self._refusal.hide()
        self._session.do(partial(self._session.marks.keep_this, document), partial(self._tell_staying, []))

    def _tell_staying(self, asked: Sequence[int], spared: Sequence[tuple[int, LastCopyReason]]) -> None:
        """Show which of several documents stay, and offer to remove the parts among them too."""
        unmarked = [(row, why) for row, why in spared if self._session.marks.decision(row) not in MARKS]
        kept = sum(self._session.marks.decision(row) is Decision.KEEP for row in asked)
        by_choice = say_some("{count} stays by your choice", "{count} stay by your choice", kept)
        text = " · ".join(filter(None, (by_choice, unmarked_text([why for _, why in unmarked]))))
        if not text:
            return
        parts = [row for row, why in unmarked if why is LastCopyReason.PART]
        link = say_some("Remove the {count} part too", "Remove the {count} parts too", len(parts))
        remove_parts = partial(self._session.marks.mark_all, parts, Decision.REMOVE_PART)
        self._show(text, link, partial(self._session.do, remove_parts))

    def _show(self, text: str, link: str = "", alternative: Callable[[], object] | None = None) -> None:
        self._alternative = alternative
        self._refusal.show_text(text, "", link)
        announce(self._refusal, text)

    def _take_alternative(self) -> None:
        self._refusal.hide()
        if self._alternative is not None:
            self._alternative()

    def _refuse(self, document: int, error: PlanError) -> None:
        """Show why a document was not marked, with an alternative if there is one."""
        text = error_sentence(error)
        why = error.why if isinstance(error, LastCopyError) else None
        if why is LastCopyReason.PART:
            self._show(text, say("Remove the part"), partial(self.decide, [document], Decision.REMOVE_PART))
        elif why in (LastCopyReason.HAS_MORE, LastCopyReason.DISTANT):
            self._show(text, say("Keep it"), partial(self.decide, [document], Decision.KEEP))
        elif why is LastCopyReason.FORM:
            self._show(text, say("Show the form"), partial(self.forms_wanted.emit, document))
        elif why is LastCopyReason.ALONE and (substitute := self._substitute(document)) is not None:
            text += " " + say("{name} could stay instead.", name=shown(substitute.name))
            self._show(text, say("Keep that one"), partial(self._keep_instead, document, substitute.document))
        else:
            self._show(text)

    def _substitute(self, document: int) -> Member | None:
        """Return the most similar marked document that could stay instead of this one; None for none."""
        group = self._session.members(self._session.all_clusters().cluster_of(document))
        ties = (
            (*self._session.relation_of(document, member.document), member)
            for member in group
            if member.decision in MARKS and member.is_there and member.document != document
        )
        fitting = [tie for tie in ties if tie[0] in SURVIVING]
        return max(fitting, key=lambda tie: tie[:2])[2] if fitting else None

    def _keep_instead(self, document: int, other: int) -> None:
        """Keep another document, so that the refused document can be marked."""
        self.decide([other], Decision.KEEP)
        self.decide([document], Decision.REMOVE)


def unmarked_text(spared: Sequence[LastCopyReason]) -> str:
    """Return how many of several documents stay unmarked, and why."""
    counts = Counter(spared)
    texts = {
        LastCopyReason.ALONE: NP_("{count} stays as the kept copy", "{count} stay as the kept copy"),
        LastCopyReason.HAS_MORE: NP_(
            "{count} has text that no other file has", "{count} have text that no other file has"
        ),
        LastCopyReason.PART: NP_("{count} is a part of a longer document", "{count} are parts of longer documents"),
        LastCopyReason.DISTANT: NP_("{count} is too unlike what stays", "{count} are too unlike what stays"),
        LastCopyReason.FORM: NP_("{count} is a filling of a form", "{count} are fillings of one form"),
        LastCopyReason.READ_IN_PART: NP_("{count} could be read only in part", "{count} could be read only in part"),
    }
    return " · ".join(say_count(*text, counts[why]) for why, text in texts.items() if counts[why])


NO_CLUSTER: Final = -1  # never the id of a group
_TIMELINE: Final = 1  # the part of the choice between members and timeline
MOST_OF_TABLE, MOST_OF_TIMELINE = 0.47, 0.6  # of the room, the rest of which shows the comparison
MOST_ROWS: Final = 6  # of the members table before it scrolls, unless the person resizes it


class GroupHead(QWidget):
    """Tells what a group is called and how large it is; its buttons act on the whole group.

    While the title has too little room beside the words of the buttons, these have signs alone.
    is_apart: whether its documents were said to be no duplicates. up: emits `clicked`, as do the other buttons.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.is_apart = theme, False
        self.title, self.facts = ElidedLabel("", "group"), ElidedLabel("", "secondary")
        self.apart, self.reviewed = button(theme, "", "", "forbid"), button(theme, "", "", "check")
        self.up = icon_button(theme, "up", say("Previous group"), "box", 16, command="previous_group")
        self.down = icon_button(theme, "down", say("Next group"), "box", 16, command="next_group")
        self.views = SegmentedChoice([say("Members"), say("Timeline")], say("View of the group"))
        parts = (grow(self.title), self.apart, self.reviewed, self.up, self.down)
        head = across(*parts, margins=(16, 10, 16, 0), spacing=8)
        # The facts are below the buttons: beside them a narrow window has no room for the counts.
        facts = across(grow(self.facts), self.views, margins=(16, 2, 16, 8), spacing=8)
        down(head, facts, spacing=0, into=self)
        self.show_verdicts(is_reviewed=False, is_apart=False)

    def show_verdicts(self, *, is_reviewed: bool, is_apart: bool) -> None:
        """Set what the buttons do to a group with these verdicts."""
        self.is_apart = is_apart
        self.reviewed.setAccessibleName(say("Reviewed") if is_reviewed else say("Mark reviewed"))
        self.apart.setAccessibleName(say("Duplicates after all") if is_apart else say("Not duplicates"))
        self._fit_words()

    def _fit_words(self) -> None:
        show_words((self.apart, self.reviewed), self.width() >= self._theme.px(ROOM_FOR_WORDS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_words()

    def minimumSizeHint(self) -> QSize:
        """Return the size without the words of the buttons."""
        words = [(act.fontMetrics(), act.text()) for act in (self.apart, self.reviewed)]
        return super().minimumSizeHint() - QSize(sum(metrics.horizontalAdvance(text) for metrics, text in words), 0)


class ClusterDetail(QWidget):
    """Shows one group of a session: its documents, and two of them side by side."""

    next_wanted = Signal()
    all_reviewed = Signal()
    set_apart = Signal(str)  # the group was said to be no duplicates: a sentence about it

    def __init__(self, session: ReviewSession, drawing: Drawing, reader: PairReader | None = None) -> None:
        super().__init__()
        fill(self, "surface")
        self._session = session
        self.cluster = NO_CLUSTER  # id of the shown group
        self.head = GroupHead(drawing.theme)
        roots = [path for path, _ in session.result.summary.roots]
        self.model = MembersModel(roots, self)
        self.table = MembersTable(self.model, drawing, self)
        self.comparison = ComparisonView(drawing, self)
        self.refusal = Strip(drawing.theme, "", "warn")
        self.deciding = Decider(session, self.refusal, self)
        self.changed = Strip(drawing.theme, "info", "warn")
        self.pairs_apart = Strip(drawing.theme, "", "accent")
        self.reader = reader or PairReader(self)
        self.timeline, self._above = TimelineView(drawing, session.result.documents), QStackedWidget()
        self._split = divided(Qt.Orientation.Vertical, self._above, self.comparison, self)
        self._reading_soon = QTimer(self, singleShot=True, interval=0)
        self._build()
        self._connect()
        drawing.theme.changed.connect(self._fit_table)

    def _build(self) -> None:
        for view in (self.table, self.timeline):
            self._above.addWidget(view)
        down(self.head, line(), self.refusal, self.changed, self.pairs_apart, grow(self._split), spacing=0, into=self)

    def _connect(self) -> None:
        self.head.apart.clicked.connect(self._toggle_apart)
        self.head.reviewed.clicked.connect(self.mark_reviewed)
        self.head.down.clicked.connect(self.next_wanted)
        self.table.decided.connect(self.deciding.decide)
        self.table.keep_wanted.connect(self.deciding.keep_this)
        self.table.a_wanted.connect(self._compare_as_a)
        self.table.compare_wanted.connect(self._compare_as_b)
        self.comparison.options_changed.connect(self._reading_soon.start)
        self.comparison.swap_wanted.connect(self.swap)
        self.comparison.next_pair_wanted.connect(self.next_pair)
        self._reading_soon.timeout.connect(self._read)
        self.pairs_apart.links[0].clicked.connect(self._join_again)
        for act in (self._show_timeline, self._fit_table):
            self.head.views.chosen.connect(act)
        self.timeline.canvas.b_wanted.connect(self.choose_document)
        self.timeline.canvas.a_wanted.connect(lambda document: self._compare_as_a(self.model.row_of(document)))
        self.reader.compared.connect(self.comparison.show_comparison)
        self.reader.failed.connect(self.comparison.show_message)

    # ---- showing --------------------------------------------------------------------------------------------------
    def show_cluster(self, cluster: int) -> None:
        """Show a group, with its kept copy as A and the next document as B; -1: show none."""
        self.cluster = cluster
        self.refusal.hide()
        self._follow_search()
        self.model.show_members(self._session.members(cluster) if cluster != NO_CLUSTER else [])
        members = self.model.members
        self._tell_head()
        self._show_timeline()
        self.head.setEnabled(bool(members))
        self._fit_table()
        if len(members) < 2:
            self.reader.drop()
            self.comparison.show_nothing() if self._session.is_complete else self.comparison.show_loading()
            return
        pair = first_pair(members)
        self._set_pair(pair)
        self.table.choose_row(pair[1])

    def refresh(self) -> None:
        """Update decisions, and members if the groups changed; hide an earlier refusal."""
        self.refusal.hide()
        if self.cluster == NO_CLUSTER:
            self._tell_head()
        if self.cluster == NO_CLUSTER or not self._session.is_complete:
            return
        if not self.model.all_members:
            self.show_cluster(self.cluster)
            return
        self._follow_search()
        self._keep_pair(self._session.members(self.cluster))
        self._replace_gone()
        self._show_timeline()
        self._tell_head()

    def _follow_search(self) -> None:
        """Mark what the list is searched for, in the paths and in the two texts."""
        query = self._session.query()
        self.model.sought = query.words_in_paths
        self.comparison.bar.follow(query.phrase)

    def _replace_gone(self) -> None:
        """Compare two other documents if one of the two compared no longer exists."""
        members = self.model.members
        if any(row >= 0 and members[row].state is FileState.GONE for row in self.model.pair) and len(members) > 1:
            pair = first_pair(members)
            if pair != self.model.pair:
                self.table.choose_row(pair[1])
                self._set_pair(pair)

    def _keep_pair(self, members: Sequence[Member]) -> None:
        """Show an update of the group; compare the same two documents if they are still there.

        The chosen row stays with its document: the next key must not act on another one.
        """
        shown_before, chosen = self.model.members, self.table.currentIndex().row()
        compared = [shown_before[row].document for row in self.model.pair if row >= 0]
        if not self.model.show_members(members):
            return
        self._fit_table()
        rows = [row for row in map(self.model.row_of, compared) if row >= 0]
        if len(rows) == 2 and rows[0] != rows[1]:
            self.model.set_pair((rows[0], rows[1]))
        elif len(self.model.rows) > 1:
            self._set_pair(first_pair(self.model.members))
        row_now = self.model.row_of(shown_before[chosen].document) if 0 <= chosen < len(shown_before) else -1
        if row_now >= 0 or rows:
            self.table.choose_row(row_now if row_now >= 0 else rows[-1])

    def _tell_head(self) -> None:
        members = self.model.members
        self._tell_changed()
        self._tell_pairs_apart()
        table = self._session.listed()
        rows = (table.ids == self.cluster).nonzero()[0]
        if not len(rows) or (self._session.is_complete and not members):
            self.head.facts.setText("")
            if not members:
                # The list, which tells it too, is hidden in a narrow window.
                self.head.title.setText(say("No group chosen") if len(table) else why_empty(self._session))
            return
        row = int(rows[0])
        self.head.title.setText(shown(table.title(row)))
        if not members:
            return  # they are not computed yet
        formats = len({member.badge for member in self.model.all_members if member.is_there})
        text = say_count(
            "{documents} in {count} format · {size} can be freed",
            "{documents} in {count} formats · {size} can be freed",
            formats,
            documents=documents_text(int(table.size[row])),
            size=size_text(int(table.bytes_to_free[row])),
        )
        self.head.facts.setText(text)
        self.head.show_verdicts(is_reviewed=bool(table.reviewed[row]), is_apart=bool(table.apart[row]))

    def _tell_changed(self) -> None:
        """Show that files of this group changed, and offer to scan again."""
        changed = sum(member.state is FileState.CHANGED for member in self.model.all_members)
        text = say_some(
            "{count} file of this group changed since the scan",
            "{count} files of this group changed since the scan",
            changed,
        )
        why = say("What changed can be compared as it is now, but neither marked nor kept for another.")
        self.changed.show_text(text, why, say("Read again"))

    def _show_timeline(self) -> None:
        """Show the members, or the timeline if the person chose it and the group has one."""
        session, clusters = self._session, self._session.all_clusters()
        position = clusters.position_of(self.cluster) if session.is_complete else -1
        has_choice = position >= 0 and has_timeline(session.grouping, clusters, position)
        self.head.views.setVisible(has_choice)
        is_chosen = has_choice and self.head.views.current() == _TIMELINE
        if is_chosen:
            self.timeline.show_versions(timeline_of(session.grouping, clusters, position, session.demand))
            self._tell_timeline_pair()
        self._above.setCurrentWidget(self.timeline if is_chosen else self.table)

    def _tell_timeline_pair(self) -> None:
        left, right = (self.model.members[row].document if row >= 0 else -1 for row in self.model.pair)
        self.timeline.show_pair((left, right))

    def _tell_pairs_apart(self) -> None:
        """Show how many documents were said to be no duplicates of one of this group, and offer to take it back."""
        rows = {member.document for member in self.model.all_members}
        text = say_some(
            "{count} document was said to be no duplicate of one of these",
            "{count} documents were said to be no duplicates of one of these",
            sum(not rows.isdisjoint(pair) for pair in self._session.acts.verdicts.pairs_apart()) if rows else 0,
        )
        self.pairs_apart.show_text(text, "", say("Duplicates after all"))

    def _join_again(self) -> None:
        rows = [member.document for member in self.model.all_members]
        self._session.do(partial(self._session.marks.join_again, rows))

    def _fit_table(self) -> None:
        """Set the height of the table to that of its rows, at most MOST_ROWS, or to that of the timeline."""
        rows = min(MOST_ROWS, max(2, len(self.model.rows)))
        header = self.table.horizontalHeader().height()
        height = header + rows * self.table.verticalHeader().defaultSectionSize() + 2
        total, most = max(1, self.height() - self._split.y()), MOST_OF_TABLE
        if self._above.currentWidget() is self.timeline:
            height, most = self.timeline.sizeHint().height(), MOST_OF_TIMELINE
        height = min(height, int(total * most))
        self._split.setSizes([height, total - height])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_table()

    # ---- the pair -------------------------------------------------------------------------------------------------
    def _compare_as_b(self, row: int) -> None:
        """Compare a row with A; nothing changes for the row of A or of a missing document."""
        left, right = self.model.pair
        if row >= 0 and row not in (left, right) and left >= 0 and self.model.members[row].state is not FileState.GONE:
            self._set_pair((left, row))

    def _compare_as_a(self, row: int) -> None:
        left, right = self.model.pair
        self._set_pair((row, left if row == right else right))

    def swap(self) -> None:
        left, right = self.model.pair
        if left >= 0:
            self._set_pair((right, left))

    def choose_document(self, document: int) -> None:
        if (row := self.model.row_of(document)) >= 0:
            self.table.choose_row(row)

    def next_pair(self) -> None:
        """Compare A with the next member."""
        left, right = self.model.pair
        if (count := len(self.model.members)) > 2:
            row = (right + (2 if (right + 1) % count == left else 1)) % count
            self.table.choose_row(row)
            self._set_pair((left, row))

    def _set_pair(self, pair: tuple[int, int]) -> None:
        self.model.set_pair(pair)
        self._tell_timeline_pair()
        left, right = members = [self.model.members[row] for row in pair]
        for header, member in zip(self.comparison.headers, members, strict=True):
            facts = f"{day_text(member.changed)} · {size_text(member.size)}"
            tip = plain_tip(f"{shown(located(member.path, member.archive))}\n{facts}")
            header.show_document(shown(member.name), facts, tip)
        self.comparison.set_contained(bool({left.relation, right.relation} & {Relation.PART, Relation.WHOLE}))
        documents = self._session.result.documents
        self.comparison.show_pages_of(*(PagedDocument.of(documents, member.document) for member in members))
        self._reading_soon.start()  # during repeated arrow keys only the last pair is read

    def _read(self) -> None:
        left, right = self.model.pair
        members = self.model.members
        if left < 0 or right < 0 or max(left, right) >= len(members):
            return
        for row in (right, left):
            self._session.mark_seen(members[row].document)
        self.comparison.show_loading()
        self.reader.read(members[left].path, members[right].path, self.comparison.options())

    def resume_reading(self) -> None:
        """Read the pair again if the page was left before its texts were shown."""
        if self.comparison.is_loading:
            self._reading_soon.start()

    def close_reader(self) -> None:
        self.reader.close()
        self.comparison.pages.reader.close()

    # ---- the whole group ---------------------------------------------------------------------------------------------
    def mark_reviewed(self) -> None:
        """Record that this group was reviewed, and request the next."""
        if self.cluster != NO_CLUSTER:
            cluster = self.cluster
            self.next_wanted.emit()  # before the group leaves a list of those not reviewed
            self._session.mark_reviewed(cluster)
            self._session.do(self._session.trait_counts, self._tell_all_reviewed)

    def _tell_all_reviewed(self, counts: Mapping[GroupTrait, int]) -> None:
        if not counts[GroupTrait.UNREVIEWED]:
            self.all_reviewed.emit()

    def not_duplicates(self) -> None:
        """Remove this group from the list."""
        if self.cluster != NO_CLUSTER and not self.head.is_apart:
            text = say("{title} is no longer listed as duplicates.", title=self.head.title.text())
            self._session.not_duplicates(self.cluster)
            self._session.do(lambda: text, self.set_apart.emit)

    def _toggle_apart(self) -> None:
        """Remove the group from the list, or restore it, as the button says."""
        if self.head.is_apart:
            self._session.duplicates_again(self.cluster)
        else:
            self.not_duplicates()


def first_pair(members: Sequence[Member]) -> tuple[int, int]:
    """Return the rows of the first two documents that exist; the first two rows if fewer do."""
    present = [row for row, member in enumerate(members) if member.state is not FileState.GONE]
    return (present[0], present[1]) if len(present) > 1 else (0, 1)
