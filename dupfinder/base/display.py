"""Names made safe to show: no character in them can move a cursor, change the direction of text or end a line.

Also paths, folders and lines in the form in which people see them.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

# Format characters that words need: joiners of Indic and Arabic scripts and of emoji, and the soft hyphen.
_HARMLESS_FORMATS = frozenset("\u00ad\u200c\u200d")
# Cc controls, Cf formats (bidi, zero width, tags), Cs surrogates, Zl and Zp line ends, Co and Cn unassigned.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"})
# No wide character is before Hangul; typographic quotes, which most Western texts have, are in the gap after it.
_MAYBE_WIDE = re.compile("[\u1100-\u11ff\u2300-\U0010ffff]")


def shown(name: str | os.PathLike[str]) -> str:
    """Return `name` with control, line-end, bidi and other invisible characters and undecodable bytes as escapes.

    An undecodable byte 0xFF, represented by the surrogate U+DCFF, is shown as `\\xff`; other characters as `\\n`,
    `\\u202e`. A backslash stays as it is, so the result is for people and cannot be converted back.
    """
    text = os.fspath(name)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def located(path: Path, archive: Path | None) -> str:
    """Return a path for people; of an archive's member "archive.zip › inner/name.docx". Not yet made safe to show."""
    return str(path) if archive is None else f"{archive} › {path.relative_to(archive)}"


def folder_text(folder: Path, roots: Iterable[Path], archive: Path | None = None) -> str:
    """Return a folder, from the name of its innermost root on, for a list: "Contracts / 2024.zip › drafts".

    archive: the archive that contains the folder. Outside all roots, the whole path. Safe to show.
    """
    outer = folder if archive is None else archive
    root = max((root for root in roots if outer.is_relative_to(root)), key=lambda root: len(root.parts), default=None)
    names = (str(outer),) if root is None else (root.name or root.as_posix(), *outer.relative_to(root).parts)
    inner = () if archive is None else folder.relative_to(archive).parts
    return " › ".join((path_text(names), *map(_in_its_place, inner)))


def path_text(names: Iterable[str]) -> str:
    """Return the parts of a path for a list: "Contracts / 2024". Safe to show."""
    return " / ".join(map(_in_its_place, names))


def _in_its_place(name: str) -> str:
    """Return a part of a path, safe to show, between marks (U+200E) if it is written from right to left.

    Otherwise a number that follows an Arabic or Hebrew name would be shown before it: another path.
    """
    text = shown(name)
    return f"\u200e{text}\u200e" if any(unicodedata.bidirectional(char) in ("R", "AL") for char in text) else text


def split_at(line: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Split a line into pieces: (text, whether it is one of the spans). spans: (start, stop), in order."""
    pieces, last = [], 0
    for start, stop in spans:
        pieces += [(line[last:start], False), (line[start:stop], True)]
        last = stop
    return [piece for piece in (*pieces, (line[last:], False)) if piece[0]]


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide East Asian characters take two."""
    maybe_wide = () if text.isascii() else _MAYBE_WIDE.findall(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in maybe_wide)


def _visible(char: str) -> str:
    """Return the character, or its escape if it is not visible."""
    if char.isprintable() or char in _HARMLESS_FORMATS:
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if unicodedata.category(char) in _HIDDEN_CATEGORIES:
        return char.encode("unicode_escape").decode("ascii")
    return char  # spaces other than U+0020
