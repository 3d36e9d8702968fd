"""Fields of Word documents that have no result of their own: what they show is written in their code."""

from __future__ import annotations

import re

# EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(reading),word): a word with its reading above it, ISO 29500-1
# 17.16.5.21. The code is short; a longer one is a formula.
LONGEST_CODE = 500
_OVERSTRIKE = re.compile(r"\s*EQ\s(?:.*?\\\*[^\\()]*)?\\o(?:\\a[a-z])?\s*\((.*)\)\s*", re.I | re.S)
_SWITCHED = re.compile(r"\s*(?:\\[a-z]+\s*\d*\s*)+\(", re.I)


def shown(code: str) -> str:
    """What a field without a result shows: of characters over one another, those that are not raised; else nothing."""
    found = _OVERSTRIKE.fullmatch(code) if len(code) <= LONGEST_CODE else None
    if not found:
        return ""
    return "".join(part for part in _arguments(found.group(1)) if not _SWITCHED.match(part))


def _arguments(inner: str) -> list[str]:
    """What commas or semicolons outside parentheses set apart."""
    parts, depth = [""], 0
    for character in inner:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character in ",;" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
