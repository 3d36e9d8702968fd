"""How long near-duplicates among N texts take, and which are found, beside MinHash pipelines of other packages.

    make bench-near [N=10000]

Writes N documents of an office's kinds. Each contender reads the files and finds the pairs whose runs of five words
resemble each other by 0.7, in a process of its own: dupfinder by a whole scan with its library, the others by 128
values of MinHash and locality-sensitive hashing, with the words already parted for them. The truth is counted exactly.
Clear cases alone count: pairs alike by 0.75 or more that are missed, and pairs alike by less than 0.65 that are told.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations, product
from pathlib import Path

from dupfinder.library.library import LibraryFile
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Role, Root, ScanRequest
from tests.speed.bench_scale import peak_memory, timed, write_files
from tests.speed.peers import load
from tests.speed.realistic import Writer

LEAST = 0.7
CLEARLY_ALIKE, CLEARLY_APART = 0.75, 0.65
HASHES = 128
WIDTH = 5  # words of a shingle
_TOKEN = re.compile(r"[\u4e00-\u9fff]|\w+")

Pairs = set[tuple[int, int]]


def texts_of(place: Path) -> list[str]:
    """Read the documents, in the order of their numbers."""
    return [file.read_text("utf-8") for file in sorted(place.glob("*/*.txt"))]


def shingles_of(text: str) -> list[str]:
    """Return runs of five words; of the signs of Chinese each is a word."""
    words = _TOKEN.findall(text.casefold())
    return [" ".join(words[start : start + WIDTH]) for start in range(max(1, len(words) - WIDTH + 1))]


def with_dupfinder(place: Path) -> Pairs:
    """Scan the folder, and take the pairs that resemble each other from the library, with the copies of both."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.db"
        run_scan(ScanRequest((Root(place, Role.SCAN),)), path)
        with LibraryFile(path) as library:
            result = library.result(library.summary().id)
        documents, pairs = result.documents, result.pairs
        copies: dict[bytes, list[int]] = defaultdict(list)
        for row in range(len(documents)):
            copies[documents.content_hash[row].tobytes()].append(row)
        holders = [copies[content.tobytes()] for content in documents.content_hash]
        alike = result.evidence.resemblance >= LEAST
        rows = {pair for same in copies.values() for pair in combinations(same, 2)}
        for left, right in zip(pairs.left[alike], pairs.right[alike], strict=True):
            rows.update(product(holders[left], holders[right]))
        numbers = [int(documents.path(row).stem) for row in range(len(documents))]
        return {in_order(numbers[left], numbers[right]) for left, right in rows if left != right}


def with_datasketch(place: Path) -> Pairs:
    """Find pairs by the index of datasketch."""
    datasketch = load("datasketch")
    assert datasketch is not None
    index = datasketch.MinHashLSH(threshold=LEAST, num_perm=HASHES)
    pairs: Pairs = set()
    for number, text in enumerate(texts_of(place)):
        sketch = datasketch.MinHash(HASHES)
        sketch.update_batch([shingle.encode() for shingle in shingles_of(text)])
        pairs |= {(other, number) for other in index.query(sketch)}
        index.insert(number, sketch)
    return pairs


def with_gaoya(place: Path) -> Pairs:
    """Find pairs by the index of gaoya, which is written in Rust; it parts the words itself."""
    gaoya = load("gaoya")
    assert gaoya is not None
    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=LEAST,
        num_bands=32,
        band_size=HASHES // 32,
        analyzer="word",
        ngram_range=(WIDTH, WIDTH),
    )
    pairs: Pairs = set()
    for number, text in enumerate(texts_of(place)):
        parted = " ".join(_TOKEN.findall(text.casefold()))
        pairs |= {(other, number) for other in index.query(parted)}
        index.insert_document(number, parted)
    return pairs


CONTENDERS: dict[str, Callable[[Path], Pairs]] = {
    "dupfinder": with_dupfinder,
    "datasketch": with_datasketch,
    "gaoya": with_gaoya,
}


def in_order(left: int, right: int) -> tuple[int, int]:
    """Return a pair with its smaller number first."""
    return min(left, right), max(left, right)


def alike_pairs(texts: Iterable[str], least: float) -> dict[tuple[int, int], float]:
    """Return every pair whose resemblance is at least so much, counted exactly by an index of all shingles."""
    sets = [set(map(hash, shingles_of(text))) for text in texts]
    holders: dict[int, list[int]] = defaultdict(list)
    for number, shingles in enumerate(sets):
        for shingle in shingles:
            holders[shingle].append(number)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for numbers in holders.values():
        for pair in combinations(numbers, 2):
            shared[pair] += 1
    resemblances = {
        pair: count / (len(sets[pair[0]]) + len(sets[pair[1]]) - count) for pair, count in shared.items() if count > 1
    }
    return {pair: alike for pair, alike in resemblances.items() if alike >= least}


def measure(name: str, place: Path) -> None:
    """Run one contender and print its figures and pairs as JSON."""
    results: dict[str, float] = {}
    with peak_memory(results), timed("all", results):
        pairs = CONTENDERS[name](place)
    print(json.dumps([results, sorted(pairs)]))


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.contender:
        measure(arguments.contender, arguments.place)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "texts"
        write_files(place, Writer().documents(arguments.count))
        alike = alike_pairs(texts_of(place), CLEARLY_APART)
        clear = {pair for pair, resemblance in alike.items() if resemblance >= CLEARLY_ALIKE}
        print(f"{arguments.count:,} texts, {len(clear):,} pairs clearly alike")
        print(f"{'':12}{'CPU s':>10}{'seconds':>10}{'MB':>8}{'missed':>10}{'wrong':>10}")
        for name in CONTENDERS:
            if name != "dupfinder" and load(name) is None:
                print(f"{name:12}not installed")
                continue
            command = [sys.executable, "-m", "tests.speed.bench_near", "--contender", name, "--place", str(place)]
            results, pairs = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            answer = set(map(tuple, pairs))
            figures = f"{results['all [CPU s]']:10.1f}{results['all [s]']:10.1f}{results['peak of memory [MB]']:8.0f}"
            print(f"{name:12}{figures}{len(clear - answer):10,}{len(answer - alike.keys()):10,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
