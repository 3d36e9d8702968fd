"""The plainer attempt: a file that its reader gives up on still gives its words."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import Attempt, MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.readers.plainly import READER, read_compound_plainly, read_package_plainly, read_page_plainly
from dupfinder.text.sniff import FAMILIES
from tests import making

WORDS = normalise(" ".join(making.PARAGRAPHS))
PACKAGES: dict[str, Callable[[], bytes]] = {
    "a.docx": making.docx,
    "a.odt": making.odt,
    "a.epub": making.epub,
    "a.pptx": making.pptx,
    "a.xlsx": lambda: making.xlsx({"One": [[line] for line in making.PARAGRAPHS]}),
}


def changed(package: bytes, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> bytes:
    """A package with each part changed, or left out."""
    parts = {}
    with ZipFile(BytesIO(package)) as archive:
        for name in archive.namelist():
            if (part := change(name, archive.read(name))) is not None:
                parts[part[0]] = part[1]
    return making.zipped(parts)


def words(data: bytes, name: str) -> str:
    extraction = extract(data, Path(name))
    assert extraction.problem is None, extraction.problem
    assert extraction.extracted is not None
    return normalise(extraction.extracted.text)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_was_packed_with_its_folder_is_read_part_by_part(name: str) -> None:
    packed = changed(PACKAGES[name](), lambda part, content: (f"folder/{part}", content))
    extracted = extract(packed, Path(name)).extracted
    assert extracted is not None and extracted.reader.endswith("-walk")
    if name == "a.xlsx":
        assert set(words(packed, name).split()) == set(WORDS.split())
    else:
        assert words(packed, name) == WORDS


@pytest.mark.parametrize("name", ["a.docx", "a.pptx"])
def test_names_of_parts_may_differ_by_case_and_slashes(name: str) -> None:
    packed = changed(PACKAGES[name](), lambda part, content: (part.replace("document", "Document"), content))
    assert words(packed.replace(b"word/Document", b"word\\Document"), name) == WORDS


def test_a_book_is_read_without_its_container_and_with_a_document_type() -> None:
    def older(part: str, content: bytes) -> tuple[str, bytes] | None:
        doctype = b'<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "oeb12.dtd"><package'
        return None if part.startswith("META-INF") else (part, content.replace(b"<package", doctype))

    assert words(changed(making.epub(), older), "a.epub") == WORDS


def test_a_book_without_a_list_of_chapters_is_read_plainly_in_the_order_of_their_names() -> None:
    packed = changed(making.epub(), lambda part, content: None if part.endswith(".opf") else (part, content))
    extraction = extract(packed, Path("a.epub"))
    assert extraction.extracted is not None and extraction.extracted.reader == READER
    assert extraction.extracted.notes[:1] == details(Clause.READ_PLAINLY)
    assert normalise(extraction.extracted.text) == WORDS


@pytest.mark.parametrize("name", PACKAGES)
def test_all_words_of_a_package_are_between_its_tags(name: str) -> None:
    extracted = read_package_plainly(PACKAGES[name](), MediaType(name[2:]))
    # Slides come in the order of their names, which here is not that of the talk.
    assert sorted(normalise(extracted.text).split()) == sorted(WORDS.split())
    assert not extracted.partial


def test_words_that_were_deleted_are_left_out_of_plain_text_too() -> None:
    deleted = "<w:del w:id='1'><w:r><w:t>gone</w:t></w:r></w:del><w:del/>"
    body = f"<w:p><w:r><w:t>It stays </w:t></w:r>{deleted}<w:r><w:t>and so</w:t><w:tab/><w:t>on</w:t></w:r></w:p>"
    assert normalise(read_package_plainly(making.docx(body=body), MediaType.DOCX).text) == "it stays and so on"


def test_a_package_that_was_cut_off_gives_the_text_before_the_cut_as_partial() -> None:
    whole = making.docx([f"{line} {number}." for number in range(400) for line in making.PARAGRAPHS])
    extraction = extract(whole[: len(whole) * 3 // 4], Path("a.docx"))
    assert extraction.extracted is not None and extraction.extracted.partial
    assert extraction.problem is not None and extraction.problem.kind is ProblemKind.DAMAGED
    assert normalise(extraction.extracted.text).startswith(normalise(making.PARAGRAPHS[0]))


def test_a_part_that_unfolds_without_end_is_refused() -> None:
    part = "word/document.xml"
    bomb = making.zipped({part: b"<w:t>" + b"a" * (300 << 20)})
    cut = bomb[: bomb.rfind(b"PK\x01\x02")]
    extraction = extract(cut, Path("a.docx"))
    assert extraction.problem is not None
    assert extraction.problem.kind in (ProblemKind.TOO_LARGE, ProblemKind.DAMAGED)
    assert extraction.extracted is None


@pytest.mark.parametrize("kind", sorted(FAMILIES["text"]))
def test_a_text_that_takes_too_long_is_read_with_its_marks(kind: MediaType) -> None:
    name = f"a.{kind.value}"
    source = "1. The harbour office keeps a register.\n2. The clerks note every ship.\n"
    extraction = extract(source.encode(), Path(name), attempt=Attempt.PLAINEST)
    assert extraction.extracted is not None and extraction.extracted.text == source
    assert extraction.extracted.notes[0].code is Clause.READ_PLAINLY_TOO_SLOW


def test_a_page_is_read_between_its_tags() -> None:
    page = making.html(before="<script>var x = '<p>secret';</script><style>.secret{}</style><!-- secret <b> -->")
    assert normalise(read_page_plainly(page).text) == WORDS


def test_a_style_sheet_in_which_a_page_is_cut_off_is_not_its_text() -> None:
    assert read_page_plainly(b"<p>Words</p><style>\nbody { color: black").text == "Words"


@pytest.mark.parametrize("mark", ["<script>", "<!--", "<style x", "<p", "</", "<script></style>", "\n ", "&#"])
def test_marks_without_an_end_take_time_in_proportion(mark: str) -> None:
    began = time.process_time()
    read_page_plainly((mark * (1_000_000 // len(mark))).encode())
    assert time.process_time() - began < 5


def test_properties_of_a_damaged_word_document_are_not_its_words() -> None:
    name = b"Microsoft Word for the Macintosh"
    properties = b"\x1e\0\0\0" + len(name).to_bytes(4, "little") + name + b"\0"
    assert read_compound_plainly(properties, MediaType.DOC).text == ""
    assert read_compound_plainly(name, MediaType.DOC).text == name.decode()


def test_sentences_are_found_in_a_damaged_word_document() -> None:
    stream = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000) + " ".join(making.PARAGRAPHS).encode() + bytes(400)
    extraction = extract(stream, Path("a.doc"))
    assert extraction.extracted is not None and extraction.extracted.partial
    assert normalise(extraction.extracted.text) == WORDS
