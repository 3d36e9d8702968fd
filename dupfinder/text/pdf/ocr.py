"""Recognise the text of scanned pages with `tesseract`, if it is installed and the person asked for it."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.processes.worker import processor_seconds
from dupfinder.text.document import MAX_CHARACTERS, Extracted, MediaType, Unreadable, all_unknown

PROGRAM = "tesseract"
DOTS_PER_INCH = 200  # enough for tesseract to read print well; more takes longer
LONGEST_SIDE = 6000  # pixels: posters are scaled down
PAGE_SECONDS = 60.0  # of CPU, for one page
LONGEST_PAGE = 3600.0  # seconds by the clock; higher because a page may wait for a CPU on a busy machine
_OUT_OF_TIME = frozenset(-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name))


# Else a black window appears for each page, on Windows, when the window of dupfinder reads.
_WITHOUT_A_CONSOLE: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)


def _program() -> str | None:
    """Return the path of tesseract; None if it is not installed."""
    return _program_of_windows() if sys.platform == "win32" else shutil.which(PROGRAM)


def _program_of_windows() -> str | None:
    """Return the path of tesseract, also where its installer puts it, since that leaves PATH as it is.

    The system's own search begins in the current folder, which may be one that is scanned: a program among its files
    must not be run.
    """
    roots = [os.environ.get(name, "") for name in ("ProgramFiles", "LocalAppData", "ProgramFiles(x86)")]
    installed = [os.path.join(root, *between, "Tesseract-OCR") for root in roots for between in ((), ("Programs",))]
    named = os.environ.get("PATH", "").split(os.pathsep)
    files = (os.path.join(folder, f"{PROGRAM}.exe") for folder in (*named, *installed) if os.path.isabs(folder))
    return next(filter(os.path.isfile, files), None)


def is_available() -> bool:
    """Tell whether tesseract is installed."""
    return _program() is not None


def missing_languages(languages: str) -> list[str]:
    """Return the languages of "eng+deu" that tesseract has no data for; all if it cannot be asked."""
    names = [name for name in languages.split("+") if name]
    program = _program()
    if program is None:
        return names
    try:
        run = subprocess.run(
            [program, "--list-langs"],
            capture_output=True,
            timeout=PAGE_SECONDS,
            check=True,
            creationflags=_WITHOUT_A_CONSOLE,
        )
    except (OSError, subprocess.SubprocessError):
        return names
    installed = set(run.stdout.decode("utf-8", "replace").split())
    return [name for name in names if name not in installed]


def read_scanned_pdf(data: bytes, languages: str, seconds: float) -> Extracted:
    """Render the pages of a PDF and return the text that tesseract recognises in `languages` ("eng", "chi_sim+eng").

    seconds: of CPU; if they do not suffice for all pages, the text is partial.
    Raises Unreadable if tesseract is missing, fails, or recognises nothing. Nothing is written to disk.
    """
    import pypdfium2 as pdfium  # loads the C library

    program = _program()
    if program is None:
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_TESSERACT, final=True)
    deadline = processor_seconds() + seconds
    pages: list[str] = []
    document = pdfium.PdfDocument(data)
    try:
        count = len(document)
        for picture in _pictures(document):
            pages.append(_words(program, picture, languages, deadline))
            if processor_seconds() > deadline or sum(map(len, pages)) > MAX_CHARACTERS:
                break
    finally:
        document.close()
    text = "\n".join(pages)
    if not any(map(str.isalnum, text)):
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NOTHING_RECOGNISED, final=True)
    partial = len(pages) < count
    notes = details(Clause.RECOGNISED, languages=languages)
    if partial:
        notes += details(Clause.PAGES_READ, read=len(pages), pages=count)
    other = all_unknown(MediaType.PDF)
    return Extracted(text, MediaType.PDF, PROGRAM, pages=count, notes=notes, partial=partial, other=other)


def _pictures(document: Any) -> Iterator[bytes]:
    """Yield each page as a grey picture in PGM format."""
    for index in range(len(document)):
        page = document[index]
        try:
            width, height = page.get_size()
            scale = min(DOTS_PER_INCH / 72, LONGEST_SIDE / max(width, height, 1.0))
            bitmap = page.render(scale=scale, grayscale=True)
            rows = memoryview(bitmap.buffer)
            pixels = b"".join(
                bytes(rows[row * bitmap.stride : row * bitmap.stride + bitmap.width]) for row in range(bitmap.height)
            )
            head = f"P5 {bitmap.width} {bitmap.height} 255\n".encode()
            bitmap.close()
        finally:
            page.close()
        yield head + pixels


def _words(program: str, picture: bytes, languages: str, deadline: float) -> str:
    """Return the words that tesseract sees on one page, "" if it takes too long. deadline: in `processor_seconds`."""
    command = [program, "stdin", "stdout", "-l", languages, "--dpi", str(DOTS_PER_INCH)]
    # One thread: other workers use the other cores.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    seconds = max(1.0, min(PAGE_SECONDS, deadline - processor_seconds()))
    try:
        run = subprocess.run(
            command,
            input=picture,
            capture_output=True,
            timeout=LONGEST_PAGE,
            env=environment,
            preexec_fn=_limit_to(seconds),
            creationflags=_WITHOUT_A_CONSOLE,
        )
    except subprocess.TimeoutExpired:
        return ""
    except OSError as error:
        raise _failed() from error
    if run.returncode in _OUT_OF_TIME:
        return ""
    if run.returncode:
        raise _failed()
    return run.stdout.decode("utf-8", "replace")


def _limit_to(seconds: float) -> Callable[[], None] | None:
    """Return a function to be called in a new process, so that the kernel ends it after `seconds` of CPU."""
    if sys.platform == "win32":
        return None
    import resource  # exists only on Unix

    limit = math.ceil(seconds)
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))


def _failed() -> Unreadable:
    """Return the exception for a failure of tesseract."""
    return Unreadable(ProblemKind.NO_TEXT, Clause.TESSERACT_FAILED, final=True)
