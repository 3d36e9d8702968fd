"""Single documents that were packed are read as what they unpack to."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.text.archives.packed import CHUNK, inner_path, unpack, unpacked_pieces
from dupfinder.text.document import MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sniff import SNIFFED_BYTES, is_code, may_be_document, recognise, sniff
from tests import making

WORDS = normalise(" ".join(making.PARAGRAPHS))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress, ".zst": zstd.compress,
}  # fmt: skip
DOCUMENTS = {"a.txt": making.txt(), "a.pdf": making.pdf(), "a.docx": making.docx(), "README": making.txt()}


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_packed_document_has_the_words_and_the_kind_of_what_is_inside(name: str, suffix: str) -> None:
    data, path = PACKERS[suffix](DOCUMENTS[name]), Path(name + suffix)
    assert may_be_document(path)
    assert recognise(path, data[:SNIFFED_BYTES]) is not MediaType.UNKNOWN
    extraction = extract(data, path)
    assert extraction.problem is None and extraction.extracted is not None
    assert normalise(extraction.extracted.text) == WORDS
    assert extraction.extracted.media_type is extraction.media is sniff(DOCUMENTS[name], Path(name))


@pytest.mark.parametrize("name", ["a.png.gz", "a.png.zst", "a.txt.gz.gz", "a.exe.xz"])
def test_packed_pictures_and_programs_are_no_documents(name: str) -> None:
    assert not may_be_document(Path(name))


def test_a_packed_program_file_is_no_document_by_its_first_bytes() -> None:
    assert recognise(Path("thing.gz"), gzip.compress(bytes(range(256)) * 40)) is MediaType.UNKNOWN


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_document_that_was_cut_off_is_damaged(suffix: str) -> None:
    extraction = extract(PACKERS[suffix](making.pdf())[:-30], Path(f"a.pdf{suffix}"))
    assert extraction.problem is not None and extraction.problem.kind is ProblemKind.DAMAGED


@pytest.mark.parametrize("suffix", PACKERS)
def test_what_unfolds_without_end_is_refused(suffix: str) -> None:
    extraction = extract(PACKERS[suffix](b"a" * (64 << 20)), Path(f"a.txt{suffix}"))
    assert extraction.problem is not None and extraction.problem.kind is ProblemKind.TOO_LARGE


def test_a_file_that_was_unpacked_and_kept_its_name_is_read() -> None:
    assert extract(making.txt(), Path("a.txt.gz")).extracted is not None


@given(st.lists(st.binary(max_size=3000), min_size=1, max_size=4), st.sampled_from(sorted(PACKERS)))
def test_pieces_packed_one_behind_the_other_are_one_document(pieces: list[bytes], suffix: str) -> None:
    packed = b"".join(map(PACKERS[suffix], pieces))
    assert unpack(packed, Path(f"a{suffix}")) == b"".join(pieces)


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("padding", [4, 512, 1 << 19])
def test_zeros_between_and_behind_what_is_packed_are_padding(suffix: str, padding: int) -> None:
    zeros = bytes(padding)
    packed = PACKERS[suffix](b"a letter,") + zeros + PACKERS[suffix](b" and its end") + zeros
    assert unpack(packed, Path(f"a{suffix}")) == b"a letter, and its end"


def test_frames_without_content_before_and_behind_what_is_packed_are_skipped() -> None:
    empty = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"table"
    packed = empty + zstd.compress(making.txt()) + empty
    assert unpack(packed, Path("a.txt.zst")) == making.txt()
    assert recognise(Path("README.zst"), packed[:SNIFFED_BYTES]) is MediaType.TEXT


@pytest.mark.parametrize("start", range(CHUNK - 6, CHUNK + 1))
def test_a_second_stream_is_found_wherever_it_begins(start: int) -> None:
    plain = gzip.compress(b"one ")
    comment = b"-" * (start - len(plain) - 1) + b"\0"  # which its header announces (RFC 1952)
    first = plain[:3] + b"\x10" + plain[4:10] + comment + plain[10:]
    packed = BytesIO(first + gzip.compress(b"two"))
    assert b"".join(unpacked_pieces(packed.read)) == b"one two"


def test_names_inside_are_without_the_last_suffix() -> None:
    assert inner_path(Path("x/changelog.Debian.gz")) == Path("x/changelog.Debian")
    assert inner_path(Path("x/a.zip")) is None


@pytest.mark.parametrize(
    ("name", "code"), [("a.css", True), ("A.JS", True), ("b.js.gz", True), ("a.html", False), ("a.tex", False)]
)
def test_style_sheets_and_program_texts_are_told_by_their_names(name: str, code: bool) -> None:
    assert is_code(Path(name)) is code
