"""7z and RAR archives: libarchive unpacks them; every member is told with what can be read of it."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.archives import foreign
from dupfinder.text.document import Unreadable
from dupfinder.text.source import contents_of, is_archive, read_path
from tests.text.zips import encrypted_rar, has_libarchive, outcomes, seven_zip, stored_rar

TEXTS = {"letter.txt": b"Dear Ann, " * 900, "合同/草稿 v2.txt": "合同正文。".encode() * 300, "in/empty.txt": b""}


PACKERS: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {".7z": seven_zip, ".rar": stored_rar}
needs_libarchive = pytest.mark.skipif(not has_libarchive(), reason="libarchive is not installed")


@needs_libarchive
@pytest.mark.parametrize("suffix", PACKERS)
def test_members_are_told_and_read_whatever_they_were_packed_by(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"papers{suffix}"
    path.write_bytes(PACKERS[suffix](TEXTS))
    assert is_archive(path, path.read_bytes()) and not is_archive(path.with_suffix(".doc"), path.read_bytes())
    assert outcomes(path.read_bytes()) == TEXTS
    for name, text in TEXTS.items():
        assert read_path(path / name) == text


@needs_libarchive
@pytest.mark.parametrize("suffix", PACKERS)
def test_names_lead_nowhere_else_and_only_documents_are_unpacked(suffix: str) -> None:
    files = {"../../up.txt": b"up", "a.txt": b"one", "photo.jpg": b"\xff\xd8" * 50, "inner.zip": b"PK", "a\\b.txt": b""}
    results = outcomes(PACKERS[suffix](files))
    assert results == {
        "(..)/(..)/up.txt": b"up", "a.txt": b"one", "photo.jpg": (ProblemKind.UNSUPPORTED, ()),
        "inner.zip": (ProblemKind.SKIPPED, details(Clause.ARCHIVE_IN_ARCHIVE)), "a/b.txt": b"",
    }  # fmt: skip


@needs_libarchive
def test_an_archive_that_ends_early_gives_the_members_before() -> None:
    whole = stored_rar(TEXTS)
    cut = whole[: whole.index(b"in/empty.txt") - 10]
    listed = contents_of(io.BytesIO(cut))
    assert listed is not None and [member.name for member in listed.members] == list(TEXTS)[:2]
    assert listed.trouble == details(Clause.DAMAGED_AFTER, members=2)
    with pytest.raises(Unreadable) as trouble:
        contents_of(io.BytesIO(seven_zip(TEXTS)[:40]))
    assert trouble.value.kind is ProblemKind.DAMAGED


@needs_libarchive
def test_an_archive_whose_names_are_encrypted_needs_a_password() -> None:
    with pytest.raises(Unreadable) as trouble:
        contents_of(io.BytesIO(encrypted_rar()))
    assert trouble.value.kind is ProblemKind.ENCRYPTED


@needs_libarchive
def test_a_member_with_a_wrong_checksum_is_damaged() -> None:
    packed = bytearray(seven_zip({"a.txt": os.urandom(70_000), "b.txt": b"b" * 100}))
    packed[40_000] ^= 1
    assert outcomes(bytes(packed))["a.txt"] == (ProblemKind.DAMAGED, ())


@needs_libarchive
def test_names_in_another_encoding_are_decoded_and_an_error_of_the_disk_is_told() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 100:
                raise OSError(errno.EIO, "broken")
            return super().read(size)

    with pytest.raises(OSError, match="broken"):
        contents_of(Failing(stored_rar(TEXTS) + bytes(1 << 20)))
    assert foreign._texts(["a.txt", "合同书.txt".encode("gbk")]) == ["a.txt", "合同书.txt"]


@needs_libarchive
def test_what_unpacks_to_too_much_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MAX_PART_BYTES", 1000)
    kind, why = outcomes(seven_zip({"a.txt": b"a" * 5000, "b.txt": b"b"}))["a.txt"]
    assert (kind, why) == (ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=5000, limit=1000))
    monkeypatch.setattr(foreign, "most_unpacked", lambda stream: 100)
    results = outcomes(stored_rar({"a.txt": b"a" * 60, "b.txt": b"b" * 50, "c.txt": b"c" * 40}))
    too_large = ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=50, limit=40)
    assert results == {"a.txt": b"a" * 60, "b.txt": too_large, "c.txt": b"c" * 40}


@needs_libarchive
@given(st.binary(max_size=300), st.integers(0, 400), st.sampled_from([*PACKERS]))
@settings(deadline=None, max_examples=60)
def test_any_bytes_give_members_or_a_reason(noise: bytes, place: int, suffix: str) -> None:
    whole = PACKERS[suffix]({"a.txt": b"one two " * 20, "b.txt": b"three"})
    damaged = whole[:8] + (whole[:place] + noise + whole[place + len(noise) :])[8:]
    try:
        results = outcomes(damaged)
    except Unreadable as trouble:
        assert trouble.kind in (ProblemKind.DAMAGED, ProblemKind.ENCRYPTED)
    else:
        assert all(isinstance(outcome, bytes) or isinstance(outcome[0], ProblemKind) for outcome in results.values())


def test_without_libarchive_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libarchive", None)
    with pytest.raises(Unreadable) as trouble:
        contents_of(io.BytesIO(stored_rar({"a.txt": b"one"})))
    assert (trouble.value.kind, trouble.value.details) == (ProblemKind.SKIPPED, details(Clause.NO_LIBARCHIVE))
