"""What dupfinder does where files in use cannot be renamed or removed and processes cannot be copied."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.end_to_end import like_windows
from tests.end_to_end.program import Program, Ran
from tests.making import docx, txt

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc for files in use")


def test_documents_are_read_matched_removed_and_restored_as_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, customised = tmp_path / "docs", tmp_path / "customised"
    for folder in (docs, customised):
        folder.mkdir()
    shutil.copy(like_windows.__file__, customised / "sitecustomize.py")
    monkeypatch.setenv("PYTHONPATH", str(customised), prepend=os.pathsep)
    copies = {docs / "letter.txt": txt(), docs / "letter again.txt": txt(), docs / "letter.docx": docx()}
    for path, content in copies.items():
        path.write_bytes(content)
    program = Program(tmp_path / "home")

    def run(*arguments: str | Path) -> Ran:
        ran = program.run(*arguments)
        assert ran.code == 0, ran.err
        return ran

    report, plan = tmp_path / "report.json", tmp_path / "plan.json"
    run("scan", docs, "--report", report)
    run("scan", docs, "--report", report)  # the earlier result is mapped while it is replaced
    (cluster,) = json.loads(report.read_text("utf-8"))["clusters"]
    assert len(cluster["members"]) == 3
    run("select", "--keep", "oldest", "--verb", "move", "--destination", tmp_path / "gone", "--to", plan)
    run("apply", plan)
    assert len(list(docs.iterdir())) < 3
    run("undo")
    assert {path: path.read_bytes() for path in docs.iterdir()} == copies
