"""Names in archives of any age and country are read as they were written, and none leads out of its archive."""

from __future__ import annotations

import struct
import zlib
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.archives.members import UTF8_FLAG, as_path, decoded, extra_fields, without_doubles

NAMES = {
    "gbk": ["合同.docx", "赵鑫/报告（终稿）.pdf", "2024年工作总结.doc", "新建文本文档.txt"],
    "cp932": ["契約書.docx", "請求書_2024年.pdf", "スキャン（1）.pdf", "はじめに.txt"],
    "big5": ["合約書.docx", "報告/最終版.pdf", "會議記錄.doc"],
    "cp866": ["Договор.docx", "отчёт за 2024.pdf", "письмо.txt"],
    "cp437": ["Grüße.txt", "Straße.doc", "café.txt", "à la carte.txt", "Niño.pdf"],
    "cp1252": ["Straße.doc", "Öl.txt", "café.txt", "Año nuevo.pdf"],
    "utf-8": ["合同.docx", "契約書.docx", "계약서.docx", "Grüße.txt", "отчёт.pdf"],
}


@pytest.mark.parametrize(
    ("encoding", "name"), [(encoding, name) for encoding, names in NAMES.items() for name in names]
)
def test_one_name_without_a_word_on_its_encoding_is_read(encoding: str, name: str) -> None:
    assert decoded([(name.encode(encoding), 0, b"")]) == [name]


@pytest.mark.parametrize("encoding", sorted(NAMES))
def test_all_names_of_an_archive_are_read_in_one_encoding(encoding: str) -> None:
    names = ["readme.txt", *NAMES[encoding]]
    assert decoded([(name.encode(encoding), 0, b"") for name in names]) == names


def test_korean_names_are_told_from_chinese_ones_when_there_are_enough_of_them() -> None:
    names = ["계약서 최종본.docx", "보고서/회의록.pdf", "영수증.pdf"]
    assert decoded([(name.encode("euc_kr"), 0, b"") for name in names]) == names


def test_a_name_that_says_utf_8_is_taken_at_its_word_and_wrong_bytes_of_it_are_kept() -> None:
    texts = decoded([("契約.txt".encode(), UTF8_FLAG, b""), (b"caf\xe9.txt", UTF8_FLAG, b"")])
    assert texts == ["契約.txt", "caf\udce9.txt"]


def test_the_name_in_the_extra_field_counts_when_it_belongs_to_the_name() -> None:
    raw = "Grüße.txt".encode("cp850")
    name = "Grüße ☺.txt".encode()
    field = struct.pack("<BL", 1, zlib.crc32(raw)) + name
    stale = struct.pack("<BL", 1, 12345) + name
    extra = struct.pack("<HH", 0x9999, 2) + b"xx" + struct.pack("<HH", 0x7075, len(field)) + field
    assert decoded([(raw, 0, extra)]) == ["Grüße ☺.txt"]
    assert decoded([(raw, 0, struct.pack("<HH", 0x7075, len(stale)) + stale)]) == ["Grüße.txt"]


@given(st.binary(max_size=60))
def test_an_extra_field_of_any_bytes_is_read_as_far_as_it_is_whole(extra: bytes) -> None:
    fields = extra_fields(extra)
    assert sum(4 + len(data) for _, data in fields) <= len(extra)


@pytest.mark.parametrize(
    ("name", "system", "path"),
    [
        ("/etc/passwd", 3, "etc/passwd"),
        ("../../x.txt", 3, "(..)/(..)/x.txt"),
        ("a//b/./c.txt", 3, "a/b/c.txt"),
        ("a\\b\\c.txt", 0, "a/b/c.txt"),
        ("a\\b.txt", 3, "a\\b.txt"),
        ("..\\..\\x.txt", 0, "(..)/(..)/x.txt"),
        ("good.txt\0.exe", 3, "good.txt␀.exe"),
        ("", 3, "unnamed"),
        ("///", 3, "unnamed"),
        ("x" * 255 + ".txt", 3, "x" * 255 + ".txt"),
    ],
)
def test_a_name_is_a_path_within_its_archive(name: str, system: int, path: str) -> None:
    assert as_path(name, system) == path


@given(st.lists(st.tuples(st.binary(max_size=80), st.sampled_from([0, UTF8_FLAG]), st.binary(max_size=20)), max_size=8))
def test_whatever_the_bytes_every_name_is_a_different_path_that_leads_nowhere_else(
    names: list[tuple[bytes, int, bytes]],
) -> None:
    paths = without_doubles([as_path(text, 0) for text in decoded(names)])
    assert len(set(paths)) == len(names)
    for name in paths:
        path = PurePosixPath(name)
        assert not path.is_absolute() and ".." not in path.parts and "\0" not in name
        assert str(path) == name, "so that a name and its path are one"


def test_over_long_names_are_cut_and_keep_their_ending() -> None:
    path = as_path("深" * 30_000 + ".docx", 3)
    assert path.endswith("….docx") and len(path.encode()) < 4096


def test_second_names_are_numbered_and_never_meet_another_name() -> None:
    names = ["a.txt", "a.txt", "a (2).txt", "a.txt", "in/a.txt", "in/a.txt"]
    assert without_doubles(names) == ["a.txt", "a (3).txt", "a (2).txt", "a (4).txt", "in/a.txt", "in/a (2).txt"]


def test_a_hundred_thousand_equal_names_are_numbered_in_one_pass() -> None:
    paths = without_doubles(["same.txt"] * 100_000)
    assert len(set(paths)) == 100_000 and paths[-1] == "same (100000).txt"
