"""A scan of a folder full of files that stop other programs: each is accounted for, and the good ones are compared."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ
from dupfinder.report.figures import reason_text
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests import making
from tests.scan.documents import prose, put
from tests.text.hostile import HOSTILE

LONG_NAME = "n" * 251 + ".txt"  # 255 bytes: no system takes more


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes and sockets among the files")
def test_every_file_of_a_hostile_folder_is_read_or_told_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "docs"
    for name, make in HOSTILE.items():
        put(folder / name, make())
    put(folder / LONG_NAME, making.txt(prose(1)))
    for number in range(60):
        put(folder / f"good{number}.docx", making.docx(prose(number)))
    put(folder / "copy.docx", making.docx(prose(0)))
    monkeypatch.chdir(folder)  # the name of a socket is short, that of the folder may not be
    os.mkfifo("pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.pdf")
        number = run_scan(ScanRequest((Root(folder),), workers=2), tmp_path / "library.db")
    with LibraryFile(tmp_path / "library.db") as opened:
        result = opened.result(number)
    files = {file.path.name: file for file in report_of(ReviewSession(result)).files}
    assert set(files) == {path.name for path in folder.iterdir()}
    assert all(reason_text(file) for file in files.values() if file.status != READ)
    assert all(files[name].status == READ for name in files if name.startswith("good") or name == LONG_NAME)
    assert files["good0.docx"].cluster is not None and files["good0.docx"].cluster == files["copy.docx"].cluster
    assert {files[name].status for name in ("pipe.txt", "socket.pdf")} == {"skipped"}
