"""Correct the letters that pdfium returns: which they are, their order, and the spaces between them.

Two kinds of letters need most correction. Older programs wrote bitmap fonts (Type 3), which do not name characters, so
readers return the codes: those of ASCII for letters, of ASCII's control characters for ligatures, dashes and some
letters. And some programs, among them browsers, store the letters of Arabic and Hebrew words from left to right, and
many readers return them so. The positions of the letters show it: in reading order they go leftwards.
"""

from __future__ import annotations

import math
import re
import statistics
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from ctypes import create_string_buffer
from functools import cache, partial
from itertools import accumulate, chain, groupby, islice, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from dupfinder.text.document import OtherContent, OtherHashes
from dupfinder.text.lines import with_replaced
from dupfinder.text.normalise import COMBINING_MARKS, SYLLABIC, with_usual_characters
from dupfinder.text.pdf.pdfium import (
    DOTLESS,
    REMOVED_SIGN,
    Box,
    box_of,
    edges_of,
    has_characters,
    middle_of,
    room_of,
    size_and_height,
)
from dupfinder.text.readers.office import SYMBOL, with_symbols

LEAST_CODES = 2  # different codes; if all are the same, it may be the line break of another program
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
# The first encoding of TeX, and the European one of Cork (LaTeX 2e font encoding guide, tables OT1 and T1).
_OT1 = {
    **{0x0B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø"},
}
_T1 = {
    **{0x1B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "ı", 0xFF: "ß"},
}
# A code beside a letter is part of a word.
_OT1_CODE = re.compile("[\x0b\x0c\x0e\x0f](?=[a-z])|(?<=[a-z])[\x0b\x0c\x0e\x0f]")
_T1_CODE = re.compile("[\x1b-\x1f](?=[a-z])|(?<=[a-z])[\x1b-\x1f]")
_DRAWN_HYPHEN = re.compile(r"\d\u00ad|\u00ad\d|[a-z]\u00ad[A-Z]")  # no word is divided there
# Angle brackets in TeX's encoding of symbols (OMS), whose names few readers know, and how its fonts are named.
_ANGLES = {"h": "\u27e8", "i": "\u27e9"}
_ANGLE = re.compile("[hi]")
_IN_ANGLES = re.compile(r"(?<![^\W\d_])h(?=\S(?:[^\r\n]{0,60}\S)?i(?![^\W\d_]))")
_SYMBOLS = re.compile(rb"(?:[A-Z]{6}\+)?(?:CM(?:B)?SY|LMMathSymbols|[TP]X(?:SY|sy)|txsy|pxsy|eusm)")
_WINGDINGS = re.compile(rb"Wingdings ?(2?)|OpenSymbol")  # LibreOffice prints the second where it lacks the first
_LONGEST_NAME = 64  # bytes
_LOOKED_AT = 8  # possible brackets of a page; if none of them is drawn by such a font, no other is looked at
_CODES = bytes({0x0B, 0x0C, *range(0x0E, 0x20)})
# Letters of ligatures whose two bytes Ghostscript 9.56 to 10.01 exchanged: U+6600 U+6900 for "fi". Alone they are
# rare characters of names. Of three letters, the codes of the last two were added: U+6600 U+CF00 for "ffi".
_EXCHANGED = re.compile("\u6600[\ucf00\ud000\ud200]|[\u6600\u6900\u6a00\u6c00\u7300\u7400]{2,3}")
_ADDED = {"\ucf00": "\u6600\u6900", "\ud000": "\u6600\u6a00", "\ud200": "\u6600\u6c00"}


def has_bytes(text: str, signs: bytes) -> bool:
    """Tell whether a text in UTF-8 has some of these bytes; takes a tenth of the time of a search for characters."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data.translate(None, signs)) < len(data)


# Accents that are characters of their own, each with the mark that joins a letter; and those below a letter.
_ACCENTS = {
    "`": "\u0300",
    "´": "\u0301",
    **dict.fromkeys("ˆ^", "\u0302"),
    **dict.fromkeys("˜~", "\u0303"),
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}
# Those of ASCII are mostly other signs, and are looked at only before a letter.
_ACCENT = re.compile(rf"[{''.join(sorted({*_ACCENTS} - {'^'}))}^](?:(?<![`^~])|(?=[^\W\d_]))")
_BELOW = "¸˛"
_BEFORE_ACCENT = re.compile(rf"(?<=[^\W\d_])(?: {REMOVED_SIGN})+(?=[^\W\d_])")  # with the space before it
_LONGEST_LINE = 300  # characters before an accent, and behind it, among which its letter is sought


def with_accents(text: str, textpage: Any) -> str:
    """Return the text of a page with accented letters in place of letters with an accent drawn over or below them.

    TeX prints them so in its first encoding. pdfium returns the accent before its letter or elsewhere in the line,
    mostly at the end. REMOVED_SIGN replaces each accent, and each space that pdfium inserts within such a word, so that
    all other signs keep their indexes.
    """
    accents = list(_ACCENT.finditer(text))
    if not accents:
        return text
    signs = list(text)
    box = cache(partial(box_of, textpage))
    for match in accents:
        sign, position = match.group(), match.start()
        accent = box(position)
        for index in _around_in_line(text, position):
            letter = unicodedata.normalize("NFC", DOTLESS.get(signs[index], signs[index]) + _ACCENTS[sign])
            if len(letter) == 1 and _is_accent_of(accent, box(index), is_below=sign in _BELOW):
                signs[position], signs[index] = REMOVED_SIGN, letter
                break
    joined = "".join(signs)
    if joined == text or not has_characters(textpage, text):  # takes as long as pdfium takes for the page
        return text
    for match in _BEFORE_ACCENT.finditer(joined):
        before, after = box(match.start() - 1), box(match.end())
        if after.left - before.right < SPACE * (after.right - after.left):
            signs[match.start() : match.end()] = REMOVED_SIGN * len(match.group())
    return "".join(signs)


def _around_in_line(text: str, position: int) -> Iterator[int]:
    """Yield the indexes of a line of a page: the next one first, then those before the position, then the others."""
    start, stop = max(0, position - _LONGEST_LINE), position + _LONGEST_LINE
    first, end = text.rfind("\n", start, position) + 1, text.find("\r", position, stop)
    last = end if end >= 0 else min(stop, len(text))
    yield from range(position + 1, min(position + 2, len(text)))
    yield from range(position - 1, max(start, first) - 1, -1)
    yield from range(position + 2, last)


def _is_accent_of(accent: Box, letter: Box, *, is_below: bool) -> bool:
    """Tell whether an accent is drawn in the middle over a letter, or below it."""
    slack, height = (accent.right - accent.left) / 4, letter.top - letter.bottom
    if not letter.left - slack <= accent.middle[0] <= letter.right + slack:
        return False
    if is_below:
        return letter.bottom - height / 2 < accent.top < letter.bottom + height / 2
    return letter.bottom + height / 2 < accent.bottom < letter.top + height / 2


def with_angle_brackets(text: str, textpage: Any) -> str:
    """Return the text of a page with the angle brackets of TeX's symbols; pdfium returns their codes, h and i."""
    if not any(_is_symbol(textpage, match.start()) for match in islice(_IN_ANGLES.finditer(text), _LOOKED_AT)):
        return text
    return _ANGLE.sub(lambda sign: _ANGLES[sign[0]] if _is_symbol(textpage, sign.start()) else sign[0], text)


def with_signs_of_wingdings(text: str, textpage: Any) -> str:
    """Return the text of a page with the signs of Wingdings, such as ticked boxes; pdfium returns their codes."""

    def sign_of(code: re.Match[str]) -> str:
        font = _WINGDINGS.search(_font_name(textpage, code.start()))
        return with_symbols(code[0], lambda: "wingdings 2" if font and font[1] else "wingdings") if font else code[0]

    return SYMBOL.sub(sign_of, text)


def _is_symbol(textpage: Any, index: int) -> bool:
    """Tell whether a character is in a font of mathematical symbols for TeX."""
    return _SYMBOLS.match(_font_name(textpage, index)) is not None


def _font_name(textpage: Any, index: int) -> bytes:
    name = create_string_buffer(_LONGEST_NAME)
    raw.FPDFText_GetFontInfo(textpage, index, name, _LONGEST_NAME, None)
    return name.value


def letters_for_codes(pages: Iterable[str]) -> list[str]:
    r"""Return the pages with letters for the codes of TeX's fonts, and hyphens for soft ones.

    Ligatures whose bytes Ghostscript exchanged become letters, and radicals characters, before lines are examined. A
    soft hyphen where no word is divided was drawn: then all soft ones are hyphens of the text. Line ends are \r\n.
    """
    texts = [with_usual_characters(_EXCHANGED.sub(_with_bytes_in_order, page)) for page in pages]
    if any("\u00ad" in page and _DRAWN_HYPHEN.search(page) for page in texts):
        texts = [page.replace("\u00ad", "-") for page in texts]
    coded = [page for page in texts if has_bytes(page, _CODES)]
    if not coded:
        return texts
    joined = "".join(coded)
    ot1, t1 = set(_OT1_CODE.findall(joined)), set(_T1_CODE.findall(joined))
    if max(len(ot1), len(t1)) < LEAST_CODES:
        return texts
    letters = _T1 if len(t1) >= len(ot1) else _OT1
    return ["\r\n".join(line.translate(letters) for line in page.split("\r\n")) for page in texts]


def _with_bytes_in_order(ligature: re.Match[str]) -> str:
    letters = ligature[0][0] + _ADDED.get(ligature[0][1], ligature[0][1:])
    return letters.encode("utf-16-le").decode("utf-16-be")


SPACE = 0.4  # of the usual width of a letter: a wider gap is a space
_SPACE_OF_SIZE = 0.2  # the same, as a share of the font's size
WORD_GAP = 2  # widths of a letter; wider gaps are between cells
PAGE_LINE = re.compile(r"[^\r\n\ufffe]+")  # a hyphen at its end is U+FFFE, without a line end
_DRAWN_LINE = re.compile(r"\S(?:[^\r\n\ufffe]*\S)?")
_LINE_END = re.compile(r"(?<=\S)(?: ?\r\n| )(?=\S)")  # pdfium may have a space there
_SCRAP = re.compile(r"\n\S{1,2}(?=\r)")  # a line that may be part of a line
_LEAST_SCRAPS = 20
_SAMPLED_LINES = 8  # of a page; they tell whether its lines go from top to bottom
# What a name is, in brackets behind it: "car list [Function]", "set-car! pair [special form]".
_LABEL_BEHIND = re.compile(r"^([^\r\n]*\S) (\[[A-Za-z][a-z]+(?: [A-Za-z]+){0,2}\])(?=\r|\Z)", re.M)
_CLOSING = frozenset(".,;:!?)]}")  # signs that follow a word; those far behind it are leaders of a contents line
_PAGE_WORD = re.compile(r"\S{2,}")

# Letters and marks of Hebrew, Arabic, Syriac and Thaana, without digits, which go from left to right.
_RTL_WORD = re.compile(
    "[\u0591-\u05f4\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u07b1\u08a0-\u08ff"
    "\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]{2,200}"
)
_MOST_TOKENS = 300  # of a line that may go on; bounds the time
_LINE_ENDS = frozenset(".:!?\u061b\u061f\u060c,;")
_ENDS_OF_MARKS = frozenset(".()")  # seen left of the number of a list
_IN_NUMBERS = frozenset(("CS", "ES", "ET"))  # signs between digits that keep their order, as in 3,450 and 3/5
_LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_TOKEN = re.compile(
    rf"(?P<right>{_RTL_WORD.pattern.removesuffix('{2,200}')}+)|(?P<latin>[A-Za-z\u00c0-\u024f]+)|(?P<digit>\d+)|[^\s{REMOVED_SIGN}]"
)
# A bracket or quotation mark that opens away from its words: some programs store the mirrored shapes that they draw
# from right to left.
_MIRRORED = re.compile(r"(?<!\S)[)\]}»](?=\S)|(?<=\S)[(\[{«](?!\S)")
_UNMIRRORED = re.compile(r"(?<!\S)[(\[{«](?=\S)|(?<=\S)[)\]}»](?!\S)")
_OTHER_SIDE = str.maketrans(")]}»([{«", "([{«)]}»")
_TURNED_LIGATURE = re.compile("[\u0622\u0623\u0625\u0627\u0671]\u0644")
# Up to three letters or signs beyond Latin-1 between spaces, unless they go from right to left; and a dash, quotation
# mark or ellipsis behind a Chinese character.
_STRAYS = re.compile(
    r"[ \u2014\u2018-\u201f\u2026](?:(?<=[\u3040-\u9fff][^ ])|(?<=\S )"  # begins with a set, which is found quickly
    r"[\u0100-\u0590\u0900-\u1fff\u2014\u2018-\u201f\u2026\u2070-\ufb1c\ufe00-\ufe6f\uff00-\U0010ffff]{1,3}(?!\S))"
)
_NEXT_SIGN = re.compile(" *[^ \r\n]")
_MARKED_LETTER = re.compile(f"[{SYLLABIC}]")
_MARKED_BYTES = bytes({0xE0, 0xE1})
_AM = "\u0e33\u0eb3"  # vowels of Thai and Lao, a mark above and a letter behind
_MARKS = "".join(_MARKED_LETTER.findall(COMBINING_MARKS)) + _AM
_TONE_BEFORE_VOWEL = re.compile("([\u0e48-\u0e4c]+)([\u0e31\u0e34-\u0e37])|([\u0ec8-\u0ecc]+)([\u0eb1\u0eb4-\u0eb7])")
_LETTERS_SEEN = 8  # letters behind which a mark may come again
_WITH_MARKS = re.compile(rf"\s|[^\s][{_MARKS}]*")
_VIRAMAS = "".join(mark for mark in _MARKS if unicodedata.combining(mark) == 9)  # they join a letter with the next
# A letter with its marks, and with the letters that are joined to it.
_SYLLABLE = re.compile(rf"\s|[^\s][{_MARKS}]*(?:(?<=[{_VIRAMAS}])[^\s{_MARKS}][{_MARKS}]*)*")
_LEAST_IN_ORDER = 3  # letters of a line for each one that goes back
_STRAY_BYTES = bytes(range(0xC4, 0xF5))  # first bytes of all characters beyond Latin-1 in UTF-8
_RTL_BYTES = bytes({*range(0xD6, 0xE1), 0xEF})  # first bytes of all these characters in UTF-8


def with_whole_lines(text: str, textpage: Any) -> str:
    """Return the text of a page with line breaks only where lines end, on pages that pdfium takes for vertical text.

    On pages of which text covers more from top to bottom than from left to right, such as tables and narrow columns, it
    takes lines for vertical ones that hold a letter or two each, and joins the end of a line with the next line. A wide
    gap between letters beside each other becomes a space. Lines from right to left are put together elsewhere.
    """
    is_whole = len(_SCRAP.findall(text)) < _LEAST_SCRAPS
    if is_whole or _goes_leftwards(text) or not has_characters(textpage, text):
        return text
    joints: list[tuple[int, int, str]] = []
    for line_end in _LINE_END.finditer(text):
        positions = line_end.start() - 1, line_end.end()
        before, after = (box_of(textpage, position) for position in positions)
        (start, left), (right, stop) = (room_of(textpage, position) for position in positions)
        width = (left - start + stop - right) / 2
        gap = right - left
        overlap = min(before.top, after.top) - max(before.bottom, after.bottom)
        is_space = line_end.group() == " "
        if overlap > 0 and gap > -width and not is_space:
            joints.append((*line_end.span(), " " * (2 * gap > SPACE * width)))  # within words there is none
        elif overlap <= 0 and gap < -WORD_GAP * width and is_space:
            joints.append((*line_end.span(), "\r\n"))
    return with_replaced(text, joints)


def with_lines_from_right(text: str, textpage: Any) -> str:
    """Return the text of a page of East Asian lines from top to bottom in their order, from right to left.

    pdfium returns those that begin at the same height from left to right.
    """
    if text.isascii() or not _IDEOGRAPH.search(text):
        return text
    spans = [line.span() for line in _DRAWN_LINE.finditer(text)]
    longest = sorted(spans, key=lambda span: span[0] - span[1])[:_SAMPLED_LINES]
    vertical = sum(end - start > 1 and _goes_down(textpage, start, end) for start, end in longest)
    if 2 * vertical <= len(longest) or not has_characters(textpage, text):
        return text
    runs: list[list[str]] = []
    left, top, bottom = math.inf, 0.0, 0.0  # of the line before
    for start, end in spans:
        begin, last = room_of(textpage, start)[0], box_of(textpage, end - 1).bottom
        first = box_of(textpage, start).top
        if not (begin > left and last < top and bottom < first and _goes_down(textpage, start, end)):
            runs.append([])
        runs[-1].append(text[start:end])
        left, top, bottom = begin, first, last
    return "\r\n".join(line for run in runs for line in reversed(run))


def _goes_down(textpage: Any, start: int, end: int) -> bool:
    """Tell whether a line goes from top to bottom, by its first and its last character; True for a single one."""
    (left, top), (right, bottom) = (middle_of(textpage, index) for index in (start, end - 1))
    return abs(right - left) <= top - bottom


def with_labels_first(text: str, textpage: Any) -> str:
    """Return the text of a page with each label before its name; manuals print labels far to the right of names.

    Texinfo prints "car list        [Function]" and has "Function: car list" in its other formats.
    """
    labels = list(_LABEL_BEHIND.finditer(text)) if " [" in text else []
    if not labels or raw.FPDFText_CountChars(textpage) != len(text):
        return text
    names: list[tuple[int, int, str]] = []
    for label in labels:
        before, start = label.end(1) - 1, label.start(2)
        if any(raw.FPDFText_GetUnicode(textpage, index) != ord(text[index]) for index in (before, start)):
            continue
        gap = edges_of(textpage, start)[0] - edges_of(textpage, before)[1]
        if gap > size_and_height(textpage, start)[0] > 0:
            names.append((*label.span(), f"{label[2]} {label[1]}"))
    return with_replaced(text, names)


def words_without_spaces(text: str, textpage: Any) -> dict[str, str]:
    """Return words between which pdfium sees no spaces, such as "theyappear", and what they are with spaces.

    Ghostscript makes some spaces by spacing the letters around them, and pdfium takes such letters for one word. In a
    word whose letters are set apart, most have wide gaps; in one that lacks spaces, at most half.
    """
    if raw.FPDFText_CountChars(textpage) != len(text):
        return {}
    box = raw.FS_RECTF()
    words: dict[str, str] = {}
    for word in _PAGE_WORD.finditer(text):
        gaps, pieces, right = 0, list[str](), math.inf
        for index, letter in enumerate(word[0], word.start()):
            raw.FPDFText_GetLooseCharBox(textpage, index, box)
            is_wide = box.left - right > _SPACE_OF_SIZE * (box.top - box.bottom) and letter not in _CLOSING
            gaps += is_wide
            pieces += [" ", letter] if is_wide else [letter]
            right = box.right
        if 0 < 2 * gaps < len(word[0]):
            words[word[0]] = "".join(pieces)
    return words


def with_words(text: str, words: Mapping[str, str]) -> str:
    """Return the text of a page with other words in place of some; see `words_without_spaces`."""
    return _PAGE_WORD.sub(lambda word: words.get(word[0], word[0]), text) if words else text


def has_leftward_words(text: str) -> bool:
    """Tell whether a page has words from right to left."""
    return not text.isascii() and has_bytes(text, _RTL_BYTES) and _RTL_WORD.search(text) is not None


def _goes_leftwards(text: str) -> bool:
    """Tell whether most letters of a page are of words from right to left."""
    return has_leftward_words(text) and sum(map(len, _RTL_WORD.findall(text))) > len(_LATIN_LETTER.findall(text))


def in_reading_order(text: str, textpage: Any) -> str:
    """Return the text of a page with right-to-left words and the ends of their lines in reading order."""
    if not has_leftward_words(text) or not has_characters(textpage, text):
        return text
    words = _RTL_WORD.sub(lambda word: _first_letter_first(word.group(), word.start(), textpage), text)
    return _with_brackets_turned(_with_lines_in_order(words, textpage))


def _with_brackets_turned(text: str) -> str:
    """Return the text of a page; turn the brackets of its right-to-left lines if most open away from their words."""
    lines = [line for line in PAGE_LINE.findall(text) if _RTL_WORD.search(line)]
    mirrored, others = (sum(len(kind.findall(line)) for line in lines) for kind in (_MIRRORED, _UNMIRRORED))
    if mirrored <= others:
        return text

    def turned(line: re.Match[str]) -> str:
        """Return a line with its brackets turned if it has right-to-left words."""
        is_rtl = _RTL_WORD.search(line.group())
        return _MIRRORED.sub(lambda sign: sign.group().translate(_OTHER_SIDE), line.group()) if is_rtl else line.group()

    return PAGE_LINE.sub(turned, text)


def _with_lines_in_order(words: str, textpage: Any) -> str:
    """Return the text of a page, whose words are in reading order, with its lines in reading order."""
    lines = _tokens_of_lines(words, textpage)
    is_rtl = _goes_leftwards(words) and _end_at_left(lines)
    return _as_seen(words, lines, _from_right if is_rtl else _from_left, textpage)


class _Token(NamedTuple):
    """A word, number or sign, and where it is seen. kind: "right" (to left), "latin", "digit"; "" for a sign."""

    start: int
    text: str
    kind: str
    box: Box


def _tokens_of_lines(text: str, textpage: Any) -> list[list[_Token]]:
    """Return the tokens of each line. Programs store its parts in any order, and pdfium breaks it between them."""
    lines: list[list[_Token]] = []
    for line in PAGE_LINE.finditer(text):
        tokens = [token for match in _TOKEN.finditer(text, *line.span()) for token in _tokens(match, textpage)]
        if lines and tokens and len(lines[-1]) < _MOST_TOKENS and _is_one_line(lines[-1], tokens[:_MOST_TOKENS]):
            lines[-1] += tokens
        elif tokens:
            lines.append(tokens)
    return lines


def _end_at_left(lines: Sequence[Sequence[_Token]]) -> bool:
    """Tell whether at least as many lines have a full stop or the like at their left end as at their right end."""
    lefts = [min(tokens, key=lambda token: token.box.left).text for tokens in lines]
    rights = [max(tokens, key=lambda token: token.box.right).text for tokens in lines]
    at_left, at_right = (sum(text in _LINE_ENDS for text in edge) for edge in (lefts, rights))
    return at_left >= at_right


def _as_seen(
    text: str,
    lines: Sequence[Sequence[_Token]],
    read: Callable[[list[_Token], float], list[_Token]],
    textpage: Any,
) -> str:
    """Return the text of a page, each line as it is seen. read: `_from_right` or `_from_left`, where lines begin."""
    changed: list[tuple[int, int, str]] = []
    for tokens in lines:
        ordered = _in_order(tokens, read)
        if ordered != tokens or any(token.kind == "right" for token in tokens):
            stop = tokens[-1].start + len(tokens[-1].text)
            changed.append((tokens[0].start, stop, _joined(ordered, text, textpage)))
    return with_replaced(text, changed)


def _tokens(match: re.Match[str], textpage: Any) -> Iterator[_Token]:
    """Yield a match of _TOKEN with its place, right-to-left letters as two words or more where gaps are between them.

    After wide final letters, pdfium reports no space. Gaps within a word, between letters that do not join, are
    narrower, but may be as wide as narrow letters.
    """
    start, kind = match.start(), match.lastgroup or ""
    boxes = [box_of(textpage, index) for index in range(*match.span())]
    begins = [0]
    if kind == "right":
        letters = [position for position, letter in enumerate(match.group()) if not unicodedata.combining(letter)]
        rooms = {
            letter: _room_with_marks(textpage, range(start + letter, start + end))
            for letter, end in pairwise([*letters, len(boxes)])
        }
        widest = _SPACE_OF_SIZE * size_and_height(textpage, start)[0]
        begins += [  # a letter above the one before is named at its mark alone
            after
            for before, after in pairwise(letters)
            if rooms[before][0] - rooms[after][1] > widest > 0 and boxes[after].bottom < boxes[before].top
        ]
    for begin, end in pairwise([*begins, len(boxes)]):
        yield _Token(start + begin, match.group()[begin:end], kind, _around(boxes[begin:end]))


def _room_with_marks(textpage: Any, indexes: Iterable[int]) -> tuple[float, float]:
    """Return the edges of the room of a letter and its marks, among which browsers divide the room of the letter."""
    lefts, rights = zip(*(room_of(textpage, index) for index in indexes), strict=True)
    return min(lefts), max(rights)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, rights, bottoms, tops = zip(*boxes, strict=True)
    return Box(min(lefts), max(rights), min(bottoms), max(tops))


def _is_one_line(before: Sequence[_Token], after: Sequence[_Token]) -> bool:
    """Tell whether the tokens of two lines are beside each other in one line, some closer than two letters are wide."""
    first, second = (_around([token.box for token in line]) for line in (before, after))
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    if 2 * overlap <= min(first.top - first.bottom, second.top - second.bottom):
        return False
    width = _letter_width([*before, *after])
    gap = min(
        max(left.box.left - right.box.right, right.box.left - left.box.right) for left in before for right in after
    )
    return -width < gap < WORD_GAP * width


def _letter_width(tokens: Sequence[_Token]) -> float:
    """Return the median width of a letter of some tokens."""
    return statistics.median(
        (token.box.right - token.box.left) / max(1, sum(not unicodedata.combining(letter) for letter in token.text))
        for token in tokens
    )


def _in_order(tokens: Sequence[_Token], read: Callable[[list[_Token], float], list[_Token]]) -> list[_Token]:
    """Return the tokens of a line in the order in which its cells are stored, each cell as it is seen.

    read: returns the tokens of a cell in the order in which they are read.
    """
    placed = sorted(tokens, key=lambda token: token.box.left + token.box.right)
    if len(placed) > len("1.") and _is_label(*placed[:3]):
        return [*placed[:2], *_in_order(placed[2:], read)]
    width = _letter_width(placed)
    cells = [placed[:1]]
    # Not the edges of the next tokens, since marks may be above the middle of a word.
    rights = accumulate([token.box.right for token in placed], max)
    lefts = [*accumulate([token.box.left for token in reversed(placed)], min)][::-1]
    for right, left, after in zip(rights, lefts[1:], placed[1:], strict=False):
        if left - right > WORD_GAP * width:
            cells.append([])
        cells[-1].append(after)
    cells.sort(key=lambda cell: min(token.start for token in cell))
    return list(chain.from_iterable(read(cell, width) for cell in cells))


def _from_left(placed: list[_Token], width: float) -> list[_Token]:
    """Return tokens, sorted by place, from left to right, but from the first right-to-left word to the last backwards.

    That is how programs show Arabic or Hebrew in a paragraph that is not marked as such. width: of a letter.
    """
    ordered: list[_Token] = []
    for is_latin, tokens in groupby(placed, lambda token: token.kind == "latin"):
        stretch = list(tokens)
        rights = [position for position, token in enumerate(stretch) if token.kind == "right"]
        if is_latin or not rights:
            ordered += stretch
        else:
            first, end = rights[0], rights[-1] + 1
            ordered += [*stretch[:first], *_from_right(stretch[first:end], width), *stretch[end:]]
    return ordered


def _from_right(placed: list[_Token], width: float) -> list[_Token]:
    """Return tokens, sorted by place, from right to left, but Latin words and numbers from left to right.

    A number at the right of Latin letters, behind a space, may belong to them or not, and is taken as read before them.
    width: of a letter.
    """
    kinds = {token.kind for token in placed}
    if "right" not in kinds and ("latin" in kinds or "digit" not in kinds):
        return placed
    units: list[list[_Token]] = []
    first = 0
    while first < len(placed):
        last, has_space = first, False
        for position in range(first + 1, len(placed) if placed[first].kind in ("latin", "digit") else 0):
            before, after = placed[position - 1], placed[position]
            is_next = before.start + len(before.text) == after.start
            has_space = has_space or (after.box.left - before.box.right > SPACE * width and not is_next)
            if after.kind == "right" or (placed[first].kind == "digit" and (has_space or _divides_numbers(after))):
                break
            if after.kind == "latin" or (after.kind == "digit" and not has_space):
                last, has_space = position, False
        units.append(placed[first : last + 1])
        first = last + 1
    numbers = sum(unit[0].kind == "digit" for unit in units)
    is_list_mark = len(placed) == len("1.") and placed[0].text in _ENDS_OF_MARKS
    return list(chain.from_iterable(reversed(units))) if "right" in kinds or numbers > 1 or is_list_mark else placed


def _is_label(number: _Token, sign: _Token, following: _Token) -> bool:
    """Tell whether a line from right to left has the number of a list, "1.", at its left end."""
    is_marked = number.kind == "digit" and sign.text in (".", ")") and following.kind == "right"
    return is_marked and number.start + len(number.text) == sign.start


def _divides_numbers(token: _Token) -> bool:
    """Tell whether the numbers on both sides of a sign go from right to left, as those of 2019–2023."""
    return not token.kind and unicodedata.bidirectional(token.text[0]) not in _IN_NUMBERS


def _joined(tokens: Sequence[_Token], text: str, textpage: Any) -> str:
    """Return tokens with a space where gaps are, or where one is stored; none beside marks on letters.

    A font may name a ligature at the mark above it alone, so that a word seems to begin far from the letters before.
    """
    width = _letter_width(tokens)
    pieces, before = [tokens[0].text], tokens[0]
    for after in tokens[1:]:
        gap = max(after.box.left - before.box.right, before.box.left - after.box.right)
        end = before.start + len(before.text)
        has_space = end + 1 == after.start and text[end] == " "
        if has_space and "right" in (before.kind, after.kind):
            is_between = after.box.left < box_of(textpage, end).left < before.box.right
            # Of a word from right to left, pdfium does not tell otherwise which spaces it has put in itself.
            has_space = is_between and bool(raw.FPDFText_GetTextObject(textpage, end))
        are_words, is_mark = before.kind == after.kind == "right", all(map(unicodedata.combining, after.text))
        is_above = are_words and (unicodedata.combining(after.text[0]) or after.box.bottom >= before.box.top)
        if not are_words:  # the space beside a sign may be stored at its other side
            has_space = has_space and gap > SPACE * width / 2
        is_behind = after.start + len(after.text) == before.start and "right" not in (before.kind, after.kind)
        is_apart = not is_behind and (has_space or gap > SPACE * width)
        pieces += [" " if is_apart and not is_mark and not is_above else "", after.text]
        before = before if is_mark else after
    return "".join(pieces)


def _has_marked_letters(text: str, textpage: Any) -> bool:
    """Tell whether letters of the page have marks above or below them, and `text` is what pdfium returned."""
    is_marked = not text.isascii() and has_bytes(text, _MARKED_BYTES) and _MARKED_LETTER.search(text) is not None
    return is_marked and has_characters(textpage, text)


def without_repeated_marks(text: str, textpage: Any) -> str:
    """Return the text of a page without repeated letters that have marks above or below them.

    Browsers store a letter and its mark as two shapes, and say of each that it means both characters. So pdfium returns
    both at the letter, and again, perhaps without some of its marks, behind the next letters, and breaks the word or
    the line there.
    """
    if not _has_marked_letters(text, textpage):
        return text
    pieces, seen = list[str](), list[tuple[str, Box]]()  # the last letters with their marks
    is_behind, last = False, 0  # whether the letter before is a repeated one; where the last other one begins
    for match in _WITH_MARKS.finditer(text):
        letter, start = match.group(), match.start()
        if letter.isspace():
            is_false = is_behind and letter == " " and raw.FPDFText_IsGenerated(textpage, start) == 1
            if not is_false or _is_space_between(textpage, last, match.end()):
                pieces.append(letter)
            continue
        box = box_of(textpage, start)
        is_behind = len(letter) > 1 and any(
            other[0] == letter[0] and {*letter} <= {*other} and _is_mark_of(box, other_box, seen[-1][1])
            for other, other_box in seen
        )
        if not is_behind:
            pieces.append(letter)
            seen = [*seen[1 - _LETTERS_SEEN :], (letter, box)]
            last = start
        while is_behind and pieces and pieces[-1].isspace():
            pieces.pop()
    return "".join(pieces)


def _is_space_between(textpage: Any, before: int, after: int) -> bool:
    """Tell whether there is room for a space between two letters of a line, by their indexes."""
    gap = room_of(textpage, after)[0] - room_of(textpage, before)[1]
    return 0 < _SPACE_OF_SIZE * size_and_height(textpage, before)[0] < gap


def _is_mark_of(mark: Box, letter: Box, last: Box) -> bool:
    """Tell whether a mark is above or below a letter, or beside it and left of the line's last letter."""
    width, height = letter.right - letter.left, letter.top - letter.bottom
    is_beside = letter.left - width < mark.left < letter.right + 2 * width
    is_near = letter.bottom - height / 4 < mark.top and mark.bottom < letter.top + height * 3 / 4  # above another mark
    is_outside = mark.bottom > letter.top or mark.top < letter.bottom
    return is_beside and is_near and (is_outside or mark.left < last.middle[0])


def with_strays_in_place(text: str, textpage: Any) -> str:
    """Return the text of a page with letters of another font where they are seen.

    Where a font lacks letters, such as those of Vietnamese, programs draw them in another font after the line, or after
    a part of it in one style. So they come behind letters that are seen to their right.
    """
    may_have_some = not text.isascii() and has_bytes(text, _STRAY_BYTES)
    strays = list(_STRAYS.finditer(text)) if may_have_some else []
    positions = [stray.start() for stray in strays if _goes_back(textpage, stray)]
    if not positions or not has_characters(textpage, text):
        return text
    apart = {index for stray in strays for index in range(*stray.span())}

    def in_place(line: re.Match[str]) -> str:
        """Return a line with its strays where they are seen; if some letters have marks, with all its letters there."""
        if _MARKED_LETTER.search(line.group()):
            return _with_marks_in_place(line, textpage)
        has_some = bisect_left(positions, line.start()) < bisect_left(positions, line.end())
        return _by_place(text, *line.span(), textpage, apart) if has_some else line.group()

    return PAGE_LINE.sub(in_place, text)


def with_marked_letters_in_place(text: str, textpage: Any) -> str:
    """Return the text of a page with letters and the marks around them where they are seen.

    Office programs say of each group of shapes which characters it means, and pdfium returns some of these behind the
    letters or the space that follow them. A line that mostly goes back is left as it is. Some draw tones of Thai and
    Lao before the vowel that they are typed behind.
    """
    if not _has_marked_letters(text, textpage):
        return text
    return PAGE_LINE.sub(lambda line: _with_marks_in_place(line, textpage), text)


def _with_marks_in_place(line: re.Match[str], textpage: Any) -> str:
    """Return a line with its letters from left to right, each before its marks; one without marked letters as it is."""
    if not _MARKED_LETTER.search(line.group()):
        return line.group()
    syllables = (
        part
        for match in _SYLLABLE.finditer(line.string, *line.span())
        if raw.FPDFText_IsGenerated(textpage, match.start()) != 1
        for part in _syllables(line.string, match.span(), textpage)
    )
    in_place = _with_syllables_in_place(line.string, line, list(syllables))
    return _TONE_BEFORE_VOWEL.sub(r"\2\1\4\3", in_place)


class _Syllable(NamedTuple):
    """A letter with its marks, or marks behind another letter than their own, and where it is seen."""

    start: int
    end: int
    box: Box
    is_mark: bool


def _syllables(text: str, span: tuple[int, int], textpage: Any) -> Iterator[_Syllable]:
    """Yield a syllable of a page, and separately the marks in it that are left of its letter."""
    boxes = [box_of(textpage, index) for index in range(*span)]
    begins = [0]
    for number, sign in enumerate(text[slice(*span)]):
        if unicodedata.category(sign) == "Mn" and boxes[number].middle[0] < boxes[begins[-1]].left:
            begins.append(number)
    for begin, end in pairwise([*begins, len(boxes)]):
        start = span[0] + begin
        yield _Syllable(start, span[0] + end, _around(boxes[begin:end]), text[start] in _MARKS)


def _left_edge(syllable: _Syllable) -> float:
    return syllable.box.left


def _with_syllables_in_place(text: str, line: re.Match[str], syllables: Sequence[_Syllable]) -> str:
    """Return a line of a text with its syllables from left to right, and marks behind the letters that they are at."""
    letters = sorted((syllable for syllable in syllables if not syllable.is_mark), key=_left_edge)
    back = sum(after.start < before.start for before, after in pairwise(letters))
    if not letters or _LEAST_IN_ORDER * back > len(letters):
        return line.group()

    def place(syllable: _Syllable) -> tuple[int, int]:
        """Return the key to sort a syllable by: the number of its letter in the line, and where it is stored."""
        edge = syllable.box.middle[0] if syllable.is_mark else syllable.box.left
        return bisect_right(letters, edge, key=_left_edge), syllable.start * syllable.is_mark

    ordered = sorted(syllables, key=place)
    following = dict(pairwise(syllables))
    pieces = [text[ordered[0].start : ordered[0].end]]
    for before, after in pairwise(ordered):
        is_next = following.get(before) is after
        pieces += [text[before.end : after.start] if is_next else "", text[after.start : after.end]]
    return "".join(pieces)


def _goes_back(textpage: Any, stray: re.Match[str]) -> bool:
    """Tell whether a sign of a stray, or the next one, is seen in the line of the sign before it, but left of that."""
    following = _NEXT_SIGN.match(stray.string, stray.end())
    indexes = range(stray.start() - 1, following.end() if following else stray.end())
    boxes = [box_of(textpage, index) for index in indexes if stray.string[index] != " "]
    return any(
        after.left < before.left and after.bottom <= before.top and before.bottom <= after.top
        for before, after in pairwise(boxes)
    )


def _by_place(text: str, start: int, end: int, textpage: Any, movable: Set[int]) -> str:
    """Return a line of a text from left to right, with spaces where there are gaps; unchanged if it is in order.

    movable: the indexes of the characters that may be out of order. The line is unchanged if others are out of order,
    as where it goes from top to bottom, or if these have no room, as where cells overlap.
    """
    drawn = [index for index in range(start, end) if raw.FPDFText_IsGenerated(textpage, index) != 1]
    placed = [(*edges_of(textpage, index), index) for index in drawn]
    ordered = sorted(placed, key=itemgetter(0))
    if ordered == placed:
        return text[start:end]
    width = statistics.median(right - left for left, right, _ in placed)
    gaps = {(before, after): left - right for (_, right, before), (left, _, after) in pairwise(ordered)}
    others = [left for left, _, index in placed if index not in movable and text[index] != " "]
    is_mixed_up = any(after < before - width for before, after in pairwise(others))
    if is_mixed_up or any(-2 * gap > width for pair, gap in gaps.items() if not movable.isdisjoint(pair)):
        return text[start:end]
    following = dict(pairwise(drawn))
    pieces = [text[ordered[0][2]]]
    for (before, after), gap in gaps.items():
        is_new = following.get(before) != after
        pieces += [" " * (gap > SPACE * width) if is_new else text[before + 1 : after], text[after]]
    return "".join(pieces)


def _first_letter_first(word: str, start: int, textpage: Any) -> str:
    """Return a word in reading order. start: index of its first character on the page.

    Letters at the same position, as in a ligature, keep their order. But if pdfium has already reversed the word, it
    has also reversed the letters of a ligature of lam and alef, and these are put in order.
    """
    lefts = [edges_of(textpage, start + index)[0] for index in range(len(word))]
    letters = [left for letter, left in zip(word, lefts, strict=True) if not unicodedata.combining(letter)]
    steps = [after - before for before, after in pairwise(letters)]
    rightwards = sum(step > 0 for step in steps)  # of a word with marks, only the part up to a mark may go so
    if not rightwards or rightwards < sum(step < 0 for step in steps):
        word = _TURNED_LIGATURE.sub(
            lambda pair: pair.group()[::-1] if lefts[pair.start()] == lefts[pair.start() + 1] else pair.group(), word
        )
        return _with_marked_letters_in_order(word, start, textpage) if len(letters) < len(word) else word
    return "".join(letter for _, letter in sorted(zip(lefts, word, strict=True), key=lambda pair: -pair[0]))


def _with_marked_letters_in_order(word: str, start: int, textpage: Any) -> str:
    """Return a word from right to left of which some letters have marks; browsers store these in another order."""
    begins = [index for index, letter in enumerate(word) if index == 0 or not unicodedata.combining(letter)]
    ordered = sorted(pairwise([*begins, len(word)]), key=lambda span: -edges_of(textpage, start + span[0])[1])
    return "".join(word[begin:end] for begin, end in ordered)


_TONES = "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ"
_READING = re.compile(f"[a-zü{_TONES}ぁ-ヿㄅ-ㄯˊˇˋ˙]")  # a sign of pinyin, of furigana, or of bopomofo and its tones
_SURE_READING = re.compile(f"[{_TONES}ぁ-ヿㄅ-ㄯ]")  # without one of these, a page has no readings
_IDEOGRAPH = re.compile("[々\u3400-\u9fff]")  # a character that may have a reading above it
_READING_SIZE = 0.65  # greatest size of a reading, as a share of that of the character below it; mostly half
_SAMPLED_READINGS = 60
_LINE_OF_READINGS = re.compile(rf"^[ {REMOVED_SIGN}]*?{REMOVED_SIGN}[ {REMOVED_SIGN}]*\r\n", re.M)


def without_readings(text: str, textpage: Any, other: OtherHashes) -> str:
    """Return the text of a page without readings above Chinese characters; they are added to `other`.

    In place of each of their letters is REMOVED_SIGN, so that all other signs keep their indexes. Readings are in small
    type, and no such characters are between them.
    """
    sure, ideographs = _positions(_SURE_READING, text), _positions(_IDEOGRAPH, text)
    if not sure or not ideographs:
        return text
    largest = max(size_and_height(textpage, index)[0] for index in _sampled(ideographs))
    are_large = all(size_and_height(textpage, index)[0] > _READING_SIZE * largest for index in _sampled(sure))
    if are_large or not has_characters(textpage, text):
        return text
    characters = [(*size_and_height(textpage, index), middle_of(textpage, index)[0]) for index in ideographs]
    usual = statistics.median(size for size, _, _ in characters) or 1.0
    small_lines = {round(height) for size, height, _ in characters if size <= _READING_SIZE * usual}
    half = usual / 2
    below = {(x // usual, height // half) for size, height, x in characters if size > _READING_SIZE * usual}
    signs = list(text)
    for index in _positions(_READING, text):
        size, height = size_and_height(textpage, index)
        if size <= _READING_SIZE * usual and round(height) not in small_lines:
            column, row = middle_of(textpage, index)[0] // usual, height // half
            if any((column + across, row - down) in below for across in (-1, 0, 1) for down in range(4)):
                signs[index] = REMOVED_SIGN
    without = "".join(signs)
    other.add_text(
        OtherContent.HEADERS, "".join(sign for sign, final in zip(text, signs, strict=True) if sign != final)
    )
    return _LINE_OF_READINGS.sub(lambda line: REMOVED_SIGN * len(line.group()), without)


def _positions(pattern: re.Pattern[str], text: str) -> list[int]:
    """Return where the signs of a kind are in a text."""
    return [] if text.isascii() else [match.start() for match in pattern.finditer(text)]


def _sampled(positions: Sequence[int]) -> Sequence[int]:
    """Return some of many positions."""
    return positions[:: 1 + len(positions) // _SAMPLED_READINGS]


def corrected(text: str, textpage: Any, other: OtherHashes) -> str:
    """Return the text of a page with its letters corrected; readings above Chinese characters are added to `other`.

    Words from right to left remain as they are stored, for `in_reading_order`. text: as `text_of` returns. textpage: of
    pypdfium2.raw, which takes it faster than its wrapper.
    """
    text = with_signs_of_wingdings(with_angle_brackets(with_accents(text, textpage), textpage), textpage)
    text = without_readings(text, textpage, other)
    for correct in (
        with_whole_lines,
        with_lines_from_right,
        without_repeated_marks,
        with_strays_in_place,
        with_marked_letters_in_place,
        with_labels_first,
    ):
        text = correct(text, textpage)
    return text
