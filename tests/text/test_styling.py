"""What a page's own style makes of inline elements."""

from __future__ import annotations

import pytest

from dupfinder.text.normalise import normalise
from dupfinder.text.readers.html import read_html

ADDRESS = (
    '<span class="fn line">Ann Example</span><span class="line">12 High Street</span><span class="line">Rome</span>'
)


def read(style: str, body: str) -> str:
    page = f"<!DOCTYPE html><html><head><style>{style}</style></head><body><p>{body}</p></body></html>"
    return normalise(read_html(page.encode()).text)


@pytest.mark.parametrize(
    "rule", [".line { color: red; display: block }", "span.line{display:table-cell}", ".x, .line {display:block}"]
)
def test_inline_elements_that_are_shown_as_blocks_part_words(rule: str) -> None:
    assert read(rule, ADDRESS) == "ann example 12 high street rome"


def test_an_element_that_its_own_style_makes_a_block_parts_words() -> None:
    assert read("", "<span style='color:red; display: block'>one</span><i style=\"display:block\">two</i>") == "one two"


@pytest.mark.parametrize(
    "attribute",
    [
        "style=\"display:block;font-family:'Segoe UI',Arial\"",
        "style=\"font-family:'Segoe UI',Arial;display:block\"",
        "style='font-family:\"Segoe UI\";display:block'",
        'style="font-family:&quot;Segoe UI&quot;;display:block"',
        f'style="--note:{"x" * 5000};display:block"',
        "Style='display:block'",
        "STYLE='DISPLAY:BLOCK'",
        "style=display:block",
        "style='display:inline;display:block'",
        "style='display:none;display:block'",
    ],
)
def test_however_its_own_style_is_written_a_block_parts_words(attribute: str) -> None:
    assert read("", f"<span {attribute}>Total due</span><span {attribute}>125.00</span>") == "total due 125.00"


def test_classes_in_capital_attributes_part_words() -> None:
    assert read(".c { display: block }", "<SPAN CLASS=c>one</SPAN><SPAN CLASS=c>two</SPAN>") == "one two"


def test_the_style_of_an_element_overrules_its_class() -> None:
    assert read(".c { display: block }", "<b>hel</b><span class=c style='display:inline'>lo</span>") == "hello"
    assert read(".c { display: block }", "<b>hel</b><span class=c style='color:red'>lo</span>") == "hel lo"
    assert read(".c { display: inline }", "<b>hel</b><span class=c style='display:block'>lo</span>") == "hel lo"


def test_inline_elements_that_stay_inline_part_nothing() -> None:
    assert read(".other { display: block }", "<span class='line'>hel</span><b class='x'>lo</b>") == "hello"
    assert (
        read("@media print { .line { display: block } }", "<span class='line'>hel</span><b class='line'>lo</b>")
        == "hello"
    )


def test_inline_elements_that_are_not_shown_are_no_words() -> None:
    body = "Ann Example<span class='n hidden'>Example Ann</span> was here."
    assert read(".hidden { display: none; }", body) == "ann example was here."
    assert "example ann" in read("@media print { .hidden { display: none; } }", body)


@pytest.mark.parametrize(
    ("style", "element"),
    [
        (".h { display: none }", "<b class='h'>words</b>"),
        ("b.h { display: none }", "<b class='x h'>words</b>"),
        (".h { display: none }", "<a href='/' class=h>words</a>"),
        ("", "<span style='display:none'>words</span>"),
        ("", '<i style="color: red; display : none;">words</i>'),
    ],
)
def test_whichever_way_an_inline_element_is_hidden_it_is_no_words(style: str, element: str) -> None:
    assert read(style, f"Ann{element} was here.") == "ann was here."


def test_hidden_blocks_are_read_because_scripts_show_them() -> None:
    assert read(".h { display: none }", "Ann</p><div class='h'>was here.</div><p>") == "ann was here."


@pytest.mark.parametrize("style", ["style='display: flex'", "class='wide line'"])
def test_what_a_row_or_grid_holds_is_words_of_its_own(style: str) -> None:
    cells = "<span>Plum <em>tar</em>t</span><b>4.50</b>each<img src=a.png><i>sold</i><i>out</i>"
    rule = ".line { display: inline-grid }"
    text = read(rule, f"<li {style}>{cells}</li>no<b>n</b>e")
    assert text.split() == ["plum", "tart", "4.50", "each", "sold", "out", "none"]
    assert read(rule, f"<li>{cells}</li>").split() == ["plum", "tart4.50eachsoldout"]


def test_words_behind_a_block_are_apart_from_it() -> None:
    assert read(".x { display: block }", "<p><i class=x>o<b>n</b>e</i>two <i class=y>th</i>ree</p>") == "one two three"


def test_rows_within_a_line_are_apart_from_each_other() -> None:
    assert read(".b { display: inline-flex }", "<p><a class=b>Save</a><a class=b>Cancel</a><i>l</i>ed</p>") == (
        "save cancel led"
    )
