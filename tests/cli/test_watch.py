"""The verb `watch`: what comes is told as it comes, until it is stopped."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests import making
from tests.cli.shell import Shell, one_line
from tests.end_to_end.program import Program
from tests.scan.documents import family, prose, put


@pytest.mark.skipif(os.name != "posix", reason="stopped by a signal")
def test_a_copy_that_comes_is_told_with_what_it_is_alike_to_until_it_is_stopped(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    watch = Program(tmp_path / "home").start("watch", docs, "--every", "1", "--json", "--progress", "none")
    assert watch.stderr is not None and watch.stdout is not None
    assert watch.stderr.readline().startswith(b"Watching 4 documents; 1 group so far.")
    put(docs / "loaded.txt", making.txt(prose(1)))
    newcomer = json.loads(watch.stdout.readline())
    assert newcomer["path"] == str(docs / "loaded.txt")
    assert {(Path(relative["path"]).name, relative["relation"]) for relative in newcomer["relatives"]} == {
        ("letter1.txt", "identical"),
        ("letter1 (1).txt", "identical"),
        ("letter1.html", "same_text"),
        ("letter1 draft.txt", "version"),
    }
    watch.send_signal(signal.SIGTERM)
    out, err = watch.communicate()
    assert (watch.returncode, out) == (130, b"") and err.decode().splitlines()[-1].startswith("Stopped.")


@pytest.mark.parametrize("pause", ["0", "-5", "nan"])
def test_looking_without_a_pause_is_refused(pause: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one_line(Shell(capsys)("watch", tmp_path, f"--every={pause}"), 2, "--every")
