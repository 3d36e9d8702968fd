"""The page that shows pairs of documents one after another: one key decides about a pair and goes on."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QLabel, QWidget

from dupfinder.base.display import folder_text, located, shown
from dupfinder.base.errors import PlanError
from dupfinder.cluster.relation import Relation
from dupfinder.diff.blocks import TextComparison, changes_of
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.comparison_view import ComparisonView
from dupfinder.gui.compare.pages_view import PagedDocument
from dupfinder.gui.compare.pair_reader import PairReader
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import COMMAND, RowButton, button, icon_button, two_lines
from dupfinder.gui.kit.cards import Icon, Strip
from dupfinder.gui.kit.drawing import Drawing, relation_tones
from dupfinder.gui.kit.labels import ElidedLabel, badge, label, line, plain_tip, set_look
from dupfinder.gui.kit.layout import Part, Space, Stretch, across, add, clear, down, grow, leave_out, tab_as_laid_out
from dupfinder.gui.kit.messages import announce, error_sentence
from dupfinder.gui.kit.page import WITH_CHILDREN, Page, fill, local_key
from dupfinder.gui.kit.progress import ProgressBar
from dupfinder.review.members import title_of
from dupfinder.review.pair_review import PairReview, PairState
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import NP_, number_text, say, say_some
from dupfinder.wording.figures import count_text, date_text, listed, size_text
from dupfinder.wording.relations import changes_sentence, relation_name, similarity_text

CARD_WIDTH: Final = 190  # px of a decided pair
KEY_SPACING: Final = 6  # px between keys, buttons and hints
_REMEMBERED: Final = 4  # comparisons: the shown pair, the next one and two before
_SIGNS: Final = {  # icon and colour of each decision
    PairState.KEPT: ("check", "keep"),
    PairState.MARKED: ("trash", "remove"),
    PairState.APART: ("forbid", "secondary"),
}
Compared = TextComparison | tuple[str, str]  # the latter: title and detail of why nothing can be compared
PairKey = tuple[int, int, Options]  # rows of A and B, and what is ignored


class PairReviewPage(Page):
    """Shows the pairs of a review one by one, each compared; every decision is stored at once and goes on."""

    def __init__(
        self, session: ReviewSession, review: PairReview, drawing: Drawing, reader: PairReader | None = None
    ) -> None:
        super().__init__(say("Review"), is_aside=True, has_head=True)
        self._session, self._review = session, review
        self._roots = [path for path, _ in session.result.summary.roots]
        self.pair = 0  # that is shown
        self._decided: list[int] = []  # pairs, the newest last
        self._start = session.acts.count
        self.head, self.strip = ReviewHead(drawing, _subject_of(review)), DecidedStrip(drawing)
        self._sentence, self._facts = ElidedLabel("", "group"), ElidedLabel("", "secondary")
        self._relation = badge("")
        self.refusal = Strip(drawing.theme, "", "warn")
        self.comparison = ComparisonView(drawing, self)
        self.reading = AheadReader(session, review, reader or PairReader(), self)
        self.keys = KeyBar(drawing)
        self._build()
        self._connect()

    def _build(self) -> None:
        fill(self, "surface")
        facts = across(self._relation, grow(self._facts), spacing=8)
        sentence = down(self._sentence, facts, margins=(18, 12, 18, 10), spacing=5)
        parts = (sentence, line(), self.refusal, grow(self.comparison), line(), self.strip, line(), self.keys)
        down(self.head, *parts, spacing=0, into=self)
        tab_as_laid_out(self)

    def _connect(self) -> None:
        self.head.leave.clicked.connect(self.back_wanted)
        self.comparison.options_changed.connect(self._read)
        self.comparison.swap_wanted.connect(self.swap_sides)
        self.comparison.next_pair_wanted.connect(partial(self._step, 1))
        self.reading.compared.connect(self._show_compared)
        self.strip.chosen.connect(self.show_pair)
        acts: dict[str, Callable[[], object]] = {
            "keep": self.keep, "remove": self.toggle_remove, "apart": self.set_apart, "swap": self.swap_sides,
            "undo": self.undo, "before": partial(self._step, -1), "after": partial(self._step, 1),
            "up": self.previous_difference, "down": self.next_difference,
        }  # fmt: skip
        for name, act in acts.items():
            self.keys.buttons[name].clicked.connect(act)
        for key, name in (("D", "apart"), ("Left", "before"), ("Right", "after"), ("Up", "up"), ("Down", "down")):
            local_key(self, key, acts[name], WITH_CHILDREN)

    # ---- showing --------------------------------------------------------------------------------------------------
    def entered(self) -> None:
        """Show the pair that was shown last, or the first pair."""
        self.show_pair(self.pair)

    def exited(self) -> None:
        self.reading.close()
        self.comparison.pages.reader.close()

    def show_pair(self, pair: int) -> None:
        """Show a pair, decided or not."""
        self.pair = pair
        self.refusal.hide()
        review, documents = self._review, self._session.result.documents
        rows = int(review.left[pair]), int(review.right[pair])
        for header, row in zip(self.comparison.headers, rows, strict=True):
            size, count = size_text(int(documents.size[row])), max(0, int(documents.words[row]))
            length = say_some("{count} word", "{count} words", count)
            facts = " · ".join(filter(None, (date_text(int(documents.mtime_ns[row])), length, size)))
            tip = plain_tip(f"{shown(located(documents.path(row), documents.archive_of(row)))}\n{facts}")
            folder = folder_text(documents.path(row).parent, self._roots) or shown(documents.path(row).parent)
            sign = say("Stays") if row == rows[0] and not review.is_left_marked(pair) else ""
            header.show_document(shown(documents.path(row).name), facts, tip, folder=folder, sign=sign)
        relation = Relation(int(review.relation[pair]))
        self._relation.setText(relation_name(relation))
        set_look(self._relation, tone=relation_tones(relation)[0])
        self.comparison.set_contained(relation in (Relation.PART, Relation.WHOLE))
        self.comparison.show_pages_of(*(PagedDocument.of(documents, row) for row in rows))
        self.keys.buttons["apart"].setEnabled(review.can_set_apart(pair))
        self._show_decisions()
        self._read()
        self.comparison.focus_target.setFocus()

    def _show_decisions(self) -> None:
        states = self._review.states()
        self.head.show_counts(self._review.counts(), self.pair, len(self._review))
        self._decided = [pair for pair in self._decided if states[pair] != PairState.OPEN]
        documents = self._session.result.documents
        decided = [
            (pair, title_of(documents, int(self._review.right[pair])), PairState(int(states[pair])))
            for pair in self._decided
        ]
        self.strip.show_pairs(decided, self.pair)

    def _read(self) -> None:
        """Request the comparison of the shown pair."""
        for row in (int(self._review.left[self.pair]), int(self._review.right[self.pair])):
            self._session.mark_seen(row)
        self._sentence.setText(say("Comparing…"))
        self._facts.setText(self._similar())
        self.comparison.show_loading()
        self.reading.read(self.pair, self._review.next_open(self.pair), self.comparison.options())

    def _similar(self) -> str:
        return say("{similarity} similar", similarity=similarity_text(float(self._review.similarity[self.pair])))

    def _show_compared(self, compared: Compared, sameness: str) -> None:
        """Show a comparison and a sentence about what differs, or the reason why there is no comparison."""
        if not isinstance(compared, TextComparison):
            self._sentence.setText(compared[0])
            self.comparison.show_message(*compared)
            return
        self.comparison.show_comparison(compared, sameness)
        changes = changes_of(compared)
        self._sentence.setText(sameness or changes_sentence(changes))
        changed = self._session.result.documents.mtime_ns
        age = int(changed[self._review.left[self.pair]]) - int(changed[self._review.right[self.pair]])
        newer = say("A is newer") if age > 0 else say("B is newer") if age < 0 else ""
        only_left = say_some("{count} word only in A", "{count} words only in A", changes.left_words)
        only_right = say_some("{count} word only in B", "{count} words only in B", changes.right_words)
        self._facts.setText("  ·  ".join(filter(None, (self._similar(), newer, only_left, only_right))))
        documents = self._session.result.documents
        names = (title_of(documents, int(side[self.pair])) for side in (self._review.left, self._review.right))
        announce(self, "A: {}, B: {}. {}".format(*map(shown, names), self._sentence.text()))

    # ---- commands, by the names of shell.commands -----------------------------------------------------------------
    def keep(self) -> None:
        """Keep both documents, and go on."""
        self._review.keep_both(self.pair, partial(self._go_on, self.pair))

    def toggle_remove(self) -> None:
        """Mark B for removal, and go on."""
        self._review.remove_right(self.pair, partial(self._go_on, self.pair), self._refuse)

    def set_apart(self) -> None:
        """Record that the two are no duplicates of each other, and go on."""
        if self._review.can_set_apart(self.pair):
            self._review.set_apart(self.pair, partial(self._go_on, self.pair))

    def swap_sides(self) -> None:
        """Swap A and B, so that the other document stays."""
        self._review.swap(self.pair)
        self.show_pair(self.pair)

    def find_text(self) -> None:
        """Show the field of a search in both texts."""
        self.comparison.find_text()

    def next_difference(self) -> None:
        self.comparison.canvas.step(1)

    def previous_difference(self) -> None:
        self.comparison.canvas.step(-1)

    def undo(self) -> None:
        """Take back the newest decision of this review, and show its pair."""
        if self._session.acts.count > self._start:
            self._replay(self._session.acts.undo)

    def redo(self) -> None:
        self._replay(self._session.acts.redo)

    def _replay(self, act: Callable[[], object]) -> None:
        """Take back or repeat a decision, and show the pair that it is about."""
        before = self._review.states()

        def show_changed(_: object) -> None:
            changed = np.flatnonzero(self._review.states() != before)
            if len(changed):
                self.show_pair(int(changed[0]))

        self._session.do(act, show_changed)

    def regions(self) -> Sequence[QWidget]:
        return (self.head.leave, self.comparison.focus_target, self.keys.buttons["keep"])

    def _step(self, by: int) -> None:
        if 0 <= self.pair + by < len(self._review):
            self.show_pair(self.pair + by)

    def _refuse(self, error: PlanError) -> None:
        """Show why B was not marked."""
        self.refusal.show_text(error_sentence(error))
        announce(self.refusal, error_sentence(error))

    def _go_on(self, decided: int, _: object) -> None:
        """Show the open pair after a decided one; end the review if none is left."""
        self._decided = [pair for pair in self._decided if pair != decided] + [decided]
        following = self._review.next_open(decided)
        if decided != self.pair:  # its key was pressed twice, or the person went to another pair meanwhile
            self._show_decisions()
        elif following >= 0:
            self.show_pair(following)
        else:
            self._show_decisions()
            self.back_wanted.emit()
            decisions = listed(filter(None, decision_counts(self._review.counts())))
            self.tell(say("Reviewed: {decisions}.", decisions=decisions))


def _subject_of(review: PairReview) -> str:
    """Return what is reviewed, for people: "300 versions"."""
    relations = map(Relation, review.relation.tolist())
    return words.counts_of(Counter(relations))


def decision_counts(counts: dict[PairState, int]) -> list[str]:
    """Return the numbers of the decisions: "36 kept both"; "" for a decision that was not made."""
    texts = {
        PairState.KEPT: NP_("{count} kept both", "{count} kept both"),
        PairState.MARKED: NP_("{count} marked for removal", "{count} marked for removal"),
        PairState.APART: NP_("{count} not duplicates", "{count} not duplicates"),
    }
    return [say_some(*text, counts[state]) for state, text in texts.items()]


class ReviewHead(QFrame):
    """The top of the page: the way out, what is reviewed, what was decided, and the share that is done."""

    def __init__(self, drawing: Drawing, asked: str) -> None:
        super().__init__()
        self.setProperty("look", "top")
        theme = drawing.theme
        self.leave = button(theme, say("Leave review"), "quiet", "close")
        self._counts = {state: label("", "medium", tone) for state, (_, tone) in _SIGNS.items()}
        self._icons = {state: Icon(theme, icon, tone, 15) for state, (icon, tone) in _SIGNS.items()}
        self._position = label("", "lead")
        self._bar = ProgressBar(say("Share of the pairs that are decided"))
        subject = ElidedLabel(say("{pairs}, the most similar first", pairs=asked), "secondary")
        counts = [part for state in _SIGNS for part in (self._icons[state], self._counts[state], Space(10))]
        self._bar.setProperty("look", "thin")
        row = across(self.leave, badge("Esc", look="type"), Space(14), grow(subject), *counts, Space(8),
                     self._position, margins=(16, 9, 18, 9), spacing=6)  # fmt: skip
        down(row, self._bar, spacing=0, into=self)

    def show_counts(self, counts: dict[PairState, int], pair: int, total: int) -> None:
        """Show what was decided, and the number of the shown pair."""
        for state, text in zip(_SIGNS, decision_counts(counts), strict=True):
            self._counts[state].setText(text)
            self._counts[state].setVisible(bool(text))
            self._icons[state].setVisible(bool(text))
        self._position.setText(say("{current} of {total}", current=count_text(pair + 1), total=count_text(total)))
        self._bar.set_share(1 - counts[PairState.OPEN] / max(1, total))


class DecidedStrip(QWidget):
    """The pairs that were decided last, as many as there is room for; a click shows one again."""

    chosen = Signal(int)  # pair

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._theme = drawing.theme
        self._pairs: list[tuple[int, str, PairState]] = []
        self._shown = -1
        self._title, self._note = label(say("Decided"), "strong"), label("", "small")
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        across(down(self._title, self._note, spacing=1), Space(10), self._row, Stretch(),
               margins=(18, 6, 16, 6), spacing=4, into=self)  # fmt: skip
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._fill)

    def show_pairs(self, pairs: list[tuple[int, str, PairState]], shown_pair: int) -> None:
        """Show decided pairs, the newest last: their number, the title of B, and the decision."""
        self._pairs, self._shown = pairs, shown_pair
        self._note.setText(say("saved at once") if pairs else say("nothing yet"))
        self._soon.start()  # not while one of the buttons is being clicked

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon.start()

    def _fill(self) -> None:
        """Show as many of the newest as there is room for."""
        clear(self._row)
        room = (self.width() - self._title.sizeHint().width() - 70) // (self._theme.px(CARD_WIDTH) + 4)
        for pair, title, state in self._pairs[-max(1, room) :]:
            add(self._row, self._card(pair, title, state))

    def _card(self, pair: int, title: str, state: PairState) -> RowButton:
        decision = {
            PairState.KEPT: say("Kept both"),
            PairState.MARKED: say("Marked for removal"),
            PairState.APART: say("Not duplicates"),
        }[state]
        card = RowButton(f"{shown(title)}: {decision}")
        icon, tone = _SIGNS[state]
        texts = two_lines(shown(title), f"{number_text(pair + 1)} · {decision}", ("strong", "small"))
        add(card.row, Icon(self._theme, icon, tone, 16), grow(texts))
        card.row.setContentsMargins(8, 4, 8, 4)
        card.row.setSpacing(8)
        card.setFixedWidth(self._theme.px(CARD_WIDTH))
        card.clicked.connect(partial(self.chosen.emit, pair))
        return card


class KeyBar(QFrame):
    """The keys of the review, each beside the button that does the same. buttons: by the name of the act."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self.setProperty("look", "bottom")
        theme = drawing.theme
        texts = {"keep": say("Keep both"), "remove": say("Remove B"), "apart": say("Not duplicates"),
                 "swap": say("Swap"), "undo": say("Undo")}  # fmt: skip
        icons = {
            "before": ("left", say("Previous pair (Left)")),
            "after": ("right", say("Next pair (Right)")),
            "up": ("up", say("Previous difference (Up)")),
            "down": ("down", say("Next difference (Down)")),
        }
        self.buttons: dict[str, QAbstractButton] = {name: button(theme, text) for name, text in texts.items()}
        for name, (icon, text) in icons.items():
            self.buttons[name] = icon_button(theme, icon, text, "box", 14)
        hints = say("go on"), say("A stays"), say("never offered again"), say("pairs"), say("differences")
        self._hints = [label(text, "secondary") for text in hints]
        across(*self._parts(), margins=(16, 8, 16, 8), spacing=KEY_SPACING, into=self)

    def _parts(self) -> Iterator[Part]:
        """Yield keys, buttons and hints in their order."""
        kept, marked, set_apart, pairs, differences = self._hints
        keys = _sign("K", "keep"), _sign("R", "toggle_remove"), badge("D", look="type")
        for key, name, hint in zip(keys, ("keep", "remove", "apart"), (kept, marked, set_apart), strict=True):
            yield from (key, self.buttons[name], hint, Space(8))
        yield Stretch()
        yield from (self.buttons["before"], self.buttons["after"], pairs, Space(8))
        yield from (self.buttons["up"], self.buttons["down"], differences, Space(8))
        undo = QKeySequence(QKeySequence.StandardKey.Undo).toString(QKeySequence.SequenceFormat.NativeText)
        self._badges = [_sign("X", "swap_sides"), _sign(undo, "undo")]  # hidden once the hints are
        yield from (self._badges[0], self.buttons["swap"], self._badges[1], self.buttons["undo"])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumWidth(1)  # so that the hints do not widen the window
        leave_out(self, self.width(), self._hints, self._badges)


def _sign(key: str, command: str) -> QLabel:
    """Return the sign of a key; it shows that of a command once the window tells it."""
    sign = badge(key, look="type")
    sign.setProperty(COMMAND, command)
    return sign


class AheadReader(QObject):
    """Compares the shown pair, then the next one in advance, so that the person need not wait for it."""

    compared = Signal(object, str)  # Compared; for documents with equal words a sentence on what is the same, else ""

    def __init__(self, session: ReviewSession, review: PairReview, reader: PairReader, parent: QObject) -> None:
        super().__init__(parent)
        self._documents, self._review, self._reader = session.result.documents, review, reader
        reader.setParent(self)
        self._reader.compared.connect(self._keep)
        self._reader.failed.connect(lambda title, detail: self._keep((title, detail), ""))
        self._known: OrderedDict[PairKey, tuple[Compared, str]] = OrderedDict()
        self._shown: PairKey | None = None
        self._following: PairKey | None = None
        self._under_way: PairKey | None = None  # the comparison that is under way

    def read(self, pair: int, following: int, options: Options) -> None:
        """Request the comparison of a pair, and then of the following one (-1: none)."""
        self._shown = self._key(pair, options)
        self._following = self._key(following, options) if following >= 0 else None
        if self._shown in self._known:
            self.compared.emit(*self._known[self._shown])
        self._go_on()

    def _key(self, pair: int, options: Options) -> PairKey:
        return int(self._review.left[pair]), int(self._review.right[pair]), options

    def _go_on(self) -> None:
        """Compare the shown pair, or the following one if the shown one was compared already."""
        unknown = [key for key in (self._shown, self._following) if key is not None and key not in self._known]
        key = next(iter(unknown), None)
        if key is not None and key != self._under_way:
            self._under_way = key
            left, right, options = key
            self._reader.read(self._documents.path(left), self._documents.path(right), options)

    def _keep(self, compared: Compared, sameness: str) -> None:
        """Keep a comparison for a while, and emit it if its pair is shown."""
        key, self._under_way = self._under_way, None
        if key is None:
            return
        self._known[key] = compared, sameness
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        if key == self._shown:
            self.compared.emit(compared, sameness)
        self._go_on()

    def close(self) -> None:
        """Close the comparing process."""
        self._under_way = None
        self._reader.close()
