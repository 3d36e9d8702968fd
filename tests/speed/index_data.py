"""The fingerprints that are joined and asked: random with planted neighbours, skewed, and those of real documents."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from pathlib import Path
from pydoc_data.topics import topics

import numpy as np
from numpy.typing import NDArray

from dupfinder.engine.prints import load_fingerprints
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

SEED = 20_07
PAGE = 1_500  # characters of one real document
MOST_PAGES = 20_000
SAMPLES = Path(__file__).parents[2] / "resources" / "samples" / "library"

Fingerprints = NDArray[np.uint64]


def planted(count: int, radius: int, seed: int = SEED) -> Fingerprints:
    """Distinct random fingerprints in no order, a tenth of them within `radius` bits of another."""
    rng = np.random.default_rng(seed + count + radius)
    fingerprints = rng.integers(0, 2**64, count, dtype=np.uint64)
    near = count // 10
    relatives = fingerprints[rng.integers(near, count, near)]
    for _ in range(radius):
        relatives ^= np.uint64(1) << rng.integers(0, 64, near, dtype=np.uint64)
    fingerprints[:near] = relatives
    return rng.permutation(_distinct(fingerprints))


def skewed(count: int, share: float) -> Fingerprints:
    """The same with a share of them in one bucket of their first 16 bits."""
    fingerprints = planted(count, 3)
    some = int(count * share)
    fingerprints[:some] = (fingerprints[:some] & np.uint64(2**48 - 1)) | np.uint64(0xBEEF << 48)
    return fingerprints


def real(source: Path | None) -> Fingerprints:
    """Distinct fingerprints of real documents under the usual scheme, in no order.

    source: a folder whose documents are added to those that every machine has; or a file of fingerprints (.npy or
    hexadecimal lines), which is taken alone.
    """
    if source is not None and source.is_file():
        return _distinct(load_fingerprints(source).astype(np.uint64))
    prints = Fingerprinter(Scheme())
    fingerprints = []
    for text in _pages(source):
        print_ = prints.print_of(normalise(text))
        if print_.has_features:
            fingerprints.append(print_.fingerprint)
        if len(fingerprints) == MOST_PAGES:
            break
    return np.random.default_rng(SEED).permutation(_distinct(np.array(fingerprints, np.uint64)))


def _pages(folder: Path | None) -> Iterator[str]:
    """The samples, the folder's documents, Python's reference and its library, long ones in pages."""
    for text in _texts(folder):
        for start in range(0, len(text), PAGE):
            yield text[start : start + PAGE]


def _texts(folder: Path | None) -> Iterator[str]:
    for place in (SAMPLES, folder):
        for path in sorted(place.rglob("*")) if place is not None else ():
            if path.is_file() and (extracted := extract(path.read_bytes(), path).extracted) is not None:
                yield extracted.text
    yield from topics.values()
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" not in path.parts:
            yield path.read_text(encoding="utf-8", errors="replace")


def _distinct(fingerprints: Fingerprints) -> Fingerprints:
    ascending = np.sort(fingerprints)
    return ascending[np.concatenate(([True], ascending[1:] != ascending[:-1]))]
