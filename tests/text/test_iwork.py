"""Apple's documents are read by their preview, where that has text; kinds without a reader are told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sniff import SNIFFED_BYTES, may_be_document, recognise, sniff, unread_kind
from tests import making
from tests.making_compound import doc

WORDS = normalise(" ".join(making.PARAGRAPHS))


@pytest.mark.parametrize("name", ["a.pages", "a.numbers", "a.key"])
def test_a_document_with_a_preview_in_pdf_is_read_by_it(name: str) -> None:
    data = making.zipped({"Index/Document.iwa": b"packed", "QuickLook/Preview.pdf": making.pdf()})
    assert recognise(Path(name), data[:SNIFFED_BYTES]) is sniff(data, Path(name)) is MediaType.IWORK
    extracted = extract(data, Path(name)).extracted
    assert extracted is not None and normalise(extracted.text) == WORDS
    assert extracted.media_type is MediaType.IWORK


def test_a_document_whose_preview_is_a_picture_says_what_to_do() -> None:
    data = making.zipped({"Index/Document.iwa": b"packed", "preview.jpg": b"picture"})
    problem = extract(data, Path("a.pages")).problem
    assert problem is not None and problem.kind is ProblemKind.UNSUPPORTED
    assert problem.details == details(Clause.NO_PREVIEW)


def test_a_key_that_is_no_package_is_none_of_apples_documents() -> None:
    assert sniff(b"-----BEGIN PRIVATE KEY-----\n", Path("server.key")) is MediaType.TEXT
    assert sniff(bytes(range(256)), Path("server.key")) is MediaType.UNKNOWN


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.djvu", "djvu"), ("b.VSD", "visio"), ("c.ps.gz", "postscript"), ("d.PST", "outlook")],
)
def test_kinds_without_a_reader_are_told_by_name(name: str, kind: str) -> None:
    assert not may_be_document(Path(name))
    assert unread_kind(Path(name)) == details(Clause.UNREAD_KIND, kind=kind)
    assert unread_kind(Path("a.png")) == ()


def test_documents_of_wps_office_are_read_as_the_formats_that_they_are() -> None:
    extracted = extract(doc(making.PARAGRAPHS), Path("a.wps")).extracted
    assert extracted is not None and extracted.media_type is MediaType.DOC
    assert normalise(extracted.text) == WORDS
