"""Packages: parts within bounds, never more."""

from __future__ import annotations

import os
from io import BytesIO
from zipfile import ZIP_LZMA, ZipFile

import pytest

from dupfinder.base.details import ProblemKind
from dupfinder.text.document import Unreadable
from dupfinder.text.readers import package as package_module
from dupfinder.text.readers.package import opened, parse_xml, relationships
from tests.making import zipped


def refusal(data: bytes, name: str) -> Unreadable:
    with opened(data) as package, pytest.raises(Unreadable) as refused:
        package.read(name)
    return refused.value


def test_a_part_that_is_missing_or_locked_or_damaged_is_told_apart() -> None:
    whole = zipped({"a.xml": "words " * 100})
    assert refusal(whole, "b.xml").kind is ProblemKind.DAMAGED
    locked = bytearray(whole)
    locked[6] |= 1
    locked[locked.find(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(locked), "a.xml").kind is ProblemKind.ENCRYPTED
    broken = bytearray(whole)
    broken[40:44] = b"\xff\xff\xff\xff"
    assert refusal(bytes(broken), "a.xml").kind is ProblemKind.DAMAGED


def test_parts_are_bounded_alone_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_module, "MAX_PART_BYTES", 1000)
    monkeypatch.setattr(package_module, "MAX_PACKAGE_BYTES", 1500)
    data = zipped({"a.xml": "a" * 1001, "b.xml": "b" * 900, "c.xml": "c" * 900})
    assert refusal(data, "a.xml").kind is ProblemKind.TOO_LARGE
    with opened(data) as package:
        assert len(package.read("b.xml")) == 900
        with pytest.raises(Unreadable) as refused:
            package.read("c.xml")
    assert refused.value.kind is ProblemKind.TOO_LARGE


def test_parts_that_inflate_out_of_proportion_are_refused() -> None:
    assert refusal(zipped({"a.xml": " " * 20_000_000}), "a.xml").kind is ProblemKind.TOO_LARGE
    with opened(zipped({"a.xml": " " * 5_000_000})) as package:
        assert len(package.read("a.xml")) == 5_000_000


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types_are_refused_in_any_width(encoding: str) -> None:
    source = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode(encoding)
    with pytest.raises(Unreadable):
        parse_xml(source)


def test_relationships_name_parts_inside_the_package_alone() -> None:
    rels = (
        '<r xmlns="x"><a Id="1" Type="u/header" Target="header1.xml"/><a Id="2" Type="u/notes" Target="/ppt/n.xml"/>'
        '<a Id="3" Type="u/image" Target="../media/i.png"/><a Id="4" Type="u/link" TargetMode="External" Target="http://x"/>'
        "</r>"
    )
    with opened(zipped({"word/_rels/document.xml.rels": rels})) as package:
        assert list(relationships(package, "word/document.xml")) == [
            ("header", "1", "word/header1.xml"),
            ("notes", "2", "ppt/n.xml"),
            ("image", "3", "media/i.png"),
        ]
        assert list(relationships(package, "other.xml")) == []


def test_a_damaged_part_packed_by_lzma_is_a_damaged_part() -> None:
    written = BytesIO()
    with ZipFile(written, "w", ZIP_LZMA) as archive:
        archive.writestr("a.bin", os.urandom(1000) + bytes(20_000) + os.urandom(1000))
    data = bytearray(written.getvalue())
    middle = data.index(b"PK\x01\x02") - 500
    data[middle : middle + 400] = b"\xff" * 400
    with opened(bytes(data)) as package:
        assert package.digest("a.bin") is None
        with pytest.raises(Unreadable) as refused:
            package.read("a.bin")
    assert refused.value.kind is ProblemKind.DAMAGED
