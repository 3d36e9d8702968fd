"""A scan of archives that was killed goes on where it was; a second one opens none of them."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from tests import making
from tests.end_to_end.program import Program, accounted, start_halting, without_times
from tests.scan.documents import prose, put, revised

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")]


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three archives of forty documents, versions of which lie beside them."""
    folder = tmp_path_factory.mktemp("docs")
    for number in range(3):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
            for member in range(40):
                made.writestr(f"{member % 4}/{member}.html", making.html(prose(100 * number + member, 12)))
        put(folder / f"{number}.zip", stream.getvalue())
        put(folder / "beside" / f"{number}.txt", making.txt(revised(prose(100 * number, 12), number)))
    return folder


def test_a_killed_scan_of_archives_ends_as_one_that_nothing_disturbed(docs: Path, tmp_path: Path) -> None:
    whole, report = tmp_path / "whole.json", tmp_path / "report.json"
    assert Program(tmp_path / "one").run("scan", docs, "--report", whole).code == 0
    assert len(accounted(whole)["files"]) == 3 * 41 + 3
    program = Program(tmp_path / "two")
    child = start_halting(program, "read", 60, "scan", docs, "--workers", "1")
    child.kill()
    child.communicate()
    assert program.run("scan", docs, "--report", report).code == 0
    assert without_times(report) == without_times(whole)
    ran = program.run("scan", docs, "--report", report)
    assert "(126 unchanged since before)" in ran.out
    assert accounted(report)["clusters"]
