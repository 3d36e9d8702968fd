"""TextComparison of two texts: equal lines are reported as equal, and no line is lost."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.diff.align import compare_texts
from dupfinder.diff.blocks import BlockKind, ChangeKind, TextComparison, share_changed
from dupfinder.diff.tokens import Options, key, tokens

AGREEMENT = """4.2 The Supplier shall deliver the Goods to the store of the Buyer in fourteen (14) days of the Order.
4.3 Risk in the Goods passes to the Buyer on delivery. Title passes on payment in full of the price of the Goods.
5. Price and payment
5.1 The price of the Goods is set out in Schedule B.
5.2 The Supplier may invoice the Buyer on or after delivery. Each invoice is payable within 30 days of receipt.
5.3 Interest accrues on late sums at 4 % over base rate.
6. Confidentiality
6.1 Each party shall keep the information of the other secret.
6.2 This clause survives termination for three years.
"""
SENTENCES = st.sampled_from(
    [
        "The goods are late.",
        "Nobody came!",
        "Total: 1,250.00 EUR",
        "合同期限为三年。",
        "甲方支付工资。",
        "No. 7 is void.",
        "and then",
    ]
)
TEXTS = st.lists(st.tuples(SENTENCES, st.sampled_from([" ", "\n", "\n\n", "  "])), max_size=12).map(
    lambda parts: "".join(sentence + space for sentence, space in parts)
)
OPTIONS = st.builds(Options, ignore_spaces=st.booleans(), ignore_case=st.booleans(), ignore_punctuation=st.booleans())


def assert_sound(comparison: TextComparison, left: str, right: str, options: Options) -> None:
    """Check that blocks cover both sides in order, SAME lines are the same, and the lines are the texts."""
    i = j = 0
    for block in comparison.blocks:
        assert (block.left_start, block.right_start) == (i, j)
        lefts, rights = block.left_stop - i, block.right_stop - j
        assert lefts >= 0 and rights >= 0 and lefts + rights > 0
        if block.kind is BlockKind.SAME:
            assert lefts == rights
        if block.kind is BlockKind.CHANGED:
            assert lefts > 0 and rights > 0
        if block.kind is BlockKind.ONLY_LEFT:
            assert rights == 0
        if block.kind is BlockKind.ONLY_RIGHT:
            assert lefts == 0
        i, j = block.left_stop, block.right_stop
    assert (i, j) == (len(comparison.left_lines), len(comparison.right_lines))
    for lines, text in ((comparison.left_lines, left), (comparison.right_lines, right)):
        # A sentence may begin between two digits, as in 1。1.
        together, whole = (key(part, options).replace("\0", "") for part in ("\n".join(lines), text))
        assert together.split() == whole.split()
    assert rebuilt_right(comparison, options) == "".join(key(line, options) for line in comparison.right_lines)


def rebuilt_right(comparison: TextComparison, options: Options) -> str:
    """Return the right text, with SAME lines taken from the left side."""
    parts: list[str] = []
    for block in comparison.blocks:
        source = comparison.left_lines[block.left_start : block.left_stop]
        if block.kind is not BlockKind.SAME:
            source = comparison.right_lines[block.right_start : block.right_stop]
        parts.extend(key(line, options) for line in source)
    return "".join(parts)


def unmarked(line: str, marks: tuple[tuple[int, int], ...], options: Options) -> list[str]:
    """Return the tokens of a line that no mark covers."""
    parts = tokens(line, options)
    return [
        key
        for key, (start, stop) in zip(parts.keys, parts.spans, strict=True)
        if not any(a <= start and stop <= b for a, b in marks)
    ]


@given(TEXTS, TEXTS, OPTIONS)
def test_applied_to_the_left_text_the_blocks_give_the_right_one(left: str, right: str, options: Options) -> None:
    assert_sound(compare_texts(left, right, options), left, right, options)


@given(
    st.text(st.sampled_from("ab .\nB合同。1,-’"), max_size=60),
    st.text(st.sampled_from("ab .\nB合同。1,-’"), max_size=60),
    OPTIONS,
)
def test_any_two_texts_are_compared_soundly(left: str, right: str, options: Options) -> None:
    hyphens_joined = options.ignore_spaces and ("-\n" in left or "-\n" in right)
    comparison = compare_texts(left, right, options)
    if not hyphens_joined:
        assert_sound(comparison, left, right, options)


@given(TEXTS, TEXTS, OPTIONS)
def test_what_is_not_marked_in_a_changed_line_stands_on_both_sides(left: str, right: str, options: Options) -> None:
    comparison = compare_texts(left, right, options)
    for block in comparison.blocks:
        if (
            block.kind is BlockKind.CHANGED
            and block.left_stop - block.left_start == 1 == block.right_stop - block.right_start
        ):
            i, j = block.left_start, block.right_start
            ours = unmarked(comparison.left_lines[i], comparison.left_marks.get(i, ()), options)
            theirs = unmarked(comparison.right_lines[j], comparison.right_marks.get(j, ()), options)
            assert ours == theirs


def marked(comparison: TextComparison) -> tuple[list[str], list[str]]:
    """Return the marked words of both sides."""
    sides = (comparison.left_lines, comparison.left_marks), (comparison.right_lines, comparison.right_marks)
    left, right = ([lines[i][a:b] for i in sorted(marks) for a, b in marks[i]] for lines, marks in sides)
    return left, right


def kinds(comparison: TextComparison) -> list[BlockKind]:
    return [comparison.blocks[index].kind for index in comparison.differences]


def test_an_edited_agreement_shows_each_edit_and_no_more() -> None:
    edited = AGREEMENT.replace("fourteen (14)", "ten (10)").replace("Schedule B", "Schedule 2").replace("three", "five")
    edited = edited.replace("5.3 Interest accrues on late sums at 4 % over base rate.\n", "")
    edited = edited.replace("5. Price", "4.4 The Buyer may reject any Goods that do not conform.\n5. Price")
    comparison = compare_texts(AGREEMENT, edited)
    assert kinds(comparison) == [
        BlockKind.CHANGED,
        BlockKind.ONLY_RIGHT,
        BlockKind.CHANGED,
        BlockKind.ONLY_LEFT,
        BlockKind.CHANGED,
    ]
    assert marked(comparison) == (["fourteen", "14", "B", "three"], ["ten", "10", "2", "five"])
    assert comparison.change is ChangeKind.EDITED
    assert 0 < share_changed(comparison) < 0.4


@pytest.mark.parametrize("width", [40, 60, 85])
def test_the_same_text_broken_into_pages_differs_in_format_only(width: int) -> None:
    wrapped = "\n".join(piece for line in AGREEMENT.splitlines() for piece in textwrap.wrap(line, width))
    comparison = compare_texts(AGREEMENT, wrapped)
    assert comparison.change is ChangeKind.FORMAT_ONLY
    assert comparison.differences == ()
    assert share_changed(comparison) == 0
    assert compare_texts(AGREEMENT.replace("\n", " "), wrapped).change is ChangeKind.FORMAT_ONLY


def test_chinese_is_marked_sign_by_sign() -> None:
    comparison = compare_texts(
        "一、双方同意合作。合同期限为三年，自签字起生效。", "一、双方同意合作。合同期限为五年，自签字\n起生效。"
    )
    assert marked(comparison) == (["三"], ["五"])


@pytest.mark.parametrize(
    "part",
    [
        "application/vnd.oasis.opendocument.text",  # its words are also scattered over the lines before and behind
        "within a longer line",
        "text/plain\napplication/vnd.oasis.opendocument.text",
        "Yes.\n\nNo.",  # so are its lines
    ],
)
def test_a_text_that_the_other_holds_as_a_whole_is_shown_as_equal_there(part: str) -> None:
    kinds = [f"application/vnd.oasis.{name}" for name in ("document", "opendocument.text-web", "master.text", "data")]
    line = f"{'so ' * 40}{part}{' on' * 40}" if part.startswith("within") else part
    whole = "\n".join(("Yes.\n", *kinds, "Yes.\n", line, *kinds, "opendocument text", "\nNo."))
    for texts in ((part, whole), (whole, part)):
        comparison = compare_texts(*texts)
        lines, marks = (
            (comparison.left_lines, comparison.left_marks),
            (comparison.right_lines, comparison.right_marks),
        )[texts.index(part)]
        beside = [block for block in comparison.blocks if block.left and block.right]
        assert sum(len(block.left) for block in beside) == len(lines) == sum(len(block.right) for block in beside)
        assert not marks  # a longer line beside it may have some


def test_a_passage_that_moved_is_told_as_moved() -> None:
    lines = AGREEMENT.splitlines()
    comparison = compare_texts(
        AGREEMENT, "\n".join(lines[:2] + lines[3:] + lines[2:3] + [""]).replace(lines[1], "") + lines[1]
    )
    assert BlockKind.MOVED in kinds(comparison)
    moved = [block for block in comparison.blocks if block.kind is BlockKind.MOVED]
    left = [comparison.left_lines[i] for block in moved for i in range(block.left_start, block.left_stop)]
    right = [comparison.right_lines[j] for block in moved for j in range(block.right_start, block.right_stop)]
    assert sorted(key(line, Options()) for line in left) == sorted(key(line, Options()) for line in right)


def test_case_and_punctuation_count_unless_ignored() -> None:
    left, right = "The Buyer, of course, may reject the goods.", "the buyer of course may reject the goods"
    assert compare_texts(left, right).change is not ChangeKind.FORMAT_ONLY
    assert (
        compare_texts(left, right, Options(ignore_case=True, ignore_punctuation=True)).change is ChangeKind.FORMAT_ONLY
    )


def test_a_space_between_digits_counts_though_others_do_not() -> None:
    comparison = compare_texts("Items 1 2 are paid here.", "Items 12 are paid  here.")
    assert comparison.change is not ChangeKind.IDENTICAL and comparison.blocks[0].kind is BlockKind.CHANGED
    assert [block.kind for block in compare_texts("1\t2  3", "1 2 3").blocks] == [BlockKind.SAME]


def test_spaces_count_when_asked_and_lines_are_then_those_of_the_files() -> None:
    comparison = compare_texts("a  b\nc", "a b\nc", Options(ignore_spaces=False))
    assert comparison.left_lines == ("a  b", "c")
    assert kinds(comparison) == [BlockKind.CHANGED]
    assert compare_texts("a  b\nc", "a b\nc").change is ChangeKind.FORMAT_ONLY


def test_empty_texts_are_compared_too() -> None:
    assert compare_texts("", "").blocks == ()
    assert compare_texts("", "").change is ChangeKind.IDENTICAL
    assert kinds(compare_texts("", "Now there is something.")) == [BlockKind.ONLY_RIGHT]
    assert kinds(compare_texts("There was something.", "")) == [BlockKind.ONLY_LEFT]


def test_without_time_the_answer_is_coarse_but_sound() -> None:
    left, right = (
        "\n".join(f"line {n} of the left." for n in range(50)),
        "\n".join(f"row {n} of ours." for n in range(60)),
    )
    comparison = compare_texts(left, right, Options(seconds=0.0))
    assert comparison.change is ChangeKind.GAVE_UP
    assert_sound(comparison, left, right, Options())
    assert not comparison.left_marks and not comparison.right_marks


def test_a_word_broken_by_typesetting_is_the_same_word() -> None:
    assert compare_texts("The of\u00adfice is ﬁne.", "The office is fine.").change is ChangeKind.FORMAT_ONLY


def test_kinds_of_quotes_dashes_and_widths_are_no_differences_but_other_punctuation_is() -> None:
    same = [
        ("He said “no” – it’s «late».", 'He said "no" - it\'s "late".'),
        ("第一条，甲方：北京（总部）。", "第一条,甲方:北京(总部)."),
        ("ＡＢＣ １２３", "ABC 123"),
    ]
    for left, right in same:
        assert compare_texts(left, right).change is ChangeKind.FORMAT_ONLY, left
    for left, right in (("You won!", "You won?"), ("甲方，乙方", "甲方。乙方"), ("5'", '5"')):
        assert compare_texts(left, right).change is not ChangeKind.FORMAT_ONLY, left


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Bring:\n• Apples\n• a pear", "Bring:\nApples\na pear"),
        ("Bring:\n- Äpfel\n- a pear", "Bring:\n* A\u0308pfel * a pear"),
        ("Le café… est là.", "Le cafe\u0301... est là."),
        ("می\u200cتوانید", "میتوانید"),
        ("Kräuter- und Obst", "Kräuterund Obst"),
        ("దృష్టి వ్యవస్థ", "దృ ష్టి వ్య వస్థ"),
        ("Bring:\n- 2 pears\n\n- 1/2 lemon", "Bring:\n•\n2 pears\n•\n\n1/2 lemon"),
        ("Tides\n-----\n\nThe sea\n* * *\nrises.", "Tides\nThe sea\n\n————\n\nrises."),
        ("Well   Depth\n------ -------\nW-1    12", "Well Depth\n|------+-----|\nW-1 12"),
        ("水电费\n——\n第四条", "水电费 —— 第四条"),
        ("造成损失……", "造成损失......"),
        ("Signed: ____________ Date: ______", "Signed: ________________ Date:"),
        ("Wells .......... 12", "Wells . . . . . . 12"),
        ("He came -- and went --- in 3–4 days.", "He came – and went — in 3-4 days."),
    ],
)
def test_marks_of_lists_drawn_lines_joiners_and_hyphens_of_lines_are_no_differences(left: str, right: str) -> None:
    assert compare_texts(left, right).change is ChangeKind.FORMAT_ONLY


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *(
            ("- 5 €", "5 €"),
            ("2 * 3", "2 3"),
            ("a * b", "a b"),
            ("1-2", "12"),
            ("3–4", "34"),
            ("Total\n- 5 €", "Total\n5 €"),
        ),
        *(("a ** b", "a b"), ("+ + -", "+ + +"), ("x == y", "x = y"), ("Wait.", "Wait..."), ("-  5 €", "5 €")),
    ],
)
def test_a_minus_and_a_star_of_arithmetic_are_differences(left: str, right: str) -> None:
    assert compare_texts(left, right).change is not ChangeKind.FORMAT_ONLY


def test_a_syllable_is_marked_with_its_vowels_and_a_word_with_its_accents() -> None:
    comparison = compare_texts("मेरी किताब है", "मेरी कताब है")
    assert marked(comparison) == (["कि"], ["क"])
    comparison = compare_texts("the cafe\u0301 was", "the cafe was")
    assert marked(comparison) == (["cafe\u0301"], ["cafe"])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Total 1.234,50 € on 16.01.2026", "Total 1,234.50 € on 16.01.2026"),
        ("2.000 boxes at 0,5 kg", "2,000 boxes at 0.5 kg"),
    ],
)
def test_decimal_commas_and_decimal_points_are_no_differences_between_texts_that_have_one_each(
    left: str, right: str
) -> None:
    for comparison in (compare_texts(left, right), compare_texts(right, left)):
        assert not comparison.differences
        assert {*comparison.left_lines, *comparison.right_lines} == {left, right}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("2,000 boxes at 0.5 kg", "2.000 boxes at 0.5 kg"),
        ("2,000 boxes", "2.000 boxes"),
        ("1.234,50 at 2.50", "1,234.50 at 2.50"),
        ("16.01.2026 for 2,50", "16,01,2026 for 2.50"),
    ],
)
def test_commas_and_points_are_differences_where_one_text_has_both_or_none_tells_decimals(
    left: str, right: str
) -> None:
    assert compare_texts(left, right).differences
