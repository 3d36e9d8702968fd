"""How fast documents are read, beside other readers of the same files: `python -m tests.speed.bench_reading FOLDER`.

Each file is read by all readers in turn, so that a busy machine hurts them alike. CPU time is counted, children's too.
"Agreement" is the resemblance of the two texts' sets of five words in a row.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from os import times
from pathlib import Path
from random import Random
from statistics import fmean

from dupfinder.text.document import MediaType
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sniff import SNIFFED_BYTES, recognise

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+")
SHINGLE = 5

Results = dict[str, tuple[str | None, float]]  # reader: text (None: it failed), CPU seconds
Other = Callable[[bytes, Path], str]


def pdfminer(data: bytes, path: Path) -> str:
    """pdfminer.six with its own settings."""
    from pdfminer.high_level import extract_text

    return str(extract_text(BytesIO(data)))


def pdftotext(data: bytes, path: Path) -> str:
    """Poppler's program, started for each file as a script would."""
    return subprocess.run(["pdftotext", "-q", str(path), "-"], capture_output=True, check=False).stdout.decode(
        "utf-8", "replace"
    )


def pdfium(data: bytes, path: Path) -> str:
    """PDFium without anything done to its text."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        return "\n".join(document[index].get_textpage().get_text_range() for index in range(len(document)))
    finally:
        document.close()


def python_docx(data: bytes, path: Path) -> str:
    """python-docx: paragraphs and tables."""
    from docx import Document

    document = Document(BytesIO(data))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join((*(paragraph.text for paragraph in document.paragraphs), *cells))


def beautiful_soup(data: bytes, path: Path) -> str:
    """BeautifulSoup over html.parser: all text of the page."""
    soup = import_module("bs4").BeautifulSoup(data, "html.parser")
    return str(soup.get_text(" "))


def others() -> Mapping[MediaType, Mapping[str, Other]]:
    """The readers to compare with that are installed here."""
    pdf: dict[str, Other] = {"pdfium, raw": pdfium, "pdfminer.six": pdfminer}
    if shutil.which("pdftotext"):
        pdf["pdftotext"] = pdftotext
    page: dict[str, Other] = {"BeautifulSoup": beautiful_soup} if find_spec("bs4") else {}
    return {MediaType.PDF: pdf, MediaType.DOCX: {"python-docx": python_docx}, MediaType.HTML: page}


@dataclass
class Tally:
    """What one reader did with the files of one kind. seconds: CPU; agreement: with dupfinder's text, 0..1."""

    files: int = 0
    size: int = 0
    seconds: float = 0.0
    failed: int = 0
    agreement: list[float] = field(default_factory=list)


def shingles(text: str) -> frozenset[int]:
    """Hashes of each five words in a row."""
    words = WORD.findall(normalise(text))
    return frozenset(hash(tuple(words[place : place + SHINGLE])) for place in range(max(1, len(words) - SHINGLE + 1)))


def resemblance(left: frozenset[int], right: frozenset[int]) -> float:
    """Jaccard coefficient."""
    return len(left & right) / max(1, len(left | right))


def spent(read: Callable[[], str]) -> tuple[str | None, float]:
    """(text or None, CPU seconds with those of programs that were started)."""
    before = times()
    try:
        text: str | None = read()
    except Exception:  # noqa: BLE001 - any reader may fail in any way; that is counted
        text = None
    after = times()
    return text, sum(after[:4]) - sum(before[:4])


def measure(files: list[Path], rivals: Mapping[MediaType, Mapping[str, Other]]) -> dict[tuple[MediaType, str], Tally]:
    """Read each file by all readers for its kind, in an order that changes from file to file."""
    tallies: dict[tuple[MediaType, str], Tally] = defaultdict(Tally)
    shuffle = Random(0).shuffle
    for path in files:
        data = path.read_bytes()
        kind = recognise(path, data[:SNIFFED_BYTES])
        if kind is MediaType.UNKNOWN:
            continue
        runs: list[tuple[str, Callable[[], str]]] = [("dupfinder", lambda data=data, path=path: own(data, path))]  # type: ignore[misc]
        for name, rival in rivals.get(kind, {}).items():
            runs.append((name, lambda rival=rival, data=data, path=path: rival(data, path)))  # type: ignore[misc]
        shuffle(runs)
        note(tallies, kind, len(data), {name: spent(run) for name, run in runs})
    return tallies


def own(data: bytes, path: Path) -> str:
    """dupfinder's text; raises for a problem."""
    extracted = extract(data, path).extracted
    if extracted is None:
        raise ValueError(path)
    return extracted.streams.get("full", extracted.text)


def note(
    tallies: dict[tuple[MediaType, str], Tally],
    kind: MediaType,
    size: int,
    results: dict[str, tuple[str | None, float]],
) -> None:
    """Add the results of one file."""
    base = shingles(results["dupfinder"][0] or "")
    for name, (text, seconds) in results.items():
        tally = tallies[kind, name]
        tally.files += 1
        tally.size += size
        tally.seconds += seconds
        tally.failed += text is None
        if text is not None and results["dupfinder"][0] is not None:
            tally.agreement.append(resemblance(base, shingles(text)))


def lines(tallies: dict[tuple[MediaType, str], Tally]) -> Iterator[str]:
    """A table, a line for each kind and reader."""
    yield "kind  reader           files  failed      MB    CPU s  ms/file   times  agreement"
    for (kind, name), tally in sorted(tallies.items(), key=lambda item: (item[0][0].value, item[0][1] != "dupfinder")):
        reference = tallies[kind, "dupfinder"].seconds
        yield (
            f"{kind.value:6}{name:15}{tally.files:7}{tally.failed:8}{tally.size / 1e6:8.1f}{tally.seconds:9.2f}"
            f"{1000 * tally.seconds / tally.files:9.2f}{tally.seconds / max(reference, 1e-9):8.1f}"
            f"{fmean(tally.agreement) if tally.agreement else 0.0:11.3f}"
        )


def main(arguments: list[str]) -> int:
    """Measure a folder and print the table."""
    parser = argparse.ArgumentParser(prog="bench_reading", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=400, help="files at most, chosen evenly")
    chosen = parser.parse_args(arguments)
    files = sorted(path for path in chosen.folder.rglob("*") if path.is_file())
    step = max(1, len(files) // chosen.limit)
    for warm in files[:3]:
        extract(warm.read_bytes(), warm)
    for line in lines(measure(files[::step], others())):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
