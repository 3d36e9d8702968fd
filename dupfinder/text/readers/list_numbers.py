"""Find the numbers of list items, clauses, verses and notes, which some formats print and others compute."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from dupfinder.text.document import as_label, beyond_ascii
from dupfinder.text.lines import value_of, with_replaced
from dupfinder.text.readers.markup import LEAST_CUES

_ROMAN: Final = "ivxl"
_HAN_DIGITS: Final = "〇一二三四五六七八九"
_HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
_NUMBER = re.compile(
    r"\n(?>([•–▪●○■◆·‣◦][ \t\xa0]{1,9})?)[ \t\u3000]*+"
    r"(?![A-Za-z][^.)、）．ivxlIVXL])([(（\[]?)"  # not before most words
    r"(\d{1,3}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6}|[一二三四五六七八九十]{1,3})"
    r"([.)、）．\]]{1,2})(?:[ \t\xa0]+(?=\S)|(?=[^\x00-\x7f]|\"[^\x00-\x7f])"
    r"|(?<=\d[.)])[ \t]*+(?=\n|\Z))"  # also alone in a line, as in the first column of a table
)
# The number of an article in Chinese, Japanese and Korean: 第三条, 第３条（目的）, 제3조(목적). Articles begin lines in
# every copy, unlike headings of chapters.
_ARTICLE = re.compile(
    r"\n()[ \t\u3000]*+([第제]) ?(\d{1,4}|[〇零一二三四五六七八九十百千]{1,9}) ?([条條조])"
    r"(?=[ \t\xa0\u3000(（:：]|\n|\Z)"
)

# A number of several levels, or a bare one, at the beginning of a line: "4.1", "2.03.", "A.1.2", "4".
_OUTLINE = re.compile(
    r"\n[ \t\u3000]*+([1-9A-Z](?:(?<=[1-9])\d?|(?=[.．]))(?:[.．]0?[1-9]\d?){0,5})"
    r"(?:(?![.．]?[\w%°€$])[.．]?+(?:[ \t\xa0]++(?![%°€$])|(?=\n|\Z))"
    r"|[.．]?(?=[\u2e80-\U0003ffff])(?![元亿億万萬米年月日点倍배년월]))"
)
_LAST_NUMBER = re.compile(r"(\d(?<!\d.)(?<!\d[.,:/-].)(?<=[^\n].)\d{0,3})(?=[ \t]*$)", re.M)
_TENTH = re.compile(r"10(?=[ \t]*$)", re.M)  # every poem that is counted has it, maybe in other digits
_DIGIT = re.compile(r"\d")
_AROUND_POEM: Final = 10  # lines; also of those behind its last number
_FULL_LINE: Final = 40  # least characters of a line of prose that is broken because it is full

# Patterns of numbers within lines, by signs: a text that counts to two contains one of these.
_TEN = re.compile(r"10(?<=\s10)(?=\s)")  # is in each text in which bare numbers count
_BARE = re.compile(r"([0-9](?<!\S.)(?<!第[ \n].)[0-9]{0,3})(?!\S)")  # no ordinal; the digit is quickly found
_COUNTING: Final = {
    ("(2)", "(٢)", "(۲)"): re.compile(r"\((?<![\w)\]}]\()(\d{1,3})\)"),
    ("[2]", "[٢]", "[۲]"): re.compile(r"\[(?<![\w)\]}]\[)(\d{1,3})\](?![\w\[])"),
    ("﴾2﴿", "﴿2﴾", "﴾٢﴿", "﴿٢﴾", "﴾۲﴿", "﴿۲﴾"): re.compile(r"[﴾﴿](\d{1,3})[﴾﴿]"),
    ("¹",): re.compile(r"([¹²³⁰⁴-⁹](?<!\w.)[¹²³⁰⁴-⁹]{0,2})(?![⁰-⁹⁄])"),
    ("「2」", "〔2〕"): re.compile(r"[「〔](\d{1,4})[」〕]"),
    ("[0002]", "【0002】"): re.compile(r"[\[【](0\d{3}|\d{4})[\]】]"),  # the paragraphs of patents
    ("10",): _BARE,
}
_MOST_OTHERS_VALUE: Final = 999  # greater ones are years
OTHERS_SHARE: Final = 0.25  # most other numbers of the same kind, as a share of those that count; they are references
_LEAST_BARE: Final = 10  # bare numbers
_LEAST_VERSE: Final = 20  # characters for each of them

_NOTE_MARK = re.compile(r"\[\d{1,3}\]")
_RAISED_NOTE_MARK = re.compile(r"\^\[\d{1,3}\][ \t]?")  # as text browsers write it, before the note as well


_Ordinal = tuple[tuple[str, str, str], int]
"""((opening bracket, kind of number, closing signs), value)"""


def without_list_numbers(text: str) -> tuple[str, str]:
    """Return (text without the numbers of its list items, the numbers).

    They are printed in a PDF and a text file, and computed in a Word file and a page. A number at the beginning of a
    line is that of an item if another line, wherever it is, begins with the number before or after it: "1." and "2.",
    "(a)" and "(b)", "iv)" and "v)", "[8]" and "[9]". Also removed are numbers of several levels, as "4.1", "4.1.1" and
    "4.2"; numbers of notes, and their marks in the text; and numbers that count through a text, as of verses.
    """
    spans, notes = _list_numbers(text)
    removed = [text[start:stop].strip() for start, stop in spans]
    return _with_numbers(text, spans, notes, lambda _: ""), "\n".join([*removed, *sorted(notes)])


def with_labels(text: str, other: str) -> str:
    """Return the text with labels in place of the numbers that `without_list_numbers` removes; see `as_label`.

    other: a text beside it. Without item (b), "(c)" is no number of a list, but it is if the other text has that item.
    """
    return _with_numbers(text, *_list_numbers(text, other), as_label)


def _with_numbers(text: str, spans: list[tuple[int, int]], notes: frozenset[str], form: Callable[[str], str]) -> str:
    """Return the text with another form of its list numbers. spans, notes: see `_list_numbers`."""
    changed = with_replaced(text, ((start, stop, form(text[start:stop])) for start, stop in spans))
    return _NOTE_MARK.sub(lambda mark: form(mark[0]), changed) if notes else changed


def _list_numbers(text: str, other: str = "") -> tuple[list[tuple[int, int]], frozenset[str]]:
    """Return (the spans of the numbers of list items, with the spaces around them; the marks of notes).

    other: a text whose items count as neighbours.
    """
    padded = "\n" + text
    numbers = _numbered_lines(padded)
    beside = _numbered_lines("\n" + other) if other else []
    values = {ordinal for _, ordinals in (*numbers, *beside) for ordinal in ordinals}
    spans = [number.span() for number in _counting_numbers(text)]
    spans += [(number.start(), number.end() - 1) for number in _outline_numbers(padded)]
    spans += [number.span() for number in _every_fifth(text)]
    spans += [mark.span() for mark in _RAISED_NOTE_MARK.finditer(text)]
    spans += [
        (number.start(3) - 1, number.end(3) - 1)  # 第 and 条 remain
        if number.re is _ARTICLE
        else (max(number.start(), number.end(1) - 1), number.end() - 1)  # behind a bullet
        for number, ordinals in numbers
        if any((series, value - 1) in values or (series, value + 1) in values for series, value in ordinals)
    ]
    apart, end = [], 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= end:
            apart.append((start, stop))
            end = stop
    notes = _numbers_of_notes(text) if any(number.group(2) == "[" for number, _ in numbers) else frozenset()
    return apart, notes


def _numbered_lines(padded: str) -> list[tuple[re.Match[str], list[_Ordinal]]]:
    """Return the numbers at the beginnings of lines, and what each may mean. padded: as in `_outline_numbers`."""
    numbers = []
    articles = _ARTICLE.finditer(padded) if "第" in padded or "제" in padded else ()
    for number in chain(_NUMBER.finditer(padded), articles):
        opening, counter, closing = number.group(2, 3, 4)
        numbers.append((number, [((opening, kind, closing), value) for kind, value in _ordinals(counter)]))
    return numbers


def _every_fifth(text: str) -> list[re.Match[str]]:
    """Return the numbers at the ends of every fifth or tenth line of a poem, which count its lines that are not blank.

    No other line ends in its number, as in an enumeration, and a few lines at most are above and below the poem.
    """
    if "10" not in text or "20" not in text or not (_TENTH.search(text) or _DIGIT.search(beyond_ascii(text))):
        return []
    filled = list(filter(None, map(str.strip, text.split("\n"))))
    if len(filled) > 2 * _AROUND_POEM + 10 * sum(line[-1].isdecimal() for line in filled):
        return []  # far fewer than every tenth line ends in a number, which takes longer to look at
    runs: dict[int, list[re.Match[str]]] = {}  # by the number that the line before the text would have
    lines = end = 0
    for number in _LAST_NUMBER.finditer(text):
        lines += sum(1 for line in text[end : number.end()].split("\n") if line.strip())
        end = number.end()
        runs.setdefault(int(number[1]) - lines, []).append(number)
    if not any(len(run) >= LEAST_CUES for run in runs.values()):
        return []
    lines += sum(1 for line in text[end:].split("\n") if line.strip())
    for before, run in runs.items():
        first, last = int(run[0][1]), int(run[-1][1])
        counted = [first * number for number in range(1, len(run) + 1)]
        around = max(-before, lines + before - last)
        is_of_poem = len(run) >= LEAST_CUES and first in (5, 10) and around <= _AROUND_POEM
        if is_of_poem and [int(number[1]) for number in run] == counted:
            return run
    return []


def _outline_numbers(padded: str) -> list[re.Match[str]]:
    """Return the numbers of several levels that count, and those of the chapters above them, at beginnings of lines.

    They count from 1 at each level, wherever their lines are: without "4.1", "4.2" is no clause. The number of a
    chapter is right before that of its first section. A lone number counts before a heading that begins the text.
    padded: a text with a line break before it.
    """
    matches = list(_OUTLINE.finditer(padded))
    if all(number[1].isalnum() for number in matches):  # none has several levels: a column of numbers, say
        return []
    numbers = [
        (number, tuple(map(_level, re.split("[.．]", number[1]))))
        for number in matches
        if not (number[1].isdecimal() and padded[number.end() : number.end() + 1] >= "\u2e80")  # "3天" is no clause
        and not _continues_sentence(padded, number.start())
    ]
    if len(numbers) == 1:
        return [number for number, levels in numbers if len(levels) > 1 and _is_heading(padded, number)]
    following = [levels for _, levels in (*numbers[1:], *numbers[-1:])]
    chapters = [
        len(levels) == 1 and after == (*levels, 1) for (_, levels), after in zip(numbers, following, strict=True)
    ]
    # Numbers of other lists are not numbers of chapters, and some formats do not store them.
    known = {levels for (_, levels), is_chapter in zip(numbers, chapters, strict=True) if is_chapter or len(levels) > 1}
    return [
        number
        for (number, levels), is_chapter in zip(numbers, chapters, strict=True)
        if is_chapter or (len(levels) > 1 and _counts(levels, known))
    ]


def _is_heading(padded: str, number: re.Match[str]) -> bool:
    """Tell whether a text begins with a number and a heading, as a part of a document does."""
    heading = padded[number.end() :].partition("\n")[0].strip()
    is_name = heading[:1].isalpha() and not heading[0].islower() and heading[-1] not in ".!?。"
    return is_name and not padded[: number.start()].strip()


def _counts(levels: tuple[int, ...], known: set[tuple[int, ...]]) -> bool:
    """Tell whether a number of several levels counts: the first number of its level and a neighbour are known."""
    *above, last = levels
    near = {(*above, last - 1), (*above, last + 1), (*levels, 1), *([tuple(above)] if last == 1 else [])}
    return (*above, 1) in known and not known.isdisjoint(near)


def _continues_sentence(text: str, line_end: int) -> bool:
    """Tell whether a line is full and its sentence goes on in the next one. line_end: its position."""
    line = text[text.rfind("\n", 0, line_end) + 1 : line_end].strip()
    return len(line) >= _FULL_LINE and (line[-1].isalpha() or line[-1] in ",(") and not line[0].isdecimal()


def _level(text: str) -> int:
    """Return the value of one level of a number: digits, or the letter of an appendix, which is below zero."""
    return int(text) if text.isdecimal() else -ord(text)


def _counting_numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers that count the verses, paragraphs or sentences of a text, or what it enumerates in a sentence.

    Numbers of one kind, as "(2)" or a raised "²", count from 1, with few others between them, and begin anew at 1; so a
    chapter loses the same numbers by itself as in its book. Bare numbers count only if there are many of them, with
    words between them: a calendar and a table have numbers side by side.
    """
    for signs, pattern in _COUNTING.items():
        is_sought = any(sign[-2:-1] in text and sign in text for sign in signs)  # the first test is the quick one
        if is_sought and (pattern is not _BARE or _TEN.search(text) is not None):
            yield from _runs(pattern, text)


def _runs(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers of one kind that count, as `_counting_numbers` describes.

    A lone 1 among the words does not end a count: what begins with it counts nothing before the count goes on.
    """
    run: list[re.Match[str]] = []
    earlier: list[re.Match[str]] = []  # the run before it
    others = others_of_earlier = 0
    for number in pattern.finditer(text):
        value = int(unicodedata.normalize("NFKC", number[1]))
        if value == len(run) + 1:
            run.append(number)
            continue
        if value > _MOST_OTHERS_VALUE and value != len(earlier) + 1:
            continue
        others += 1
        others_of_earlier += 1
        goes_on = value == len(earlier) + 1 > 1 and others_of_earlier <= OTHERS_SHARE * len(earlier)
        if goes_on and not _if_counting(run, pattern):
            others = others_of_earlier + len(run[1:])
            run, earlier = [*earlier, number], []
            continue
        if value == 1 or others > OTHERS_SHARE * len(run):
            if _if_counting(run, pattern):
                yield from earlier
                earlier, others_of_earlier = run, others
            run, others = [number] if value == 1 else [], 0
    yield from earlier
    yield from _if_counting(run, pattern)


def _if_counting(run: list[re.Match[str]], pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Return a run of numbers from 1 up, or nothing if it is too short to count anything."""
    if pattern is not _BARE:
        return run if len(run) > 1 else []
    is_long = len(run) >= _LEAST_BARE and run[-1].end() - run[0].start() >= _LEAST_VERSE * len(run)
    return run if is_long else []


def _numbers_of_notes(text: str) -> frozenset[str]:
    """Return all numbers in brackets if they count from 1, and each occurs within a line and then at the start of one.

    References to a list of books are in any order, and remain.
    """
    are_first: dict[str, list[bool]] = {}  # of each number: which of its marks are at the beginning of a line
    end = 0
    for mark in _NOTE_MARK.finditer(text):
        start = text.rfind("\n", end, mark.start()) + 1 or end  # `end`: the mark before is in the same line
        is_first = text[start - 1 : start] in ("", "\n") and not text[start : mark.start()].strip(" \t")
        are_first.setdefault(mark[0], []).append(is_first)
        end = mark.end()
    expected = [(f"[{number}]", [False, True]) for number in range(1, len(are_first) + 1)]
    return frozenset(are_first) if list(are_first.items()) == expected else frozenset()


def _han_value(counter: str) -> int:
    """Return the value of a number in Chinese characters: 一百零五, 百五, 一〇五."""
    value = digit = 0
    for character in counter:
        if unit := _HAN_UNITS.get(character):
            value, digit = value + (digit or 1) * unit, 0
        else:
            digit = 10 * digit + max(0, _HAN_DIGITS.find(character))
    return value + digit


@lru_cache(maxsize=4096)
def _ordinals(counter: str) -> list[tuple[str, int]]:
    """Return (kind, value) for each meaning of a number: "i" is a letter, and Roman."""
    if counter[0].isdecimal():
        return [("digits", int(counter))]
    if not counter.isascii():
        return [("han", _han_value(counter))]
    case = "small" if counter.islower() else "capital"
    ordinals = [(f"letters-{case}", ord(counter.lower()) - ord("a") + 1)] if len(counter) == 1 else []
    if all(letter in _ROMAN for letter in counter.lower()):
        ordinals.append((f"roman-{case}", value_of(counter)))
    return ordinals
