"""Lines of a page and paragraphs of a word processor give the same sentences."""

from __future__ import annotations

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.display import columns_of
from dupfinder.diff.tokens import Options, before_label, key, paragraphs, reflow, sentences, tokens
from dupfinder.text.document import as_label

CLAUSES = """1. Delivery
The Supplier shall deliver the Goods to the warehouse of the Buyer in fourteen (14) days of the Order. Any delay \
shall be announced in writing, with its reason and with a new date that the Buyer can accept.
2. Price
The price of the Goods is set out in Schedule B and includes packing. Invoices are payable within 30 days of receipt.
"""


def test_a_text_wrapped_at_any_page_width_reads_as_before() -> None:
    for width in (50, 66, 80, 100):
        wrapped = "\n".join(piece for line in CLAUSES.splitlines() for piece in textwrap.wrap(line, width))
        assert reflow(wrapped) == reflow(CLAUSES), width


def test_sentences_end_where_readers_end_them_and_not_at_abbreviations_or_clause_numbers() -> None:
    parts = sentences("See Sec. 4.2 of No. 7, e.g. the lease by Mr. J. Smith. It ends in 2025. “Then what?” Nothing.")
    assert parts == [
        "See Sec. 4.2 of No. 7, e.g. the lease by Mr. J. Smith.",
        "It ends in 2025.",
        "“Then what?”",
        "Nothing.",
    ]


def test_chinese_sentences_need_no_space_to_end() -> None:
    assert sentences("双方同意合作。“期限为三年。”自签字之日起生效！甲方：北京") == [
        "双方同意合作。",
        "“期限为三年。”",
        "自签字之日起生效！",
        "甲方：北京",
    ]


def test_chinese_lines_of_a_page_are_joined_without_spaces() -> None:
    text = "本合同由甲方与乙方在平等自愿的基础上协商一\n致后签订，双方应当共同遵守本合同的各项条款和\n附件。"
    assert paragraphs(text) == ["".join(text.split())]


def test_a_word_divided_at_the_end_of_a_line_is_made_whole() -> None:
    text = "The parties agree that the whole of the agree-\nment is contained in this paper and that no\nother binds."
    assert reflow(text) == [
        "The parties agree that the whole of the agreement is contained in this paper and that no other binds."
    ]


def test_blank_lines_and_headings_keep_paragraphs_apart() -> None:
    assert paragraphs("Minutes\n\nPresent:  A,\tB\n\n\nClosed") == ["Minutes", "Present: A,   B", "Closed"]


def test_lines_of_paragraphs_are_not_joined_though_they_are_as_long_as_wrapped_ones() -> None:
    lines = ["Anna Miller, treasurer of the club", "Peter Smith, secretary of the club", "John Doe, chair of the club"]
    assert paragraphs("\n".join(lines), wraps=False) == lines
    assert paragraphs("\n".join(lines)) == [" ".join(lines)]


def test_rows_of_a_table_are_not_joined_but_an_item_behind_a_tab_goes_on_in_the_next_line() -> None:
    rows = ["Anna Miller\ttreasurer\t1200", "Peter Smith\tsecretary\t1300", "John Doe\tchair of all\t1400"]
    assert paragraphs("\n".join(rows)) == [row.replace("\t", "   ") for row in rows]
    items = "1.\tThe goods that were ordered are\npacked in boxes\n2.\tThe boxes are delivered by a\ncarrier"
    assert paragraphs(items) == [
        "1. The goods that were ordered are packed in boxes",
        "2. The boxes are delivered by a carrier",
    ]


def test_a_sentence_without_end_is_broken_into_readable_pieces() -> None:
    for text in ("word " * 2000, "x" * 5000, "词" * 3000, "one clause, " * 400):
        pieces = sentences(text.strip())
        assert max(map(len, pieces)) <= 640
        assert "".join("".join(pieces).split()) == "".join(text.split())


def test_a_long_row_of_numbers_is_broken_between_them() -> None:
    row = " ".join(f"{number}.250,75" for number in range(10, 90))
    pieces = sentences(row.replace("49.250,75", "49.250,75;"))
    assert len(pieces) > 1 and all(piece.rstrip(";").endswith(",75") for piece in pieces)


def test_a_book_in_one_paragraph_is_joined_in_one_go() -> None:
    line = "这是一本没有分段的书，每一页都写满了字，每一行都一样长"
    assert paragraphs("\n".join([line] * 60_000)) == [line * 60_000]


def test_wide_signs_count_two_columns() -> None:
    assert columns_of("ab") == 2
    assert columns_of("合同A") == 5


@given(st.text(st.sampled_from("aB. \n,。合同1-\t“”;:"), max_size=200))
def test_no_sign_is_lost_but_hyphens_at_line_ends(text: str) -> None:
    joined = "".join("".join(reflow(text)).split())
    assert joined.replace("-", "") == "".join(text.split()).replace("-", "")


def test_labels_begin_lines_and_are_not_compared() -> None:
    labelled = [f"{as_label('2.')} The rent is due.", f"{as_label('(a)')}\tIt is paid."]
    assert reflow("\n".join(labelled)) == [labelled[0], labelled[1].replace("\t", " ")]
    assert reflow(f"{as_label('2.')}\nThe rent is due.") == [labelled[0]]
    assert reflow(" ".join(labelled).replace("\t", " ")) == [labelled[0], labelled[1].replace("\t", " ")]
    for options in (Options(), Options(ignore_spaces=False)):
        for line, plain in zip(labelled, ("The rent is due.", "It is paid."), strict=True):
            assert key(line, options) == key(plain, options)
            assert tokens(line, options).keys == tokens(plain, options).keys


def test_a_line_that_is_divided_takes_the_label_of_its_second_part_along() -> None:
    line = f"The rent is due {as_label('2.')} it is paid"
    assert line[: before_label(line, line.index("it"))] == "The rent is due "
    assert before_label(line, line.index("rent")) == line.index("rent")


def test_a_long_label_before_other_text_is_passed_over_at_once() -> None:
    line = f"{as_label('1.2.3.4.5.6.7.8.9.10.11.12.13.14.')}x"
    assert before_label(line, len(line)) == len(line)
    assert before_label(line, len(line) - 1) == len(line) - 1 - 32  # characters, enough for any label of an item
