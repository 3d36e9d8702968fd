"""Archives in a scan: every member is accounted for, nothing is read twice, and nothing in them is ever marked."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import pytest
from backports import zstd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, details, details_of, stored
from dupfinder.base.progress import LatestProgress, Progress, Stage, Stopped
from dupfinder.base.stamp import FileStamp
from dupfinder.library.rows import READ
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.reading import ListedArchive, ReadTask, in_turns, read_one, read_text
from dupfinder.scan.request import FileFilters, Role, Root, ScanRequest
from dupfinder.text.archives.members import ArchiveContents
from dupfinder.text.source import Membership, contents_of
from tests import making
from tests.scan.documents import prose, put, revised
from tests.scan.scanning import scan, statuses
from tests.text.zips import Part, Zip, has_libarchive, seven_zip, stored_rar


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    """An archive of members, in their order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return put(path, stream.getvalue())


def tasks_handed_out(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list that fills with the paths that scans hand to reading processes."""
    paths: list[Path] = []
    real = Sandbox.run

    def run(self: Any, tasks: list[ReadTask], *others: Any, **options: Any) -> object:
        paths.extend(task.stamp.path for task in tasks)
        return real(self, tasks, *others, **options)

    monkeypatch.setattr(Sandbox, "run", run)
    return paths


def sample(docs: Path) -> Path:
    """A folder with a letter, and an archive with copies of it and with much else."""
    letter = prose(1)
    put(docs / "letter.txt", making.txt(letter))
    return zipped(
        docs / "old.zip",
        {
            "letter.txt": making.txt(letter),
            "in/letter.docx": making.docx(letter),
            "in/newer.html": making.html(revised(letter, 2)),
            "report.pdf": making.pdf([prose(3)]),
            "locked.pdf": making.pdf([prose(4)], password="secret"),
            "cut.docx": making.docx(prose(5))[:300],
            "empty.txt": b"",
            "numbers.txt": b"1 2 3",
            "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(64),
            "noise": bytes(range(256)) * 20,
            "inner.zip": Zip([Part(b"a.txt")]).data(),
            "inner": Zip([Part(b"a.txt")]).data(),
            "word without suffix": making.docx(prose(6)),
        },
    )


def test_every_member_is_listed_with_what_became_of_it(docs: Path, library: Path) -> None:
    sample(docs)
    result = scan(library, docs)
    assert statuses(result, docs) == {
        "letter.txt": READ, "old.zip": "skipped", "old.zip/letter.txt": READ, "old.zip/in/letter.docx": READ,
        "old.zip/in/newer.html": READ, "old.zip/report.pdf": READ, "old.zip/locked.pdf": "encrypted",
        "old.zip/cut.docx": "damaged", "old.zip/empty.txt": "no_text", "old.zip/numbers.txt": "too_short",
        "old.zip/picture.png": "unsupported", "old.zip/noise": "unsupported", "old.zip/inner.zip": "skipped",
        "old.zip/inner": "skipped", "old.zip/word without suffix": READ,
    }  # fmt: skip
    says_it_all = (READ, "encrypted", "unsupported")
    assert all(detail for detail, status in zip(result.documents.detail, result.documents.status, strict=True)
               if status not in says_it_all)  # fmt: skip
    documents = result.documents
    archive = documents.paths.index(str(docs / "old.zip"))
    inside = [row for row, path in enumerate(documents.paths) if "old.zip/" in path]
    assert documents.archive.tolist() == [archive if row in inside else -1 for row in range(len(documents))]
    assert [documents.archive_of(row) for row in inside] == [docs / "old.zip"] * len(inside)


def test_a_member_is_a_copy_of_a_loose_file_in_the_same_or_another_format(docs: Path, library: Path) -> None:
    sample(docs)
    documents = scan(library, docs).documents
    row = {os.path.relpath(path, docs): number for number, path in enumerate(documents.paths)}
    loose, packed = row["letter.txt"], row["old.zip/letter.txt"]
    assert documents.content_hex(loose) == documents.content_hex(packed) != ""
    assert (documents.text_hash[loose] == documents.text_hash[row["old.zip/in/letter.docx"]]).all()
    assert documents.size[packed] == documents.size[loose]


_FOREIGN = {".7z": seven_zip, ".rar": stored_rar} if has_libarchive() else {}


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", *_FOREIGN])
def test_members_of_other_archives_are_listed_and_compared_as_those_of_a_zip(
    docs: Path, library: Path, suffix: str
) -> None:
    letter = prose(1)
    put(docs / "letter.txt", making.txt(letter))
    members = {"letter.txt": making.txt(letter), "in/letter.docx": making.docx(letter), "b.zip": b"x"}
    members |= {f"{number}.txt": making.txt(prose(number)) for number in range(10, 40)}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as made:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress, ".zst": zstd.compress, ".tar": bytes,
    }  # fmt: skip
    pack = _FOREIGN.get(suffix)
    packed = pack(members) if pack else packers[Path(f"old{suffix}").suffix](buffer.getvalue())
    archive = put(docs / f"old{suffix}", packed)
    result = scan(library, docs, workers=2)
    expected = {f"{archive.name}/{name}": "skipped" if name == "b.zip" else READ for name in members}
    assert statuses(result, docs) == {"letter.txt": READ, archive.name: "skipped", **expected}
    rows = {os.path.relpath(path, docs): row for row, path in enumerate(result.documents.paths)}
    inside = rows[f"{archive.name}/in/letter.docx"]
    assert (result.documents.text_hash[inside] == result.documents.text_hash[rows["letter.txt"]]).all()
    assert result.documents.archive_of(inside) == archive
    extracted = read_text(archive / "in/letter.docx").extracted
    assert extracted is not None and extracted.text.startswith(letter[0])
    assert statuses(scan(library, docs), docs) == statuses(result, docs)


def test_a_second_scan_opens_no_archive_and_finds_the_same(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(docs)
    first = scan(library, docs)
    handed = tasks_handed_out(monkeypatch)
    second = scan(library, docs)
    assert handed == []
    assert statuses(second, docs) == statuses(first, docs)
    assert second.documents.detail == first.documents.detail
    assert second.summary.reused == len(second.documents)
    assert second.pairs.distance.tolist() == first.pairs.distance.tolist()


def test_a_changed_archive_alone_is_opened_again(docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample(docs)
    zipped(docs / "other.zip", {"a.txt": making.txt(prose(8))})
    scan(library, docs)
    zipped(docs / "other.zip", {"a.txt": making.txt(prose(8)), "b.txt": making.txt(prose(9))})
    handed = tasks_handed_out(monkeypatch)
    result = scan(library, docs)
    assert sorted(handed) == [docs / "other.zip", docs / "other.zip/a.txt", docs / "other.zip/b.txt"]
    assert statuses(result, docs)["other.zip/b.txt"] == READ


def test_a_fresh_scan_reads_members_again(docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample(docs)
    first = scan(library, docs)
    handed = tasks_handed_out(monkeypatch)
    assert statuses(scan(library, docs, fresh=True), docs) == statuses(first, docs)
    assert docs / "old.zip/report.pdf" in handed


class StopAfter:
    """A reporter that stops the scan once so many files were read."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._done = 0

    def check(self) -> None:
        if self._done >= self._files:
            raise Stopped

    def tell(self, progress: Progress) -> None:
        if progress.stage is Stage.READ:
            self._done = progress.done


@pytest.mark.parametrize("after", [1, 2, 5, 9])
def test_a_stop_in_the_midst_of_an_archive_loses_nothing_that_was_read(
    docs: Path, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    sample(docs)
    whole = scan(tmp_path / "other.db", docs)
    with pytest.raises(Stopped):
        scan(library, docs, reporter=StopAfter(after))
    with closing(sqlite3.connect(library)) as opened:
        kept = {os.fsdecode(path) for (path,) in opened.execute("SELECT path FROM document WHERE members IS NULL")}
    handed = tasks_handed_out(monkeypatch)
    resumed = scan(library, docs)
    assert kept.isdisjoint(map(str, handed)), "read before, and handed out again"
    assert statuses(resumed, docs) == statuses(whole, docs)
    with closing(sqlite3.connect(library)) as opened:
        counts = opened.execute("SELECT count(*) FROM document WHERE members IS NOT NULL").fetchone()
    assert counts == (1,), "the archive is stored once"


def test_neither_workers_nor_order_change_the_result(docs: Path, tmp_path: Path) -> None:
    for number in range(6):
        zipped(docs / f"{number}.zip", {f"{n}.txt": making.txt(prose(10 * number + n)) for n in range(8)})
    alone = scan(tmp_path / "one.db", docs, workers=1)
    two = scan(tmp_path / "two.db", docs, workers=3)
    assert list(alone.documents.paths) == list(two.documents.paths)
    assert alone.documents.archive.tolist() == two.documents.archive.tolist()
    assert alone.documents.fingerprint.tolist() == two.documents.fingerprint.tolist()
    assert alone.pairs.left.tolist() == two.pairs.left.tolist()


def test_archives_are_left_closed_when_that_is_chosen_and_known_again_afterwards(
    docs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(docs)
    put(docs / "nameless", (docs / "old.zip").read_bytes())
    whole = scan(library, docs)
    closed = scan(library, docs, archives=False)
    assert statuses(closed, docs) == {"letter.txt": READ, "old.zip": "skipped", "nameless": "skipped"}
    assert set(closed.documents.detail) == {"", stored(details(Clause.ARCHIVE_NOT_OPENED))}
    handed = tasks_handed_out(monkeypatch)
    assert statuses(scan(library, docs), docs) == statuses(whole, docs)
    assert handed == []


def test_an_archive_without_a_suffix_is_known_by_its_content(docs: Path, library: Path) -> None:
    put(docs / "backup", sample(docs).read_bytes())
    status_of = statuses(scan(library, docs), docs)
    assert status_of["backup"] == "skipped" and status_of["backup/report.pdf"] == READ
    assert statuses(scan(library, docs, archives=False, fresh=True), docs)["backup"] == "skipped"


@pytest.mark.parametrize("name", ["a.jar", "a.apk", "a.whl", "a.kmz"])
def test_zip_files_with_the_suffix_of_another_program_are_not_opened(docs: Path, library: Path, name: str) -> None:
    zipped(docs / name, {"a.txt": making.txt(prose(1))})
    assert statuses(scan(library, docs), docs) == {name: "unsupported"}


def test_documents_that_are_zip_packages_are_read_as_documents_under_any_name(docs: Path, library: Path) -> None:
    put(docs / "a.docx", making.docx(prose(1)))
    put(docs / "b.zip", making.docx(prose(2)))
    put(docs / "c.zip", making.odt(prose(3)))
    put(docs / "d.zip", making.epub())
    put(docs / "e", making.docx(prose(5)))
    result = scan(library, docs)
    assert statuses(result, docs) == dict.fromkeys(["a.docx", "b.zip", "c.zip", "d.zip", "e"], READ)
    assert list(result.documents.media) == ["docx", "docx", "odt", "epub", "docx"]


def test_what_a_request_leaves_out_is_left_out_in_archives_too_and_read_when_it_is_wanted(
    docs: Path, library: Path
) -> None:
    zipped(docs / "a.zip", {
        ".hidden/a.txt": making.txt(prose(1)), "in/.b.txt": making.txt(prose(2)), "draft.txt": making.txt(prose(3)),
        "node_modules/c.md": making.txt(prose(4)), "large.txt": making.txt(prose(5, sentences=400)),
        "d.html": making.html(prose(6)), "e.txt": making.txt(prose(7)),
    })  # fmt: skip
    narrow = scan(library, docs, hidden=False, excluded_names=("draft*",), largest=9000, formats=frozenset({"text"}))
    why = dict(zip(statuses(narrow, docs), map(details_of, narrow.documents.detail), strict=True))
    assert why == {
        "a.zip": details(Clause.ARCHIVE_MEMBERS, members=7),
        "a.zip/.hidden/a.txt": details(Clause.HIDDEN_FOLDER), "a.zip/in/.b.txt": details(Clause.HIDDEN_FILE),
        "a.zip/draft.txt": details(Clause.EXCLUDED_NAME),
        "a.zip/node_modules/c.md": details(Clause.FOREIGN_FOLDER, folder="node_modules"),
        "a.zip/large.txt": details(Clause.OVER_LIMIT, bytes=len(making.txt(prose(5, sentences=400))), limit=9000),
        "a.zip/d.html": details(Clause.OTHER_KINDS, kind="html"), "a.zip/e.txt": (),
    }  # fmt: skip
    wide = statuses(scan(library, docs), docs)
    assert [name for name, status in wide.items() if status != READ] == ["a.zip", "a.zip/node_modules/c.md"]
    again = scan(library, docs, hidden=False, excluded_names=("draft*",), largest=9000, formats=frozenset({"text"}))
    assert dict(zip(statuses(again, docs), map(details_of, again.documents.detail), strict=True)) == why
    assert statuses(scan(library, docs), docs) == wide


def test_a_second_scan_judges_the_members_of_an_unchanged_archive_by_their_own_times(docs: Path, library: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for year in (2010, 2020):
            packed.writestr(zipfile.ZipInfo(f"{year}.txt", (year, 6, 1, 12, 0, 0)), making.txt(prose(year)))
    put(docs / "a.zip", stream.getvalue())
    in_2015 = int(datetime(2015, 1, 1, tzinfo=UTC).timestamp()) * 10**9
    scan(library, docs)
    for filters, read in ((FileFilters(older_ns=in_2015), "2010.txt"), (FileFilters(newer_ns=in_2015), "2020.txt")):
        for _ in range(2):
            status_of = statuses(scan(library, docs, filters=filters), docs)
            assert [name for name, status in status_of.items() if status == READ] == [f"a.zip/{read}"]


def test_members_of_an_archive_in_a_protected_folder_are_protected(docs: Path, library: Path) -> None:
    zipped(docs / "kept" / "a.zip", {"a.txt": making.txt(prose(1))})
    zipped(docs / "b.zip", {"b.txt": making.txt(prose(2))})
    for _ in range(2):  # read, then taken over
        documents = scan(library, docs, Root(docs / "kept", Role.PROTECT)).documents
        protected = [
            os.path.relpath(path, docs) for path, held in zip(documents.paths, documents.protected, strict=True) if held
        ]
        assert protected == ["kept/a.zip", "kept/a.zip/a.txt"]


def test_an_archive_that_is_named_itself_is_scanned(docs: Path, library: Path) -> None:
    path = sample(docs)
    assert len(scan(library, path).documents) == 14


def test_each_way_in_which_an_archive_is_damaged_has_its_reason(docs: Path, library: Path) -> None:
    put(docs / "cut.zip", zipped(docs / "a.zip", {"a.txt": making.txt(prose(1))}).read_bytes()[:200])
    put(docs / "split.zip", Zip([Part(b"a.txt")], disk=2).data())
    put(docs / "empty.zip", Zip([]).data())
    put(docs / "zero.zip", b"")
    if has_libarchive():
        put(docs / "cut.rar", stored_rar({"a.txt": making.txt(prose(1)), "b.txt": b"b"})[:-15])
    result = scan(library, docs)
    why = dict(zip(statuses(result, docs).items(), map(details_of, result.documents.detail), strict=True))
    assert why["cut.zip", "damaged"] == details(Clause.NO_DIRECTORY)
    assert why["split.zip", "unsupported"] == details(Clause.SPLIT_ARCHIVE)
    assert why["empty.zip", "skipped"] == details(Clause.ARCHIVE_MEMBERS, members=0)
    assert ("zero.zip", "no_text") in why
    if has_libarchive():
        assert why["cut.rar", "damaged"] == details(Clause.DAMAGED_AFTER, members=1)


def test_a_zip_bomb_is_reported_and_the_scan_goes_on(docs: Path, library: Path) -> None:
    bomb = Part(b"bomb.txt", bytes(60_000_000))
    liar = Part(b"liar.txt", bytes(60_000_000), size=1000)
    text = Part(b"text.txt", making.txt(prose(1)))
    over = [Part(b"%d.txt" % number, bytes(60_000_000), size=1000, at=2000) for number in range(20)]
    put(docs / "bomb.zip", Zip([text, bomb, liar, *over]).data())
    result = scan(library, docs)
    status_of = statuses(result, docs)
    assert status_of.pop("bomb.zip/text.txt") == READ and status_of.pop("bomb.zip") == "skipped"
    assert status_of.pop("bomb.zip/bomb.txt") == "too_large" and status_of.pop("bomb.zip/liar.txt") == "damaged"
    assert set(status_of.values()) == {"damaged"} and len(status_of) == 20


def test_a_member_that_crashes_its_process_is_the_only_one_not_read(docs: Path, library: Path) -> None:
    cells = b"<row>" + b"<c><v>1</v></c>" * 10
    sheet = making.xlsx({"a": [["b"]]})
    zipped(docs / "a.zip", {"a.txt": making.txt(prose(1)), "b.xlsx": sheet + cells, "c.txt": making.txt(prose(2))})
    status_of = statuses(scan(library, docs), docs)
    assert status_of["a.zip/a.txt"] == status_of["a.zip/c.txt"] == READ


def test_a_packed_archive_is_a_portion_of_its_own_with_the_bytes_that_each_process_unpacks(docs: Path) -> None:
    path = docs / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, size in (("a.txt", 100), ("b.txt", 70_000), ("c.txt", 5)):
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, io.BytesIO(b"x" * size))
    scheme = ScanRequest(()).scheme
    plain = ReadTask(FileStamp.of(path, path.lstat()), scheme)
    listing = read_one(plain)
    assert isinstance(listing, ListedArchive)
    inside = [
        ReadTask(plain.stamp, scheme, inside=Membership(listing.stamp, 7, member))
        for member in listing.contents.members
    ]
    blocks = 512  # of headers and of content
    assert in_turns([inside[0], plain, *inside[1:]]) == [([plain], 0), (inside, 4 * blocks + 137 * blocks + 5)]
    assert in_turns([]) == []


def test_an_archive_that_changes_after_it_was_listed_is_told_and_read_by_the_next_scan(docs: Path) -> None:
    path = zipped(docs / "a.zip", {"a.txt": making.txt(prose(1))})
    scheme = ScanRequest(()).scheme
    listing = read_one(ReadTask(FileStamp.of(path, path.lstat()), scheme))
    assert isinstance(listing, ListedArchive)
    (member,) = listing.contents.members
    stamp = FileStamp(path / member.name, member.size, 0, 0, 0, 0)
    task = ReadTask(stamp, scheme, inside=Membership(listing.stamp, 7, member))
    row = read_one(task)
    assert not isinstance(row, ListedArchive) and (row.status, row.archive) == (READ, 7)
    os.utime(path, ns=(1, 1))
    row = read_one(task)
    assert not isinstance(row, ListedArchive) and row.status == "changed" and row.archive == 7
    path.unlink()
    row = read_one(task)
    assert not isinstance(row, ListedArchive) and row.status == "vanished"


def test_a_member_is_read_again_by_its_path(docs: Path) -> None:
    path = sample(docs)
    extracted = read_text(path / "in" / "letter.docx").extracted
    assert extracted is not None and prose(1)[0] in extracted.text
    for name, code in (
        ("gone.txt", Clause.NO_SUCH_MEMBER), ("cut.docx", Clause.NO_DIRECTORY), ("inner", Clause.ARCHIVE_IN_ARCHIVE),
    ):  # fmt: skip
        problem = read_text(path / name).problem
        assert problem is not None and [detail.code for detail in problem.details] == [code]
    first = zipfile.ZipFile(path).namelist()[0]
    whole = read_text(path).problem
    assert whole is not None and whole.details == details(Clause.NAME_A_MEMBER, example=f"{path.name}/{first}")
    beside = read_text(docs / "letter.txt" / "a.txt").problem
    assert beside is not None and beside.details == details(Clause.NO_ARCHIVE, archive="letter.txt")


def test_members_that_are_read_one_after_another_list_their_archive_once_and_anew_when_it_changed(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[object] = []

    def counting(stream: IO[bytes]) -> ArchiveContents | None:
        listed.append(stream)
        return contents_of(stream)

    monkeypatch.setattr("dupfinder.text.source.contents_of", counting)
    path = zipped(docs / "a.zip", {f"{number}.txt": making.txt(prose(number)) for number in range(20)})
    for number in range(20):
        extracted = read_text(path / f"{number}.txt").extracted
        assert extracted is not None and prose(number)[0] in extracted.text
    assert len(listed) == 1
    zipped(path, {"0.txt": making.txt(prose(99)), "1.txt": making.txt(prose(98))})
    extracted = read_text(path / "0.txt").extracted
    assert extracted is not None and prose(99)[0] in extracted.text and len(listed) == 2


def test_odd_names_are_scanned_stored_and_read_again(docs: Path, library: Path) -> None:
    names = ["合同.txt".encode("gbk"), b"../../up.txt", b"/etc/passwd.txt", b"a\0b.txt", b"line\nend.txt",
             b"x" * 300 + b".txt", "\u202etxt.exe.txt".encode(), b"twice.txt", b"twice.txt", b""]  # fmt: skip
    parts = [Part(name, making.txt(prose(20 + number))) for number, name in enumerate(names)]
    parts[6].flags = 0x800
    path = put(docs / "odd.zip", Zip(parts).data())
    for _ in range(2):
        result = scan(library, docs)
        status_of = statuses(result, docs)
        assert [status for name, status in status_of.items() if name != "odd.zip"] == [READ] * len(names)
        assert {"odd.zip/合同.txt", "odd.zip/(..)/(..)/up.txt", "odd.zip/etc/passwd.txt", "odd.zip/a␀b.txt",
                "odd.zip/twice.txt", "odd.zip/twice (2).txt", "odd.zip/unnamed"} <= set(status_of)  # fmt: skip
    for name in result.documents.paths[1:]:
        assert read_text(Path(name)).extracted is not None
    assert not (docs.parent / "up.txt").exists() and path.stat().st_size


@given(
    st.lists(st.sampled_from(["text", "copy", "locked", "bad", "image", "zip"]), min_size=0, max_size=8), st.booleans()
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_in_an_archive_every_member_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], again: bool
) -> None:
    home = tmp_path_factory.mktemp("any")
    made = {
        "text": lambda n: Part(b"t%d.txt" % n, making.txt(prose(n))),
        "copy": lambda n: Part(b"c%d.txt" % n, making.txt(prose(0))),
        "locked": lambda n: Part(b"l%d.txt" % n, flags=1), "bad": lambda n: Part(b"b%d.txt" % n, crc=0),
        "image": lambda n: Part(b"i%d.png" % n), "zip": lambda n: Part(b"z%d.zip" % n),
    }  # fmt: skip
    put(home / "docs" / "a.zip", Zip([made[kind](number) for number, kind in enumerate(kinds)]).data())
    for _ in range(1 + again):
        documents = scan(home / "library.db", home / "docs").documents
    expected = {
        "text": READ,
        "copy": READ,
        "locked": "encrypted",
        "bad": "damaged",
        "image": "unsupported",
        "zip": "skipped",
    }
    assert sorted(documents.status) == sorted([*(expected[kind] for kind in kinds), "skipped"])
    assert int((documents.archive >= 0).sum()) == len(kinds)


def test_progress_counts_members_as_they_are_read(docs: Path, library: Path) -> None:
    sample(docs)
    reporter = LatestProgress()
    scan(library, docs, reporter=reporter)
    newest: list[Progress] = []

    class Recorder:
        def check(self) -> None: ...

        def tell(self, progress: Progress) -> None:
            if progress.stage is Stage.READ:
                newest.append(progress)

    scan(library, docs, reporter=Recorder(), fresh=True)
    assert newest[-1].done == newest[-1].total == 2 + 11


def test_mails_of_a_mailbox_are_copies_of_loose_mails_and_bad_ones_are_told_alone(docs: Path, library: Path) -> None:
    mails = [making.eml(prose(number), subject=f"Report {number}") for number in range(3)]
    envelope = b"From - Fri Mar  1 09:30:00 2024\nX-Mozilla-Status: 0001\n"
    noise = b"Subject: noise\n\n" + bytes(range(1, 9)) * 200 + b"\n"
    others = [making.eml(prose(100 + number), subject=f"Other {number}") for number in range(22)]
    in_inbox = (mails[0], noise, mails[1], *others)
    inbox = put(docs / "mail/Inbox", b"\n".join(envelope + mail for mail in in_inbox) + b"\n")
    all_mails = (envelope.splitlines(keepends=True)[0] + mail for mail in (*mails, *others))
    put(docs / "all.mbox", b"\n".join(all_mails) + b"\n")
    put(docs / "a.eml", mails[0])
    put(docs / "2.emlx", b"%d   \n" % len(mails[1]) + mails[1] + b"<?xml version='1.0'?><plist>not a word</plist>")
    put(docs / "new/1269522044.V801I2c8b9M12345.mail.example.com", mails[2])
    result = scan(library, docs)
    rows = {os.path.relpath(path, docs): row for row, path in enumerate(result.documents.paths)}
    names = {number: f"2024-03-01 09.30 Report {number}.eml" for number in range(3)}
    text_hash, content = result.documents.text_hash, result.documents.content_hex
    assert content(rows["a.eml"]) == content(rows[f"all.mbox/{names[0]}"])
    for loose, number in (("a.eml", 0), ("2.emlx", 1), ("new/1269522044.V801I2c8b9M12345.mail.example.com", 2)):
        assert (text_hash[rows[loose]] == text_hash[rows[f"all.mbox/{names[number]}"]]).all()
    assert (text_hash[rows["a.eml"]] == text_hash[rows[f"mail/Inbox/{names[0]}"]]).all()
    assert details_of(result.documents.detail[rows["mail/Inbox"]]) == details(Clause.MAILBOX_MAILS, members=25)
    assert statuses(result, docs)["mail/Inbox/noise.eml"] != READ
    assert result.documents.archive_of(rows[f"mail/Inbox/{names[1]}"]) == inbox
    extracted = read_text(inbox / names[1]).extracted
    assert extracted is not None and extracted.text.startswith(prose(1)[0])


def test_a_mailbox_without_suffix_is_opened_however_large_it_is(docs: Path, library: Path) -> None:
    envelope = b"From - Fri Mar  1 09:30:00 2024\n"
    put(docs / "Inbox", b"\n".join(envelope + making.eml(prose(number), subject=str(number)) for number in range(25)))
    put(docs / "novel", making.txt(prose(20, 300)))
    put(docs / "Inbox.log", (docs / "Inbox").read_bytes())
    put(docs / "few", (docs / "Inbox").read_bytes()[:6000])
    read = {f"Inbox/2024-03-01 09.30 {number}.eml": READ for number in range(25)}
    limited = {"Inbox": "skipped", "novel": "too_large", "Inbox.log": "too_large", "few": "too_large", **read}
    put(docs / "disk/one", bytes(range(256)) * 100)
    put(docs / "disk/two", bytes(range(256)) * 100)
    limited |= {"disk/one": "unsupported", "disk/two": "unsupported"}
    for _ in range(2):
        result = scan(library, docs, largest=5000)
        assert statuses(result, docs) == limited
        disks = [row for row, path in enumerate(result.documents.paths) if "/disk/" in path]
        assert not result.documents.content_hash[disks].any()  # large files that are no documents are not read whole
    assert statuses(scan(library, docs), docs)["novel"] == READ


def test_a_mailbox_in_an_archive_is_read_as_one_text(docs: Path, library: Path) -> None:
    envelope = b"From - Fri Mar  1 09:30:00 2024\n"
    box = b"\n".join(envelope + making.eml(prose(number)) for number in range(2))
    zipped(docs / "takeout.zip", {"all.mbox": box, "Inbox": box})
    takeout = {"takeout.zip": "skipped", "takeout.zip/all.mbox": READ, "takeout.zip/Inbox": READ}
    assert statuses(scan(library, docs), docs) == takeout
