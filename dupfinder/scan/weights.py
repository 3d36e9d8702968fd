"""The scheme of a scan, as the settings choose it: weights (shipped, or learned from the person's own documents), how
many features count, and whether Traditional Chinese is folded to Simplified."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from dupfinder.base.paths import weights_dir
from dupfinder.base.settings import SIMPLIFY, TOP, WEIGHTS, Settings
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies, learned_scheme

_LOG = logging.getLogger(__name__)
_NEWEST = "learned.json"
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
    return weights_dir() / f"{digest}.npz"


def scheme_in_use(settings: Settings | None = None) -> Scheme:
    """The scheme of the next scan. A learned table that is gone or damaged leaves the shipped one."""
    settings = settings or Settings()
    plain = Scheme(top=settings.integer(TOP), simplify=bool(settings.get(SIMPLIFY)))
    if settings.get(WEIGHTS) != LEARNED or newest() is None:
        return plain
    learned = with_learned(plain)
    if learned is None:
        _LOG.warning("the learned weights cannot be read; those that are shipped serve")
    return learned or plain


def with_learned(plain: Scheme) -> Scheme | None:
    """A scheme with the weights that were learned last; None where none were, or they cannot be read."""
    found = newest()
    if found is None:
        return None
    try:
        whole = DocumentFrequencies.load(table_path(found.digest)).digest == found.digest
    except (OSError, ValueError):
        whole = False
    return _learned(plain, found.digest) if whole else None


def scheme_of(name: str) -> Scheme | None:
    """The scheme with this id, among all that the settings can choose with the shipped weights and with each table that
    was learned; None when it is none of them."""
    return next((scheme for scheme in _every() if scheme.id == name), None)


def _every() -> Iterator[Scheme]:
    """The likely ones first: whatever the settings were before, the id alone is left of them."""
    plain = Scheme()
    weighed = [plain, *(_learned(plain, path.stem) for path in sorted((weights_dir()).glob("*.npz")))]
    for top in range(int(TOP.high) + 1):
        for one in weighed:
            yield replace(one, top=top)
            yield replace(one, top=top, simplify=True)


def _learned(plain: Scheme, digest: str) -> Scheme:
    return replace(plain, weights=LEARNED, learned=table_path(digest), learned_digest=digest)


def keep(table: DocumentFrequencies, words: tuple[Word, ...], settings: Settings) -> Learned:
    """Write a table and use it from now on. Raises OSError."""
    found = Learned(table.digest, table.documents, len(table.keys), words)
    path = table_path(found.digest)
    learned_scheme(Scheme(), table, path)
    (path.parent / _NEWEST).write_text(json.dumps(asdict(found), ensure_ascii=False), encoding="utf-8")
    settings.set(WEIGHTS, LEARNED)
    return found


def newest() -> Learned | None:
    """The table that was learned last, used or not; None when there is none."""
    try:
        stored = json.loads((weights_dir() / _NEWEST).read_text(encoding="utf-8"))
        words = tuple(Word(**word) for word in stored.pop("words"))
        return Learned(**stored, words=words)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
