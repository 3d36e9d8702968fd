"""Texts split for comparison: into lines for reading side by side, and lines into tokens with their keys.

A key says what counts as equal. A PDF has a line break at every line of a page, a Word file only at the end of a
paragraph. Split into sentences, both give the same lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dupfinder.base.display import columns_of
from dupfinder.text.document import LABEL, TYPED_SIGNS, labels_as_text, without_labels
from dupfinder.text.normalise import ASCII_OF, COMBINING_MARKS, SYLLABIC, decimal_sign, with_bullets, with_separators

# A run of Han, kana or Hangul may contain several words without spaces between them; each character is a token.
CJK: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Soft hyphens, joiners and signs of direction.
_INVISIBLE: Final = "".join(
    map(chr, (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF))
)
_DASH: Final = "‐‑‒–—−-"
# In place of a decimal comma and a point between thousands, where the text beside has decimal points.
_OTHER_SEPARATORS: Final = "\ufdd0\ufdd1"
_SEPARATORS: Final = str.maketrans(",.", _OTHER_SEPARATORS)
_SHOWN: Final = str.maketrans(_OTHER_SEPARATORS, ",.")
# Each letter of the syllabic scripts with its marks is a token: some of these scripts set no spaces between words, and
# PDFs have spaces within words of the others.
# A number with its separators is one token ("1,250.00", "2024-03-12"), as is a word with inner apostrophes.
_PATTERN: Final = (
    rf"[{CJK}]|\d+(?:[.,:/{_OTHER_SEPARATORS}{_DASH}]\d+)*|[^\W\d_](?<=[{SYLLABIC}])[{COMBINING_MARKS}{_INVISIBLE}]*"
    rf"|\.\.\.|[^\W\d_{CJK}](?:[^\W_{CJK}{SYLLABIC}]|[{COMBINING_MARKS}{_INVISIBLE}]|['’](?=[^\W\d_{CJK}]))*|[^\w\s{LABEL}]|_"
)
_TOKEN: Final = re.compile(_PATTERN)
_TOKEN_OR_SPACES: Final = re.compile(rf"(?<![{LABEL}])\s+|{_PATTERN}")
_PUNCTUATION: Final = re.compile(rf"[^\w\s{COMBINING_MARKS}]|_")
# List marks, which some formats store as text and others do not. A dash before an amount may be a minus, and a star
# between letters or numbers a multiplication, so neither is a list mark.
_LIST_MARK: Final = re.compile(
    r"[•▪▫◦‣·●○■□⁃∙](?<!\S.)(?!\S)|[•▪◦‣●]|\A(?:[>–—−-]{1,2}\s+(?=[^\s\-–−\d$€£¥]))+"
    r"|\*(?<!\S\*)(?<!\b\w\s\*)(?=\s+[^\s\d]\S|\s*\Z)"
)
_LONE_MARKS: Final = frozenset("•▪▫◦‣·●○■□⁃∙*")
# A list mark or label on a line above its item, as some formats have it.
_LONE_MARK: Final = re.compile(rf"^[ \t]*([•▪◦‣●·]|[{LABEL}]+(?:[ \t]+[{LABEL}]+)*)\s*\n\s*(?=\S)", re.M)
_LABEL_BEFORE: Final = re.compile(rf"[{LABEL}][{LABEL}\s]*\Z")
_CELL_GAP: Final = "   "  # so that people see where a cell ends, if its words have spaces between them
_LONGEST_LABEL: Final = 32  # characters examined before the text that a label numbers
# A line of these signs alone is a rule, such as one below a heading.
_RULE_SIGNS: Final = f"=*_~`#+|─━═{_DASH}"
_RULE: Final = re.compile(rf"\s*(?:[|+]\s*)?([{_RULE_SIGNS}])(?:\s*\1){{2}}[\s{_RULE_SIGNS}]*")
# Lines that are drawn with signs within a line of text, such as one to sign on, and dots that lead to a page number.
# Two or three dashes in a row are typed in place of a long dash.
_DRAWN: Final = re.compile(r"([_=~*#+|─━═])\1{2,}|-{4,}|—{3,}|\.(?: ?\.){3,}|…{2,}|(?P<dashes>--+|——)")
_MAY_BE_DRAWN: Final = ("--", "——", "....", ". . .", "……", *(3 * sign for sign in "_=~*#+|─━═"))
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])")  # may have divided a word at a line end
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)\s++(?=\d)")  # 1 2 is not 12
# Differences of typesetting never count: ligatures, ellipses, invisible characters, the kinds of quotes and dashes,
# full or half width. (NFC removes a further one: whether an accent is a separate character.)
_TYPESETTING: Final = str.maketrans(
    {
        **dict(zip("ﬀﬁﬂﬃﬄ", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
        "…": "...",
        **dict(zip(_OTHER_SEPARATORS, ".,", strict=True)),
        **dict.fromkeys(_INVISIBLE),
        **TYPED_SIGNS,
        **{chr(code + 0xFEE0): chr(code) for code in range(ord("!"), ord("~") + 1)},
        **ASCII_OF,
    }
)


@dataclass(frozen=True, slots=True)
class Options:
    """Differences that a comparison ignores, and its time limit.

    ignore_spaces:      white space and line breaks; lines are then sentences rather than the lines of the files.
    ignore_case:        capitals.
    ignore_punctuation: every character that is neither letter nor digit.
    seconds:            time after which the rest is not aligned and is reported coarsely.
    """

    ignore_spaces: bool = True
    ignore_case: bool = False
    ignore_punctuation: bool = False
    seconds: float = 2.0


def with_equal_numbers(left: str, right: str) -> tuple[str, str]:
    """Return two texts whose numbers have equal keys if one text has decimal commas and the other decimal points."""
    signs = decimal_sign(left) + decimal_sign(right)
    if signs == ",.":
        left = with_separators(left, _SEPARATORS)
    elif signs == ".,":
        right = with_separators(right, _SEPARATORS)
    return left, right


def as_shown(line: str) -> str:
    """Return a line as people read it, with its labels, and commas and points in its numbers."""
    return labels_as_text(line).translate(_SHOWN)


def key(text: str, options: Options) -> str:
    """Return `text` without what `options` ignore. Lines with equal keys are the same."""
    text = text if text.isascii() else without_labels(text)
    return _folded(_without_layout(text) if options.ignore_spaces else text, options)


def _folded(text: str, options: Options) -> str:
    """Return the key of a text whose layout is removed."""
    folded = text if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPESETTING)
    if options.ignore_case:
        folded = folded.casefold()
    if options.ignore_punctuation:
        folded = _PUNCTUATION.sub("", folded)
    if not options.ignore_spaces:
        return folded
    folded = _HYPHEN.sub("", folded) if "-" in folded else folded
    return "".join(_BETWEEN_DIGITS.sub("\0", folded).split())


def _without_layout(line: str) -> str:
    """Return a line in which list marks, drawn signs, and all but the first of several dashes are spaces."""
    if any(signs in line for signs in _MAY_BE_DRAWN):
        line = _DRAWN.sub(lambda signs: ("-" if signs["dashes"] else "").ljust(len(signs.group())), line)
    may_have_some = not line.isascii() or "*" in line or line.startswith((">", "-"))  # a quick test
    return _LIST_MARK.sub(lambda mark: " " * len(mark.group()), line) if may_have_some else line


@dataclass(frozen=True, slots=True)
class DiffTokens:
    """The tokens of a text under some options. keys: what is compared. spans: (start, stop) of each in the text."""

    keys: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def tokens(text: str, options: Options) -> DiffTokens:
    """Return the words, numbers, CJK characters, punctuation and (unless ignored) spaces of `text` that have a key."""
    pattern = _TOKEN if options.ignore_spaces else _TOKEN_OR_SPACES
    as_is = text.isascii() and not (options.ignore_case or options.ignore_punctuation)
    keys: list[str] = []
    spans: list[tuple[int, int]] = []
    text = _without_layout(text) if options.ignore_spaces else text
    for match in pattern.finditer(text):
        token_key = match.group() if as_is else _folded(match.group(), options)
        if token_key and (as_is or token_key not in _LONE_MARKS):
            keys.append(token_key)
            spans.append(match.span())
    return DiffTokens(tuple(keys), tuple(spans))


def before_label(line: str, position: int) -> int:
    """Return where the labels that end at `position` of a line begin; `position` if there are none."""
    label = _LABEL_BEFORE.search(line, max(0, position - _LONGEST_LABEL), position)
    return label.start() if label else position


class Numbering:
    """Numbers keys, from 0: equal keys have equal numbers, on both sides."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, keys: Iterable[str]) -> list[int]:
        numbers = self._numbers
        return [numbers.setdefault(text, len(numbers)) for text in keys]


# Chinese sentences end without a space; western ones with a space before the start of the next.
_SENTENCE_END: Final = re.compile(
    r"(?P<cjk>[。！？；][”’」』）】》〉]*)"
    rf"|(?P<western>[.!?…][\"'”’»)\]]*)(?=\s+(?:[{LABEL}]+\s*)?[\"'“‘«(\[¿¡]?[^\W_a-z])"
    rf"|(?P<mixed>[.!?…])(?=\s*[{CJK}])"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[^\W\d_]|no|nos|art|arts|sec|cl|mr|mrs|ms|dr|prof|st|vs|cf|al|fig|eq|vol|pp?|ed|eds"
    r"|ch|inc|ltd|co|corp|jr|sr|approx|e\.g|i\.e|a\.m|p\.m|núm|sra|sres|dra?|ud|uds|pág|págs|s\.a|jan|feb|mar|apr"
    r"|jun|jul|aug|sept?|oct|nov|dec)$",
    re.IGNORECASE,
)
_CLAUSE_NUMBER: Final = re.compile(r"\(?\d+(?:\.\d+)*")
_LONGEST_ABBREVIATION: Final = 12  # characters examined before a full stop, with the sign before the abbreviation
_ENDS: Final = ".!?…:;。！？；："
_CLOSERS: Final = "\"'”’»)]」』）】》〉"
_ITEM: Final = re.compile(
    r"(?:[•▪◦‣·*–—\-]\s|\w{1,3}[.)、]\s|\([a-z]{1,3}\)\s|\d+(?:\.\d+)+\s|第[\d一二三四五六七八九十百零〇]+[条章节款]|[一二三四五六七八九十]+、"
    rf"|[{LABEL}]+\s)"
)
_HYPHENATED: Final = re.compile(r"[^\W\d_]{2}-$")
_WRAP_WIDEST: Final = 160  # columns; wider lines are whole paragraphs
_WRAP_FULL: Final = 0.72  # share of the full width; a line at least this long continues in the next
_LONG: Final = 320  # columns; longer sentences are split at clauses
_ENDLESS: Final = 640  # characters; longer clauses are split at a space, or anywhere
_CLAUSE_END: Final = re.compile(r"[;:,；：，、](?!\d)\s*")  # not within a number


def reflow(text: str, *, wraps: bool = True) -> list[str]:
    """Return the sentences and headings of `text`, with single spaces, without blank lines and rules."""
    lines: list[str] = []
    for paragraph in paragraphs(with_bullets(text), wraps=wraps):
        lines.extend(sentences(paragraph))
    return lines


def paragraphs(text: str, *, wraps: bool = True) -> list[str]:
    """Return the paragraphs of `text`.

    wraps: lines may end within a paragraph, so those that seem to be wrapped at the width of a page are joined, except
           rows of a table, which have tabs between their cells.
    """
    lines = _LONE_MARK.sub(r"\1 ", text).splitlines()
    raw = ["" if _RULE.fullmatch(line) else _with_even_gaps(line) for line in lines]
    width = _wrap_width(raw) if wraps else 0
    pieces_of: list[list[str]] = []
    continues = was_row = False
    for line, is_row in zip(raw, ["\t" in line.strip() for line in lines], strict=True):
        if line:
            if continues and not (was_row and is_row) and not _ITEM.match(line):
                pieces_of[-1][-1:] = _joined(pieces_of[-1][-1], line)  # to extend one string takes quadratic time
            else:
                pieces_of.append([line])
        continues, was_row = bool(line) and _is_wrapped(line, width), is_row
    return ["".join(pieces) for pieces in pieces_of]


def _with_even_gaps(line: str) -> str:
    """Return a line with one space between words, and _CELL_GAP between the cells of a row."""
    if "\t" not in line:
        return " ".join(line.split())
    cells = [cell for part in line.split("\t") if (cell := " ".join(part.split()))]
    is_item = len(cells) > 1 and _ITEM.fullmatch(f"{cells[0]} ")
    return _CELL_GAP.join([" ".join(cells[:2]), *cells[2:]] if is_item else cells)


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of one paragraph; very long sentences are split at clauses."""
    pieces: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(paragraph):
        if end.lastgroup == "western" and _is_abbreviated(paragraph, start, end.start()):
            continue
        pieces.append(paragraph[start : end.end()].strip())
        start = end.end()
    pieces.append(paragraph[start:].strip())
    return [line for piece in pieces if piece for line in _split_long(piece)]


def _is_abbreviated(paragraph: str, start: int, stop: int) -> bool:
    """Tell whether the full stop at `stop` ends an abbreviation, or the number at the start of the sentence."""
    tail = paragraph[max(start, stop - _LONGEST_ABBREVIATION) : stop]
    return bool(_ABBREVIATION.search(tail) or _CLAUSE_NUMBER.fullmatch(paragraph, start, stop))


def _wrap_width(lines: list[str]) -> int:
    """Return the width at which lines are wrapped, 0 if they do not seem to be: too wide, or too few lines."""
    widths = sorted(columns_of(line) for line in lines if line)
    if len(widths) < 3:
        return 0
    full = widths[(len(widths) * 9) // 10]
    return full if full <= _WRAP_WIDEST else 0


def _is_wrapped(line: str, width: int) -> bool:
    """Tell whether a paragraph continues after the line: it is long and does not end in a punctuation mark."""
    return bool(width) and columns_of(line) >= _WRAP_FULL * width and line.rstrip(_CLOSERS)[-1:] not in _ENDS


def _joined(first: str, second: str) -> list[str]:
    """Join two lines of a paragraph: return the pieces, without the hyphen of a divided word or a space between Han."""
    if _HYPHENATED.search(first, len(first) - 3) and second[0].islower():
        return [first[:-1], second]
    both_wide = columns_of(first[-1]) == 2 and columns_of(second[0]) == 2
    return [first, second] if both_wide else [first, " ", second]


def _split_long(sentence: str) -> list[str]:
    """Split a sentence of more than _LONG columns at clauses, and what is still too long at spaces."""
    if len(sentence) * 2 <= _LONG or columns_of(sentence) <= _LONG:
        return [sentence]
    pieces: list[str] = []
    start = 0
    for end in _CLAUSE_END.finditer(sentence):
        if columns_of(sentence[start : end.end()]) >= _LONG // 2:
            pieces.append(sentence[start : end.end()].strip())
            start = end.end()
    pieces.append(sentence[start:].strip())
    return [line for piece in pieces if piece for line in _split_clause(piece)]


def _split_clause(clause: str) -> list[str]:
    """Split a clause at spaces, or anywhere, into pieces of at most _ENDLESS characters."""
    pieces: list[str] = []
    while len(clause) > _ENDLESS:
        space = clause.rfind(" ", _ENDLESS // 2, _ENDLESS)
        at = space if space > 0 else _ENDLESS
        pieces.append(clause[:at].strip())
        clause = clause[at:].strip()
    return [*pieces, clause] if clause else pieces
