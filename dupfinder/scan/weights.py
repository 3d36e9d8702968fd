"""Which weights a scan uses: those that are shipped, or a table learned from the person's own documents."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from dupfinder.base.paths import data_dir
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.fingerprint.learn import learned_scheme
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies

_LOG = logging.getLogger(__name__)
_FOLDER, _NEWEST = "weights", "learned.json"
SHIPPED, LEARNED = "shipped", "learned"


@dataclass(frozen=True, slots=True)
class Word:
    """A common word of the person's documents: how many hold it, its rarity among them and in general, in bits."""

    word: str
    documents: int
    rarity: float
    shipped: float


@dataclass(frozen=True, slots=True)
class Learned:
    """A learned table as it is told to people. documents: counted; features: in two of them at least."""

    digest: str
    documents: int
    features: int
    words: tuple[Word, ...]


def table_path(digest: str) -> Path:
    """Where the table of this digest lies; a new table gets a new name and leaves older ones readable."""
    return data_dir() / _FOLDER / f"{digest}.npz"


def scheme_in_use(settings: Settings | None = None) -> Scheme:
    """The scheme of the next scan. A learned table that is gone or damaged leaves the shipped one."""
    found = newest() if (settings or Settings()).get(WEIGHTS) == LEARNED else None
    if found is None:
        return Scheme()
    path = table_path(found.digest)
    try:
        whole = DocumentFrequencies.load(path).digest == found.digest
    except (OSError, ValueError):
        whole = False
    if not whole:
        _LOG.warning("the learned weights at %s cannot be read; those that are shipped serve", path)
        return Scheme()
    return _learned(found.digest)


def scheme_of(name: str) -> Scheme | None:
    """The scheme with this id, among the shipped one and all that were learned; None when it is none of them."""
    every = [Scheme(), *(_learned(path.stem) for path in sorted((data_dir() / _FOLDER).glob("*.npz")))]
    return next((scheme for scheme in every if scheme.id == name), None)


def _learned(digest: str) -> Scheme:
    return Scheme(weights=LEARNED, learned=table_path(digest), learned_digest=digest)


def keep(table: DocumentFrequencies, words: tuple[Word, ...], settings: Settings) -> Learned:
    """Write a table and use it from now on. Raises OSError."""
    found = Learned(table.digest, table.documents, len(table.keys), words)
    path = table_path(found.digest)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    learned_scheme(Scheme(), table, path)
    (path.parent / _NEWEST).write_text(json.dumps(asdict(found), ensure_ascii=False), encoding="utf-8")
    settings.set(WEIGHTS, LEARNED)
    return found


def newest() -> Learned | None:
    """The table that was learned last, used or not; None when there is none."""
    try:
        stored = json.loads((data_dir() / _FOLDER / _NEWEST).read_text(encoding="utf-8"))
        words = tuple(Word(**word) for word in stored.pop("words"))
        return Learned(**stored, words=words)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
