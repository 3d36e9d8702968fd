"""Scanned pages to text by `tesseract`, where a person has it installed and asked for it."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.processes.worker import processor_seconds
from dupfinder.text.bounds import MAX_CHARACTERS, Unreadable
from dupfinder.text.document import Extracted, MediaType, all_unknown

PROGRAM = "tesseract"
DOTS_PER_INCH = 200  # what tesseract reads print well at; more costs time
LONGEST_SIDE = 6000  # pixels: posters are scaled down
PAGE_SECONDS = 60.0  # of the processor, for one page
LONGEST_PAGE = 3600.0  # seconds by the clock: a page waits for the processor on a busy machine, but not for ever
_OUT_OF_TIME = frozenset(-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name))


def is_available() -> bool:
    """Whether the program is on the path."""
    return shutil.which(PROGRAM) is not None


def missing_languages(languages: str) -> list[str]:
    """Those of "eng+deu" that the program has no data for; all of them when it cannot be asked."""
    wanted = [name for name in languages.split("+") if name]
    program = shutil.which(PROGRAM)
    if program is None:
        return wanted
    try:
        ran = subprocess.run([program, "--list-langs"], capture_output=True, timeout=PAGE_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return wanted
    found = set(ran.stdout.decode("utf-8", "replace").split())
    return [name for name in wanted if name not in found]


def read_scanned_pdf(data: bytes, languages: str, seconds: float) -> Extracted:
    """The pages of a PDF as pictures, read one by one in `languages` ("eng", "chi_sim+eng").

    seconds: of the processor; pages that are left when they are used up make the text partial.

    Raises Unreadable when the program is missing, fails, or sees no words. Nothing is written to disk.
    """
    import pypdfium2 as pdfium  # loads the C library

    program = shutil.which(PROGRAM)
    if program is None:
        raise Unreadable(ProblemKind.NO_TEXT, details(Clause.NO_TESSERACT), final=True)
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
        raise Unreadable(ProblemKind.NO_TEXT, details(Clause.NOTHING_RECOGNISED), final=True)
    partial = len(pages) < count
    notes = details(Clause.RECOGNISED, languages=languages)
    if partial:
        notes += details(Clause.PAGES_READ, read=len(pages), pages=count)
    other = all_unknown(MediaType.PDF)
    return Extracted(text, MediaType.PDF, PROGRAM, pages=count, notes=notes, partial=partial, other=other)


def _pictures(document: Any) -> Iterator[bytes]:
    """Each page as a grey picture in the plainest of formats (PGM)."""
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
    """What the program sees on one page, "" where it takes too long. deadline: as of `processor_seconds`."""
    command = [program, "stdin", "stdout", "-l", languages, "--dpi", str(DOTS_PER_INCH)]
    # One thread: the worker next door has the other core.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    room = max(1.0, min(PAGE_SECONDS, deadline - processor_seconds()))
    try:
        ran = subprocess.run(
            command,
            input=picture,
            capture_output=True,
            timeout=LONGEST_PAGE,
            env=environment,
            preexec_fn=_limit_to(room),
        )
    except subprocess.TimeoutExpired:
        return ""
    except OSError as error:
        raise _failed() from error
    if ran.returncode in _OUT_OF_TIME:
        return ""
    if ran.returncode:
        raise _failed()
    return ran.stdout.decode("utf-8", "replace")


def _limit_to(seconds: float) -> Callable[[], None] | None:
    """What a started program does first, so that the kernel ends it after so many seconds of the processor."""
    if sys.platform == "win32":
        return None
    import resource  # Unix alone has it

    whole = math.ceil(seconds)
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))


def _failed() -> Unreadable:
    return Unreadable(ProblemKind.NO_TEXT, details(Clause.TESSERACT_FAILED), final=True)
