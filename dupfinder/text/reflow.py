"""Lines of a laid-out page to running text: hyphens at line ends undone, East Asian lines joined."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Ideographs, kana, bopomofo and their full-width signs; Korean is written with spaces.
_EAST_ASIAN = (
    "[\u2e80-\u2fff\u3001-\u303f\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\uffe0-\uffef\U00020000-\U0003ffff]"
)
_EAST_ASIAN_BREAK = re.compile(f"(?<={_EAST_ASIAN})[ \t]*\n[ \t]*(?={_EAST_ASIAN})")
_BREAK = re.compile(r"[-\u2010\u00ad](?<=[^\W\d_]{2}.)[ \t]*\n[ \t]*(?=[^\W\d_])")
_HEAD = re.compile(r"[^\W\d_]+\Z")
_TAIL = re.compile(r"[^\W\d_]+")
LONGEST_WORD = 100
# Possessive, and only from the start of a run: a line of a million dots is looked at once.
_LEADER = re.compile(r"(?<![.…· \t])[ \t]*+(?:[.…·][ \t]?+){4,}+[ \t]*+(?:\d{1,4}|[ivxlc]{1,7})?[ \t]*+$", re.M)
_GLUED = re.compile(r"^(\d+(?:\.\d+)+)(?=[^\W\d_]{2})", re.M)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# "Vor- und Nachteile": here the hyphen stands for a word that follows.
_JOINING_WORDS = "und oder bzw sowie bis als and or to y o e u et ou en of och eller"
_JOINING = frozenset(_JOINING_WORDS.split())
HYPHENATED_SHARE = 0.02  # of the lines: below it, a hyphen at a line end is one that the word has anyway


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """One text of all pages. A line end within East Asian text stood for nothing, elsewhere it stood for a space."""
    return join_east_asian("\n".join("\n".join(page) for page in pages)).strip("\n")


def without_leaders(text: str) -> str:
    """Dot leaders and the page numbers they lead to, in tables of contents, taken out: other layouts have others."""
    return _LEADER.sub("", text) if "...." in text or ". . ." in text or "……" in text else text


def part_numbers(text: str) -> str:
    """ "12.11List of tools" to "12.11 List of tools": narrow gaps behind section numbers are lost in layout."""
    return _GLUED.sub(r"\1 ", text)


def join_east_asian(text: str) -> str:
    """Lines that end and go on in ideographs or kana made one: no space was meant between them."""
    return text if text.isascii() else _EAST_ASIAN_BREAK.sub("", text)


def undo_hyphens(text: str) -> str:
    """Words that were broken at a line end made whole.

    Where the text itself has the whole word, or the word with its hyphen, in the middle of a line, that decides. Else
    it is made whole if the text breaks words as a habit.
    """
    breaks = [found for found in _BREAK.finditer(text) if text[found.end()].islower()]
    if not breaks:
        return text
    habit = len(breaks) >= max(2.0, HYPHENATED_SHARE * text.count("\n"))
    known = {word.lower() for word in _WORD.findall(_BREAK.sub(" \n ", text))}
    pieces: list[str] = []
    place = 0
    for found in breaks:
        head = _HEAD.search(text, max(0, found.start() - LONGEST_WORD), found.start())
        tail = _TAIL.match(text, found.end(), found.end() + LONGEST_WORD)
        if head and tail and tail.group() not in _JOINING:
            pieces.append(text[place : found.start()])
            pieces.append(_between(head.group().lower(), tail.group().lower(), known, habit))
            place = found.end()
    pieces.append(text[place:])
    return "".join(pieces)


def _between(head: str, tail: str, known: set[str], habit: bool) -> str:
    """What stands between the halves of a word that was broken: nothing, or the hyphen that it has anyway."""
    return "" if head + tail in known or (habit and f"{head}-{tail}" not in known) else "-"
