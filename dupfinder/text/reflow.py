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
_GLUED = re.compile(r"^(\d+(?:\.\d+)+)(?=[^\W\d_]{2})", re.M)
# With two spaces behind it, or on a line that begins further in than others: "   o  the first item".
_TYPED_MARK = re.compile(r"^[ \t]*o(?:[ \t]{2,}|\t|[ \t](?=[A-Z<\"']))(?=\S)", re.M)
_LONE_LETTER = re.compile(r"\w[ \t,;]+o[ \t]+\w")
MARKS_TO_WORDS = 10  # marks for each lone letter within a line that a text may have and they are still marks
_HANGUL_BREAK = re.compile("(?<![\uac00-\ud7a3])([\uac00-\ud7a3]{1,20})[ \t]*\n[ \t]*([\uac00-\ud7a3]{1,20})")
_HANGUL_WORD = re.compile("[\uac00-\ud7a3]{2,40}")
LEAST_BREAKS = 10  # at line ends, before the habit of a text can be told
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# "Vor- und Nachteile": here the hyphen stands for a word that follows.
_JOINING_WORDS = "und oder bzw sowie bis als and or to y o e u et ou en of och eller"
_JOINING = frozenset(_JOINING_WORDS.split())
HYPHENATED_SHARE = 0.02  # of the lines: below it, a hyphen at a line end is one that the word has anyway


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """One text of all pages. A line end within East Asian text stood for nothing, elsewhere it stood for a space."""
    return join_east_asian("\n".join("\n".join(page) for page in pages)).strip("\n")


def running_text(text: str) -> str:
    """Laid-out lines to running text: words at line ends made whole, East Asian lines joined, typed bullets gone."""
    return join_korean(join_east_asian(undo_hyphens(without_typed_marks(text))))


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


def without_typed_marks(text: str) -> str:
    """A text without the letter "o" that stands for a bullet before the items of a list.

    Typewriters had no bullet. The letter is a word of some languages, so a text that uses it within lines keeps it.
    """
    marks = _TYPED_MARK.findall(text)
    if not marks or len(_LONE_LETTER.findall(text)) * MARKS_TO_WORDS > len(marks):
        return text
    return _TYPED_MARK.sub("", text)


def join_korean(text: str) -> str:
    """Korean words made whole that a program broke at the end of a line, as it does with Chinese.

    Where the text has the whole word within a line, that decides; else what most breaks are that are decided so.
    """
    breaks = list(_HANGUL_BREAK.finditer(text))
    if len(breaks) < LEAST_BREAKS:
        return text
    known = {word for line in text.split("\n") for word in _HANGUL_WORD.findall(" ".join(line.split()[1:-1]))}
    verdicts = [_is_one_word(found.group(1), found.group(2), known) for found in breaks]
    habit = verdicts.count(True) > verdicts.count(False)
    pieces: list[str] = []
    place = 0
    for found, verdict in zip(breaks, verdicts, strict=True):
        if verdict or (verdict is None and habit):
            pieces.append(text[place : found.end(1)])
            place = found.start(2)
    return "".join([*pieces, text[place:]])


def _is_one_word(head: str, tail: str, known: set[str]) -> bool | None:
    """Whether two halves are one word by the words that the text has within lines; None where they do not tell."""
    whole, apart = head + tail in known, head in known and tail in known
    return whole if whole != apart else None
