"""A report takes its place whole or not at all, and never a document's place."""

from __future__ import annotations

import errno
import io
import os
import resource
import signal
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from dupfinder.base.details import Clause, details
from dupfinder.base.errors import DiskFullError, OccupiedError, UsageError
from dupfinder.base.progress import LatestProgress, Progress, Stage, Stopped
from dupfinder.report import csv as csv_writer
from dupfinder.report import docx, xlsx
from dupfinder.report import html as html_writer
from dupfinder.report import json as json_writer
from dupfinder.report.rows import Report, ReportFile
from dupfinder.report.write import ENDINGS, ending_of_report, is_our_office_file, write


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_ending_has_a_writer_that_leaves_only_its_file(ending: str, report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / f"out{ending.upper()}")
    assert [path.name for path in tmp_path.iterdir()] == [f"out{ending.upper()}"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_report_tells_why_a_copy_is_kept(ending: str, report: Report, tmp_path: Path) -> None:
    (group,) = report.clusters
    for why, is_listed in (("richer_format", True), ("", False)):  # "": a person chose it
        path = tmp_path / f"out{ending}"
        write(replace(report, clusters=(replace(group, why_keeper=why),)), path, force=True)
        if ending in (".xlsx", ".docx"):
            with zipfile.ZipFile(path) as package:
                content = b"".join(map(package.read, package.namelist()))
        else:
            content = path.read_bytes()
        assert (b"richer_format" if ending == ".json" else b"Richer format") in content or not is_listed
        assert is_listed or b"icher" not in content


@pytest.mark.parametrize("name", ["report", "report.txt", "report.pdf", ".json", "json"])
def test_an_unknown_ending_is_refused_with_the_known_ones(name: str, report: Report, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.json \.html \.csv \.xlsx \.docx"):
        write(report, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_ending_can_be_asked_for_before_a_long_scan() -> None:
    assert ending_of_report(Path("a/B.JSON")) == ".json"


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_earlier_report_is_replaced_and_nothing_else(ending: str, report: Report, tmp_path: Path) -> None:
    path = tmp_path / f"out{ending}"
    write(report, path)
    write(replace(report, program="dupfinder 99.0.0"), path)
    write(report, path)
    path.write_bytes(path.read_bytes()[:5] + b"not ours" * 500)
    with pytest.raises(OccupiedError):
        write(report, path)
    assert path.read_bytes().endswith(b"not ours")
    write(report, path, force=True)
    write(report, path)


def test_a_damaged_package_of_any_packing_is_not_taken_for_a_report() -> None:
    for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", packing) as package:
            package.writestr("docProps/core.xml", b"<dc:creator>somebody " * 9)
        for place in range(len(packed.getvalue())):
            damaged = bytearray(packed.getvalue())
            damaged[place] ^= 0xFF
            assert not is_our_office_file(io.BytesIO(damaged))


def test_a_file_that_appears_while_a_report_is_written_is_not_replaced(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def saved_meanwhile(_: Report, file: IO[bytes]) -> None:
        file.write(b"half")
        (tmp_path / "out.csv").write_text("mine")

    monkeypatch.setattr(csv_writer, "write", saved_meanwhile)
    with pytest.raises(OccupiedError):
        write(report, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert (tmp_path / "out.csv").read_text() == "mine"


def test_a_scanned_document_is_never_replaced_by_whatever_name(report: Report, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    document = tmp_path / "folder" / "notes.html"
    document.write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "folder", target_is_directory=True)
    (tmp_path / "other.html").symlink_to(document)
    scanned = replace(report, files=(ReportFile(document, "read"),))
    for path in (document, tmp_path / "link" / "notes.html", tmp_path / "link" / ".." / "folder" / "notes.html",
                 tmp_path / "other.html"):  # fmt: skip
        with pytest.raises(UsageError, match="output_is_document"):
            write(scanned, path)
    assert document.read_text() == "mine"


def test_a_full_disk_leaves_the_earlier_report_and_nothing_else(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(report, tmp_path / "out.csv")
    old = (tmp_path / "out.csv").read_bytes()

    def half_written(report: Report, file: IO[bytes]) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(csv_writer, "write", half_written)
    with pytest.raises(DiskFullError) as caught:
        write(report, tmp_path / "out.csv")
    assert caught.value.path == tmp_path / "out.csv"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert (tmp_path / "out.csv").read_bytes() == old


class FullDisk(io.BytesIO):
    """A file with no room for anything."""

    def write(self, data: object, /) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("writer", [json_writer.write, html_writer.write, csv_writer.write, xlsx.write, docx.write])
def test_every_writer_lets_a_full_disk_be_known(writer: Callable[[Report, IO[bytes]], None], report: Report) -> None:
    with pytest.raises(OSError) as caught:
        writer(report, FullDisk())
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize("ending", [".json", ".html", ".csv", ".docx"])
def test_a_file_that_may_not_grow_gives_one_sentence_and_no_half_report(
    ending: str, report: Report, tmp_path: Path
) -> None:
    files = tuple(
        ReportFile(Path(f"/a/{'long' * 30}-{number}.pdf"), "damaged", details(Clause.CUT_OFF)) for number in range(3000)
    )
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(UsageError, match="output_refused"):
            write(replace(report, files=files), tmp_path / f"out{ending}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_missing_or_a_folder_in_the_place_gives_one_sentence(report: Report, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="output_no_folder"):
        write(report, tmp_path / "missing" / "out.json")
    (tmp_path / "out.json").mkdir()
    with pytest.raises(UsageError, match="output_is_folder"):
        write(report, tmp_path / "out.json")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_report_that_is_given_up_while_it_is_written_leaves_what_was_there(
    report: Report, tmp_path: Path, ending: str
) -> None:
    place, latest = tmp_path / f"out{ending}", LatestProgress()
    write(report, place)
    before = place.read_bytes()
    latest.stop()
    with pytest.raises(Stopped):
        write(report, place, reporter=latest)
    with pytest.raises(Stopped):
        write(report, tmp_path / f"other{ending}", reporter=latest)
    assert list(tmp_path.iterdir()) == [place] and place.read_bytes() == before
    assert latest.newest() == Progress(Stage.WRITE)
