"""Tar archives: every member is told with what can be read of it, and none leads out of the archive or without end."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.archives import members, tararchive
from dupfinder.text.document import Unreadable
from dupfinder.text.source import contents_of, is_archive, pieces_of
from tests.text.zips import outcomes

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".tar": bytes, ".tar.gz": gzip.compress, ".tgz": gzip.compress, ".tar.bz2": bz2.compress,
    ".tar.xz": lzma.compress, ".tar.zst": zstd.compress,
}  # fmt: skip


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = "", **more: object) -> bytes:
    """One member as it lies in an archive."""
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(data), kind, link
    for key, value in more.items():
        setattr(info, key, value)
    return info.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)


def tape(*parts: bytes) -> bytes:
    return b"".join(parts) + bytes(1024)


@pytest.mark.parametrize("suffix", PACKERS)
def test_members_are_told_and_read_whatever_they_were_packed_by(suffix: str) -> None:
    texts = {"a.txt": b"one", "in/b.txt": os.urandom(700_000), "in/empty.txt": b"", "c.txt": b"c" * 5_000_000}
    data = PACKERS[suffix](tape(member("in", kind=tarfile.DIRTYPE), *(member(*each) for each in texts.items())))
    assert is_archive(Path("old" + suffix), data[:4096])
    assert outcomes(data) == texts


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@given(st.dictionaries(st.text("añ中-x. ", min_size=1, max_size=90), st.binary(max_size=1500), min_size=1, max_size=4))
@settings(max_examples=25)
def test_what_honest_programs_pack_is_told_by_its_names_and_times(form: int, texts: dict[str, bytes]) -> None:
    buffer = io.BytesIO()
    names = {f"{number}/{name}.txt": data for number, (name, data) in enumerate(texts.items())}
    with tarfile.open(fileobj=buffer, mode="w", format=form) as made:
        for name, data in names.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_700_000_000
            try:
                made.addfile(info, io.BytesIO(data))
            except ValueError:  # the oldest form holds no name so long
                return
    listed = contents_of(io.BytesIO(buffer.getvalue()))
    assert listed is not None and not listed.trouble
    assert {entry.modified for entry in listed.members} == {1_700_000_000 * 10**9}
    assert outcomes(buffer.getvalue()) == names


HOSTILE = [
    (member("a.txt", kind=tarfile.SYMTYPE, link="/etc/passwd"), "a.txt", ProblemKind.SKIPPED, [Clause.SYMBOLIC_LINK]),
    (member("a.txt", kind=tarfile.LNKTYPE, link="b.txt"), "a.txt", ProblemKind.SKIPPED, [Clause.SECOND_NAME]),
    (member("a.txt", kind=tarfile.CHRTYPE), "a.txt", ProblemKind.SKIPPED, [Clause.SPECIAL_FILE]),
    (member("a.txt", kind=tarfile.FIFOTYPE), "a.txt", ProblemKind.SKIPPED, [Clause.SPECIAL_FILE]),
    (member("a.txt", b"x" * 512, kind=tarfile.GNUTYPE_SPARSE), "a.txt", ProblemKind.UNSUPPORTED, [Clause.SPARSE_FILE]),
    (member("a.txt", b"x", kind=b"Z"), "a.txt", ProblemKind.UNSUPPORTED, [Clause.UNKNOWN_MEMBER]),
    (member("b.tgz", b"x"), "b.tgz", ProblemKind.SKIPPED, [Clause.ARCHIVE_IN_ARCHIVE]),
    (member("b.zip", b"x"), "b.zip", ProblemKind.SKIPPED, [Clause.ARCHIVE_IN_ARCHIVE]),
    (member("b.tar.zst", b"x"), "b.tar.zst", ProblemKind.SKIPPED, [Clause.ARCHIVE_IN_ARCHIVE]),
    (member("b.png", b"x"), "b.png", ProblemKind.UNSUPPORTED, []),
    (member("in/._a.txt", b"x"), "in/._a.txt", ProblemKind.SKIPPED, [Clause.BESIDE_FILE]),
]


@pytest.mark.parametrize(("part", "name", "kind", "codes"), HOSTILE)
def test_one_odd_member_is_told_with_the_reason_and_costs_no_other(
    part: bytes, name: str, kind: ProblemKind, codes: list[Clause]
) -> None:
    results = outcomes(tape(member("first.txt", b"one"), part, member("last.txt", b"two")))
    assert (results["first.txt"], results["last.txt"]) == (b"one", b"two")
    refused = results[name]
    assert isinstance(refused, tuple) and refused[0] is kind
    assert [detail.code for detail in refused[1]] == codes


def test_names_lead_nowhere_else() -> None:
    results = outcomes(tape(member("/etc/a.txt", b"1"), member("../../b.txt", b"2"), member("./c/./d.txt", b"3")))
    assert results == {"etc/a.txt": b"1", "(..)/(..)/b.txt": b"2", "c/d.txt": b"3"}


def test_a_file_with_holes_by_extended_headers_is_not_filled() -> None:
    info = tarfile.TarInfo("a.txt")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.realsize": str(1 << 50)}
    results = outcomes(tape(info.tobuf(tarfile.PAX_FORMAT), member("b.txt", b"x")))
    assert results["a.txt"] == (ProblemKind.UNSUPPORTED, details(Clause.SPARSE_FILE))
    assert results["b.txt"] == b"x"


def test_a_header_of_very_many_facts_is_read_to_its_last() -> None:
    facts = b"5 a=\n" * 200_000 + b"14 path=b.txt\n"
    head = member("x", facts, tarfile.XHDTYPE)
    assert outcomes(tape(head, member("a.txt", b"x"))) == {"b.txt": b"x"}


def test_sizes_that_lie_are_told() -> None:
    huge = tarfile.TarInfo("huge.txt")
    huge.size = 1 << 60
    assert outcomes(huge.tobuf(tarfile.GNU_FORMAT))["huge.txt"] == (
        ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=1 << 60, limit=256 << 20),
    )  # fmt: skip
    cut = outcomes(member("a.txt", b"one") + member("b.txt", b"x" * 9000)[:3000])
    assert cut == {"a.txt": b"one", "b.txt": (ProblemKind.DAMAGED, details(Clause.BEYOND_ARCHIVE))}


def test_an_archive_that_breaks_off_or_is_damaged_is_told_with_what_it_still_shows() -> None:
    whole = tape(*(member(f"{number}.txt", os.urandom(60_000)) for number in range(20)))
    for data in (whole[:600_000], gzip.compress(whole)[:600_000], whole[:600_000] + b"noise" * 200_000):
        listed = contents_of(io.BytesIO(data))
        assert listed is not None and 5 <= len(listed.members) < 20
    damaged = contents_of(io.BytesIO(whole[: 60_928 * 3] + b"noise" * 999))
    assert damaged is not None and [detail.code for detail in damaged.trouble] == [Clause.DAMAGED_AFTER]
    with pytest.raises(Unreadable):
        contents_of(io.BytesIO(b"\x1f\x8b\x08" + b"noise" * 999))


def test_what_unfolds_without_end_is_looked_into_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tararchive, "MOST_UNPACKED", 1 << 20)
    data = gzip.compress(tape(member("a.txt", b"a"), member("b.txt", bytes(2 << 20)), member("c.txt", b"c")))
    listed = contents_of(io.BytesIO(data))
    assert listed is not None
    assert listed.trouble == details(Clause.FIRST_MEGABYTES, megabytes=1)
    assert [(entry.name, entry.refused) for entry in listed.members] == [
        ("a.txt", None),
        ("b.txt", ProblemKind.DAMAGED),
    ]


def test_an_archive_of_more_members_than_are_listed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_MEMBERS", 10)
    listed = contents_of(io.BytesIO(tape(*(member(f"{number}.txt") for number in range(12)))))
    assert (
        listed is not None and len(listed.members) == 10 and listed.trouble == details(Clause.MORE_MEMBERS, members=10)
    )


def test_a_packed_archive_is_unpacked_once_for_all_its_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tgz"
    path.write_bytes(gzip.compress(tape(*(member(f"{number}.txt", b"words") for number in range(9)))))
    unpackings: list[IO[bytes]] = []
    real = tararchive._unpacked

    def counting(stream: IO[bytes], key: tuple[int, ...]) -> object:
        unpackings.append(stream)
        return real(stream, key)

    monkeypatch.setattr(tararchive, "_unpacked", counting)
    for number in range(3):
        with path.open("rb") as stream:
            listed = contents_of(stream)
            assert listed is not None
            assert b"".join(pieces_of(stream, listed.members[number])) == b"words"
    assert len(unpackings) == 1
    path.write_bytes(gzip.compress(tape(member("other.txt", b"new"))))
    with path.open("rb") as stream:
        listed = contents_of(stream)
        assert listed is not None and [entry.name for entry in listed.members] == ["other.txt"]
    tararchive.forget()


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.tar", tape(member("a.txt")), True),
        ("a", tape(member("a.txt")), True),
        ("a.gem", tape(member("a.txt")), False),
        ("backup.gz", gzip.compress(tape(member("a.txt")), mtime=0), True),
        ("letter.txt.gz", gzip.compress(tape(member("a.txt")), mtime=0), False),
        ("a.tar", b"words that are no archive" * 100, False),
        ("a.tgz", b"words that are no archive" * 100, False),
    ],
)
def test_an_archive_is_told_by_its_first_bytes_and_its_name(name: str, data: bytes, expected: bool) -> None:
    assert is_archive(Path(name), data[:4096]) is expected


def test_a_packed_text_that_is_called_an_archive_is_none() -> None:
    assert contents_of(io.BytesIO(gzip.compress(b"words that are no archive" * 100))) is None


@given(st.data())
def test_damage_anywhere_ends_in_members_and_reasons_and_in_nothing_else(data: st.DataObject) -> None:
    info = tarfile.TarInfo("b" * 150 + ".txt")
    info.size = 3
    whole = bytearray(tape(member("a.txt", b"one"), info.tobuf(tarfile.PAX_FORMAT) + b"two" + bytes(509)))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(whole) - 9))
        whole[place : place + 8] = struct.pack("<Q", data.draw(st.integers(0, 2**64 - 1)))
    packed = data.draw(st.booleans())
    try:
        listed = contents_of(io.BytesIO(gzip.compress(bytes(whole)) if packed else bytes(whole)))
    except Unreadable:
        return
    for entry in listed.members if listed is not None else ():
        try:
            assert sum(map(len, pieces_of(io.BytesIO(bytes(whole)), entry))) == entry.size
        except Unreadable as trouble:
            assert trouble.details
