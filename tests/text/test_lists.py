"""Numbers of list items are no text: some formats store them, others compute them when a document is shown."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import OtherContent, as_label, labels_as_text, without_labels
from dupfinder.text.extract import extract
from dupfinder.text.lines import join_east_asian
from dupfinder.text.readers import list_numbers
from dupfinder.text.readers.list_numbers import with_labels, without_list_numbers
from tests import making
from tests.making import PARAGRAPHS, word_paragraph

SERIES = (
    "1. 2. 3. 4.", "9) 10) 11) 12)", "(a) (b) (c) (d)", "h. i. j. k.", "iii) iv) v) vi)", "IX. X. XI. XII.",
    "[8] [9] [10] [11]", "九、 十、 十一、 十二、", "（一） （二） （三） （四）", "二十九、 三十、 三十一、 三十二、",
)  # fmt: skip


@pytest.mark.parametrize("series", SERIES)
def test_numbers_that_count_on_are_removed_wherever_they_are(series: str) -> None:
    numbers = series.split()
    items = [f"{number} {text}" for number, text in zip(numbers, PARAGRAPHS, strict=True)]
    assert without_list_numbers("\n".join(items)) == ("\n".join(PARAGRAPHS), "\n".join(numbers))
    assert without_list_numbers("\n  ".join(reversed(items)))[0] == "\n".join(reversed(PARAGRAPHS))


def test_numbers_behind_bullets_are_removed_without_the_bullets() -> None:
    items = [f"{number} {text}" for number, text in zip(("（一）", "（二）"), PARAGRAPHS, strict=False)]
    for bullet in ("• ", "·\xa0\xa0\xa0 "):
        listed = "\n".join(f"{bullet}{item}" for item in items)
        assert without_list_numbers(listed) == (
            "\n".join(f"{bullet}{text}" for text in PARAGRAPHS[:2]),
            "（一）\n（二）",
        )


@pytest.mark.parametrize(
    "text",
    [
        "In this year\n12. March was a Sunday.\n7. April as well.",
        "1.5 % of it\n1.6% of it\n1.7 € each\n1.8% of it",
        "10.15 Coffee\n10.30 Talks\n11.15 Tea\n12.0 Lunch",
        "Dosage\n1.5 ml morning\n1.6 ml evening",
        "Plan\n24.11. Monday\n24.12. Tuesday",
        "价格\n3.5元面包\n3.6元牛奶\n1.1亿人\n1.2亿人",
        "Hosts\n192.168.0.1 router\n192.168.0.2 printer",
        "A.1 vitamin\n65.2 kg",
        "0.1 0.5\n0.2 0.6\n0.3 0.7",
        "see 4.1 of it, 4.2 of it, 4.3 of it",
        "1995. A good year\n1996. A better one",
        "1 steel bracket\n2 copper pipes",
        "e.g. this\nf.i. that",
        "一月\n二月\n三月",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert without_list_numbers(text) == (text, "")


LISTS = st.text(st.sampled_from("1234iva.)( \n一二、x"), max_size=60)


@given(LISTS, LISTS)
def test_labels_stand_where_numbers_are_removed_and_are_read_as_them(text: str, other: str) -> None:
    labelled = with_labels(text, "")
    assert labels_as_text(labelled) == text and len(labelled) == len(text)
    assert without_labels(labelled).split() == without_list_numbers(text)[0].split()
    assert labels_as_text(with_labels(text, other)) == text


@given(st.text())
def test_no_text_becomes_one_that_cannot_be_stored(text: str) -> None:
    shown = labels_as_text("".join(chr(0xB0000 + ord(sign) % 0x10000) for sign in text))
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_a_number_without_neighbours_is_that_of_an_item_if_the_text_beside_it_has_one() -> None:
    text, other = "(a) first\n(c) third", "(a) first\n(b) second"
    assert with_labels(text, "") == text
    assert with_labels(text, other) == f"{as_label('(a)')} first\n{as_label('(c)')} third"


@given(LISTS)
def test_words_are_never_removed(text: str) -> None:
    left, removed = without_list_numbers(text)
    assert sum(map(str.isalnum, left + removed)) == sum(map(str.isalnum, text))
    assert left.count("x") == text.count("x")


def test_a_page_and_a_text_file_of_one_list_have_the_same_words_and_other_numbers() -> None:
    items = "".join(f"<li>{text}</li>" for text in PARAGRAPHS)
    page = f"<!doctype html><html><body><ol>{items}</ol></body></html>".encode()
    for mark in ("{}.", "({})"):
        listed = "\n".join(f"{mark.format(number)} {text}" for number, text in enumerate(PARAGRAPHS, 1)).encode()
        texts = [extract(data, Path(name)).extracted for data, name in ((page, "a.html"), (listed, "a.txt"))]
        assert texts[0] is not None and texts[1] is not None
        assert texts[0].text.split() == texts[1].text.split()
        assert OtherContent.NUMBERS in texts[1].other and OtherContent.NUMBERS not in texts[0].other
    typed = extract(making.docx([f"{number}. {text}" for number, text in enumerate(PARAGRAPHS, 1)]), Path("a.docx"))
    assert typed.extracted is not None and typed.extracted.text.split() == " ".join(PARAGRAPHS).split()


@pytest.mark.parametrize("form", ["{} {}", "{}. {}", "  {} {}", "{}\xa0\xa0{}", "{}\n{}"])
@pytest.mark.parametrize("numbers", ["4.1 4.1.1 4.1.2 4.2", "2.01 2.02 2.03 2.04", "A.1 A.2 B.1 B.2"])
def test_numbers_of_several_levels_that_count_are_no_words(form: str, numbers: str) -> None:
    lines = [form.format(number, text) for number, text in zip(numbers.split(), PARAGRAPHS, strict=True)]
    for text in ("\n".join(lines), "\n".join(reversed(lines))):
        words, removed = without_list_numbers(text)
        assert sorted(words.split()) == sorted(" ".join(PARAGRAPHS).split())
        assert set(numbers.split()) == {number.rstrip(".") for number in removed.split("\n")}


def test_the_number_of_a_chapter_is_no_word_before_that_of_its_first_section() -> None:
    book = "1 Wells\n1.1 Deep wells\n1.2 Old wells\n2 Water\n2.1 Cold water\n2.2 Warm water"
    assert without_list_numbers(book)[0] == "Wells\nDeep wells\nOld wells\nWater\nCold water\nWarm water"
    recipe = "1.1 Soup\n1 egg\n1 onion\n1.2 Cake\n2 eggs"
    assert without_list_numbers(recipe)[0] == "Soup\n1 egg\n1 onion\nCake\n2 eggs"


@pytest.mark.parametrize("width", range(50, 80, 3))
def test_references_to_clauses_stay_wherever_lines_are_broken(width: int) -> None:
    clauses = [
        f"{text} So it is said in section 4.{n} and in 4.{n + 1} of the rules." for n, text in enumerate(PARAGRAPHS, 1)
    ]
    text = "\n\n".join(textwrap.fill(f"4.{number} {clause}", width) for number, clause in enumerate(clauses, 1))
    assert without_list_numbers(text)[0].split() == " ".join(clauses).split()


def test_the_number_of_the_heading_of_a_part_is_no_word() -> None:
    assert without_list_numbers("\n 4.1 The clause\nand 4.2 as well") == ("\nThe clause\nand 4.2 as well", "4.1")
    for text in (
        "The clause\n4.1 of them",
        "4 of the clause",
        "1.5 % of it",
        "1.5% of it",
        "3.2 million people live here.",
    ):
        assert without_list_numbers(text) == (text, "")


def test_clauses_in_chinese_are_numbered_without_a_space() -> None:
    assert (
        without_list_numbers("1.1甲方出租。\n1.2乙方承租。\n1.3租期一年。")[0] == "甲方出租。\n乙方承租。\n租期一年。"
    )


def test_numbers_of_notes_and_their_marks_are_no_words() -> None:
    text = "Wells are deep.[1] Their water[2] is cold.\n\n[1] All of them.\n[2] In May."
    assert without_list_numbers(text)[0] == "Wells are deep. Their water is cold.\n\nAll of them.\nIn May."
    raised = "Wells are deep. ^[27]\n\n  ^[27] All of them."  # as text browsers write a chapter
    assert without_list_numbers(raised)[0].split() == ["Wells", "are", "deep.", "All", "of", "them."]
    assert without_list_numbers("A well[1]\n\n  [1] is deep.") == ("A well\n\n   is deep.", "[1]")


@pytest.mark.parametrize("form", ["[{}] ", "({}) ", "﴿{}﴾ ", "{}"])
@pytest.mark.parametrize("gap", [" ", "\n"])
def test_numbers_that_count_the_verses_of_a_text_are_no_words_wherever_a_line_is_broken(form: str, gap: str) -> None:
    raised = str.maketrans("1234567890", "¹²³⁴⁵⁶⁷⁸⁹⁰") if form == "{}" else {}
    verses = [f"{form.format(number).translate(raised)}{text}" for number, text in enumerate(3 * PARAGRAPHS, 1)]
    words, numbers = without_list_numbers(gap.join(verses))
    assert words.split() == " ".join(3 * PARAGRAPHS).split()
    assert len(numbers.split("\n")) == len(verses)


@pytest.mark.parametrize("row", ["{} {} ", "{}\t{}\n", "{}\n{}\n"])
def test_bare_numbers_count_verses_or_rows_if_they_are_many_with_words_between_them(row: str) -> None:
    verses = "No. " + "".join(row.format(number, text) for number, text in enumerate(3 * PARAGRAPHS, 1))
    assert without_list_numbers(verses)[0].split() == ["No.", *" ".join(3 * PARAGRAPHS).split()]
    articles = "\n".join(
        f"第 {number} 次 甲方应当按照本合同的约定向乙方支付价款并承担违约责任。" for number in range(1, 15)
    )
    for text in (articles, " ".join(map(str, range(1, 32))), "They paid 1 2 and 3 times for the same two letters."):
        assert without_list_numbers(text) == (text, "")


@pytest.mark.parametrize("row", ["Town {} 9.50 {}\n", "Town {}\t9.50\t{}\n", "Town\t{}\t9.50 {}\n"])
def test_numbers_that_count_the_rows_of_a_table_are_no_words_in_a_sheet_and_in_print(row: str) -> None:
    rows = "".join(row.format(number, text) for number, text in enumerate(3 * PARAGRAPHS, 1))
    expected = "".join(row.format("", text) for text in 3 * PARAGRAPHS)
    assert without_list_numbers(rows)[0].split() == expected.split()


@pytest.mark.parametrize("form", ["{}\n", "「{}」\n", "[{:04}] ", "【{:04}】"])
def test_numbers_of_paragraphs_count_on_behind_a_lone_one_and_beyond_999(form: str) -> None:
    paragraphs = [PARAGRAPHS[number % 3] + " They took 1 or 7 of them." * (number % 90 == 40) for number in range(1100)]
    text = "\n".join(form.format(number) + paragraph for number, paragraph in enumerate(paragraphs, 1))
    assert without_list_numbers(text)[0].split() == " ".join(paragraphs).split()


def test_a_chapter_loses_the_numbers_of_its_verses_by_itself_as_in_its_book() -> None:
    lengths = (12, 30, 11, 30)
    chapters = [
        "".join(f"{number} {PARAGRAPHS[number % 3]} " for number in range(1, verses + 1)) + "They had 12 sons, 1 died. "
        for verses in lengths
    ]
    assert without_list_numbers("".join(chapters))[0] == "".join(without_list_numbers(part)[0] for part in chapters)


def test_references_to_a_list_in_any_order_and_results_of_programs_stay() -> None:
    for text in ("See [2] and [1].\n[1] A book.\n\n[3] Another.", "> x[1]\n[1] 5\n> x[1]\n[1] 7", "a [1] and b [1]"):
        assert without_list_numbers(text)[0] == text


def test_numbered_paragraphs_in_chinese_begin_lines_of_their_own() -> None:
    text = "甲方出租房屋，乙方\n承租。\n一、房屋在北京。\n二、租期一年。\n（一）可续租。\n（二）不可转租。"
    joined = join_east_asian(text)
    assert joined == text.replace("乙方\n", "乙方")
    assert without_list_numbers(joined)[0] == "甲方出租房屋，乙方承租。\n房屋在北京。\n租期一年。\n可续租。\n不可转租。"


def test_numbers_in_the_first_column_of_a_table_are_no_words_in_any_format() -> None:
    rows = [("1.", "Opening of the meeting", "Ross"), ("2.", "Budget of the year", "Kim"), ("3.", "Closing", "Shah")]
    table = "".join(f"<w:tr>{''.join(f'<w:tc>{word_paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    page = "".join(f"<tr>{''.join(f'<td><p>{cell}</p></td>' for cell in row)}</tr>" for row in rows)
    lines = ["Agenda of the council", *(line for row in rows for line in row)]
    documents = {
        "a.docx": making.docx(body=f"{word_paragraph(lines[0])}<w:tbl>{table}</w:tbl>"),
        "a.html": f"<!doctype html><html><body><p>{lines[0]}</p><table>{page}</table></body></html>".encode(),
        "a.txt": "\n".join(lines).encode(),
        "a.pdf": making.pdf([[lines[0], *(" ".join(row) for row in rows)]]),
    }
    expected = " ".join([lines[0], *(" ".join(row[1:]) for row in rows)]).split()
    for name, data in documents.items():
        extracted = extract(data, Path(name)).extracted
        assert extracted is not None and extracted.text.split() == expected, name
        assert OtherContent.NUMBERS in extracted.other


def test_numbers_after_ideographic_spaces_are_no_words() -> None:
    assert without_list_numbers("附件：\n　　1．名单\n　　2．通知") == ("附件：\n名单\n通知", "1．\n2．")


def test_the_numbers_of_another_list_are_not_those_of_chapters() -> None:
    sections = "\n".join(f"{chapter}.1 About the part {chapter}" for chapter in (1, 2, 3))
    listed = "1. anchor\n2. mole\n3. pier\n"
    assert without_list_numbers(sections)[0] == sections
    assert without_list_numbers(listed + sections)[0] == "anchor\nmole\npier\n" + sections


@pytest.mark.parametrize("gap", ["   ", "\t", ""])
@pytest.mark.parametrize("every", [5, 10])
def test_numbers_at_every_fifth_or_tenth_line_of_verses_are_no_words(every: int, gap: str) -> None:
    lines = [f"the line of a{' long' * (number % 3)} poem," for number in range(1, 34)]
    printed = [f"{line}{gap}{number}" if number % every == 0 else line for number, line in enumerate(lines, 1)]
    stanzas = "The poem\n\n" + "\n\n".join("\n".join(printed[start : start + 4]) for start in range(0, 33, 4))
    words, numbers = without_list_numbers(stanzas)
    assert words.split() == ["The", "poem", *" ".join(lines).split()]
    assert numbers.split() == [str(number) for number in range(every, 34, every)]
    other = stanzas.replace("15", "16").replace("20", "21")
    assert without_list_numbers(other) == (other, "")


@pytest.mark.parametrize("around", [9, 10, 11])
def test_numbers_of_verses_count_with_at_most_ten_other_lines_above_and_below_them(around: int) -> None:
    beside, rows = ["Of it."] * around, [f"row{row * (row % 10 == 0) or ''}" for row in range(1, 31)]
    numbers = without_list_numbers("\n".join([*beside, *rows, *beside]))[1]
    assert numbers.split() == ([] if around > 10 else ["10", "20", "30"])


def test_texts_of_which_few_lines_end_in_numbers_are_not_searched_for_those_of_verses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_numbers, "_LAST_NUMBER", None)
    assert list_numbers._every_fifth("A line\n" * 60 + "in 10\nin 20\nin 30\n") == []


def test_numbers_of_verses_may_be_in_other_digits() -> None:
    rows = [f"صف {number}".translate(dict(zip(b"0123456789", "٠١٢٣٤٥٦٧٨٩", strict=True))) for number in (5, 10, 15)]
    between = "\n".join(["", *["a row"] * 4, ""])
    verses = between.join(["of 10 or 20 rows", *rows])
    assert without_list_numbers(verses.replace("a row\n", "", 1))[1].split() == ["٥", "١٠", "١٥"]


def test_any_text_whose_lines_are_counted_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [
        "\n".join(f"row{' ' * (row % 3)}{row + shift if row % every == 0 else ''}{end}" for row in range(1, rows))
        for every in (5, 10)
        for rows in (16, 21, 31)
        for shift in (0, 1, 5)
        for end in ("", " ", "\t ", ".")
    ]
    sought = [[number.span() for number in list_numbers._every_fifth(sample)] for sample in samples]
    monkeypatch.setattr(list_numbers, "_TENTH", re.compile(""))  # found in every text
    assert sought == [[number.span() for number in list_numbers._every_fifth(sample)] for sample in samples]
    assert any(sought)


def test_texts_without_a_ten_are_not_searched_for_ten_bare_numbers() -> None:
    (signs,) = [signs for signs, pattern in list_numbers._COUNTING.items() if pattern is list_numbers._BARE]
    assert all("10" in sign for sign in signs)


def test_amounts_that_rise_by_five_are_words() -> None:
    for text in (
        "\n".join(f"a box of {number}" for number in range(5, 60, 5)),
        "\n".join(["a box of 0", "a box of 10", "a box of 20"]),
        "\n".join(f"a box of {number}" for number in range(1, 60)),
        "a row\n" * 44 + "a box of 5\n" + "a row\n" * 4 + "a box of 10\n" + "a row\n" * 4 + "a box of 15\nand 20 more",
        "\n".join(f"a row\na box of {number}" for number in range(5, 60, 5)),
        "\n".join([*["a row"] * 4, "a box of 5", *["a row"] * 4, "a box of 10", *["a row"] * 4, "a box of 1.15"]),
    ):
        assert without_list_numbers(text) == (text, "")


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (("第一条　", "第二条　", "第三条　", "第十条　", "第十一条　"), "第条"),
        (("第１条（", "第２条（", "第３条（", "第一百零九條（", "第一百一十條（"), "（"),
        (("제1조(", "제2조(", "제3조(", "제10조(", "제11조("), "제조"),
    ],
)
def test_numbers_of_articles_are_those_of_a_list_and_an_added_article_changes_no_other(
    labels: tuple[str, ...], shown: str
) -> None:
    lines = [f"\u3000\u3000{label}甲方在第三条的期限内支付" for label in labels]
    text, numbers = without_list_numbers("\n".join(lines))
    assert numbers.split() == [re.sub(r"[第제条條조　（(]", "", label) for label in labels]
    assert text.count(shown) == len(labels) and text.count("第三条的期限") == len(labels)


def test_a_number_of_an_article_counts_with_its_neighbour_alone_and_chapters_are_words() -> None:
    for text in (
        "第五条　租金\n甲方",
        "第一章　总则\n第二章　租金",
        "第三条的规定\n第四条的规定",
        "第一期　甲方\n第二期　乙方",
    ):
        assert without_list_numbers(text) == (text, "")
