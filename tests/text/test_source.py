"""ZIP archives: every member is told with what can be read of it, and no archive can make the reading unbounded."""

from __future__ import annotations

import io
import os
import random
import struct
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives import members as bounds
from dupfinder.text.archives import ziparchive
from dupfinder.text.archives.members import ArchiveContents
from dupfinder.text.document import Unreadable
from dupfinder.text.source import contents_of, holder_of, is_archive, pieces_of
from tests import making
from tests.text.zips import Part, Zip


def listed(data: bytes) -> ArchiveContents:
    contents = contents_of(io.BytesIO(data))
    assert contents is not None
    return contents


def refusals(data: bytes) -> dict[str, tuple[ProblemKind, Details] | None]:
    """Name -> why it is not read: by the listing, or by reading it."""
    reasons: dict[str, tuple[ProblemKind, Details] | None] = {}
    for member in listed(data).members:
        try:
            for _ in pieces_of(io.BytesIO(data), member):
                pass
            reasons[member.name] = None
        except Unreadable as trouble:
            reasons[member.name] = (trouble.kind, trouble.details)
    return reasons


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        for name, data in members:
            made.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str
)
def test_members_are_unpacked_to_what_was_packed(method: int) -> None:
    texts = {"a.txt": b"", "b.txt": b"x", "in/c.txt": random.Random(1).randbytes(3_000_000), "d.txt": b"ab" * 2_000_000}
    data = zipped(*texts.items(), method=method)
    members = listed(data).members
    assert [member.name for member in members] == list(texts)
    for member in members:
        assert b"".join(pieces_of(io.BytesIO(data), member)) == texts[member.name]
        assert member.size == len(texts[member.name])


@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), st.binary(max_size=2000)), max_size=6))
def test_every_member_of_an_honest_archive_is_told_and_read(members: list[tuple[str, bytes]]) -> None:
    unique = {
        name.replace("/", "-").replace("\0", "-").encode("utf-8", "replace").decode(): data for name, data in members
    }
    data = zipped(*((f"{number}-{name}.txt", text) for number, (name, text) in enumerate(unique.items())))
    contents = listed(data)
    assert not contents.trouble
    assert [b"".join(pieces_of(io.BytesIO(data), member)) for member in contents.members] == list(unique.values())


def test_folders_are_no_members() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.mkdir("folder")
        made.writestr("folder/a.txt", "a")
    assert [member.name for member in listed(stream.getvalue()).members] == ["folder/a.txt"]


def test_an_archive_with_bytes_before_it_and_a_comment_behind_it_is_read() -> None:
    data = Zip(
        [Part(b"a.txt", b"one"), Part(b"b.txt", b"two")], before=b"MZ" + bytes(700), comment=b"PK\5\6 said so"
    ).data()
    assert refusals(data) == {"a.txt": None, "b.txt": None}


def test_a_large_archive_is_read_by_its_wide_fields(tmp_path: Path) -> None:
    path = tmp_path / "wide.zip"
    with zipfile.ZipFile(path, "w") as made, made.open("a.txt", "w", force_zip64=True) as member:
        member.write(b"told in eight bytes each")
    data = path.read_bytes()
    end = data.rindex(b"PK\5\6")
    count, length, offset = struct.unpack_from("<HLL", data, end + 10)
    wide = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, length, offset)
    locator = b"PK\6\7" + struct.pack("<LQL", 0, end, 1)
    short = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    assert refusals(data[:end] + wide + locator + short) == {"a.txt": None}


def test_times_are_told_by_the_zone_of_the_person_or_in_utc_where_the_archive_says_so() -> None:
    utc = struct.pack("<HHBl", 0x5455, 5, 1, 1_700_000_000)
    parts = [Part(b"a.txt"), Part(b"b.txt", extra=utc), Part(b"c.txt", date=0)]
    in_local, in_utc, none = (member.modified for member in listed(Zip(parts).data()).members)
    assert in_local == int(datetime(2024, 3, 5, 10).timestamp()) * 10**9
    assert in_utc == 1_700_000_000 * 10**9
    assert none is None


HOSTILE = [
    (Part(b"a.txt", flags=1), ProblemKind.ENCRYPTED, []),
    (Part(b"a.txt", flags=0x2001), ProblemKind.ENCRYPTED, []),
    (Part(b"a.txt", method=99), ProblemKind.ENCRYPTED, []),
    (Part(b"a.txt", method=9), ProblemKind.UNSUPPORTED, [Clause.UNKNOWN_PACKING]),
    (Part(b"a.txt", method=98), ProblemKind.UNSUPPORTED, [Clause.UNKNOWN_PACKING]),
    (Part(b"a.txt", method=1234), ProblemKind.UNSUPPORTED, [Clause.UNKNOWN_PACKING]),
    (Part(b"a.png"), ProblemKind.UNSUPPORTED, []),
    (Part(b"b.zip"), ProblemKind.SKIPPED, [Clause.ARCHIVE_IN_ARCHIVE]),
    (Part(b"__MACOSX/._a.txt"), ProblemKind.SKIPPED, [Clause.BESIDE_FILE]),
    (Part(b"link.txt", b"/etc/passwd", mode=0o120777), ProblemKind.SKIPPED, [Clause.SYMBOLIC_LINK]),
    (Part(b"pipe.txt", mode=0o010644), ProblemKind.SKIPPED, [Clause.SPECIAL_FILE]),
    (Part(b"a.txt", crc=1), ProblemKind.DAMAGED, [Clause.WRONG_CHECKSUM]),
    (Part(b"a.txt", size=3), ProblemKind.DAMAGED, [Clause.MORE_THAN_SAID]),
    (Part(b"a.txt", size=300), ProblemKind.DAMAGED, [Clause.WRONG_CHECKSUM]),
    (Part(b"a.txt", packed=4), ProblemKind.DAMAGED, [Clause.PACKED_DAMAGED]),
    (Part(b"a.txt", packed=1 << 30), ProblemKind.DAMAGED, [Clause.BEYOND_ARCHIVE]),
    (Part(b"a.txt", at=9), ProblemKind.DAMAGED, [Clause.SHARED_BYTES]),
    (Part(b"a.txt", at=0), ProblemKind.DAMAGED, [Clause.SHARED_BYTES]),
    (Part(b"a.txt", at=1 << 31), ProblemKind.DAMAGED, [Clause.BEYOND_ARCHIVE]),
    (Part(b"a.txt", size=0xF0000000), ProblemKind.TOO_LARGE, [Clause.UNPACKS_TO]),
    (Part(b"a.txt", bytes(50_000_000)), ProblemKind.TOO_LARGE, [Clause.UNPACKS_TO]),
    (Part(b"a.txt", b"\xff\xff" * 20, method=12), ProblemKind.DAMAGED, [Clause.PACKED_DAMAGED]),
    (
        Part(b"a.txt", b"\x09\x14\x05\x00\x5d" + b"\xff" * 30, method=14),
        ProblemKind.TOO_LARGE,
        [Clause.UNPACKING_NEEDS],
    ),
    (Part(b"a.txt", b"\x09\x14\x05\x00\xff\x00\x00\x10\x00", method=14), ProblemKind.DAMAGED, [Clause.PACKED_DAMAGED]),
    (Part(b"a.txt", b"\x09", method=14), ProblemKind.DAMAGED, [Clause.PACKED_DAMAGED]),
]


@pytest.mark.parametrize(("part", "kind", "codes"), HOSTILE)
def test_one_bad_member_is_told_with_the_reason_and_costs_no_other(
    part: Part, kind: ProblemKind, codes: list[Clause]
) -> None:
    data = Zip([Part(b"before.txt"), part, Part(b"behind.txt")]).data()
    before, (name, reason), behind = refusals(data).items()
    assert before == ("before.txt", None) and behind == ("behind.txt", None), name
    assert reason is not None and reason[0] is kind and [detail.code for detail in reason[1]] == codes


def test_members_that_lie_over_one_another_are_refused_and_the_others_read() -> None:
    whole = bytes(1_000_000)
    kernel = Part(b"kernel.txt", whole)
    over = [Part(b"%d.txt" % number, whole, at=55) for number in range(50)]
    reasons = refusals(Zip([Part(b"good.txt"), kernel, *over, Part(b"behind.txt")]).data())
    assert reasons.pop("good.txt") is None and reasons.pop("behind.txt") is None
    assert sum(reason is None for reason in reasons.values()) <= 1
    assert {reason[0] for reason in reasons.values() if reason is not None} == {ProblemKind.DAMAGED}


def test_a_member_that_is_not_where_the_archive_says_is_told() -> None:
    data = Zip([Part(b"a.png", bytes(200), method=0), Part(b"a.txt", at=60)]).data()
    assert refusals(data)["a.txt"] == (ProblemKind.DAMAGED, details(Clause.MEMBER_MISPLACED))


def test_an_archive_that_unfolds_to_more_than_it_may_is_read_up_to_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "FREE_UNPACKED", 25_000_000)
    monkeypatch.setattr(bounds, "MAX_UNPACKED_RATIO", 10)
    data = Zip([Part(b"%d.txt" % number, bytes(8_000_000)) for number in range(6)]).data()
    members = listed(data).members
    assert [member.refused for member in members] == [None] * 3 + [ProblemKind.TOO_LARGE] * 3
    assert members[-1].details == details(Clause.MEMBERS_UNPACK_TO, megabytes=23)


def test_a_directory_of_more_members_than_are_listed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_MEMBERS", 10)
    contents = listed(Zip([Part(b"%d.txt" % number) for number in range(12)]).data())
    assert len(contents.members) == 10 and contents.trouble == details(Clause.MORE_MEMBERS, members=10)


def test_a_directory_that_breaks_off_is_told_with_what_it_still_shows() -> None:
    data = Zip([Part(b"a.txt"), Part(b"b.txt"), Part(b"c.txt")]).data()
    third = data.rindex(b"PK\1\2")
    contents = listed(data[:third] + b"XX" + data[third + 2 :])
    assert [member.name for member in contents.members] == ["a.txt", "b.txt"]
    assert contents.trouble == details(Clause.DAMAGED_AFTER, members=2)


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (Zip([Part(b"a.txt", bytes(5000))]).data()[:60], ProblemKind.DAMAGED, Clause.NO_DIRECTORY),
        (b"PK\3\4", ProblemKind.DAMAGED, Clause.NO_DIRECTORY),
        (Zip([Part(b"a.txt")], disk=3).data(), ProblemKind.UNSUPPORTED, Clause.SPLIT_ARCHIVE),
        (
            b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 9, 9, 0x7FFFFFFF, 0, 0),
            ProblemKind.DAMAGED,
            Clause.DIRECTORY_MISPLACED,
        ),
    ],
    ids=["cut", "only a mark", "split", "a directory of two gigabytes"],
)
def test_an_archive_without_a_directory_is_told_as_a_whole(data: bytes, kind: ProblemKind, code: Clause) -> None:
    with pytest.raises(Unreadable) as caught:
        contents_of(io.BytesIO(data))
    assert caught.value.kind is kind and caught.value.details == details(code)


def test_a_directory_that_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ziparchive, "MAX_DIRECTORY_BYTES", 1000)
    with pytest.raises(Unreadable, match="directory_too_large"):
        contents_of(io.BytesIO(Zip([Part(b"%d.txt" % number) for number in range(50)]).data()))


@pytest.mark.parametrize(
    "data",
    [making.docx(), making.pptx(), making.xlsx({"a": [["b"]]}), zipped(("META-INF/MANIFEST.MF", b""), ("a.txt", b"a")),
     zipped(("AndroidManifest.xml", b""), ("assets/a.txt", b"a"))],
    ids=["docx", "pptx", "xlsx", "jar", "apk"],
)  # fmt: skip
def test_documents_and_programs_of_the_same_make_are_not_looked_into(data: bytes) -> None:
    assert contents_of(io.BytesIO(data)) is None


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.zip", zipped(("a.txt", b"a")), True),
        ("A.ZIP", zipped(), True),
        ("archive", zipped(("a.txt", b"a")), True),
        ("a.zip", zipped(("word/a.txt", b"a")), True),
        ("a.jar", zipped(("a.txt", b"a")), False),
        ("a.docx", making.docx(), False),
        ("a.zip", making.odt(), False),
        ("a.zip", making.epub(), False),
        ("a.zip", making.pdf(), False),
        ("archive", b"", False),
    ],
)
def test_an_archive_is_told_by_its_first_bytes_and_its_name(name: str, data: bytes, expected: bool) -> None:
    assert is_archive(Path(name), data[:4096]) is expected


def test_the_file_above_a_path_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"")
    assert holder_of(tmp_path / "a.zip" / "in" / "b.txt") == tmp_path / "a.zip"
    assert holder_of(tmp_path / "a.zip") is None
    assert holder_of(tmp_path / "gone" / "b.txt") is None
    assert holder_of(Path("/" + "x" * 5000) / "b.txt") is None


@given(st.data())
def test_damage_anywhere_ends_in_members_and_reasons_and_in_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(zipped(("a.txt", b"some words " * 50), ("b/c.txt", b"more words"), ("d.txt", b"x" * 5000)))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    del whole[data.draw(st.integers(len(whole) // 2, len(whole))) :]
    try:
        contents = contents_of(io.BytesIO(bytes(whole)))
    except Unreadable:
        return
    for member in contents.members if contents is not None else ():
        assert not os.path.isabs(member.name)
        try:
            assert sum(map(len, pieces_of(io.BytesIO(bytes(whole)), member))) == member.size
        except Unreadable as trouble:
            assert trouble.details or trouble.kind is ProblemKind.ENCRYPTED  # a kind that says it all
