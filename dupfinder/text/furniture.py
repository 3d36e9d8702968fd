"""Page furniture: running heads, feet and page numbers, told by their repeating at the edges of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

EDGE_LINES = 3
LEAST_PAGES = 3  # repeating on fewer pages proves nothing
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.I)


def split_furniture(pages: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """(pages without their furniture, the different lines that were taken out).

    A line is furniture when it stands among the first or last lines of a page and the same line, numbers aside, does
    so on at least three pages and on a tenth of all.
    """
    least = max(LEAST_PAGES, len(pages) // 10)
    keys = [[_key(line) for line in page] for page in pages]
    counts = Counter(key for page in keys for key in {page[place] for place in _edges(page)} if key)
    repeated = {key for key, count in counts.items() if count >= least}
    body: list[list[str]] = []
    taken: dict[str, None] = {}
    for page, page_keys in zip(pages, keys, strict=True):
        drop = _furniture_places(page_keys, repeated)
        body.append([line for place, line in enumerate(page) if place not in drop])
        taken.update(dict.fromkeys(page[place] for place in sorted(drop)))
    return body, list(taken)


def _key(line: str) -> str:
    """A line with its numbers masked."""
    return _NUMBER.sub("#", line.strip())


def _edges(keys: Sequence[str]) -> set[int]:
    """Places of the first and last lines that are not blank."""
    filled = [place for place, key in enumerate(keys) if key]
    return {*filled[:EDGE_LINES], *filled[-EDGE_LINES:]}


def _furniture_places(keys: Sequence[str], repeated: set[str]) -> set[int]:
    """Places of furniture on one page: from an edge inwards for as long as lines repeat elsewhere."""
    filled = [place for place, key in enumerate(keys) if key]
    drop: set[int] = set()
    for places in (filled[:EDGE_LINES], filled[::-1][:EDGE_LINES]):
        for place in places:
            if keys[place] not in repeated:
                break
            drop.add(place)
    return drop
