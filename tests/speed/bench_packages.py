"""Reading what Debian's documentation packages hold: `python -m tests.speed.bench_packages FOLDER [--files N]`.

Downloads the packages named below into FOLDER, as far as apt offers them and they are not there yet, and unpacks them
there. Reads up to N of their files, chosen evenly, as a scan does, and tells those that were too slow or damaged. Then
reads the same files one by one, in turns with plain extraction: resiliparse's text of a page, pdfium's text of a PDF,
the bytes of a text. Told are the seconds of the processor of both.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

PACKAGES = (
    "autoconf-doc", "bash-doc", "debian-history", "debian-policy", "debian-reference-common", "debian-reference-en",
    "debian-reference-es", "debian-reference-zh-cn", "developers-reference", "diffutils-doc", "git-doc", "maint-guide",
    "postgresql-doc-15", "python3.11-doc", "r-doc-html", "r-doc-pdf", "sqlite3-doc",
)  # fmt: skip
SUFFIXES = frozenset({".html", ".pdf", ".txt", ".epub", ".gz"})
FILES = 3000
MOST_TIMES = 1.5  # the processor's seconds of reading, to those of plain extraction


def fetch(folder: Path) -> None:
    """Download and unpack the packages that are not there yet; name those that apt does not offer."""
    import subprocess

    for name in PACKAGES:
        unpacked = folder / name
        if unpacked.is_dir():
            continue
        done = subprocess.run(["apt-get", "download", name], cwd=folder, capture_output=True, check=False)
        packages = sorted(folder.glob(f"{name}_*.deb"))
        if done.returncode or not packages:
            print(f"{name}: not offered here")
            continue
        subprocess.run(["dpkg-deb", "-x", str(packages[-1]), str(unpacked)], check=True)


def chosen(folder: Path, most: int) -> list[Path]:
    """At most so many of the unpacked files, evenly over their sorted paths."""
    paths = (path for name in PACKAGES for path in (folder / name).rglob("*"))
    files = sorted(path for path in paths if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink())
    step = max(1.0, len(files) / most)
    return [files[int(number * step)] for number in range(int(len(files) / step))]


def troubles(files: list[Path]) -> Counter[str]:
    """Read the files as a scan does; how many of each status, and the names of those too slow or damaged."""
    from dupfinder.base.settings import Settings
    from dupfinder.base.stamp import FileStamp
    from dupfinder.scan.readers import reading_limits, reading_sandbox, workers
    from dupfinder.scan.reading import ListedArchive, ReadTask, answer_of
    from dupfinder.scan.request import Root, ScanRequest

    request = ScanRequest((Root(files[0].parent),))
    statuses: Counter[str] = Counter()
    with reading_sandbox(workers(request), reading_limits(Settings()), request.scheme.learned) as sandbox:
        for done in sandbox.run(ReadTask(FileStamp.of(path, path.stat()), request.scheme) for path in files):
            answer = answer_of(done)
            status = "archive" if isinstance(answer, ListedArchive) else answer.status
            statuses[status] += 1
            if not isinstance(answer, ListedArchive) and status in ("too_slow", "damaged"):
                print(f"  {status}: {answer.stamp.path}: {answer.details}")
    return statuses


def plainly(data: bytes, path: Path) -> str:
    """The text of a file as its library gives it, and nothing done to it."""
    import pypdfium2
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    if path.suffix == ".gz":
        data, path = gzip.decompress(data), path.with_suffix("")
    if path.suffix == ".html":
        return str(extract_plain_text(HTMLTree.parse(bytes_to_str(data, detect_encoding(data) or "utf-8"))))
    if data.startswith(b"%PDF-"):
        document = pypdfium2.PdfDocument(data)
        try:
            return "\n".join(document[index].get_textpage().get_text_range() for index in range(len(document)))
        finally:
            document.close()
    return data.decode("utf-8", "replace")


def compare(files: list[Path]) -> dict[str, list[float]]:
    """Suffix -> files, seconds of extraction, of all a scan does with a file, and of plain extraction."""
    from dupfinder.fingerprint.fingerprinter import Fingerprinter
    from dupfinder.fingerprint.scheme import Scheme
    from dupfinder.text.extract import extract
    from dupfinder.text.normalise import normalise

    prints = Fingerprinter(Scheme())
    spent: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
    for path in files:
        data = path.read_bytes()
        began = time.process_time()
        extracted = extract(data, path).extracted
        read = time.process_time()
        if extracted is not None:
            prints.print_of(normalise(extracted.text))
        printed = time.process_time()
        plainly(data, path)
        row = spent[path.suffix]
        for place, value in enumerate((1, read - began, printed - began, time.process_time() - printed)):
            row[place] += value
    return spent


def main() -> int:
    """Measure and tell; 1 when a file was too slow or damaged, or reading takes too many times as long."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed.bench_packages", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=FILES)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    fetch(arguments.folder)
    files = chosen(arguments.folder, arguments.files)
    statuses = troubles(files)
    print(f"{len(files)} files: " + ", ".join(f"{count} {status}" for status, count in statuses.most_common()))
    print("kind   files  extraction   all that a scan does   plain extraction   times")
    spent = compare(files)
    whole = [sum(column) for column in zip(*spent.values(), strict=True)]
    for kind, (count, read, printed, plain) in [*sorted(spent.items()), ("all", whole)]:
        seconds = f"{read:9.2f} s {printed:20.2f} s {plain:16.2f} s"
        print(f"{kind:6} {count:5.0f} {seconds} {read / plain:8.2f} {printed / plain:5.2f}")
    lost = statuses["too_slow"] + statuses["damaged"]
    return int(lost > 0 or whole[1] > MOST_TIMES * whole[3])


if __name__ == "__main__":
    sys.exit(main())
