"""Words from right to left come in the order of their letters, whichever way the PDF stores them."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from dupfinder.text.pdf import footnotes, pdfium
from dupfinder.text.pdf import letters as correcting
from dupfinder.text.pdf.annotations import Annotations
from dupfinder.text.pdf.letters import (
    in_reading_order,
    with_marked_letters_in_place,
    with_strays_in_place,
    with_whole_lines,
    without_repeated_marks,
)
from dupfinder.text.pdf.pdfium import whole_signs


class Asked:
    """pdfium, which asks each page itself."""

    def __getattr__(self, name: str) -> Any:
        return lambda page, *arguments: getattr(page, name)(page, *arguments)

    class FS_MATRIX:  # noqa: N801  # the name in pdfium
        b, d = 0.0, 1.0

    class FS_RECTF:  # noqa: N801  # the name in pdfium
        left = right = 0.0


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (correcting, pdfium):
        monkeypatch.setattr(module, "raw", Asked())


class Page:
    """What pdfium tells of a page's characters: each with the left edge of its box, ten points wide."""

    def __init__(self, letters: list[tuple[str, float]]) -> None:
        self.letters = letters

    def FPDFText_CountChars(self, page: object) -> int:
        return len(self.letters)

    def FPDFText_GetUnicode(self, page: object, place: int) -> int:
        return ord(self.letters[place][0])

    def FPDFText_IsGenerated(self, page: object, place: int) -> int:
        return 0

    def FPDFText_GetTextObject(self, page: object, place: int) -> bool:
        return True

    def FPDFText_GetCharBox(self, page: object, place: int, left: Any, right: Any, _: Any, top: Any) -> None:
        left.value, right.value, top.value = self.letters[place][1], self.letters[place][1] + 10, 10

    def FPDFText_GetMatrix(self, page: object, place: int, matrix: Asked.FS_MATRIX) -> None:
        """Leave the matrix that of upright letters."""

    def FPDFText_GetCharOrigin(self, page: object, place: int, x: Any, y: Any) -> None:
        """Leave the origin as it is."""

    def FPDFText_GetFontSize(self, page: object, place: int) -> float:
        return 20.0

    def FPDFText_GetLooseCharBox(self, page: object, place: int, box: Asked.FS_RECTF) -> None:
        box.left, box.right = self.letters[place][1], self.letters[place][1] + 10


def read(letters: list[tuple[str, float]]) -> str:
    page = Page(letters)
    return in_reading_order("".join(letter for letter, _ in letters), page)


def test_letters_that_pdfium_takes_for_lines_from_top_to_bottom_are_words_again() -> None:
    letters: list[tuple[str, float]] = []
    for _ in range(4):  # as many lines, each seen from the left
        places = [(letter, 10.0 * place) for place, letter in enumerate("words of it") if letter != " "]
        letters += [item for letter in places for item in (letter, ("\r", 0.0), ("\n", 0.0))]
    page = Page(letters[:-2])
    text = "".join(letter for letter, _ in page.letters)
    assert with_whole_lines(text, page) == "\r\n".join(["words of it"] * 4)
    narrow = Page([(letter, 0.0) for letter in "\r\n".join("a list of one letter")])
    text = "".join(letter for letter, _ in narrow.letters)
    assert with_whole_lines(text, narrow) == text


def test_lines_of_letters_with_marks_are_put_together_as_lines_from_right_to_left() -> None:
    letters: list[tuple[str, float]] = []
    for place in range(30):  # pdfium ends a line at each mark
        letters += [("\u05d1", 12.0 * place), ("\u05b8", 12.0 * place + 2), ("\r", 0.0), ("\n", 0.0)]
    page = Page(letters[:-2])
    text = "".join(letter for letter, _ in page.letters)
    assert with_whole_lines(text, page) == text
    assert in_reading_order(text, page) == 30 * "\u05d1\u05b8"


def without_vowels(text: str) -> str:
    return "".join(letter for letter in text if not unicodedata.combining(letter))


def test_the_marks_of_a_letter_take_a_part_of_its_room_and_make_no_gap() -> None:
    stored = [("ב", 90.0), ("\u05b8", 80.0), ("ר", 65.0), ("\u05b8", 55.0), ("א", 40.0)]  # browsers divide it so
    assert read(stored) == "ב\u05b8ר\u05b8א"
    assert read([*stored[:2], (" ", 70.0), ("ר", 40.0), ("\u05b8", 30.0)]) == "ב\u05b8 ר\u05b8"


def test_letters_that_browsers_store_between_a_letter_and_its_mark_come_where_they_are_seen() -> None:
    stored = [("ב", 90.0), ("ש", 60.0), ("א", 76.0), ("\u05b4", 50.0), ("י", 40.0)]
    assert without_vowels(read(stored)) == "באשי"


def test_a_turned_ligature_of_a_word_with_marks_is_put_in_order() -> None:
    stored = [("م", 90.0), ("ث", 80.0), ("ا", 70.0), ("ل", 70.0), ("\u064b", 72.0)]
    assert without_vowels(read(stored)) == "مثلا"


def test_a_space_that_pdfium_puts_beside_a_mark_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [("\u05b8", 94.0), ("ב", 90.0), (" ", 86.0), ("\u05b8", 76.0), ("ר", 79.0)]
    assert without_vowels(read(shown)) == "ב ר"
    monkeypatch.setattr(Page, "FPDFText_GetTextObject", lambda *_: False)
    assert without_vowels(read(shown)) == "בר"


def test_letters_that_go_rightwards_are_turned() -> None:
    shalom = [("ם", 10.0), ("ו", 20.0), ("ל", 30.0), ("ש", 40.0)]
    assert read(shalom) == "שלום"
    latin = [(letter, 60.0 + 10 * place) for place, letter in enumerate("abcde")]
    assert read([*shalom, (" ", 50.0), *latin]) == "שלום abcde"
    assert read([*shalom, (" ", 50.0), *latin[:2]]) == "ab שלום"  # most letters go from right to left, and so the line


def test_letters_that_go_leftwards_stay() -> None:
    assert read([("ש", 40.0), ("ל", 30.0), ("ו", 20.0), ("ם", 10.0)]) == "שלום"


@pytest.mark.parametrize("shown", ["בא )גד( »הו« זח", "בא (גד) «הו» זח"])  # by their meaning; by their shape
def test_brackets_and_quotation_marks_open_towards_their_words_whichever_way_they_are_stored(shown: str) -> None:
    assert read([(letter, 10.0 * place) for place, letter in enumerate(shown)]) == "חז «וה» (דג) אב"
    assert read([(letter, 10.0 * place) for place, letter in enumerate("ab )cd( ef")]) == "ab )cd( ef"


def test_a_space_stored_behind_a_bracket_comes_where_the_gap_is() -> None:
    stored = [("ד", 20.0), ("ג", 30.0), (" ", 19.0), (")", 40.0), (" ", 39.0), ("ב", 57.0), ("א", 67.0)]
    assert read(stored[::-1]) == "אב (גד"  # with the shape of the bracket, and the space between it and its word
    assert read([("ב", 57.0), ("א", 67.0), (")", 40.0), (" ", 39.0), ("ד", 20.0), ("ג", 30.0)]) == "אב (גד"


def test_brackets_stay_where_most_open_towards_their_words() -> None:
    shown = "בא )גד( )זח( ) טי"  # by their meaning
    assert read([(letter, 10.0 * place) for place, letter in enumerate(shown)]).count("(") == 2


def test_letters_of_one_ligature_keep_their_order() -> None:
    assert read([("م", 10.0), ("ل", 20.0), ("ا", 20.0), ("س", 30.0)]) == "سلام"


def test_lam_and_alef_of_a_ligature_come_in_their_order_and_those_of_an_article_stay() -> None:
    assert read([("س", 30.0), ("ا", 20.0), ("ل", 20.0), ("م", 10.0)]) == "سلام"
    assert read([("ا", 40.0), ("ل", 30.0), ("ب", 20.0)]) == "الب"


def test_a_mark_that_is_stored_behind_its_word_comes_after_its_letter() -> None:
    assert read([("ه", 10.0), ("م", 20.0), ("ا", 30.0), ("ن", 40.0), ("\u0654", 8.0)]) == "نامه\u0654"


def test_a_sign_before_the_first_letter_of_a_line_ends_it() -> None:
    word = [("ש", 40.0), ("ל", 30.0), ("ו", 20.0), ("ם", 10.0)]
    assert read([(".", 50.0), *word, ("\r", 0.0), ("\n", 0.0), *word]) == "שלום.\r\nשלום"
    assert read([(".", 50.0), ("5", 45.0), *word]) == "שלום5."  # seen in a line that begins at the left


def test_the_part_of_a_word_before_a_mark_is_turned_if_the_rest_is_in_order() -> None:
    assert read([("ي", 30.0), ("\u064f", 30.0), ("د", 10.0), ("ع", 20.0)]) == "ي\u064fعد"


def test_words_between_latin_ones_are_read_from_right_to_left_where_lines_begin_at_the_left() -> None:
    first = [("ב", 20.0), ("א", 30.0), (" ", 15.0), ("ד", 0.0), ("ג", 10.0)]
    latin = [("x", 50.0), ("y", 60.0)]
    second = [("ז", 80.0), ("ו", 90.0), (".", 100.0)]
    assert read([*second, (" ", 75.0), *latin, (" ", 45.0), *first]) == "אב גד xy וז."


def test_a_gap_between_letters_is_a_space_though_pdfium_tells_of_none() -> None:
    assert read([("א", 60.0), ("ב", 50.0), ("ג", 30.0), ("ד", 20.0)]) == "אב גד"


def test_digits_among_the_letters_go_from_left_to_right() -> None:
    assert read([("1", 10.0), ("2", 20.0), ("ב", 30.0), ("א", 40.0)]) == "אב12"
    date = [("3", 10.0), (" ", 0.0), ("5", 30.0), (" ", 0.0), ("/", 20.0)]
    assert read([*date, ("\r", 0.0), ("\n", 0.0), ("ב", 30.0), ("א", 40.0)]) == "3/5\r\nאב"


@pytest.mark.parametrize("word", ["", "אב"])  # also in a line of numbers
def test_years_on_both_sides_of_a_dash_are_read_from_right_to_left(word: str) -> None:
    seen = f"2023–2019 {word[::-1]}".strip()
    stored = [(letter, 10.0 * place) for place, letter in enumerate(seen)]
    line_end = [("\r", 0.0), ("\n", 0.0)]
    other = [(letter, 100.0 - 10 * place) for place, letter in enumerate("גדהוז")]
    assert read([*stored, *line_end, *other]) == f"{word} 2019–2023".strip() + "\r\nגדהוז"
    assert read([("3", 0.0), (",", 10.0), ("4", 20.0), *line_end, *other]) == "3,4\r\nגדהוז"


def test_the_number_of_a_list_item_comes_before_its_full_stop() -> None:
    mark = [(".", 150.0), ("1", 160.0)]
    words = [(letter, 100.0 - 10 * place) for place, letter in enumerate("גדהוז")]
    line_end = [("\r", 0.0), ("\n", 0.0)]
    assert read([*mark, (" ", 105.0), *words]) == "1. גדהוז"
    assert read([*words, *line_end, *mark]) == "גדהוז\r\n1."


@pytest.mark.parametrize("left", [0.0, 30.0])  # far from the words, as behind a tab, and near
def test_the_number_of_a_list_left_of_a_line_from_right_to_left_is_read_first(left: float) -> None:
    words = [(letter, 100.0 - 10 * place) for place, letter in enumerate("גדהוז")]
    assert read([*words, (" ", 55.0), ("1", left), (".", left + 10)]) == "1. גדהוז"
    assert read([*words, (" ", 55.0), ("1", 40.0), (".", 30.0)]) == "גדהוז 1."
    assert read([*words, (" ", 55.0), ("1", 10.0), (".", 20.0), ("5", 30.0)]).endswith("1.5")


def test_marks_of_notes_leave_the_words_around_them_in_reading_order(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = [("ב", 80.0), ("א", 90.0), ("1", 70.0), (" ", 60.0), ("ג", 50.0), ("ד", 40.0)]
    page, text = Page(stored), "".join(letter for letter, _ in stored)
    monkeypatch.setattr(footnotes, "raw", Asked())
    monkeypatch.setattr(footnotes, "_linked_marks", lambda text, *_: [(text.index("1"), text.index("1") + 1)])
    without = footnotes.without_footnotes(text, page, (), Annotations())
    assert whole_signs(in_reading_order(without, page)) == "אב גד"


def test_a_page_whose_characters_are_counted_otherwise_stays_as_it_is() -> None:
    page = Page([("x", 0.0), ("ב", 1.0), ("א", 2.0)])
    assert in_reading_order("בא", page) == "בא"


def test_parts_of_a_line_that_are_stored_one_after_the_other_come_as_they_are_seen() -> None:
    first = [("א", 90.0), ("ב", 80.0), (" ", 70.0), ("ג", 60.0), ("ד", 50.0)]
    last = [(",", 40.0), (" ", 30.0), ("ה", 20.0), ("ו", 10.0), (".", 0.0)]
    latin = [("ה", 20.0), ("ו", 10.0), ("L", 50.0), ("V", 60.0), (",", 40.0), ("א", 90.0), ("ב", 80.0)]
    line_end = [("\r", 0.0), ("\n", 0.0)]
    for stored, expected in (
        ([*last, *first], "אב גד, הו."),
        ([*last, *line_end, *first], "אב גד, הו."),
        ([*first, *line_end, *last], "אב גד, הו."),
        (latin, "אב LV, הו"),
    ):
        page = Page(stored)
        assert in_reading_order("".join(letter for letter, _ in stored), page) == expected


class Line(Page):
    """The same of letters five points wide; spaces without a place were inserted by pdfium."""

    def FPDFText_IsGenerated(self, page: object, place: int) -> int:
        return self.letters[place][1] < 0

    def FPDFText_GetCharBox(self, page: object, place: int, left: Any, right: Any, *others: Any) -> None:
        left.value, right.value = self.letters[place][1], self.letters[place][1] + 5


class Upright(Line):
    """The same of letters that stand below each other, the next column beginning at the top."""

    def FPDFText_GetCharBox(self, page: object, place: int, left: Any, right: Any, bottom: Any, top: Any) -> None:
        super().FPDFText_GetCharBox(page, place, left, right)
        row = place if self.letters[place][1] == self.letters[0][1] else 0
        bottom.value, top.value = -5.5 * row, -5.5 * row + 5


def test_letters_of_another_font_behind_a_line_come_where_they_are_seen() -> None:
    first = [("m", 10.0), (" ", -1.0), ("n", 20.5), ("g", 26.0), (" ", 31.0), ("b", 36.0), (" ", -1.0), ("n", 46.0)]
    strays = [(" ", -1.0), ("ừ", 15.2), (" ", -1.0), ("ạ", 41.0)]
    page = Line([*first, *strays])
    text = "".join(letter for letter, _ in page.letters)
    assert text == "m ng b n ừ ạ" and with_strays_in_place(text, page) == "mừng bạn"
    apart = Line([("m", 10.0), (" ", -1.0), ("c", 24.0), (" ", -1.0), ("ở", 15.2)])
    assert with_strays_in_place("m c ở", apart) == "mở c"
    right = Line([("a", 10.0), (" ", 15.0), ("ừ", 20.0)])
    assert with_strays_in_place("a ừ", right) == "a ừ"


def test_letters_of_any_script_come_where_they_are_seen_also_amid_a_line() -> None:
    bold = [("х", 10.0), (" ", -1.0), ("з", 20.5), (" ", -1.0), ("ҩ", 15.2), (" ", -1.0)]
    page = Line([*bold, ("и", 40.0), ("\r", -1.0), ("\n", -1.0), ("ҩ", 10.0)])
    assert with_strays_in_place("х з ҩ и\r\nҩ", page) == "хҩз и\r\nҩ"


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        (
            ["的", 10, " ", -1, "卖", 20, " ", -1, "，", 30, " ", -1, "“", 15.2, " ", -1, "”", 25.2],
            "的“卖”，",
        ),  # behind
        (
            ["的", 10, " ", 14.6, "卖", 25, " ", 30, "，", 35, " ", -1, "“", 20, " ", 40],
            "的 “卖 ， ",
        ),  # spaces are stored
        (["的", 10, " ", -1, "”", 15, " ", -1, "”", 25, " ", -1, "卖", 20, " ", -1, "，", 30], "的 ”卖”，"),  # before
        (["的", 10, "在", 20, "“", 15, "卖", 25], "的“在卖"),  # behind a single character
    ],
)
def test_quotation_marks_of_another_font_come_where_they_are_seen(stored: list[Any], text: str) -> None:
    page = Line([(sign, float(left)) for sign, left in zip(stored[::2], stored[1::2], strict=True)])
    assert with_strays_in_place("".join(sign for sign, _ in page.letters), page) == text


def test_characters_of_the_next_column_of_upright_lines_stay_behind_those_of_the_first() -> None:
    page = Upright([("上", 40.0), ("下", 40.0), (" ", -1.0), ("左", 20.0)])
    assert with_strays_in_place("上下 左", page) == "上下 左"


def test_cells_over_each_other_and_lines_that_begin_anew_keep_the_order_in_which_they_are_stored() -> None:
    over = Line([("a", 10.0), ("b", 15.0), ("c", 20.0), (" ", -1.0), ("用", 16.0)])
    assert with_strays_in_place("abc 用", over) == "abc 用"
    note = Line([("v", 90.0), ("4", 95.0), (" ", -1.0), ("本", 10.0), (" ", -1.0), ("F", 20.0)])
    assert with_strays_in_place("v4 本 F", note) == "v4 本 F"


def laid(words: list[tuple[str, float]]) -> str:
    """Words with their left edges, of letters five points wide, as pdfium gives them."""
    letters = [
        (letter, left + 5 * number if letter != " " else -1.0)
        for word, left in words
        for number, letter in enumerate(f"{word} ")
    ]
    page = Line(letters)
    return in_reading_order("".join(letter for letter, _ in letters), page).strip()


def test_words_in_latin_letters_among_others_are_read_from_left_to_right() -> None:
    words = [("םולש", 200.0), ("2020", 100.0), ("law", 80.0), ("4.2", 60.0), ("Data", 35.0), ("םולש", 10.0)]
    assert laid(words) == "שלום 2020 Data 4.2 law שלום"
    assert laid([("םולש", 200.0), ("Price", 150.0), ("Item", 55.0)]) == "שלום Price Item"  # cells
    assert laid([("law", 80.0), ("Data", 55.0)]) == "law Data"


def test_an_address_among_words_from_right_to_left_is_read_from_left_to_right() -> None:
    drawn = [("א", 90.0), ("ב", 85.0), (" ", 80.0), ("b", 55.0), (".", 60.0), ("c", 65.0), ("@", 50.0), ("a", 45.0)]
    page = Line(drawn)
    assert in_reading_order("".join(letter for letter, _ in drawn), page) == "אב a@b.c"


class Marked(Line):
    """The same of letters with boxes of their own: left, right, bottom and top edge; none: inserted by pdfium."""

    def __init__(self, letters: list[tuple[str, tuple[float, float, float, float] | None]]) -> None:
        super().__init__([(letter, -1.0 if box is None else 0.0) for letter, box in letters])
        self.boxes = [box or (0.0, 0.0, 0.0, 0.0) for _, box in letters]

    def FPDFText_GetCharBox(self, page: object, place: int, *edges: Any) -> None:
        for edge, value in zip(edges, self.boxes[place], strict=True):
            edge.value = value


class Roomy(Marked):
    """The same of letters that have no room beside their boxes."""

    def FPDFText_GetLooseCharBox(self, page: object, place: int, box: Asked.FS_RECTF) -> None:
        box.left, box.right = self.boxes[place][:2]


@pytest.mark.parametrize("space", [None, (86.0, 88.0, 0.0, 10.0)])  # that pdfium inserted; that is stored
def test_a_point_below_a_letter_parts_no_word(space: tuple[float, float, float, float] | None) -> None:
    first = [("א", (90.0, 100.0, 0.0, 10.0)), ("ב", (80.0, 90.0, 0.0, 10.0))]
    stored = [*first, (" ", space), ("\u05b4", (84.4, 85.0, -3.0, -2.0)), (" ", None), ("ג", (70.0, 80.0, 0.0, 10.0))]
    page = Marked(stored)
    assert in_reading_order("".join(letter for letter, _ in stored), page) == "אב\u05b4ג"


def test_letters_that_a_font_names_at_the_mark_above_them_belong_to_the_word_before() -> None:
    word = [("א", (90.0, 100.0, 0.0, 10.0)), ("ב", (80.0, 90.0, 0.0, 10.0))]
    ligature = [("ג", (62.0, 63.0, 12.0, 14.0)), ("ד", (61.0, 62.0, 12.0, 14.0))]
    page = Marked([*word, (" ", (60.0, 60.0, 0.0, 0.0)), *ligature])
    assert in_reading_order("".join(letter for letter, _ in page.letters), page) == "אבגד"


def test_a_mark_above_the_end_of_a_word_makes_the_gap_behind_it_no_cell() -> None:
    boxes = [("א", 90, 100), ("ב", 80, 90), ("ג", 58, 68), ("ד", 48, 58)]
    letters = [(letter, (float(left), float(right), 0.0, 10.0)) for letter, left, right in boxes]
    mark = ("\u05b8", (88.5, 91.0, 12.0, 14.0))
    page = Marked([*letters[2:], (" ", None), mark, (" ", None), *letters[:2]])
    assert in_reading_order("".join(letter for letter, _ in page.letters), page).startswith("אב")


def test_a_letter_and_its_marks_above_that_a_browser_stores_twice_are_read_once() -> None:
    low, high, next_line = (20.0, 27.0), (29.0, 31.0), (7.0, 14.0)
    first = [("น", (10.0, 12.0, *low)), ("ั", (12.0, 14.0, *low)), ("้", (14.0, 16.0, *low))]
    last = ("น", (17.0, 22.0, *low))
    again = [("น", (12.0, 13.0, *high)), ("ั", (13.0, 14.0, *high)), ("้", (14.0, 15.0, *high))]
    for inserted in ([], [("\r", None), ("\n", None)], [(" ", None)]):
        page = Marked([*first, last, *inserted, *again, (" ", None), ("ก", (23.0, 28.0, *low))])
        text = "".join(letter for letter, _ in page.letters)
        assert without_repeated_marks(text, page) == "นั้นก"
    for left, edges in ((23.0, low), (12.0, next_line)):  # the same letter and marks behind it, or in the next line
        page = Marked(
            [*first, last, *((letter, (left + 2 * n, left + 2 * n + 2, *edges)) for n, (letter, _) in enumerate(again))]
        )
        text = "".join(letter for letter, _ in page.letters)
        assert without_repeated_marks(text, page) == "นั้นนั้"


def test_marks_of_several_are_read_once_though_letters_come_between_and_one_is_alone() -> None:
    low, above, top = (20.0, 27.0), (28.0, 30.0), (31.5, 33.0)
    stored: list[tuple[str, tuple[float, float, float, float] | None]] = [
        *[("ท", (10.0, 12.0, *low)), ("ี", (12.0, 14.0, *low)), ("่", (14.0, 16.0, *low))],
        *[("ท", (12.0, 14.0, *above)), ("ี", (14.0, 15.0, *above))],
        *[("น", (17.0, 22.0, *low)), ("อ", (23.0, 28.0, *low)), ("น", (29.0, 34.0, *low)), (" ", None)],
        *[("ท", (14.0, 15.0, *top)), ("ี", (15.0, 15.5, *top)), ("่", (15.5, 16.0, *top))],
        ("ก", (35.0, 40.0, *low)),
    ]
    page = Marked(stored)
    assert without_repeated_marks("".join(letter for letter, _ in stored), page) == "ที่นอนก"


def test_pages_with_a_hyphen_at_a_line_end_are_repaired_too() -> None:
    low, high = (20.0, 27.0), (29.0, 31.0)
    stored: list[tuple[str, tuple[float, float, float, float] | None]] = [
        *[("น", (10.0, 12.0, *low)), ("ั", (12.0, 14.0, *low)), ("ก", (17.0, 22.0, *low))],
        *[("น", (12.0, 13.0, *high)), ("ั", (13.0, 14.0, *high)), ("\x02", (23.0, 25.0, *low))],
    ]
    page = Marked(stored)
    text = "".join(letter for letter, _ in stored).replace("\x02", "\ufffe")
    assert without_repeated_marks(text, page) == "นัก\ufffe"


def test_a_space_behind_a_letter_that_is_stored_twice_stays_where_there_is_room_for_it() -> None:
    low, high = (20.0, 27.0), (29.0, 31.0)
    word = [("ข", (10.0, 12.0, *low)), ("้", (12.0, 14.0, *low)), ("อ", (17.0, 22.0, *low))]
    again = [("ข", (12.0, 13.0, *high)), ("้", (13.0, 14.0, *high)), (" ", None)]
    for left, expected in ((32.0, "ข้อ 1"), (23.0, "ข้อ1")):
        page = Roomy([*word, *again, ("1", (left, left + 5, *low))])
        text = "".join(letter for letter, _ in page.letters)
        assert without_repeated_marks(text, page) == expected


def test_a_line_behind_a_hyphen_at_a_line_end_is_a_line_of_its_own() -> None:
    first = [("ம", (10.0, 18.0, 20.0, 27.0)), ("ட", (20.0, 28.0, 20.0, 27.0)), ("\x02", (28.0, 30.0, 20.0, 27.0))]
    second = [("க", (0.0, 8.0, 7.0, 14.0)), ("ம", (10.0, 18.0, 7.0, 14.0))]
    page = Marked([*first, *second])
    text = "".join(letter for letter, _ in page.letters).replace("\x02", "\ufffe")
    assert with_marked_letters_in_place(text, page) == "மட\ufffeகம"


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        # A space behind the letter that follows it, and one that pdfium inserted before that.
        (["க", 0, 9, "்", 2, 8, " ", None, None, "ம", 13, 22, " ", 9, 13, "ட", 22, 30, "ா", 30, 36], "க் மடா"),
        # The letter below another, joined to it by a sign, behind the one that follows.
        (["ម", 0, 8, "វ", 8, 12, "្", 2, 8, "ម", 2, 8, "ធ", 12, 20, "ិ", 8, 12, " ", None, None, "ី", 12, 20], "ម្មវិធី"),
        # A vowel that is left of its letter, but stored in its place.
        (["ம", 10, 20, "ெ", 3, 9, "ட", 20, 28], "மெட"),
        # Thai and Lao tones that a font draws before the vowel below them.
        (["ซ", 0, 8, "่", 5, 7, "ึ", 1, 7, "ง", 8, 16], "ซึ่ง"),
        (["ນ", 0, 8, "້", 5, 7, "ີ", 1, 7], "ນີ້"),
        # A line that mostly goes back, as from top to bottom.
        (["ம", 20, 28, "ட", 10, 18, "ம", 0, 8], "மடம"),
        (["a", 20, 28, "b", 10, 18], "ab"),
    ],
)
def test_letters_and_marks_that_an_office_program_groups_come_where_they_are_seen(stored: list[Any], text: str) -> None:
    letters = [
        (letter, None if left is None else (float(left), float(right), 0.0, 10.0))
        for letter, left, right in zip(stored[::3], stored[1::3], stored[2::3], strict=True)
    ]
    page = Marked(letters)
    assert with_marked_letters_in_place("".join(letter for letter, _ in letters), page) == text


def test_marks_stay_at_their_letters_in_lines_with_quotation_marks_of_another_font() -> None:
    word = [("ธ", (6.0, 12.0, 0.0, 10.0)), ("ิ", (5.0, 11.0, 10.0, 12.0)), ("บ", (12.0, 18.0, 0.0, 10.0))]
    quotes = [("“", (0.0, 5.0, 7.0, 10.0)), (" ", None), ("”", (18.0, 22.0, 7.0, 10.0))]
    page = Marked([*word, (" ", None), *quotes])
    text = "".join(letter for letter, _ in page.letters)
    assert with_strays_in_place(text, page) == "“ธิบ”"
