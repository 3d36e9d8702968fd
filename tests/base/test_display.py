"""Names made safe to show."""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.display import columns_of, folder_text, shown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain name.pdf", "plain name.pdf"),
        ("年度报告（终稿）.docx", "年度报告（终稿）.docx"),
        ("two\nlines\r.txt", "two\\nlines\\r.txt"),
        ("tab\there", "tab\\there"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("invoice\u202efdp.exe", "invoice\\u202efdp.exe"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("c1\x9b control", "c1\\x9b control"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
        ("wide\u3000space", "wide\u3000space"),
    ],
)
def test_what_could_mislead_is_written_out_and_the_rest_is_left_alone(name: str, expected: str) -> None:
    assert shown(name) == expected


def test_bytes_that_are_no_text_are_shown_as_bytes() -> None:
    assert shown(os.fsdecode(b"caf\xe9 \xff.txt")) == "caf\\xe9 \\xff.txt"


def test_a_path_can_be_given_as_it_is() -> None:
    assert shown(Path("a") / "b\n") == os.path.join("a", "b\\n")


@given(st.text(st.characters()))
def test_whatever_the_name_one_line_without_controls_that_can_be_encoded(name: str) -> None:
    text = shown(name)
    text.encode("utf-8")
    assert len(text.splitlines()) <= 1
    bidi = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not any(unicodedata.category(c) in ("Cc", "Cs") or unicodedata.bidirectional(c) in bidi for c in text)


def test_a_folder_is_told_from_its_innermost_root_on() -> None:
    roots = (Path("/home/ann"), Path("/home/ann/Contracts"))
    assert folder_text(Path("/home/ann/Contracts/2024"), roots) == "Contracts / 2024"
    assert folder_text(Path("/home/ann"), roots) == "ann"
    assert folder_text(Path("/elsewhere"), roots) == "/elsewhere"


def test_the_folder_of_a_member_of_an_archive_that_was_named_itself_begins_with_the_archive() -> None:
    archive = Path("/library/Old/2019.zip")
    assert folder_text(archive / "a" / "b", (archive,), archive) == "2019.zip › a › b"
    assert folder_text(archive, (), archive) == "/library/Old/2019.zip"
    assert folder_text(archive.parent, (archive,)) == "/library/Old"


def test_every_assigned_character_takes_as_many_columns_as_its_width_says() -> None:
    assigned = (char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) != "Cn")
    wide = [char for char in assigned if columns_of(char) != 1 + (unicodedata.east_asian_width(char) in "WF")]
    assert not wide
    assert columns_of("“Größe” 中文 ok") == 15


def test_what_follows_a_name_from_right_to_left_is_shown_after_it() -> None:
    root = Path("/home/ann/Law")
    assert folder_text(root / "محمد علي" / "2015", (root,)) == "Law / \u200eمحمد علي\u200e / 2015"
    assert folder_text(root / "עברית", (root / "עברית",)) == "\u200eעברית\u200e"  # the line itself runs from the left
    assert folder_text(root / "李明" / "2015", (root,)) == "Law / 李明 / 2015"
