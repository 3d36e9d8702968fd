"""Bytes in, text or a reason out."""

from __future__ import annotations

import sys
from pathlib import Path

import pypdfium2
import pytest

from dupfinder.base.details import ProblemKind
from dupfinder.text.document import Attempt, Extracted, MediaType, OtherContent
from dupfinder.text.extract import READERS, extract
from dupfinder.text.normalise import normalise
from tests import making


def test_every_kind_of_document_has_a_reader() -> None:
    missing = set(MediaType) - {MediaType.UNKNOWN} - set(READERS)
    assert not missing, f"no row in READERS of text/extract.py: {missing}"


WORDS = normalise(" ".join(making.PARAGRAPHS))


def read(data: bytes, name: str) -> Extracted:
    extraction = extract(data, Path(name))
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


def trouble(data: bytes, name: str) -> ProblemKind:
    extraction = extract(data, Path(name))
    assert extraction.extracted is None
    assert extraction.problem is not None
    says_it_all = extraction.problem.kind in (ProblemKind.ENCRYPTED, ProblemKind.UNSUPPORTED)
    assert says_it_all or extraction.problem.details
    return extraction.problem.kind


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (making.txt(), "a.txt", MediaType.TEXT),
        (making.txt(), "README", MediaType.TEXT),
        (making.txt(), "notes.unheard-of", MediaType.TEXT),
        (making.txt(), "a.md", MediaType.MARKDOWN),
        (making.txt(), "a.pdf", MediaType.TEXT),
        (making.pdf(), "a.pdf", MediaType.PDF),
        (making.pdf(), "a.txt", MediaType.PDF),
        (b"\n\n" + making.pdf(), "a", MediaType.PDF),
        (making.docx(), "a.docx", MediaType.DOCX),
        (making.docx(), "a.doc", MediaType.DOCX),
        (making.html(), "a.html", MediaType.HTML),
        (making.html(), "a.txt", MediaType.HTML),
    ],
)
def test_the_same_words_are_read_by_content_whatever_the_name_says(data: bytes, name: str, kind: MediaType) -> None:
    extracted = read(data, name)
    assert extracted.media_type is kind
    assert normalise(extracted.text) == WORDS


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"", "a.pdf", ProblemKind.NO_TEXT),
        (b"", "a.docx", ProblemKind.NO_TEXT),
        (b" \n\t\n", "a.txt", ProblemKind.NO_TEXT),
        (b"\xef\xbb\xbf", "a.txt", ProblemKind.NO_TEXT),
        (bytes(4096), "a.txt", ProblemKind.NO_TEXT),
        (b"<html><body><img src='x.png'></body></html>", "a.html", ProblemKind.NO_TEXT),
        (making.docx([]), "a.docx", ProblemKind.NO_TEXT),
        (making.scanned_pdf(), "a.pdf", ProblemKind.NO_TEXT),
        (making.pdf([[]]), "a.pdf", ProblemKind.NO_TEXT),
        (making.pdf(password="secret"), "a.pdf", ProblemKind.ENCRYPTED),
        (making.docx()[:300], "a.docx", ProblemKind.DAMAGED),
        (making.zipped({"letter.txt": "words"}), "a.docx", ProblemKind.DAMAGED),
        (bytes(range(256)) * 40, "a.pdf", ProblemKind.DAMAGED),
        (bytes(range(256)) * 40, "a.txt", ProblemKind.DAMAGED),
        (bytes(range(256)) * 40, "a.docx", ProblemKind.DAMAGED),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "a.png", ProblemKind.UNSUPPORTED),
        (b"\x7fELF" + bytes(range(256)), "program", ProblemKind.UNSUPPORTED),
        (making.zipped({"letter.txt": "words"}), "a.zip", ProblemKind.UNSUPPORTED),
    ],
)
def test_what_cannot_be_read_is_said_by_its_reason(data: bytes, name: str, kind: ProblemKind) -> None:
    assert trouble(data, name) is kind


def test_a_pdf_that_only_its_owner_may_copy_from_is_read() -> None:
    assert normalise(read(making.pdf(owner_password="secret"), "a.pdf").text) == WORDS


def test_formats_that_were_not_asked_for_are_left_out() -> None:
    extraction = extract(making.pdf(), Path("a.pdf"), formats=frozenset({MediaType.DOCX}))
    assert extraction.problem is not None
    assert extraction.problem.kind is ProblemKind.SKIPPED and extraction.media is MediaType.PDF


def test_the_second_reader_is_asked_when_the_first_fails() -> None:
    looped = making.raw_pdf(b"BT /F1 12 Tf 50 700 Td (Some words) Tj ET").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")
    extraction = extract(looped, Path("a.pdf"))
    assert extraction.extracted is not None
    assert (extraction.extracted.reader, extraction.extracted.text.strip()) == ("pdfminer", "Some words")
    with pytest.raises(pypdfium2.PdfiumError):
        READERS[MediaType.PDF][0](looped)


@pytest.mark.parametrize(
    ("data", "name", "reader"), [(making.pdf(), "a.pdf", "pdfminer"), (making.docx(), "a.docx", "plainly")]
)
def test_the_second_reader_alone_reads_the_same_words(data: bytes, name: str, reader: str) -> None:
    extracted = extract(data, Path(name), attempt=Attempt.SECOND).extracted
    assert extracted is not None
    assert extracted.reader == reader
    assert normalise(extracted.text) == WORDS


def test_what_a_file_says_of_itself_is_kept() -> None:
    extracted = read(making.docx(title="Letters", author="Ann"), "a.docx")
    assert (extracted.title, extracted.author) == ("Letters", "Ann")
    assert extracted.created is not None and extracted.created.isoformat() == "2024-03-01T09:30:00+00:00"
    assert extracted.modified is not None and extracted.modified.isoformat() == "2024-03-02T08:00:00+00:00"
    page = read(making.pdf([making.PARAGRAPHS, making.PARAGRAPHS], title="Papers", author="Bo"), "a.pdf")
    assert (page.title, page.author, page.pages) == ("Papers", "Bo", 2)
    assert read(making.html(title="A  page"), "a.html").title == "A page"


def test_a_missing_module_is_not_told_as_a_damaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resiliparse", None)
    with pytest.raises(ImportError, match="resiliparse"):
        extract(making.html(), Path("a.html"))


def test_a_library_that_finds_no_memory_is_told_as_want_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(data: bytes) -> Extracted:
        raise ImportError("libx.so: failed to map segment from shared object: cannot allocate memory")

    monkeypatch.setattr("dupfinder.text.extract.READERS", {MediaType.TEXT: (starved,)})
    with pytest.raises(MemoryError):
        extract(making.txt(), Path("a.txt"))


HEADS = {
    "saved": "From: Eva Low <eva@a.example>\nDate: Fri, 1 Mar 2024 10:12\nTo: Jan Roe\nSubject: The tides",
    "printed": "Jan Roe\n\nVon: Eva <eva@a.example>\nGesendet: 1. März 2024 10:12\nAn: Jan;\nLi Wu\nBetreff: Tides",
    "Chinese": "主题：潮汐\n发件人：Eva <eva@a.example>\n收件人：Jan\n日期：2024年3月1日 10:12",
    "of Outlook": "发件人: Eva <eva@a.example>\n发送时间: 2024年3月1日 10:12\n收件人: 李四\n抄送: 王五\n主题: 潮汐",
    "of Taiwan": "寄件者: Eva <eva@a.example>\n寄件日期: 2024年3月1日 上午 10:12\n收件者: 李四\n主旨: 潮汐",
    "of Gmail": "Gmail Li <li@a.example>\nThe tides\n1 message\nEva <eva@a.example> Fri, 1 Mar 2024 at 10:12 AM\n"
    "To: Li Wu <li@a.example>\nCc: Jan Roe <jan@a.example>",
    "of Gmail in Spanish": "\tLi Wu <li@a.example>\n\nMareas\n\n1 mensaje\n\nEva <eva@a.example>\t1 de marzo de 2024\n"
    "Para: Li Wu <li@a.example>",
    "Japanese": "差出人: Eva <eva@a.example>\n送信日時: 2024年3月1日 10:12\n宛先: 佐藤\n件名: 潮汐",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_the_head_of_a_mail_that_was_saved_or_printed_is_no_words_as_in_the_mail(head: str) -> None:
    text = head + "\n\n" + "\n\n".join(making.PARAGRAPHS)
    above = "jan roe " * head.startswith("Jan")
    for data in (text, f"<html><meta charset=utf-8><pre>{text.replace('<', '&lt;')}</pre></html>"):
        extracted = read(data.encode(), "saved.html" if "<html>" in data else "saved.txt")
        assert normalise(extracted.text) == above + WORDS
        assert OtherContent.HEADERS in extracted.other
    memorandum = read(text.replace("@", " at ").encode(), "memorandum.txt")
    assert "eva" in normalise(memorandum.text)
