"""The comparison of two members: tools, headers, and two panes with their overview, or a message instead of them."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QStackedWidget, QWidget

from dupfinder.diff.blocks import ChangeKind, TextComparison
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.diff_canvas import CURVES, GROUNDS, NO_DIFFERENCES, DiffCanvas
from dupfinder.gui.compare.pages_view import PagedDocument, PagesView
from dupfinder.gui.compare.pane_text import MOST_HITS, hits_of
from dupfinder.gui.kit.buttons import SegmentedChoice, chip, icon_button, step_buttons
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import ElidedLabel, badge, label, line
from dupfinder.gui.kit.layout import Space, Stretch, across, boxed, down, grow, leave_out
from dupfinder.gui.kit.messages import announce
from dupfinder.gui.kit.page import fill
from dupfinder.gui.kit.theme import Theme, smooth_painter
from dupfinder.wording.catalogue import say, say_as
from dupfinder.wording.figures import NOTHING, count_text

RULER_WIDTH: Final = 14
LEAST_MARK: Final = 3.0  # px: a change of one line in a long text must be visible
LEAST_VIEW: Final = 18.0
MOST_FIELD: Final = 360  # px of the field of a search


class OverviewRuler(QWidget):
    """The scroll bar of a canvas, with a mark for each difference."""

    def __init__(self, canvas: DiffCanvas, drawing: Drawing) -> None:
        super().__init__()
        self._canvas = canvas
        self._drawing = drawing
        self.setAccessibleName(say("Overview of the differences"))
        self.setFixedWidth(RULER_WIDTH)
        canvas.scrolled.connect(self.update)
        canvas.current_changed.connect(self.update)

    def _scale(self) -> float:
        return self.height() / max(1.0, self._canvas.panes.axis.length, float(self._canvas.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._drawing.colour("gutter"))
        for block, top, height in self._marks():
            kind = self._canvas.pair.blocks[block].kind
            painter.fillRect(QRectF(2, top, self.width() - 4, height), self._drawing.colour(GROUNDS[kind][1]))
        for top in self._hits():
            painter.fillRect(QRectF(self.width() - 6, top, 5, 2), self._drawing.colour("warn"))
        if self._canvas.panes.longest_scroll() <= 0:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._drawing.colour("tertiary"), 1))
        painter.drawRoundedRect(self._view().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def _marks(self) -> list[tuple[int, float, float]]:
        """Return (block, top, height) in pixels, at most one for each pixel row."""
        differences = self._canvas.pair.differences
        if not differences:
            return []
        tops, bottoms = (edge * self._scale() for edge in self._canvas.panes.axis.spans(differences))
        first = np.flatnonzero(np.diff(np.floor(tops), prepend=-1.0))
        heights = np.maximum(LEAST_MARK, bottoms - tops)
        return [(differences[at], float(tops[at]), float(heights[at])) for at in first.tolist()]

    def _hits(self) -> list[float]:
        """Return the tops of the hits of a search in pixels, at most one for each pixel row."""
        panes, tops = self._canvas.panes, set[float]()
        for side, text in enumerate(panes.texts):
            lines = self._canvas.lines_with_hits[side]
            tops.update(np.floor(panes.axis.all_to_axis(side, text.tops[lines]) * self._scale()).tolist())
        return sorted(tops)

    def _view(self) -> QRectF:
        scale = self._scale()
        height = max(LEAST_VIEW, min(float(self.height()), self._canvas.height() * scale))
        top = min(self._canvas.panes.scroll * scale, self.height() - height)
        return QRectF(0, top, self.width(), height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().y())

    def _go(self, y: float) -> None:
        self._canvas.scroll_to(y / self._scale() - self._canvas.height() / 2)


SKELETON_ROW: Final = 23
SKELETON_LINES: Final = (0.82, 0.64, 0.9, 0.4, 0.0, 0.75, 0.86, 0.58, 0.0, 0.7, 0.8, 0.35)
_TEXT, _PAGES = range(2)  # what the person chose to see


class AreaContent(Enum):
    """What the area below the headers shows."""

    TEXT = 0
    LOADING = 1
    MESSAGE = 2
    PAGES = 3


class Skeleton(QWidget):
    """Grey lines while the text is loading."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.fillRect(self.rect(), self._drawing.colour("surface"))
        width = (self.width() - CURVES - RULER_WIDTH) / 2
        for left in (0.0, width + CURVES):
            for row, share in enumerate(SKELETON_LINES):
                if share:
                    bar = QRectF(left + 50, 12 + row * SKELETON_ROW, (width - 70) * share, 10)
                    self._drawing.shape(painter, bar, "neutral_soft", 4)


class FindBar(QWidget):
    """A field for words that are marked in both texts of a canvas. Enter goes to the next place, Escape closes it."""

    closed = Signal()

    def __init__(self, canvas: DiffCanvas, theme: Theme) -> None:
        super().__init__()
        self._canvas, self._start = canvas, 0.0
        self._followed = ""  # the words that `follow` was given
        self.field = QLineEdit()
        self.field.setPlaceholderText(say("Find in both texts"))
        self.field.setAccessibleName(say("Find in both texts"))
        self.field.setMaximumWidth(theme.px(MOST_FIELD))
        self._count = label("", "secondary")
        self._steps = back, on = step_buttons(theme, (say("Previous place"), say("Next place")), self.step)
        leave = icon_button(theme, "close", say("Close"), act=self.close_bar)
        self.controls = (self.field, back, on, leave)
        across(grow(self.field), self._count, Stretch(), back, on, leave, margins=(16, 6, 12, 6), spacing=8, into=self)
        self.field.textChanged.connect(self._find)
        self.hide()

    def open(self) -> None:
        """Show the bar, with what is selected in the texts; the search begins at what is seen."""
        self._start = self._canvas.panes.scroll
        selected = self._canvas.selected_text()
        self.show()
        if selected and "\n" not in selected:
            self.field.setText(selected)
        self.field.setFocus()
        self.field.selectAll()
        self._find()

    def follow(self, words: str) -> None:
        """Mark the words of another search in each pair that is shown, until the bar is closed; "" ends it."""
        if words == self._followed:
            return
        before, self._followed = self._followed, words
        if words:
            self.show()
            self.field.setText(words)
        elif self.field.text() == before:
            self._end()

    def refresh(self) -> None:
        """Search again in other texts. Scroll to a hit only if the words are those that `follow` was given."""
        if self._followed:
            self.show()
            self._start = 0.0
            self._find()
        else:
            self._mark()

    def _mark(self) -> None:
        if self.isVisible():
            self._canvas.show_hits(hits_of(self._canvas.pair, self.field.text()))
            self._tell()

    def _find(self) -> None:
        self._mark()
        if self._canvas.hits:
            self._canvas.go_to_hit(self._canvas.hit_from(self._start))
            self._tell()

    def step(self, by: int) -> None:
        """Select the next (1) or previous (-1) place; after the last follows the first."""
        canvas = self._canvas
        if canvas.hits:
            before = canvas.hit if canvas.hit >= 0 else canvas.hit_from(canvas.panes.scroll) - (by > 0)
            canvas.go_to_hit(before + by)
            self._start = canvas.panes.position_of(canvas.hits[canvas.hit])
            self._tell()

    def _tell(self) -> None:
        canvas, total = self._canvas, count_text(len(self._canvas.hits))
        total += "+" if len(canvas.hits) >= MOST_HITS else ""  # there may be more
        text = say("Not found") if self.field.text().strip() else ""
        if canvas.hits:
            number = count_text(canvas.hit + 1) if canvas.hit >= 0 else NOTHING
            text = say("{number} of {total}", number=number, total=total)
        self._count.setText(text)
        for step in self._steps:
            step.setEnabled(bool(canvas.hits))
        if text and not canvas.hits:
            announce(self, text)
        if canvas.hit >= 0:
            hit = canvas.hits[canvas.hit]
            line_text = canvas.panes.texts[hit.side].lines[hit.line]
            announce(self, say("B: {text}", text=line_text) if hit.side else say("A: {text}", text=line_text))

    def close_bar(self) -> None:
        self._followed = ""
        self._end()
        self.closed.emit()

    def _end(self) -> None:
        self.hide()
        self._canvas.show_hits(())


LEAST_NAME: Final = 180  # px of a long name beside its facts
BESIDE_NAME: Final = 64  # px of margins and the chip


class SideHeader(QWidget):
    """A or B, the name, and what distinguishes the two."""

    def __init__(self, side: str) -> None:
        super().__init__()
        self._name = ElidedLabel("", "strong")
        self._facts = label("", "secondary")
        letter = label(side)
        letter.setProperty("look", "side")
        letter.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._folder, self._sign = ElidedLabel("", "small", elide=Qt.TextElideMode.ElideLeft), badge("", "keep")
        names = down(self._name, self._folder, spacing=1)
        across(letter, grow(names), self._sign, self._facts, margins=(13, 7, 12, 7), spacing=9, into=self)

    def show_document(self, name: str, facts: str, tip: str, *, folder: str = "", sign: str = "") -> None:
        """Show the name and facts of a document. tip: its path, in the tool tip. sign: a word beside the name."""
        self._name.setText(name)
        for part, text in ((self._folder, folder), (self._sign, sign)):
            part.setText(text)
            part.setVisible(bool(text))
        self.setToolTip(tip)
        self._facts.setText(facts)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the facts while they would leave too little room for the name."""
        name = min(LEAST_NAME, self._name.fontMetrics().horizontalAdvance(self._name.text()))
        self._facts.setVisible(self.width() >= BESIDE_NAME + name + self._facts.sizeHint().width())


class ComparisonView(QWidget):
    """Shows a comparison and requests others by signals; the page does the work."""

    options_changed = Signal()
    swap_wanted = Signal()
    next_pair_wanted = Signal()

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._contained = False
        fill(self, "surface")
        self._drawing = drawing
        self.canvas = DiffCanvas(drawing, self)
        self.canvas.setAccessibleName(say("Comparison of A and B"))
        self._ruler = OverviewRuler(self.canvas, drawing)
        self.headers = (SideHeader("A"), SideHeader("B"))
        self._stack = QStackedWidget(self)
        self._stack.setAccessibleName(self.canvas.accessibleName())
        self._modes = SegmentedChoice([say_as("view", "Text"), say("Pages")], say("Compare"))
        self._state = AreaContent.MESSAGE
        self.pages = PagesView(drawing, parent=self)
        self._title = label("", "strong")
        self._detail = label("", "secondary", wrap=True)
        self._banner = label("", "medium", wrap=True)
        self._banner.setContentsMargins(16, 8, 16, 8)
        self._position = label("", "secondary")
        self._position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._ignore = self._chips()
        self._captions = (label(say("Compare"), "strong"), label(say("Ignore"), "secondary"))
        self._make_tools(drawing.theme)
        self.canvas.current_changed.connect(self._show_position)
        self.canvas.installEventFilter(self)
        self._stack.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        for area in (self._stack, self.pages):
            area.installEventFilter(self)
        self._modes.chosen.connect(lambda: self._turn_to(self._state))
        self.pages.moved.connect(self._show_page)
        self._build()
        self._has_pair = False
        self.show_pages_of(None, None)
        self.show_nothing()

    def _chips(self) -> dict[str, QPushButton]:
        """Return the buttons of what can be ignored, by field of `Options`."""
        chips = {
            "ignore_spaces": chip(say("Spaces"), checked=True),
            "ignore_case": chip(say("Case")),
            "ignore_punctuation": chip(say("Punctuation")),
        }
        for toggle in chips.values():
            toggle.toggled.connect(self.options_changed)
        return chips

    def _make_tools(self, theme: Theme) -> None:
        names = say("Previous difference"), say("Next difference")
        commands = "previous_difference", "next_difference"
        self._previous, self._next = step_buttons(theme, names, self.canvas.step, commands)
        self._swap = icon_button(theme, "swap", say("Swap sides"), "box", 16, self.swap_wanted, "swap_sides")
        self._find = icon_button(theme, "search", say("Find in both texts"), "box", 16, self.find_text, "find_text")
        self.bar = FindBar(self.canvas, theme)
        self.bar.closed.connect(lambda: self.focus_target.setFocus())
        for control in self.bar.controls:
            control.installEventFilter(self)

    def _build(self) -> None:
        # Margin and spacing align B's header with B's pane.
        heads = across(*map(grow, self.headers), margins=(0, 0, RULER_WIDTH, 0), spacing=CURVES)
        self._banner.hide()
        panes = boxed(across(grow(self.canvas), self._ruler, spacing=0))
        for area in (panes, Skeleton(self._drawing), self._message_page(), self.pages):  # in the order of AreaContent
            self._stack.addWidget(area)
        down(self._tool_row(), line(), heads, line(), self.bar, self._banner, grow(self._stack), spacing=0, into=self)

    def _tool_row(self) -> QWidget:
        compare, ignore = self._captions
        ignored = across(ignore, *self._ignore.values(), spacing=8)
        steps = self._find, self._position, self._previous, self._next, self._swap
        self._tools = boxed(
            across(compare, self._modes, Space(8), ignored, Stretch(), *steps, margins=(16, 7, 12, 7), spacing=8)
        )
        self._tools.setMinimumWidth(1)  # so that the tools do not widen the window
        return self._tools

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tools()

    def _fit_tools(self) -> None:
        """Hide the captions of the tools, then what is rarely needed, if there is too little room."""
        leave_out(self._tools, self.width(), self._captions, tuple(self._ignore.values()), (self._position,))

    def _message_page(self) -> QWidget:
        for text in (self._title, self._detail):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return boxed(down(Stretch(), self._title, self._detail, Stretch(2), margins=(11, 11, 11, 11)))

    # ---- states ---------------------------------------------------------------------------------------------------
    def options(self) -> Options:
        """Return what the person wants to ignore."""
        return Options(**{field: toggle.isChecked() for field, toggle in self._ignore.items()})

    def set_contained(self, contained: bool) -> None:
        """Set whether one of the two texts is known to contain the other."""
        self._contained = contained

    def show_loading(self) -> None:
        """Show that the texts are being read."""
        self._has_pair = True
        self._turn_to(AreaContent.LOADING)

    @property
    def is_loading(self) -> bool:
        """Whether the texts of the pair are still being read."""
        return self._state is AreaContent.LOADING

    def show_nothing(self) -> None:
        """Show that no pair is chosen."""
        self._has_pair = False
        for header in self.headers:
            header.show_document("", "", "")
        self.show_message(say("Nothing to compare"), "")

    def show_message(self, title: str, detail: str) -> None:
        """Show why there is no text."""
        self._title.setText(title)
        self._detail.setText(detail)
        self._stack.setAccessibleDescription("\n".join(filter(None, (title, detail))))
        self.canvas.show_pair(NO_DIFFERENCES)
        self.bar.refresh()
        self._turn_to(AreaContent.MESSAGE)

    def show_comparison(self, comparison: TextComparison, sameness: str) -> None:
        """Show two texts, and a sentence about both documents: `sameness`, or else the kind of change."""
        self.canvas.show_pair(comparison)
        self.bar.refresh()
        self._banner.setText(sameness or self._banner_text(comparison))
        self._turn_to(AreaContent.TEXT)

    def show_pages_of(self, left: PagedDocument | None, right: PagedDocument | None) -> None:
        """Enable the view of pages if both documents have pages. None: a document without any."""
        pair, pages = (left, right) if left and right else None, self._modes.part(_PAGES)
        pages.setEnabled(pair is not None)
        larger = say("Larger or smaller: + and −, or Ctrl with the wheel")
        pages.setToolTip(larger if pair else say("Pages are shown when both documents are PDF"))
        if pair is None and self._modes.current() == _PAGES:
            self._modes.set_current(_TEXT)
        self.pages.show_pair(pair)
        self._turn_to(self._state)

    def _turn_to(self, state: AreaContent) -> None:
        """Set the state of the text, and show it unless the person chose the pages."""
        self._state = state
        area = AreaContent.PAGES if self._modes.current() == _PAGES else state
        had_focus = self.focus_target.hasFocus()
        self._stack.setCurrentIndex(area.value)
        if had_focus:  # so that the keyboard works while the text is loading
            self.focus_target.setFocus()
        self._banner.setVisible(area is AreaContent.TEXT and bool(self._banner.text()))
        for step in (self._previous, self._next):
            step.setEnabled(area is AreaContent.TEXT and bool(self.canvas.pair.differences))
        self._find.setEnabled(area in (AreaContent.TEXT, AreaContent.LOADING))  # so that typed words are no commands
        if not self._find.isEnabled() and not self.bar.field.hasFocus():
            self.bar.hide()
        for toggle in self._ignore.values():
            toggle.setEnabled(self._has_pair and area is not AreaContent.PAGES)
        self._swap.setEnabled(self._has_pair)
        self._position.clear()
        if area is AreaContent.TEXT:
            self._show_position(self.canvas.current)
        elif area is AreaContent.PAGES:
            self.pages.emit_page()

    def _show_page(self, page: int, count: int) -> None:
        if self._modes.current() == _PAGES:
            self._position.setText(say("Page {page} of {total}", page=count_text(page), total=count_text(count)))
            self._fit_tools()

    def _banner_text(self, comparison: TextComparison) -> str:
        if self._contained and comparison.change is ChangeKind.TOO_DIFFERENT:
            return say("The longer text contains the shorter one.")
        return {
            ChangeKind.IDENTICAL: say("The texts are the same."),
            ChangeKind.FORMAT_ONLY: say("The texts are the same but for what is ignored above."),
            ChangeKind.NUMBERS_ONLY: say("Only numbers, dates and amounts differ."),
            ChangeKind.ADDED_TAIL: say("One text goes on after the end of the other."),
            ChangeKind.MOVED: say("The same sentences, some of them in another place."),
            ChangeKind.TOO_DIFFERENT: say("Too different for a line-by-line view: more than 40 % has changed."),
            ChangeKind.GAVE_UP: say("These texts are long; some passages are compared only roughly."),
        }.get(comparison.change, "")

    def _show_position(self, current: int) -> None:
        if self.focus_target is not self.canvas:
            return
        count = len(self.canvas.pair.differences)
        position = say("Difference {current} of {total}", current=count_text(current + 1), total=count_text(count))
        self._position.setText(position if count else say("No differences"))
        self._fit_tools()
        self.canvas.setAccessibleDescription(self.canvas.difference_text())

    @property
    def focus_target(self) -> QWidget:
        """The widget that gets the focus: the text, or what is shown instead of it."""
        areas = {AreaContent.TEXT.value: self.canvas, AreaContent.PAGES.value: self.pages}
        return areas.get(self._stack.currentIndex(), self._stack)

    # ---- commands -------------------------------------------------------------------------------------------------
    def find_text(self) -> None:
        """Show the field of a search in both texts; if it has words already, go to the next place."""
        if not self._find.isEnabled():
            return
        if self.bar.isVisible() and self.bar.field.text() and not self.bar.field.hasFocus():
            self.bar.step(1)
        else:
            self.bar.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if act := self._key_of_search(event, in_field=watched is self.bar.field):
            # Accepting the override keeps the key from the window's shortcuts; it comes again as a key press.
            event.accept() if event.type() is QEvent.Type.ShortcutOverride else act()
            return True
        if event.type() is not QEvent.Type.KeyPress or watched in self.bar.controls:
            return False
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return False
        match Qt.Key(event.key()):
            case Qt.Key.Key_N:
                self.canvas.step(-1 if back else 1)
            case Qt.Key.Key_X:
                self.swap_wanted.emit()
            case Qt.Key.Key_Tab if not back:
                self.next_pair_wanted.emit()
            case _:
                return False
        return True

    def _key_of_search(self, event: QKeyEvent, *, in_field: bool) -> Callable[[], object] | None:
        """Return what a key does about the search; None for another key."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return None
        if event.matches(QKeySequence.StandardKey.Find) and self._find.isEnabled():
            return self.bar.open
        if not self.bar.isVisible():
            return None
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match Qt.Key(event.key()):
            case Qt.Key.Key_Escape:
                return self.bar.close_bar
            case Qt.Key.Key_F3:
                return partial(self.bar.step, -1 if back else 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if in_field:
                return partial(self.bar.step, -1 if back else 1)
        return None
