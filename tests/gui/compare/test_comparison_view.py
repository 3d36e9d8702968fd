"""The headers of a comparison, whose names have the room of the facts if it is narrow, and the search in both texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dupfinder.diff.align import compare_texts
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.comparison_view import ComparisonView, SideHeader
from dupfinder.gui.compare.pane_text import MOST_HITS, Caret, TextSelection
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from tests.gui.compare.test_pages_view import pdf


def test_a_narrow_header_shows_the_name_and_hides_the_facts(qtbot: QtBot, theme: Theme) -> None:
    header = SideHeader("A")
    qtbot.addWidget(header)
    header.show_document("a rather long name of a document, version 7, signed.docx", "12 Mar 2024 · 142 KB", "path")
    (facts,) = [label for label in header.findChildren(QLabel) if "142 KB" in label.text()]
    for width, is_shown in ((700, True), (260, False), (700, True)):
        header.resize(width, 36)
        header.show()
        assert facts.isVisible() == is_shown


A = (
    "The lease of Fernhill Bakery.",
    "It is signed by Mara O’Neill.",
    "Rent is due monthly.",
    "Mara O'Neill keeps a copy.",
)
B = ("The lease of Fernhill Bakery.", "It is signed by mara  o'neill.", "Rent is due weekly.", "A copy is kept.")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ComparisonView:
    view = ComparisonView(Drawing(theme))
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show_comparison(compare_texts("\n".join(A), "\n".join(B), Options()), "")
    view.show()
    qtbot.waitExposed(view)
    view.canvas.setFocus()
    return view


def count_of(view: ComparisonView) -> str:
    return next(label.text() for label in view.bar.findChildren(QLabel))


def test_words_are_found_in_both_texts_whatever_their_capitals_spaces_and_quotes(view: ComparisonView) -> None:
    QTest.keyClick(view.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(view.bar.field, "Mara o'neill")
    sides = [(hit.side, hit.line) for hit in view.canvas.hits]
    assert sides == [(0, 1), (1, 1), (0, 3)] and count_of(view) == "1 of 3"


def test_enter_goes_on_from_place_to_place_and_after_the_last_to_the_first(view: ComparisonView) -> None:
    view.find_text()
    QTest.keyClicks(view.bar.field, "o'neill")
    places = []
    for modifier in (Qt.KeyboardModifier.NoModifier,) * 3 + (Qt.KeyboardModifier.ShiftModifier,) * 2:
        QTest.keyClick(view.bar.field, Qt.Key.Key_Return, modifier)
        places.append(view.canvas.hit)
    assert places == [1, 2, 0, 2, 1]
    view.canvas.setFocus()
    QTest.keyClick(view.canvas, Qt.Key.Key_F3)
    assert view.canvas.hit == 2 and count_of(view) == "3 of 3"


def test_escape_ends_the_search_and_returns_to_the_texts(view: ComparisonView) -> None:
    view.find_text()
    QTest.keyClicks(view.bar.field, "lease")
    QTest.keyClick(view.bar.field, Qt.Key.Key_Escape)
    assert not view.bar.isVisible() and not view.canvas.hits and view.canvas.hasFocus()
    QTest.keyClick(view.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.bar.field.selectedText() == "lease" and count_of(view) == "1 of 2"  # as it was left


@pytest.mark.parametrize("number", range(4))
def test_escape_f3_and_ctrl_f_work_on_every_control_of_the_search(view: ComparisonView, number: int) -> None:
    view.find_text()
    QTest.keyClicks(view.bar.field, "o'neill")
    control = view.bar.controls[number]
    control.setFocus()
    QTest.keyClick(control, Qt.Key.Key_F3)
    QTest.keyClick(control, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert view.canvas.hit == 0
    QTest.keyClick(control, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.bar.field.hasFocus() and view.bar.field.selectedText() == "o'neill"
    control.setFocus()
    QTest.keyClick(control, Qt.Key.Key_Escape)
    assert not view.bar.isVisible() and view.canvas.hasFocus()


def test_the_place_gone_to_has_a_line_around_it_and_not_only_another_colour(
    view: ComparisonView, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(Drawing, "outline", lambda *given: lines.append(given[3]))
    view.find_text()
    QTest.keyClicks(view.bar.field, "lease")
    view.canvas.grab()
    assert "warn" in lines
    lines.clear()
    view.canvas.hit = -1
    view.canvas.grab()
    assert "warn" not in lines


def test_what_is_not_there_is_said_and_what_is_selected_is_looked_for(view: ComparisonView) -> None:
    view.find_text()
    QTest.keyClicks(view.bar.field, "quarterly")
    assert count_of(view) == "Not found" and not any(step.isEnabled() for step in view.bar._steps)
    view.bar.close_bar()
    view.canvas.select_all(0)
    view.canvas._selection = TextSelection(0, Caret(2, 0), Caret(2, 4))
    view.find_text()
    assert view.bar.field.text() == "Rent" and count_of(view) == "1 of 2"


def test_other_texts_are_searched_without_leaving_their_first_difference(view: ComparisonView) -> None:
    view.find_text()
    QTest.keyClicks(view.bar.field, "lease")
    view.show_comparison(compare_texts("One lease, two leases.", "No word of it.", Options()), "")
    assert [hit.start for hit in view.canvas.hits] == [4, 15] and view.canvas.hit == -1
    assert count_of(view) == "— of 2" and view.canvas.current == 0


def test_a_place_far_below_is_scrolled_to_and_shown_in_the_overview(view: ComparisonView) -> None:
    lines = [f"{number}. " + "The tenant pays the rent for the house. " * 5 for number in range(300)]
    lines[250] += "Mara O'Neill agrees."
    view.show_comparison(compare_texts("\n".join(lines), "\n".join(lines), Options()), "")
    view.find_text()
    QTest.keyClicks(view.bar.field, "O'Neill agrees")
    panes, hit = view.canvas.panes, view.canvas.hits[0]
    top = panes.texts[0].tops[hit.line] - panes.offsets()[0]
    assert hit.line > 1_000 and -panes.texts[0].row_height * 5 < top < view.canvas.height()
    assert len(view._ruler._hits()) == 1
    view.grab()  # all of it can be painted


def test_what_is_typed_while_the_texts_are_read_is_looked_for_once_they_are_there(view: ComparisonView) -> None:
    view.show_loading()
    view.find_text()
    QTest.keyClicks(view.bar.field, "rent")
    view.show_comparison(compare_texts("The rent is due.", "The rent is due now.", Options()), "")
    assert view.bar.isVisible() and len(view.canvas.hits) == 2
    view.focus_target.setFocus()
    view.show_message("Nothing to compare as text", "It is gone.")
    assert not view.bar.isVisible()


def test_tools_leave_a_narrow_view_as_a_whole_and_none_is_cut(view: ComparisonView) -> None:
    chips, steps = tuple(view._ignore.values()), (view._find, view._previous, view._next, view._swap)
    for width, with_chips in ((900, True), (420, False), (900, True)):
        view.resize(width, 500)
        assert [part.isVisible() for part in chips] == [with_chips] * 3
        assert all(part.isVisible() and part.width() >= 30 for part in steps)


def test_a_letter_that_a_book_has_everywhere_is_not_searched_to_the_end(view: ComparisonView) -> None:
    book = "\n".join(f"{number}. The tenant pays the rent for the house every month." for number in range(3_000))
    view.show_comparison(compare_texts(book, book, Options()), "")
    view.find_text()
    QTest.keyClicks(view.bar.field, "e")
    assert 2 * MOST_HITS <= len(view.canvas.hits) < 2 * MOST_HITS + 40 and count_of(view).endswith("+")


def test_words_that_the_list_is_searched_for_are_shown_in_each_pair_until_the_bar_is_closed(
    view: ComparisonView,
) -> None:
    other = compare_texts("A lease.\nAnother lease.", "No rent.", Options())
    view.bar.follow("the lease")
    assert count_of(view) == "1 of 2" and view.canvas.hasFocus()
    view.show_message("Gone", "")
    assert not view.bar.isVisible()
    view.show_comparison(other, "")
    assert view.bar.isVisible() and count_of(view) == "Not found"
    view.bar.follow("lease")
    assert count_of(view) == "1 of 2"
    view.bar.follow("")
    assert not view.bar.isVisible() and not view.canvas.hits
    view.bar.follow("lease")
    QTest.keyClick(view.bar.field, Qt.Key.Key_Escape)
    view.show_comparison(other, "")
    assert not view.bar.isVisible() and not view.canvas.hits


def test_words_typed_into_the_bar_stay_when_the_search_of_the_list_ends(view: ComparisonView) -> None:
    view.bar.follow("the lease")
    view.bar.field.setText("rent")
    view.bar.follow("")
    assert view.bar.isVisible() and count_of(view) == "1 of 2"


def test_words_typed_into_the_search_are_no_commands_when_a_pair_without_text_comes(
    view: ComparisonView, qtbot: QtBot
) -> None:
    view.find_text()
    assert view.bar.field.hasFocus()
    view.show_message("Nothing to compare as text", "It is gone.")
    assert view.bar.field.hasFocus(), "where else the focus came to, letters would be keys"
    QTest.keyClicks(view.bar.field, "Mara")
    assert view.bar.field.text() == "Mara" and count_of(view) == "Not found"
    view.show_comparison(compare_texts("\n".join(A), "\n".join(B), Options()), "")
    assert count_of(view).endswith("of 3")
    view.canvas.setFocus()
    view.show_message("Nothing to compare as text", "It is gone.")
    assert view.bar.isHidden()


def test_pages_have_the_focus_and_the_keys_of_the_comparison(
    view: ComparisonView, qtbot: QtBot, tmp_path: Path
) -> None:
    view.show_pages_of(*(pdf(tmp_path, f"{name}.pdf", 3) for name in "ab"))
    view._modes.part(1).click()
    assert view.focus_target is view.pages
    view.focus_target.setFocus()
    with qtbot.waitSignal(view.swap_wanted):
        QTest.keyClick(view.pages, Qt.Key.Key_X)
    with qtbot.waitSignal(view.next_pair_wanted):
        QTest.keyClick(view.pages, Qt.Key.Key_Tab)
    view.pages.reader.close()
