"""Normalise text for comparison: one form for characters that look or mean the same, single spaces.

Only words are compared as text. Signs that have a meaning are returned separately, by `signs_of` and `marks_of`.
"""

from __future__ import annotations

import html
import re
import string
import unicodedata
from collections.abc import Iterator, Mapping, Set
from functools import cache
from itertools import chain, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.text.document import TYPED_SIGNS, beyond_ascii, pieces_of, replaced

# ASCII control characters are deleted, except white space, which is collapsed later.
_ASCII_TABLE = dict.fromkeys((*range(9), *range(14, 28), 127))
_PLAIN: Final = bytes({*b"\t\n\v\f\r", *range(32, 127)})
# Blocks of characters that never join with a neighbour into another character, apart from combining marks.
_SINGLE: Final = (
    *(range(0x300), range(0x370, 0x590), range(0x1E00, 0x3099), range(0x309B, 0xA000), range(0xAC00, 0xD7A4)),
    *(range(0xFF01, 0xFF9E), range(0x1F000, 0x1FB00)),
)
_PARTS_OF_SYLLABLES: Final = range(0x1100, 0x1200)  # of Korean; they become one
_MOST_SINGLE: Final = 0.25  # of a text's bytes; with more of them, it is faster to look at each character
_MOST_REPLACED: Final = 30  # different characters
# The most frequent characters that NFKC changes, with their normal forms.
_FREQUENT = (*zip("，：；？！（）", ",:;?!()", strict=True), *(("\u00a0", " "), ("\u3000", " "), ("\u2026", "...")))
# Python refuses to read numbers of some thousand digits.
_BEYOND_UNICODE = re.compile("&#(?:[0-9]{12,}+|[xX][0-9a-fA-F]{12,}+);?")
# Longer runs take quadratic time to put in order, and are in no language (Unicode Standard Annex 15, section 13).
_MANY_MARKS = re.compile(r"[^\w\s\x00-\x7f]{31,}+")
_MOST_MARKS: Final = 30
_MARK_LEADS: Final = bytes((0xCC, 0xCD, 0xD2, *range(0xD6, 0xE2)))  # first bytes in UTF-8 of nearly all marks
_DELETED = frozenset({"Cc", "Cf"})
# Radicals that look like other characters, and brackets of vertical lines. Some PDFs name these where both have one
# glyph, and texts are copied from them. NFKC keeps the first ones (U+2E80 to U+2EF2) and converts the rest.
_RADICALS: Final = str.maketrans(
    "⺠⻁⻄⻅⻆⻉⻋⻑⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲",
    "民虎西见角贝车長长门青韦页风飞食马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀",
) | {code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x2F00, 0x2FD6), *range(0xFE31, 0xFE45))}
_RADICAL = re.compile("[\u2ea0-\u2fd5\ufe31-\ufe44]")
_GREEK: Final = (*range(0x370, 0x400), *range(0x1F00, 0x2000))
# The planes that may contain such characters; the others hold ideographs, nothing, or private characters.
_PLANES = (range(0x20000), range(0xE0000, 0xF0000))

_RAISED: Final = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_SUNK: Final = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_POWER = re.compile(r"[-−+]?[0-9]{1,9}")

_TYPED_POWER = re.compile(r"\^(?<=[^\W_]\^)(-?[0-9]{1,3})(?![\w^])")
_HALVES: Final = "½¼¾⅓⅔⅛"  # in mixed fractions

_OF_FRAMES: Final = r"+=<>\-"  # these also draw frames, underline headings and mark quotes
# The symbols (categories Sc, Sm, So, Sk and No) by blocks, without frames, bullets, boxes to tick and lone accents.
_SELDOM: Final = (
    "§⁄°\ufffd‰٪％¢-¦©¬®±×÷²³¹¼-¾˂-˅˒-˗˥-˫⁰-⁹₠-⃀℃℉⅐-⅞←-∘∛-⏿▁-▃▅-█▰-◅◐-◕☀-☏☓-⬚⬰-⯿䷀-䷿꜀-꜖"
    "֏؋৲৳฿៛﷼＄￠￡￥￦\U0001d300-\U0001d371\U0001f000-\U0001faff"
)
# Numbers with decimals, or with commas for these and points between thousands; no dates, times and enumerations.
_DECIMAL_COMMA, _DECIMAL_POINT = (
    re.compile(rf"{sign}(?<=\d{sign})(?<![.,]\d.)(?<![.,]\d\d.)\d{{1,2}}(?![\w.,/]?\d)") for sign in (",", r"\.")
)
_COMMA_NUMBER = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![.,]?\d)")
_SWAPPED: Final = str.maketrans(",.", ".,")
# A date, with what programs add to it (2023-05-01T00:00:00.000 for 2023-05-01) or a time as they write it.
_INSTANT = re.compile(
    r"-(?<=[0-9]{4}-[0-9]{2}-)([0-9]{2})(?:(?:[t ]00:00(?::00(?:\.0+)?)?z?(?![\w:]|\.[0-9]))+"
    r"|[t ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.0+(?![0-9]))?)?))"
)
# Between the thousands of a number: three digits follow; one to three, or three behind another such sign, come before.
_GROUPING: Final = {
    sign: re.compile(
        rf"[{sign}](?=[0-9]{{3}}(?![0-9]))(?:(?<=[{sign}][0-9]{{3}}[{sign}])|"
        + "|".join(rf"(?<=(?<![\w.,'’:])[1-9]{'[0-9]' * more}[{sign}])" for more in range(3))
        + ")"
    )
    for sign in ",.'’"
}

_LONGEST_TAG: Final = 200  # characters
_TAG: Final = rf"<[/!?]?[\w:.@/-]{{1,{_LONGEST_TAG}}}(?:\s[^<>]{{0,{_LONGEST_TAG}}})?"  # without its end
_SIGN = re.compile(
    f"[#'\"/−–{_OF_FRAMES}$%{_SELDOM}]"
    r"(?<!\D[/²³¹⁰-⁹])(?!(?<=/)\D)"  # a fraction or a power, not of a path or a unit
    rf"(?!(?<=<){_TAG[1:]}/?>)(?!(?<==)[\"'])(?<![\"'/\-]>)"  # tags, their attributes, and names in such quotes
    rf"(?:(?<=[{_OF_FRAMES}])[{_OF_FRAMES}]+)?"
)
# Letters of scripts that set no spaces between words, and of Korean: no dash joins a number to them, as in A-5.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Vowel signs, points, accents and tones of all scripts: they belong to the letter before them.
COMBINING_MARKS: Final = "".join(
    sign for sign in map(chr, range(0x300, 0x1E00)) if unicodedata.category(sign) in ("Mn", "Mc")
)
# Scripts that set marks around letters: the Indic ones, Thai, Lao, Tibetan, Burmese and Khmer.
SYLLABIC: Final = "\u0900-\u109f\u1780-\u17ff"
_OF_NAME = re.compile(rf"[^\W_{_UNSPACED}]")
# Where each sign may begin, by the conditions that _SIGN has for it: a search for each of those that a text contains
# takes a fraction of the time of a search for all.
_BEGINNINGS: Final = {
    sign: re.compile(re.escape(sign) + condition)
    for sign, condition in {
        **dict.fromkeys("−–", r"(?=[^\sA-Za-z]|(?<=\S.)\s*+\d)"),
        # Not within a longer sign or a word, and not a line of dashes.
        "-": r"(?<![-+]-)(?!-++(?![+=<>]))(?:(?=(?:(?<=\S-)\s*+)?\d)(?<![A-Za-z]-)|(?=[-+=<>]|[^\x00-\x7f]))",
        **{"<": r"(?<!<<)(?![/!?])", ">": r"(?<![\"'/\-]>)(?<!\A>>)(?<![^\"'/\-]>>)(?!>>++(?![-+=<]))"},
        **{"=": r"(?<!==)(?![\"'])", "+": r"(?<![-+]\+)", "$": "", "%": "", "/": r"(?<=\d/)(?=\d)"},
        "#": r"(?:(?<=[^\W_]#)|(?=\d))",
        # After a number, as in 5', or after a name of one letter, as in f'(x); but not after a quoted letter ('a'), and
        # not where letters are left out (l'eau).
        "'": rf"(?!{_OF_NAME.pattern})(?:(?<=\d')|(?<=[^\W\d_]')(?<![\w'\"“‘’-][^\W\d_]')(?!'|\s*+[^\W\d_]))",
        '"': rf"(?<=\d\")(?!{_OF_NAME.pattern})",
    }.items()
}
_TYPED_RANGE = re.compile(r"--(?<=[^\s-]--)(?=\d)")  # as sources for TeX and Markdown have it
_SELDOM_SIGN = re.compile(f"[{_SELDOM}]|■■")
_FEW_SIGNS: Final = 30  # different ones; to find more, it is faster to look at each character
_ASCII: Final = bytes(range(128))
_PICTURE = re.compile("[☀-♟♨-➿\U0001f000-\U0001faff]")  # drawn from another font, in PDFs often at the end of its line
_LIST_MARK = re.compile("[+<>=∗→↠-↳⇒⇨-⇾▶-▻♦✀-➿⦁⧫]")
_WHOLE_TAG = re.compile(rf"{_TAG}/?>(?![{_OF_FRAMES}])")
_DASH = re.compile("[-−–]")
_PLAIN_SIGNS: Final = frozenset("#%+/<=>§")  # whatever is beside them
_NEXT_NUMBER = re.compile(r"\s*+(\d)")
_MOST_DIGITS: Final = 4  # of a number of a range; a date and a telephone number have several dashes, or more digits
_MOST_INDENT: Final = 80  # characters
# The minus of a grade, as in B-, or behind an amount, as in 5,00- or 5,00 -, and no hyphen before the rest of a word.
_MINUS_BEHIND = re.compile(
    rf"-(?:(?<=[^\W\d_]-)(?<![\w'’{COMBINING_MARKS}-][^\W\d_]-)|(?<=[.,]\d\d-)|(?<=[.,]\d\d\d-)"
    r"|(?<=[.,]\d\d -)(?= *+(?:[\t\n;|\"')]|\Z)))"
    r"(?=[\s)\],.;:?!\"'|]|\Z)(?![^\S\n]*+\n\s*+[a-z])"
)
# A minus and a space before the amount that begins a line; before several lines in a row it is the mark of a list.
_MINUS = re.compile(r"-(?=[ \t]+[$€£¥]?\d)")
_ITEM_MARKS: Final = ("-", "–", "−", "•", "*")
# A lone square is the mark of a list or a box; several, like a bar, stand for words that were blacked out.
_TYPED: Final = (
    {"■■": "██"}
    | dict(zip("＋－／＜＝＞＃’′”″", "+-/<=>#''\"\"", strict=True))
    | {sign: unicodedata.normalize("NFKC", sign) for sign in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅟↉℃℉"}
)
# Before the sign of feet, inches, minutes or seconds.
_MEASURE = re.compile(rf"(?:\A|[\s(/x×°]|\d'|([{_UNSPACED}]))[\d.,]+\Z")
_QUOTED = re.compile(rf"[^“‘\"']*+(?:[“‘]|[\"'](?!{_OF_NAME.pattern}))")  # backwards, from a quote that ends
_LONGEST_MEASURE: Final = 8  # characters
# Punctuation of other scripts and widths as it is in ASCII.
ASCII_OF: Final = dict(zip("，､、。｡．；：？！（）＆＠؛،؟٫٬", ",,,...;:?!()&@;,?.,", strict=True))
# The place of a sign is the number of letters and digits before it. It is the same in all formats, whatever their
# spaces, line ends, hyphens, accents and ligatures are, because they are counted in their normal form.
_PLACE, _SEEN = "\x01", "\x02"  # for a sign that has its own form, and for a visible character
_ALPHABET: Final = (string.ascii_letters + string.digits).encode()
_POINTS: Final = "!&(),.:;?@"
_FORMS: Final = f"{_POINTS}'\""
# What else a reader sees, though formats write it in different ways: capitals, circles, signs that may mark up text.
_MARKING: Final = b"#$%*+/<=>[]\\^_{|}~" + _SEEN.encode()
_WIDE_MARKING: Final = {"〜": "~"} | {chr(sign + 0xFEE0): chr(sign) for sign in _MARKING}  # full-width
_UNPUNCTUATED: Final = bytes({*range(256)} - {*f"{_POINTS}{_PLACE}".encode(), *_ALPHABET})
_UNMARKED: Final = bytes({*range(256)} - {*_MARKING, *_ALPHABET})
_SAME: Final = bytes.maketrans(_ALPHABET, b"a" * len(_ALPHABET))
_CASES: Final = bytes.maketrans(_ALPHABET, b"a" * 26 + b"A" * 26 + b"a" * 10)
_LEADERS = re.compile(rb"\.(?:[ \t]?\.)+")
_TICKS: Final = {"☑": "{", "☐": "}", "☒": "|"}  # signs of lettering, which are no letters
_RULES: Final = {sign * 3: re.compile(re.escape(sign * 3) + b"+") for sign in map(bytes, zip(b"#*+=_|~^<>"))}
# Single quotes; no apostrophes, which are within a word or have no partner. Old manuals have a `word' in such signs.
_SINGLE_QUOTED = re.compile(rb"'(?<![^\W_]')(?=[^\W_])(?>(?:[^']++|(?<=[^\W_])'(?=[^\W_]))+)'(?![^\W_])")
_BACKTICK = re.compile(rb"`(?<![^\W_]`)(?=[^\W_][^`']*+')")
# Before a unit, small for thousandths (or millionths): mV, мВт, µΩ. These scripts write millions in capitals.
_SMALL_PREFIXES: Final = {  # each by itself is found several times as fast
    sign: re.compile(sign + "(?=[A-ZΩ\u2126АВГДНПТФＡ-Ｚ][a-zа-яａ-ｚ]?(?![^\\W\\d_]|[\u0300-\u036f]))(?<![^\\W\\d_].)")
    for sign in "mмµμｍ"
}
_SMALL_UNITS: Final = "㎃㎷㎽㎂㎶㎼"  # in one square, with such a prefix
_UNRULED: Final = bytes({*range(256)} - {*b"".join(_RULES)})
_VISIBLE: Final = "ßẞİ¶²³¹⁰-₎〈-》【】〔-〛・·×○◎●◉◯\u202d\u202e\U0001d100-\U0001d1ff"
_FIRST_CODE: Final = 0x80  # of the bytes for characters that count as more or less than one letter
# Blocks of letters (Han, Korean, and the first units of pairs of UTF-16 without emoji), which need not be looked at.
_LETTERS: Final = (
    *(range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xAC00, 0xD7A4)),
    *(range(0xD800, 0xD834), range(0xD835, 0xD83C), range(0xD840, 0xDB40)),
)
_JOINING: Final = range(0x1160, 0x1200)  # parts of a Korean syllable behind its first
_LONGEST_SIGN: Final = 2  # characters, as in <=


def unescape(text: str) -> str:
    """Return a text with the character references of HTML replaced; what is far beyond Unicode is U+FFFD."""
    return html.unescape(_BEYOND_UNICODE.sub("\ufffd", text)) if "&" in text else text


def normalise(text: str) -> str:
    """Return text in NFKC, case folded, without control and format characters, with single spaces and none at the ends.

    Letters that people and programs write in two ways become one of them; see `_one_form`. U+FFFE is deleted too:
    PDFium writes it for a hyphen at a line end.

    Words are independent of each other, so a long text is normalised in pieces, most of which may be plain ASCII.
    """
    return _with_plain_numbers(" ".join(filter(None, map(_normalised, pieces_of(text)))))


def _with_plain_numbers(text: str) -> str:
    """Return a normalised text with numbers and times as files for programs have them, and spreadsheets do not.

    Thousands are not set apart (1110.76 for 1,110.76), a date has no time of midnight, and a time no milliseconds of 0.
    The signs that are left out still count among the signs of a text.
    """
    text = _INSTANT.sub(_plain_instant, text)
    for sign, grouping in _GROUPING.items():
        text = grouping.sub("", text) if sign in text else text
    return text


def _plain_instant(instant: re.Match[str]) -> str:
    """Return the end of a date with its time, if it has one other than midnight."""
    day, time = instant.groups()
    return f"-{day} {time.partition('.')[0]}" if time else f"-{day}"


def _normalised(text: str) -> str:
    """Return the normal form of a piece of a text."""
    if text.isascii():
        collapsed = " ".join(text.lower().split())
        return collapsed if collapsed.isprintable() else " ".join(text.lower().translate(_ASCII_TABLE).split())
    if (single := _normalised_singly(text)) is not None:
        return single
    # Replaced one by one, because any of them makes the search for the normal form many times slower.
    for letter, plain in _FREQUENT:
        text = text.replace(letter, plain)
    words = text.split()
    different = [*dict.fromkeys(words)]  # most words of a text occur again
    folded = _folded("\n".join(different))
    if not folded.replace("\n", "").isprintable():  # then it may have characters to delete
        folded = _deleted_characters().sub("", folded)
    forms = dict(zip(different, [" ".join(form.split()) for form in folded.split("\n")], strict=True))
    return " ".join(filter(None, map(forms.__getitem__, words)))


def _folded(text: str) -> str:
    """Return a text in NFKC and case folded, with one form of each letter that is written in two ways."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _MARK_LEADS)) + _MOST_MARKS < len(data):
        text = _MANY_MARKS.sub(_with_fewer_marks, text)
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Case folding may undo the normal form (Unicode 3.13, definition 146).
    folded = unicodedata.normalize("NFKC", folded)
    for letter in _one_form().keys() & set(folded):
        folded = folded.replace(letter, _one_form()[letter])
    return folded.replace("i\u0307", "i")  # of a capital İ


@cache
def _one_form() -> dict[str, str]:
    """Return the form of each letter that people or code pages write in another way, and of digits of all scripts.

    Russian may have ё without its dots, and Greek capitals have no accents; in Turkish alone, ı is the small letter of
    I; code pages lack two letters of Romanian; an apostrophe may be a letter in Ukrainian; texts without vowel points
    have a plain alef in Arabic; and PDFs name any of three characters for a door, which have one glyph in many fonts.
    """
    forms = dict(zip("ёıșțʼٱ戶戸", "еişţ'ا户户", strict=True))
    for letter in filter(str.isalpha, map(chr, _GREEK)):
        plain = unicodedata.normalize("NFD", letter)[0]
        forms |= {letter: plain} if plain != letter else {}
    decimals = filter(str.isdecimal, map(chr, range(0x80, 0x10000)))
    return forms | {digit: str(unicodedata.decimal(digit)) for digit in decimals}


def _with_fewer_marks(signs: re.Match[str]) -> str:
    """Return a run of signs with at most _MOST_MARKS combining marks on one character."""
    shortened: list[str] = []
    marks = 0
    for sign in signs.group():
        marks = marks + 1 if unicodedata.combining(sign) else 0
        shortened += sign if marks <= _MOST_MARKS else ""
    return "".join(shortened)


def _normalised_singly(text: str) -> str | None:
    """Return the normal form of a text with few characters beyond ASCII, each of which is folded by itself.

    None for other texts. This is several times as fast as looking at each character.
    """
    data = text.encode("utf-8", "surrogatepass")
    non_ascii = data.translate(None, _PLAIN)
    if len(non_ascii) > _MOST_SINGLE * len(data):
        return None
    forms = {character: _single_form(character) for character in set(non_ascii.decode("utf-8", "surrogatepass"))}
    changed = {character: form for character, form in forms.items() if form is not None and form != character}
    if None in forms.values() or len(changed) > _MOST_REPLACED:
        return None
    for character, form in changed.items():
        data = data.replace(character.encode(), form.encode())
    return b" ".join(data.lower().split()).decode()


@cache
def _single_form(character: str) -> str | None:
    """Return the normal form of a character that is folded by itself, or None."""
    if not any(ord(character) in block for block in _SINGLE) or unicodedata.combining(character):
        return None
    form = "".join(letter for letter in _folded(character) if not _is_deleted(letter))
    if any(ord(letter) in _PARTS_OF_SYLLABLES for letter in form):
        return None
    return " " if form.isspace() else form


def raised(text: str, before: str, *, sunk: bool = False) -> str:
    """Return a text that is printed raised or sunk after `before`, a number with such digits: 10⁵ is not 105."""
    is_number = text[-1:].isdecimal() and before[-1:].isalnum() and _POWER.fullmatch(text)  # most text is no number
    return text.translate(_SUNK if sunk else _RAISED) if is_number else text


def with_powers(text: str) -> str:
    """Return a text with its typed powers raised, as in 10^5, and a space within mixed fractions, as in 1½."""
    if "^" in text:
        text = _TYPED_POWER.sub(lambda power: raised(power[1], "0"), text)
    for half in _HALVES if not text.isascii() else ():
        text = re.sub(f"{half}(?<=[0-9].)", f" {half}", text) if half in text else text
    return text


def with_usual_characters(text: str) -> str:
    """Return a text with characters in place of radicals, and usual brackets in place of those of vertical lines."""
    return text.translate(_RADICALS) if _RADICAL.search(beyond_ascii(text)) else text


def signs_of(text: str) -> tuple[str, str]:
    """Return (signs of a text: currencies, percentages, arithmetic, grades (B-) and emoji, in their order; the text).

    Texts with the same words may differ in meaning by these alone: 100 $ and 100 €, -5 and 5. The text is returned with
    _PLACE before each sign that is no emoji or other picture.
    """
    text, non_ascii = _typed(text)
    searched = [beginning for sign, beginning in _BEGINNINGS.items() if sign in text]
    seldom = (
        {*_SELDOM_SIGN.findall(replaced(non_ascii, non_ascii, _TYPED))} if _SELDOM_SIGN.search(non_ascii) else set()
    )
    if len(seldom) > _FEW_SIGNS:
        searched.append(_SELDOM_SIGN)
        seldom.clear()
    starts = {match.start() for beginning in searched for match in beginning.finditer(text)}
    starts.update(_places_of(seldom, text) if seldom else ())
    for tag in _WHOLE_TAG.finditer(text) if "<" in text else ():
        if tag.end() - tag.start() <= _LONGEST_TAG:
            starts -= {tag.start(), tag.end() - 1}
    signs = _minuses(text)
    marks: dict[int, str] = {}
    end = 0
    for start in sorted(starts):
        if start >= end and (match := _SIGN.match(text, start)) is not None:
            if form := _plain_form(match):
                (marks if _begins_item(match) else signs)[start] = form
            end = match.end()
    marks = {start: mark for start, mark in marks.items() if not mark.isascii()}
    if len({*marks.values()}) > 1:  # one mark for all adorns a list; several, such as ✅ and ❌, judge its items
        signs |= marks
    positions = [position for position in sorted(signs) if not _PICTURE.match(text, position)]
    pieces = [text[start:end] for start, end in pairwise((0, *positions, len(text)))]
    return "".join([signs[position] for position in sorted(signs)]), _PLACE.join(pieces)


def _places_of(signs: Set[str], text: str) -> Iterator[int]:
    """Yield where some signs beyond ASCII are in a text."""
    end = 0
    for piece in pieces_of(text):
        for sign in () if piece.isascii() else signs:
            yield from (end + match.start() for match in re.finditer(sign, piece))
        end += len(piece)


def _typed(text: str) -> tuple[str, str]:
    """Return a text with its signs as they are typed in ASCII, and its other characters beyond ASCII."""
    non_ascii = beyond_ascii(text)
    text = replaced(text.replace(_PLACE, "").replace(_SEEN, ""), non_ascii, _TYPED)
    return _TYPED_RANGE.sub("–", text) if "--" in text else text, non_ascii


def _minuses(text: str) -> dict[int, str]:
    """Return the minuses of grades (B-), after amounts (5-) and before an amount that begins a line, by position."""
    typed = text if text.isascii() else text.replace("−", "-").replace("–", "-")
    behind = [minus.start() for minus in _MINUS_BEHIND.finditer(typed)] if "-" in typed else []
    leading = [minus.start() for minus in _MINUS.finditer(text) if _begins_line(text, minus.start())]
    # A letter with an accent is no grade: written as two characters it would not be seen.
    before = {position: unicodedata.normalize("NFKD", text[position - 1]) for position in behind}
    signs = {position: letter if letter.isalpha() else "-" for position, letter in before.items() if len(letter) == 1}
    return signs | {position: "-" for position in leading if not _is_listed(text, position)}


def with_bullets(text: str) -> str:
    """Return a text with bullets for the dashes before items that begin with a number, which are no minuses."""
    dashes = [minus.start() for minus in _MINUS.finditer(text) if _begins_line(text, minus.start())]
    items = [position for position in dashes if _is_listed(text, position)]
    return "•".join(text[dash + 1 : end] for dash, end in pairwise([-1, *items, len(text)]))


def _beginning(text: str, start: int) -> str:
    """Return the beginning of the text from a position on, without white space."""
    return text[start : start + _MOST_INDENT].lstrip()


def _is_listed(text: str, position: int) -> bool:
    """Tell whether a line that begins with a minus is an item: the line before or after begins with a dash as well."""
    end, line_end = text.rfind("\n", 0, position), text.find("\n", position)
    while end > 0 and text[end - 1] == "\n":
        end -= 1
    before = _beginning(text, text.rfind("\n", 0, end) + 1) if end > 0 else ""
    return before.startswith(_ITEM_MARKS) or (line_end >= 0 and _beginning(text, line_end).startswith(_ITEM_MARKS))


def decimal_sign(text: str) -> str:
    """Return the sign before decimals that all numbers of a text have, a comma or a point; "" if none is known."""
    comma, point = _DECIMAL_COMMA.search(text), _DECIMAL_POINT.search(text)
    return "" if bool(comma) == bool(point) else "," if comma else "."


def with_separators(text: str, signs: Mapping[int, int]) -> str:
    """Replace "," and "." in the numbers of a text with decimal commas. signs: the new ones, by the code of the old."""
    return _COMMA_NUMBER.sub(lambda number: number[0].translate(signs), text)


def with_decimal_points(text: str) -> str:
    """Return a text with decimal points in place of commas: 1,234.50 for 1.234,50. Dates stay as they are."""
    return with_separators(text, _SWAPPED) if decimal_sign(text) == "," else text


def marks_of(text: str, ticked: str | None = None) -> tuple[bytes, bytes]:
    """Return what a text has beside its words: its signs and punctuation, and its lettering; b"" where it has none.

    "You won!" and "You won?", 1,500 and 1.500, a friend and a "friend" have the same words. What programs and formats
    choose does not count: hyphens, the kinds of quotes and dashes, full or half width, dots that lead to a page number.
    Units with a small prefix are counted as well: 5 mW is not 5 MW in any format.
    Lettering compares texts of one format: No gas is not NO gas, and a [1] is not a(1); but a heading may be printed in
    capitals, and a PDF may have a tick of another font at the end of its line. In both results, "a" or "A" stands for
    each letter and digit of the text, so that signs keep their places.
    ticked: the text with its ticks as ☑, ☐ and ☒, which count in the lettering alone; None: it has none.
    """
    ticked = text if ticked is None else ticked
    forms, placed = signs_of(text)
    data = _in_ascii(placed)
    non_ascii = beyond_ascii(ticked)
    lettering = _lettering_of(data if ticked == text else _in_ascii(_typed(replaced(ticked, non_ascii, _TICKS))[0]))
    seen = "".join(_visible().findall(non_ascii))
    if b".." in data or b". ." in data:
        data = _LEADERS.sub(b"", data)
    signs = data.translate(_SAME, _UNPUNCTUATED)
    signs, lettering = (marks if marks.strip(b"a") else b"" for marks in (signs, lettering))
    signs += forms.encode("utf-8", "surrogatepass") + b'"' * _quotes_in(data) + b"m" * _thousandths_in(text)
    return signs, lettering + seen.encode("utf-8", "surrogatepass")


def _thousandths_in(text: str) -> int:
    """Count the units with a small prefix: mV, мВт, µΩ."""
    squares = 0 if text.isascii() else sum(map(text.count, _SMALL_UNITS))
    return squares + sum(len(prefix.findall(text)) for sign, prefix in _SMALL_PREFIXES.items() if sign in text)


def _quotes_in(data: bytes) -> int:
    """Count the quotation marks of a text in ASCII. Where they are does not count: in PDFs some are at a line's end."""
    if b"`" in data:
        data = _BACKTICK.sub(b"'", data.replace(b"``", b'"'))
    if b"'" in data:
        data = data.replace(b"''", b'"')
    return data.count(b'"') + (2 * len(_SINGLE_QUOTED.findall(data)) if b"'" in data else 0)


def _lettering_of(data: bytes) -> bytes:
    """Return the letters, small or capital, and the signs that may mark up text, without rules."""
    lettering, marks = data.translate(_CASES, _UNMARKED), data.translate(None, _UNRULED)
    for rule, longer in _RULES.items():
        lettering = longer.sub(b"", lettering) if rule in marks else lettering
    return lettering


def _in_ascii(text: str) -> bytes:
    """Return a text with "a" or "A" for each letter beyond ASCII, and ASCII for punctuation beyond it."""
    if text.isascii():
        return text.encode()
    table, forms = _codes()
    data = table[np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.dtype("<u2"))].tobytes()
    for code, form in enumerate(forms, _FIRST_CODE):  # far faster than to replace each character
        data = data.replace(bytes([code]), form) if code in data else data
    return data


@cache
def _codes() -> tuple[NDArray[np.uint8], tuple[bytes, ...]]:
    """Return a table with one byte for each unit of UTF-16, uint8 (65536,), and the ASCII forms of rare signs.

    Byte _FIRST_CODE stands for the first of these forms, the next byte for the second, and so on.
    """
    table = np.full(1 << 16, ord("a"), np.uint8)
    table[: len(_ASCII)] = np.arange(len(_ASCII))
    forms: dict[bytes, int] = {}
    for unit in {*range(len(_ASCII), len(table))}.difference(*_LETTERS):
        form = _form_of(chr(unit))
        table[unit] = form[0] if len(form) == 1 else forms.setdefault(form, _FIRST_CODE + len(forms))
    return table, tuple(forms)


@cache
def _visible() -> re.Pattern[str]:
    """Return a pattern of the characters of _VISIBLE, and of the letters that `_one_form` replaces."""
    letters = _one_form().keys() - {"ʼ"}  # another apostrophe
    capitals = [letter.upper() for letter in letters if len(letter.upper()) == 1]
    return re.compile(f"[{_VISIBLE}{''.join([*letters, *capitals])}]")


def _form_of(character: str) -> bytes:
    """Return "a" for each letter in the normal form of a character, or "A" for a capital, and its punctuation."""
    letter, form = "A" if character.isupper() else "a", _SEEN if _visible().match(character) else ""
    for part in unicodedata.normalize("NFKC", character.casefold()):
        if part.isalnum() and ord(part) not in _JOINING and unicodedata.category(part) != "Lm":
            form += letter
        elif (sign := TYPED_SIGNS.get(part) or ASCII_OF.get(part, part)) in _FORMS:
            form += sign
    return (form or _WIDE_MARKING.get(character, "-")).encode()


def _plain_form(match: re.Match[str]) -> str:
    """Return the form in which a sign is compared; "" for a hyphen and for parts of frames, tags and commands.

    A sign between two numbers counts: 1/2, 1-2 and 1.2 are not the same; so does a power: 10² is not 102.
    """
    sign, text, start, end = match.group(), match.string, match.start(), match.end()
    if len(sign) == 1 and sign in _PLAIN_SIGNS:
        return sign
    before = text[max(0, start - _LONGEST_MEASURE) : start]
    if len(sign) > _LONGEST_SIGN:
        return ""
    after = text[end : end + 1]
    if sign[-1] in "-−–":
        is_alone = len(sign) == 1 and not _OF_NAME.match(before[-1:])
        if before[-1:].isdigit():
            is_alone = len(_DASH.findall(text, max(0, start - _MOST_DIGITS), end + _MOST_DIGITS + 1)) == 1
        if len(sign) == 1 and before[-1:].strip() and (number := _NEXT_NUMBER.match(text, end)):
            after = number[1]  # maybe on the next line
        return f"{sign[:-1]}-" if after.isdigit() and (is_alone or (len(sign) == 2 and sign[0] != "-")) else ""
    if "-" in sign:
        return ""
    if sign in "'\"" and before[-1].isdigit():
        measure = _MEASURE.search(before)
        may_end = measure is not None and (measure[1] or after.isalpha())  # then no space tells it from a quote
        if measure is None or (may_end and _QUOTED.match(text[max(0, start - _MOST_INDENT) : start][::-1])):
            return ""  # a quote
    if sign == "$" and (after.isalpha() or (before[-1:].isalpha() and not text[end : end + 2].lstrip()[:1].isdigit())):
        return ""  # a variable, or a formula of TeX
    return "/" if sign == "⁄" else unicodedata.normalize("NFKC", sign)


def _begins_item(match: re.Match[str]) -> bool:
    """Tell whether a sign is the mark of a list: it begins a line."""
    if not _LIST_MARK.fullmatch(match.group()):
        return False
    after = match.string[match.end() : match.end() + 1]
    return (not after or after.isspace()) and _begins_line(match.string, match.start())


def _begins_line(text: str, position: int) -> bool:
    """Tell whether there is only a little white space before a position in its line."""
    line = text[max(0, position - _MOST_INDENT) : position].rpartition("\n")
    return not line[2].strip() and bool(line[1] or position < _MOST_INDENT)


def _is_deleted(character: str) -> bool:
    """Tell whether a character is deleted: U+FFFE, and those for control and format that are not white space."""
    return character == "\ufffe" or (unicodedata.category(character) in _DELETED and not character.isspace())


@cache
def _deleted_characters() -> re.Pattern[str]:
    """Return a pattern of control and format characters that are not white space, and of U+FFFE."""
    codes = np.array([code for code in chain(*_PLANES) if _is_deleted(chr(code))])
    ranges = np.split(codes, np.flatnonzero(np.diff(codes) > 1) + 1)
    return re.compile("[" + "".join(f"{chr(codes[0])}-{chr(codes[-1])}" for codes in ranges) + "]+")
