"""The scheme of a scan as chosen in the settings.

It has weights (shipped, or learned from the person's documents), a number of features, and whether Traditional Chinese
is converted to Simplified.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from dupfinder.base.files import write_whole
from dupfinder.base.paths import weights_dir
from dupfinder.base.settings import SIMPLIFY, TOP, WEIGHTS, Settings
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies, learned_scheme

_NEWEST = "learned.json"
SHIPPED, LEARNED = "shipped", "learned"


@dataclass(frozen=True, slots=True)
class CommonWord:
    """A common word of the person's documents: how many contain it, and its rarity there and in general, in bits."""

    word: str
    documents: int
    rarity: float
    shipped: float


@dataclass(frozen=True, slots=True)
class LearnedTable:
    """A learned table, for display. documents: counted; features: that occur in at least two of them."""

    digest: str
    documents: int
    features: int
    words: tuple[CommonWord, ...]


def table_path(digest: str) -> Path:
    """Return the path of the table with this digest. New tables get new names, so that old ones remain readable."""
    return weights_dir() / f"{digest}.npz"


def scheme_in_use(settings: Settings | None = None) -> Scheme:
    """Return the scheme of the next scan. If the learned table is missing or damaged, the shipped one is used."""
    settings = settings or Settings()
    plain = Scheme(top=settings.integer(TOP), simplify=bool(settings.get(SIMPLIFY)))
    return (with_learned(plain) if settings.get(WEIGHTS) == LEARNED else None) or plain


def are_lost(settings: Settings) -> bool:
    """Tell whether learned weights are chosen, but missing or damaged, so that the shipped ones are used instead."""
    return settings.get(WEIGHTS) == LEARNED and with_learned(Scheme()) is None


def with_learned(plain: Scheme) -> Scheme | None:
    """Return the scheme with the weights learned last; None if there are none or they cannot be read."""
    learned = newest()
    if learned is None:
        return None
    try:
        is_intact = DocumentFrequencies.load(table_path(learned.digest)).digest == learned.digest
    except (OSError, ValueError):
        is_intact = False
    return _learned(plain, learned.digest) if is_intact else None


def scheme_of(name: str) -> Scheme | None:
    """Return the scheme with this id, among those that the settings can choose; None if there is none.

    The shipped weights and every learned table are tried, because only the id of earlier settings is stored.
    """
    return next((scheme for scheme in _all_schemes() if scheme.id == name), None)


def _all_schemes() -> Iterator[Scheme]:
    """Yield all schemes, likely ones first."""
    plain = Scheme()
    weighed = [plain, *(_learned(plain, path.stem) for path in sorted(weights_dir().glob("*.npz")))]
    for top in range(int(TOP.high) + 1):
        for scheme in weighed:
            yield replace(scheme, top=top)
            yield replace(scheme, top=top, simplify=True)


def _learned(plain: Scheme, digest: str) -> Scheme:
    return replace(plain, weights=LEARNED, learned=table_path(digest), learned_digest=digest)


def keep(table: DocumentFrequencies, words: tuple[CommonWord, ...], settings: Settings) -> LearnedTable:
    """Store a table and use it from now on. Raises OSError; then the one in use before is still used."""
    learned = LearnedTable(table.digest, table.documents, len(table.keys), words)
    path = table_path(learned.digest)
    learned_scheme(Scheme(), table, path)
    write_whole(path.parent / _NEWEST, [json.dumps(asdict(learned)).encode()])
    settings.set(WEIGHTS, LEARNED)
    return learned


def newest() -> LearnedTable | None:
    """Return the newest learned table, even if the settings choose the shipped one; None without any."""
    try:
        stored = json.loads((weights_dir() / _NEWEST).read_text(encoding="utf-8"))
        words = tuple(CommonWord(**word) for word in stored.pop("words"))
        return LearnedTable(**stored, words=words)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
