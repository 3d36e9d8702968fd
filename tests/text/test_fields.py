"""Fields of Word documents that have no result: what they show all the same."""

from __future__ import annotations

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.readers.office import shown_field
from dupfinder.text.readers.word import read_docx
from tests.making import docx


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r' EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(かんじ),漢字)', "漢字"),
        (r' EQ \* jc0 \* "Font:Noto Serif CJK SC" \* hps12 \o(\s\up 10(かんじ),漢字)', "漢字"),
        (r"EQ \o(a,b)", "ab"),
        (r"EQ \o(\s\up 9(f(x), y);(z))", "(z)"),
        (r"EQ \f(1,2)", " 1/2 "),
        (r" eq \o\ac(○,1)", "○1"),
        (r"EQ \r(3,x+1)", " 3 x+1 "),
        (r'EQ \* jc0 \* "Font:A (B)" \b\bc\{(\a\al\co1(x+y=1,x-y=2))', " x+y=1 x-y=2 "),
        (r"EQ x\s\up8(2)", " x 2 "),
        ("PAGE", ""),
        ("", ""),
        (r"EQ \o(" + "(" * 600, ""),
        (r"EQ \o(" + r"\z " * 100 + ",b)", r"\z " * 100 + "b"),
    ],
)
def test_of_a_field_without_a_result_what_is_seen_is_the_text(code: str, expected: str) -> None:
    assert shown_field(code) == expected


def _field(*codes: str, result: str = "") -> str:
    """A field as Word writes it, its code in several runs; one without a result has no sign before it."""
    inside = "".join(f'<w:r><w:instrText xml:space="preserve">{code}</w:instrText></w:r>' for code in codes)
    shown = f'<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>{result}</w:t></w:r>' if result else ""
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    return f"<w:p><w:r><w:t>See </w:t></w:r>{begin}{inside}{shown}{end}<w:r><w:t>.</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (_field(r" eq \o\ac(", "○", ",1)"), "See ○1."),
        (_field(r"EQ \f(1,2)"), "See  1/2 ."),
        (_field(r"EQ \f(1,2)", result="half"), "See half."),
        (_field("PAGE"), "See ."),
    ],
)
def test_a_computed_field_of_a_docx_is_read_unless_its_result_is_stored(field: str, text: str) -> None:
    assert read_docx(docx(body=field)).text == text


def test_formulas_of_the_same_signs_are_not_the_same() -> None:
    left, right = (read_docx(docx(body=_field(code))) for code in (r"EQ \r(3,x)", r"EQ \a(3,x)"))
    assert left.text == right.text
    assert left.other[OtherContent.FORMULAS] != right.other[OtherContent.FORMULAS]
