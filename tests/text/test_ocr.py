"""Scanned pages, read by a program that stands in for tesseract: it is asked as tesseract is asked."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.extract import extract
from dupfinder.text.pdf import ocr
from dupfinder.text.pdf.ocr import is_available
from tests.making import pdf, scanned_pdf

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")

STAND_IN = """#!{python}
import sys
assert sys.argv[1:3] == ["stdin", "stdout"] and sys.argv[3] == "-l", sys.argv
head = sys.stdin.buffer.readline().split()
width, height = int(head[1]), int(head[2])
pixels = sys.stdin.buffer.read()
assert head[0] == b"P5" and len(pixels) == width * height, (head, len(pixels))
print({answer})
"""


@pytest.fixture
def path_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def install(folder: Path, answer: str) -> None:
    program = folder / "tesseract"
    program.write_text(STAND_IN.format(python=sys.executable, answer=answer))
    program.chmod(0o755)


def test_scanned_pages_are_recognised_when_asked(path_folder: Path) -> None:
    install(path_folder, "'seen', sys.argv[4], sum(pixels) // len(pixels)")
    assert is_available()
    extracted = extract(scanned_pdf(128), Path("a.pdf"), ocr="eng+deu").extracted
    assert extracted is not None
    assert (extracted.text.strip(), extracted.reader) == ("seen eng+deu 128", "tesseract")
    assert extracted.notes == details(Clause.RECOGNISED, languages="eng+deu")


def test_nothing_is_recognised_unless_asked_and_text_needs_no_recognition(path_folder: Path) -> None:
    install(path_folder, "'never'")
    assert extract(scanned_pdf(), Path("a.pdf")).extracted is None
    extracted = extract(pdf(), Path("a.pdf"), ocr="eng").extracted
    assert extracted is not None and extracted.reader == "pdfium"


@pytest.mark.parametrize("answer", ["''", "1 / 0"])
def test_pages_on_which_nothing_is_seen_stay_without_text(path_folder: Path, answer: str) -> None:
    install(path_folder, answer)
    problem = extract(scanned_pdf(), Path("a.pdf"), ocr="eng").problem
    assert problem is not None and problem.kind is ProblemKind.NO_TEXT


def test_without_the_program_the_reason_says_so(path_folder: Path) -> None:
    assert not is_available()
    problem = extract(scanned_pdf(), Path("a.pdf"), ocr="eng").problem
    assert problem is not None and problem.details == details(Clause.NO_TESSERACT)


def test_a_page_that_takes_too_much_of_the_processor_is_left_and_waiting_counts_for_nothing(
    path_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupfinder.text.pdf.ocr.PAGE_SECONDS", 1.0)
    install(path_folder, "(__import__('time').sleep(1.5), 'seen')[1]")
    extracted = extract(scanned_pdf(), Path("a.pdf"), ocr="eng").extracted
    assert extracted is not None and extracted.text.strip() == "seen"
    install(path_folder, "[None for _ in iter(int, 1)]")
    problem = extract(scanned_pdf(), Path("a.pdf"), ocr="eng").problem
    assert problem is not None and problem.kind is ProblemKind.NO_TEXT


def test_on_windows_a_program_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tesseract.exe").write_text("among the documents")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(tmp_path / "bin")]))
    assert ocr._program_of_windows() is None
    installed = tmp_path / "programs" / "Tesseract-OCR" / "tesseract.exe"
    installed.parent.mkdir(parents=True)
    installed.write_text("installed")
    monkeypatch.setenv("ProgramFiles", str(tmp_path / "programs"))
    assert ocr._program_of_windows() == str(installed)
    named = tmp_path / "bin" / "tesseract.exe"
    named.parent.mkdir()
    named.write_text("on the path")
    assert ocr._program_of_windows() == str(named)
