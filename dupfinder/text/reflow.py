"""Lines of a laid-out page to running text: undo hyphens at line ends, join East Asian lines."""

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
# A typed bullet: "   o  the first item".
_TYPED_MARK = re.compile(r"^[ \t]*o(?:[ \t]{2,}|\t|[ \t](?=[A-Z<\"']))(?=\S)", re.M)
_LONE_LETTER = re.compile(r"\w[ \t,;]+o[ \t]+\w")
MARKS_TO_WORDS = 10  # at least so many line-initial "o" for each "o" within lines, else they are words
_HANGUL_BREAK = re.compile("(?<![\uac00-\ud7a3])([\uac00-\ud7a3]{1,20})[ \t]*\n[ \t]*([\uac00-\ud7a3]{1,20})")
_HANGUL_WORD = re.compile("[\uac00-\ud7a3]{2,40}")
LEAST_BREAKS = 10  # line ends within words, before the text is judged by them
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# "Vor- und Nachteile": the hyphen stands for the end of a later word.
_JOINING_WORDS = "und oder bzw sowie bis als and or to y o e u et ou en of och eller"
_JOINING = frozenset(_JOINING_WORDS.split())
HYPHENATED_SHARE = 0.02  # of the lines; in texts with fewer, hyphens at line ends belong to the word


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """Return the lines of all pages as one text, East Asian lines joined without a space."""
    return join_east_asian("\n".join("\n".join(page) for page in pages)).strip("\n")


def running_text(text: str) -> str:
    """Return laid-out lines as running text: words at line ends and East Asian lines joined, typed bullets removed."""
    return join_korean(join_east_asian(undo_hyphens(without_typed_marks(text))))


def part_numbers(text: str) -> str:
    """Insert the space that layout loses after section numbers: "12.11List of tools" to "12.11 List of tools"."""
    return _GLUED.sub(r"\1 ", text)


def join_east_asian(text: str) -> str:
    """Join lines that end and continue in ideographs or kana, without a space."""
    return text if text.isascii() else _EAST_ASIAN_BREAK.sub("", text)


def undo_hyphens(text: str) -> str:
    """Join words that were broken at line ends.

    If the text contains the joined word, or the word with its hyphen, within a line, that form is used. Otherwise the
    word is joined if the text has many such line ends.
    """
    breaks = [line_break for line_break in _BREAK.finditer(text) if text[line_break.end()].islower()]
    if not breaks:
        return text
    breaks_often = len(breaks) >= max(2.0, HYPHENATED_SHARE * text.count("\n"))
    known = {word.lower() for word in _WORD.findall(_BREAK.sub(" \n ", text))}
    pieces: list[str] = []
    end = 0
    for line_break in breaks:
        head = _HEAD.search(text, max(0, line_break.start() - LONGEST_WORD), line_break.start())
        tail = _TAIL.match(text, line_break.end(), line_break.end() + LONGEST_WORD)
        if head and tail and tail.group() not in _JOINING:
            pieces.append(text[end : line_break.start()])
            pieces.append(_between(head.group().lower(), tail.group().lower(), known, breaks_often))
            end = line_break.end()
    pieces.append(text[end:])
    return "".join(pieces)


def _between(head: str, tail: str, known: set[str], breaks_often: bool) -> str:
    """Return what belongs between the halves of a broken word: "" or its own hyphen."""
    return "" if head + tail in known or (breaks_often and f"{head}-{tail}" not in known) else "-"


def without_typed_marks(text: str) -> str:
    """Remove the letter "o" typed as a bullet before list items.

    "o" is also a word in some languages: a text that uses it within lines is returned unchanged.
    """
    marks = _TYPED_MARK.findall(text)
    if not marks or len(_LONE_LETTER.findall(text)) * MARKS_TO_WORDS > len(marks):
        return text
    return _TYPED_MARK.sub("", text)


def join_korean(text: str) -> str:
    """Join Korean words that were broken at line ends.

    If the text contains the joined word within a line, it is joined. Undecided breaks follow the majority of the
    others.
    """
    breaks = list(_HANGUL_BREAK.finditer(text))
    if len(breaks) < LEAST_BREAKS:
        return text
    known = {word for line in text.split("\n") for word in _HANGUL_WORD.findall(" ".join(line.split()[1:-1]))}
    verdicts = [_is_one_word(line_break.group(1), line_break.group(2), known) for line_break in breaks]
    mostly_joined = verdicts.count(True) > verdicts.count(False)
    pieces: list[str] = []
    end = 0
    for line_break, verdict in zip(breaks, verdicts, strict=True):
        if verdict or (verdict is None and mostly_joined):
            pieces.append(text[end : line_break.end(1)])
            end = line_break.start(2)
    return "".join([*pieces, text[end:]])


def _is_one_word(head: str, tail: str, known: set[str]) -> bool | None:
    """Tell whether two halves are one word, by the words within lines; None if these do not decide it."""
    is_joined, is_apart = head + tail in known, head in known and tail in known
    return is_joined if is_joined != is_apart else None
