"""What a file is, by its name and by its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.text.document import MediaType
from dupfinder.text.sniff import FAMILIES, SNIFFED_BYTES, is_code, may_be_document, recognise, sniff
from tests import making


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100), MediaType.UNKNOWN),
        ("a.txt", making.txt(), MediaType.TEXT),
        ("Makefile", b"all:\n\techo\n", MediaType.TEXT),
        ("a.weird", b"plain words", MediaType.TEXT),
        ("program", b"\x7fELF" + bytes(range(200)), MediaType.UNKNOWN),
        ("a.jar", making.zipped({"a": "b"}), MediaType.UNKNOWN),
        ("a.doc", making.docx(), MediaType.DOCX),
        ("a.docx", making.docx(), MediaType.DOCX),
        ("nameless", making.docx(), MediaType.DOCX),
        ("a.odt", making.odt(), MediaType.ODT),
        ("a.epub", making.epub(), MediaType.EPUB),
        ("a.pptx", making.pptx(), MediaType.PPTX),
        ("a.bin", making.pdf(), MediaType.UNKNOWN),
        ("a.old", making.pdf(), MediaType.PDF),
        ("a.ppt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), MediaType.PPT),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), MediaType.DOC),
        ("a.doc", making.rtf(), MediaType.RTF),
        ("a.txt", making.html(), MediaType.HTML),
        ("a.md", b"<p align='center'>Hello</p>\n# Title", MediaType.MARKDOWN),
        ("a.eml", making.eml(), MediaType.EML),
        ("saved", making.mhtml(making.html()), MediaType.MHTML),
        ("exported.doc", making.mhtml(making.html()), MediaType.MHTML),
        ("notes.txt", b"Subject: a talk\nDate: tomorrow\n\nwords", MediaType.TEXT),
        ("a.txt", "Words in two bytes each".encode("utf-16-le"), MediaType.TEXT),
        ("a.pdf", b"", MediaType.PDF),
    ],
)
def test_the_first_bytes_and_the_name_tell_the_kind(name: str, data: bytes, kind: MediaType) -> None:
    assert recognise(Path(name), data[:SNIFFED_BYTES]) is kind


@pytest.mark.parametrize("name", ["nameless", "a.docx", "a.dat0"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (making.docx(), MediaType.DOCX),
        (making.odt(), MediaType.ODT),
        (making.epub(), MediaType.EPUB),
        (making.pptx(), MediaType.PPTX),
        (making.xlsx({"S": [["x"]]}), MediaType.XLSX),
        (making.pdf(), MediaType.PDF),
        (making.rtf(), MediaType.RTF),
    ],
)
def test_the_whole_of_a_file_tells_its_kind_under_any_name(name: str, data: bytes, kind: MediaType) -> None:
    assert sniff(data, Path(name)) is kind


def test_every_kind_has_a_family() -> None:
    missing = set(MediaType) - {MediaType.UNKNOWN} - {kind for family in FAMILIES.values() for kind in family}
    assert not missing, f"in no family of FAMILIES of text/sniff.py: {missing}"


def test_pictures_and_programs_are_told_by_name() -> None:
    assert not any(may_be_document(Path(name)) for name in ("a.JPG", "a.exe", "a.mp4.gz", "a.mp4"))
    assert all(may_be_document(Path(name)) for name in ("a.PDF", "README", "a.unknown", ".hidden"))


MAIL = b"From: a@example.org\nSubject: b\nMessage-ID: <c>\n\nText."
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("1269522044.V801I2c8b9M12345.mail.example.com", MAIL, MediaType.EML),
        ("1269522044.12345_1.host.pl:2,S", MAIL, MediaType.EML),
        ("1700000000.final.xls", COMPOUND, MediaType.XLS),
        ("1700000000.2.ppt", COMPOUND, MediaType.PPT),
        ("1700000000.final.py", b"print()", MediaType.TEXT),
    ],
)
def test_names_of_mails_in_a_maildir_have_no_suffix_but_other_names_keep_theirs(
    name: str, head: bytes, kind: MediaType
) -> None:
    assert recognise(Path(name), head) is kind
    assert is_code(Path(name)) == name.endswith(".py")
