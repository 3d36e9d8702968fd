"""How fast texts become prints, beside other packages: `python -m tests.speed.bench_fingerprint`.

Ours is what a scan does with texts: `Fingerprinter.prints_of`, which gives the fingerprint, the hash of the text,
both sketches, the trace and the language at once. A peer makes a fingerprint or a sketch alone.
One process, the same texts for all; contenders take turns, and each one's best round of several counts, in seconds of
the processor (of all threads), so that other programs on the machine disturb little.
A peer that is missing is named in the table. Install them with `python -m tests.speed.peers`.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dupfinder.fingerprint.features import jieba_cut, segmenter
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.errands import BATCH_TASKS
from tests.speed.peers import load

SEED = 20_07
ROUNDS = 5
SIZES = (2_000, 10_000)  # characters: a page, and an article
ENGLISH = 600_000  # characters in all
CHINESE = 600_000
WIDTH, HASHES = Scheme().shingle, 128
LEAST_ENGLISH, LEAST_CHINESE = 25.0, 8.0  # MB of UTF-8 a second and core
WORD = re.compile(r"[a-z0-9]+")
RUN = re.compile(r"[\u4e00-\u9fd5]+")

Work = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One line of the table: our time over a peer's, and what was asked for (0: nothing)."""

    metric: str
    peer: str
    peer_rate: float
    our_rate: float
    target: float

    def line(self) -> str:
        """The row as text."""
        if not self.peer_rate:
            return f"{self.metric:34} {self.peer:24} not installed"
        ratio = self.our_rate / self.peer_rate
        verdict = "" if not self.target else ("met" if ratio >= self.target else "NOT MET")
        wanted = f"{self.target:g}" if self.target else "-"
        rates = f"{self.peer_rate:9.2f} {self.our_rate:9.2f} {ratio:7.2f}"
        return f"{self.metric:34} {self.peer:24} {rates} {wanted:>6} {verdict}"


def main() -> int:
    """Print the table. Returns 1 when a target is missed or a peer is not there."""
    print(f"{'MB of text a second':34} {'peer':24} {'peer':>9} {'ours':>9} {'ratio':>7} {'target':>6}")
    rows: list[Row] = []
    for size in SIZES:
        for part in (english_rows(size), sketch_rows(size)):
            rows += show(part)
    rows += show(chinese_rows())
    english = max(row.our_rate for row in rows if row.metric.startswith("English"))
    chinese = max(row.our_rate for row in rows if row.metric.startswith("Chinese"))
    print(
        f"prints of English: {english:.1f} MB/s (at least {LEAST_ENGLISH:g}); Chinese {chinese:.1f} ({LEAST_CHINESE:g})"
    )
    missed = any(not row.peer_rate or row.our_rate < row.target * row.peer_rate for row in rows)
    return int(missed or english < LEAST_ENGLISH or chinese < LEAST_CHINESE)


def show(rows: Sequence[Row]) -> Sequence[Row]:
    """Print rows as soon as they are measured."""
    for row in rows:
        print(row.line(), flush=True)
    return rows


def race(contenders: dict[str, Work | None]) -> dict[str, float]:
    """Seconds of processor time of the best round of each, taking turns; contenders that are None are left out."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, work in contenders.items():
            if work is not None:
                start = time.process_time()
                work()
                best[name] = min(best.get(name, np.inf), time.process_time() - start)
    return best


def rows_of(metric: str, total: int, contenders: dict[str, Work | None], targets: dict[str, float]) -> list[Row]:
    """Race "ours" against the others. total: bytes of text each of them works through."""
    times = race(contenders)
    rates = {name: total / seconds / 1e6 for name, seconds in times.items()}
    return [
        Row(metric, name, rates.get(name, 0.0), rates["ours"], targets.get(name, 0.0))
        for name in contenders
        if name != "ours"
    ]


def english_documents(size: int) -> list[str]:
    """English prose of Python's own reference, in lower case, cut into documents of `size` characters."""
    from pydoc_data.topics import topics

    text = " ".join(" ".join(topics.values()).lower().encode("ascii", "ignore").decode().split())[:ENGLISH]
    return [text[start : start + size] for start in range(0, len(text), size)]


def prints_of(documents: Sequence[str]) -> Work:
    """Our own path over the documents, in batches and by a fingerprinter that has worked before, as in a scan."""
    fingerprinter = Fingerprinter(Scheme())
    batches = [documents[start : start + BATCH_TASKS] for start in range(0, len(documents), BATCH_TASKS)]

    def with_ours() -> None:
        for batch in batches:
            fingerprinter.prints_of(batch)

    with_ours()
    return with_ours


def english_rows(size: int) -> list[Row]:
    """Prints of English texts, against four packages that make fingerprints of words."""
    documents = english_documents(size)
    plain, rust, bound, gaoya = (load(name) for name in ("simhash", "python-simhash", "simhash-pybind", "gaoya"))

    def with_simhash() -> None:
        assert plain is not None
        for document in documents:
            plain.Simhash(Counter(WORD.findall(document)))

    def with_python_simhash() -> None:
        assert rust is not None
        for document in documents:
            rust.simhash(WORD.findall(document))

    def with_pybind() -> None:
        assert bound is not None
        for document in documents:
            bound.compute([bound.unsigned_hash(word.encode()) for word in WORD.findall(document)])

    def with_gaoya() -> None:
        assert gaoya is not None
        index = gaoya.simhash.SimHashStringIndex(64, 6, 5, "word", False, (1, 1))
        for number, document in enumerate(documents):
            index.insert_document(number, document)

    contenders: dict[str, Work | None] = {
        "ours": prints_of(documents),
        "simhash": with_simhash if plain else None,
        "python-simhash": with_python_simhash if rust else None,
        "simhash-pybind": with_pybind if bound else None,
        "gaoya": with_gaoya if gaoya else None,
    }
    targets = {"simhash": 1.2} if size == max(SIZES) else {}
    return rows_of(f"English, {size:,} characters", sum(map(len, documents)), contenders, targets)


def shingle_strings(document: str) -> list[str]:
    """The same shingles as strings, for packages that take these."""
    words = WORD.findall(document)
    return [" ".join(words[start : start + WIDTH]) for start in range(len(words) - WIDTH + 1)]


def sketch_rows(size: int) -> list[Row]:
    """Prints, against MinHash of 128 values of the same shingles."""
    documents = english_documents(size)
    datasketch, rensa, gaoya = (load(name) for name in ("datasketch", "rensa", "gaoya"))

    def with_datasketch() -> None:
        assert datasketch is not None
        for document in documents:
            datasketch.MinHash(HASHES).update_batch([text.encode() for text in shingle_strings(document)])

    def with_rensa() -> None:
        assert rensa is not None
        for document in documents:
            rensa.RMinHash(HASHES, SEED).update(shingle_strings(document))

    def with_gaoya() -> None:
        assert gaoya is not None
        index = gaoya.minhash.MinHashStringIndex(
            hash_size=32, num_bands=32, band_size=HASHES // 32, analyzer="word", ngram_range=(WIDTH, WIDTH)
        )
        for number, document in enumerate(documents):
            index.insert_document(number, document)

    contenders: dict[str, Work | None] = {
        "ours": prints_of(documents),
        "datasketch": with_datasketch if datasketch else None,
        "rensa": with_rensa if rensa else None,
        "gaoya": with_gaoya if gaoya else None,
    }
    targets = {"datasketch": 2.0} if size == max(SIZES) else {}
    return rows_of(f"English against MinHash, {size:,}", sum(map(len, documents)), contenders, targets)


def chinese_documents() -> list[str]:
    """Words drawn as often as jieba's dictionary says they are used, with punctuation, in documents of 2,000."""
    import jieba

    lines = (Path(jieba.__file__).parent / "dict.txt").read_text(encoding="utf-8").splitlines()
    known = [(word, int(count)) for word, count, *_ in (line.split(" ") for line in lines) if RUN.fullmatch(word)]
    draw = random.Random(SEED)
    words = draw.choices([word for word, _ in known], [count for _, count in known], k=CHINESE)
    text = "".join(word + draw.choices(("", "，", "。"), (16, 3, 1))[0] for word in words)[:CHINESE]
    return [text[start : start + 2_000] for start in range(0, len(text), 2_000)]


def chinese_rows() -> list[Row]:
    """Prints of Chinese texts, against jieba with `simhash`; the words are identical."""
    documents, plain, jieba = chinese_documents(), load("simhash"), jieba_cut()
    sample = documents[: len(documents) // 10]
    for document in sample:
        words = [word for run in RUN.findall(document) for word in jieba(run)]
        assert [word for run in RUN.findall(document) for word in segmenter()(run)] == words

    def with_jieba() -> None:
        assert plain is not None
        for document in documents:
            plain.Simhash(Counter(word for run in RUN.findall(document) for word in jieba(run)))

    contenders: dict[str, Work | None] = {
        "ours": prints_of(documents),
        "jieba + simhash": with_jieba if plain else None,
    }
    total = sum(len(document.encode()) for document in documents)
    return rows_of("Chinese, 2,000 characters", total, contenders, {"jieba + simhash": 5.0})


if __name__ == "__main__":
    sys.exit(main())
