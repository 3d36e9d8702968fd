"""Lines and cells of a text.

Join lines and words that a layout broke, find the cells of tables that are drawn or set out by spaces, and take the
ends of cells out of the words.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from math import sqrt
from typing import AnyStr, Final

from dupfinder.text.document import pieces_of

# Ideographs, kana, bopomofo and their full-width signs; Korean is written with spaces.
_EAST_ASIAN = (
    "[\u2e80-\u2fff\u3001-\u303f\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\uffe0-\uffef\U00020000-\U0003ffff]"
)
_EAST_ASIAN_LINE = re.compile(f"\n[ \t]*{_EAST_ASIAN}")
_EAST_ASIAN_BREAK = re.compile(  # not after a sentence, nor before the number of an item or article, or a label
    f"[ \t\n](?<={_EAST_ASIAN}[ \t\n])(?<![。！？][ \t\n])(?:(?<=\n)|(?<!\n)[ \t]*\n)[ \t]*"
    f"(?={_EAST_ASIAN})(?![（]?[一二三四五六七八九十\\d]{{1,3}}[、）．])"
    "(?!第 ?[〇零一二三四五六七八九十百千\\d]{1,9} ?[条條])(?![^\\s:：]{1,8}[:：])"
)
# A line end between two letters with a hyphen and another letter; the pattern begins with what is rarest.
_HYPHEN = re.compile(r"-(?<=[^\W\d_]{2}.)[ \t]*\n[ \t]*(?=[^\W\d_])")
_ANY_HYPHEN = re.compile(_HYPHEN.pattern.replace("-", "[-\u2010\u00ad]", 1))  # several times as slow as _HYPHEN
_WITHIN = re.compile(r"-(?<=[^\W\d_]{2}-)(?=[^\W\d_]{2})")  # a hyphen within a word
_SECOND_HALF = re.compile(r"[^\W\d_]+")
LONGEST_WORD = 100
MOST_SOUGHT = 20  # words; to look for more in a text, it is faster to gather all of its words
_GLUED = re.compile(r"^(\d+(?:\.\d+)+)(?=[^\W\d_]{2})", re.M)
# A typed bullet: "   o  the first item".
_TYPED_MARK = re.compile(r"\n[ \t]*+o(?:[ \t]{2,}|\t|[ \t](?=[A-Z<\"']))(?=\S)")
_LONE_LETTER = re.compile(r"\w[ \t,;]+o[ \t]+\w")
_MAY_BE_LONE = re.compile(r"o(?<=[ \t,;]o)(?=[ \t])")  # finds the lines to search; many times as fast as _LONE_LETTER
MARKS_TO_WORDS = 10  # least number of lines that begin with "o" for each "o" within a line; with fewer, "o" is a word
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPACED = bytes(code if code > 127 or chr(code) in f"{string.ascii_letters}-" else ord(" ") for code in range(256))

# "Vor- und Nachteile": the hyphen stands for the end of a later word.
_JOINING_WORDS = "und oder bzw sowie bis als and or to y o e u et ou en of och eller"
_JOINING = frozenset(_JOINING_WORDS.split())
HYPHENATED_SHARE = 0.02  # of the lines; in texts with fewer, hyphens at line ends belong to the word
# ASCII's separators: readers write them behind each cell and row of a table, the last instead of a cell's words.
CELL_END, ROW_END, FILLED = "\x1f", "\x1e", "\x1d"
_END_OF_CELL = re.compile(f"[{CELL_END}{ROW_END}]")
_OF_CELLS = re.compile(rf"[^\W\d_]+|{CELL_END}+")
MOST_EMPTY = 100  # empty cells that readers write side by side; rows of a sheet may end with thousands
_BLANK = " \t\r\n\u00a0-‐‑‒–—−:="  # any dash says "nothing"; also the line below the heads of a table in Markdown

# A table that is drawn with bars and lines, as text browsers, databases and reStructuredText do it.
_BARS, _LINES, _CROSSES = "|│┃║", "-=─━═", "+|┌┬┐├┼┤└┴┘╭╮╰╯┏┳┓┣╋┫┗┻┛╔╦╗╠╬╣╚╩╝╞╪╡"
_MAY_BE_DRAWN = ("+-", "+=", "|-", "─", "━", "═")  # each rule has one of these
_SIDE = f"[{_BARS}{_CROSSES}]"
_RULE = re.compile(rf"[{_CROSSES}][{_LINES}{_CROSSES}]{{3,}}+(?<=[{_CROSSES}])")
_DRAWN = re.compile(
    rf"\n(?<![{_BARS}]\n)[ \t\xa0]*+{_RULE.pattern}[ \t\xa0]*\n"
    rf"(?:[ \t\xa0]*+{_SIDE}[^\n]*{_SIDE}[ \t\xa0]*(?:\n|\Z)){{2,}}"
)
# Tables that are set out by tabs or spaces: what is between two cells, what may be between two rows, and a cell. The
# first patterns begin with the spaces themselves, for which a search is fast.
_BETWEEN_CELLS = (
    re.compile(r"\t"),
    re.compile(r"   (?<=\S   ) *(?=\S)"),
    re.compile(r"        (?<=\n        ) *(?=\S)"),
)
_BESIDE_ROWS = re.compile(r"[\s=_|+-]*")
_CELL = re.compile(r"\S+(?: \S+)*")
_SHORT = re.compile(r"[xX✓✔✗✘√]|[-−+]?[$€£¥]?\d[\d.,]*[%€]?")  # a tick, an amount
_MAY_BE_SHORT = re.compile(r"\d|[xX✓✔✗✘√](?<!\S.)(?!\S)")
_LEAST_HEADS: Final = 2
_INDENT: Final = 8  # characters before a first cell that is not in the first column


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """Return the lines of all pages as one text, East Asian lines joined without a space."""
    return join_east_asian("\n".join("\n".join(page) for page in pages)).strip("\n")


def running_text(text: str) -> str:
    """Return laid-out lines as running text: words at line ends and East Asian lines joined, typed bullets removed."""
    return join_east_asian(undo_hyphens(without_typed_marks(text)))


def with_spaced_numbers(text: str) -> str:
    """Insert the space that layout loses after section numbers: "12.11List of tools" to "12.11 List of tools"."""
    return _GLUED.sub(r"\1 ", text)


def join_east_asian(text: str) -> str:
    """Join lines that end and continue in ideographs or kana, without a space, if the first is no heading of the next.

    A line that was broken because it was full is not much shorter than the next one.
    """
    if text.isascii() or not _EAST_ASIAN_LINE.search(text):
        return text

    def joined(line_break: re.Match[str]) -> str:
        """Return what takes the place of a line break."""
        start, end = line_break.span()
        room = 2 * (start - text.rfind("\n", 0, start))
        return "" if text.find("\n", end, end + room) >= 0 or len(text) < end + room else line_break.group()

    return _EAST_ASIAN_BREAK.sub(joined, text)


def undo_hyphens(text: str) -> str:
    """Join words that were broken at line ends.

    If the text contains the joined word, or the word with its hyphen, within a line, that form is used. Otherwise a
    compound whose halves are both words of the text keeps its hyphen, as "region-wide" does, and so does a doubled
    half, as the Malay "surga-surga", and an abbreviation in capitals before small letters, as "SQL-based", for no word
    is divided there. The rest follow the majority of the words decided so far; if none of these was joined, they are
    joined where hyphens at line ends are frequent.
    """
    pattern = _ANY_HYPHEN if "\u2010" in text or "\u00ad" in text else _HYPHEN
    breaks = [line_break for line_break in pattern.finditer(text) if text[line_break.end()].islower()]
    halves: list[tuple[int, str, str]] = []
    for line_break in breaks:
        first = _word_before(text, line_break.start())
        second = _SECOND_HALF.match(text, line_break.end(), line_break.end() + LONGEST_WORD)
        if first and second:
            halves.append((line_break.start(), first.lower(), second.group().lower()))
    known = _known(text, {before + hyphen + after for _, before, after in halves for hyphen in ("", "-")})
    joining = {after for _, before, after in halves if after in _JOINING and before + after not in known}
    joining = _known(pattern.sub("", text), joining) if joining else joining  # "to" is no word in Spanish
    halves = [half for half in halves if half[2] not in joining or half[1] + half[2] in known]
    if not halves:
        return text
    hyphens = {position: "" for position, before, after in halves if before + after in known}
    with_hyphen = sum(f"{before}-{after}" in known for position, before, after in halves if position not in hyphens)
    joins = len(hyphens) > with_hyphen if hyphens else _breaks_often(text, len(breaks))
    unknown = {half for position, *both in halves if joins and position not in hyphens for half in both}
    parts = _known(pattern.sub("", text).replace("-", " "), unknown) if unknown else unknown
    for position, before, after in halves:
        doubles = len(before) > 3 and (after.startswith(before) or (len(after) > 3 and before.endswith(after)))
        capitals = text[position - 2 : position]
        is_compound = {before, after} <= parts or (capitals.isalpha() and capitals.isupper())
        stays = doubles or f"{before}-{after}" in known or (text[position] != "\u00ad" and is_compound)
        hyphens.setdefault(position, "" if joins and not stays else "-")
    return pattern.sub(lambda line_break: hyphens.get(line_break.start(), line_break.group()), text)


def _breaks_often(text: str, breaks: int) -> bool:
    """Tell whether a text has more hyphens at line ends than it would have without broken words.

    breaks: their number. A line may end at each space and at each hyphen of a word.
    """
    lines, hyphens = text.count("\n"), len(_WITHIN.findall(text)) if "-" in text else 0
    by_chance = lines * hyphens / (len(text.split()) + hyphens)
    return breaks >= max(2.0, HYPHENATED_SHARE * lines, by_chance + 2 * sqrt(by_chance))  # two standard deviations


def _word_before(text: str, end: int) -> str:
    """Return the letters right before a position; "" for none."""
    letters = _SECOND_HALF.match(text[max(0, end - LONGEST_WORD) : end][::-1])
    return letters.group()[::-1] if letters else ""


def _known(text: str, words: set[str]) -> set[str]:
    """Return which of some words in lower case a text contains, not counting parts of longer or hyphenated words."""
    if len(words) > MOST_SOUGHT:
        return words.intersection(_WORD.findall(b" ".join(set(_tokens(text))).decode("utf-8", "surrogatepass")))
    lower = "".join(map(str.lower, pieces_of(text)))
    return {word for word in words if _is_word_of(lower, word)}


def _tokens(text: str) -> list[bytes]:
    """Return pieces of a text, in small letters and UTF-8, that have all of its words, with some signs beside them.

    Words are far fewer when each piece counts once, and only then searched for.
    """
    lower = (piece.lower().encode("utf-8", "surrogatepass") for piece in pieces_of(text))
    return b"".join(lower).translate(_SPACED).split()


def _is_word_of(text: str, word: str) -> bool:
    """Tell whether a text contains a word other than as part of a longer or hyphenated word."""
    start = text.find(word)
    while start >= 0 and word not in _WORD.findall(text[max(0, start - 2) : start + len(word) + 2]):
        longer = _WORD.match(text, start)
        start = text.find(word, longer.end() if longer else start + 1)
    return start >= 0


def without_typed_marks(text: str) -> str:
    """Remove the letter "o" typed as a bullet before list items.

    "o" is also a word in some languages: a text that uses it within lines is returned unchanged.
    """
    padded = "\n" + text
    marks = _TYPED_MARK.findall(padded)
    lines = split_at_lines(text, (_MAY_BE_LONE,)) if marks else ()
    words = sum(len(_LONE_LETTER.findall(line)) for line, may_be_lone in lines if may_be_lone)
    if not marks or words * MARKS_TO_WORDS > len(marks):
        return text
    return _TYPED_MARK.sub("\n", padded)[1:]


# An Arabic or Roman number; begins with a set of characters, for which the search is fast.
NUMBER = re.compile(r"[\divxlcIVXLC](?:(?<=\d)\d*|(?<!\w.)[ivxlcIVXLC]{0,6}\b)")

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def value_of(number: str) -> int:
    """Return an Arabic or Roman number as an integer."""
    if number.isdecimal():
        return int(number[-9:])
    digits = [_ROMAN[letter] for letter in number.lower()]
    return sum(-digit if digit < after else digit for digit, after in pairwise([*digits, 0]))


def split_at_lines(text: str, signs: Iterable[re.Pattern[str]]) -> Iterator[tuple[str, bool]]:
    """Yield (line, True) for each line of a text with one of these signs, and (text, False) for what is between them.

    To search for each sign by itself is many times as fast as to search for all at once.
    """
    end = 0
    for position in sorted([match.start() for sign in signs for match in sign.finditer(text)]):
        if position >= end:
            start = text.rfind("\n", end, position) + 1
            stop = text.find("\n", position)
            yield text[end:start], False
            end = stop if stop >= 0 else len(text)
            yield text[start:end], True
    yield text[end:], False


def taken_out(pattern: re.Pattern[str], text: str, instead: str = "") -> tuple[str, list[str]]:
    """Return (a text with something in place of what matches a pattern, what matched). instead: as for `re.sub`."""
    matches = list(pattern.finditer(text))
    if not matches or "\\" in instead:
        return pattern.sub(instead, text) if matches else text, [match[0] for match in matches]
    edges = [(0, 0), *(match.span() for match in matches), (len(text), len(text))]
    pieces = [text[end:start] for (_, end), (start, _) in pairwise(edges)]
    return instead.join(pieces), [match[0] for match in matches]


def with_replaced(text: AnyStr, stretches: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Return a text with something else in place of some stretches. stretches: (start, end, what instead), in order."""
    pieces: list[AnyStr] = []
    last = 0
    for start, end, instead in stretches:
        pieces += [text[last:start], instead]
        last = end
    pieces.append(text[last:])
    return text[:0].join(pieces)


def columns_in_rows(rows: Sequence[Sequence[tuple[int, int]]], others: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Return the numbers of the columns in which each row has cells; nothing if no row leaves out a column.

    rows: where the cells begin and end. A column begins, or ends, at the same position in all rows, or the next one:
    whichever gives fewer columns. others: further cells, which have columns too but are not counted.
    """
    by_side = []
    for positions in ({cell[side] for cell in chain(others, *rows)} for side in (0, 1)):
        ordered = sorted(positions)
        steps = accumulate((after - before > 1 for before, after in pairwise(ordered)), initial=0)
        by_side.append(dict(zip(ordered, steps, strict=False)))
    side = int(max(by_side[1].values(), default=0) < max(by_side[0].values(), default=0))
    columns = [[by_side[side][cell[side]] for cell in row] for row in rows]
    if all(row == list(range(len(row))) for row in columns):
        return []
    return ["-".join(map(str, row)) for row in columns]


def cells_of_words(text: str) -> str:
    """Return the words in the lines of tables, with an end of a cell between those in different cells; "" for none.

    "New York | x" has the same words as "New | York x".
    """
    if CELL_END not in text:
        return ""
    rows = "\n".join(line for line, is_row in split_at_lines(text, (_END_OF_CELL,)) if is_row)
    words = "".join(_OF_CELLS.findall(rows.replace(ROW_END, CELL_END))).casefold()
    ended = CELL_END.join(filter(None, words.split(CELL_END)))
    return ended if CELL_END in ended else ""


def without_cells(text: str) -> tuple[str, str]:
    """Return (text with tabs and line ends between the cells of its tables, which cells are filled: "xx_x x__x").

    The same words may mean something else in another column: an amount as debit or credit, a cross for yes or no. If no
    empty cell is before a filled cell of its row, the second is "". The first cell of a table counts as filled, because
    text before the table is in the same piece. Left columns that are empty in all rows are left out.
    """
    if CELL_END not in text:
        return text, ""
    cells = ((cell.strip(_BLANK) for cell in row.split(CELL_END)) for row in text.split(ROW_END) if CELL_END in row)
    rows = list(filter(None, ("".join("x" if cell else "_" for cell in row).rstrip("_") for row in cells)))
    margin = min((row.index("x") for row in rows), default=0)
    filled = " ".join(row[margin:] for row in rows) if any("_" in row[margin:] for row in rows) else ""
    text = text.replace(FILLED, " ").replace(CELL_END + ROW_END, ROW_END).replace(ROW_END + "\n", ROW_END)
    text = text.replace("\n" + CELL_END, CELL_END).replace("\n" + ROW_END, ROW_END)  # the end of a cell's paragraph
    return text.replace(CELL_END, "\t").replace(ROW_END, "\n").rstrip(), filled


def with_drawn_tables(text: str) -> str:
    """Return a text with the tables that are drawn with bars and lines as cells and rows."""
    return _DRAWN.sub(_as_cells, "\n" + text)[1:] if any(sign in text for sign in _MAY_BE_DRAWN) else text


def _as_cells(table: re.Match[str]) -> str:
    """Return a drawn table as cells and rows; unchanged if its lines differ in the number of cells."""
    blocks: list[list[list[str]]] = [[]]
    for line in filter(None, map(str.strip, table.group().split("\n"))):
        if _RULE.fullmatch(line):
            blocks.append([])
        elif line[0] in _BARS and line[-1] in _BARS:
            blocks[-1].append([cell.strip() for cell in re.split(f"[{_BARS}]", line)[1:-1]])
        else:
            return table.group()
    if len({len(cells) for block in blocks for cells in block}) != 1:
        return table.group()
    rows = [cells for block in blocks for cells in ([_joined(block)] if _is_one_row(block) else block)]
    return "\n" + "".join(CELL_END.join(cells) + ROW_END + "\n" for cells in rows)


def filled_columns(text: str) -> str:
    """Return in which columns ticks and amounts are in tables that tabs or spaces set out; "" for none.

    The same answers may be below "Yes" or below "No". Only tables with a row that leaves out a column count.
    """
    blocks: list[list[str]] = [[]]
    for piece, is_row in split_at_lines(text, _BETWEEN_CELLS):
        if is_row:
            blocks[-1].append(piece.rstrip().expandtabs())
        elif not _BESIDE_ROWS.fullmatch(piece):
            blocks.append([])
    return " ".join(row for block in blocks if len(block) > 1 for row in _columns_of(block))


def _columns_of(block: list[str]) -> list[str]:
    """Return the numbers of the columns of ticks and amounts in each row; nothing if no row leaves one out.

    The first row has the heads of at least two columns.
    """
    if not _MAY_BE_SHORT.search("\n".join(block)):
        return []
    heads = [(begin, end) for begin, end, is_short in _cells_of(block[0]) if not is_short]
    if len(heads) < _LEAST_HEADS:
        return []
    rows = [_cells_of(line) if _MAY_BE_SHORT.search(line) else [] for line in block]
    return columns_in_rows([[(begin, end) for begin, end, is_short in row if is_short] for row in rows], heads)


def _cells_of(line: str) -> list[tuple[int, int, bool]]:
    """Return where cells beside the first column of a line begin and end, and whether each is a tick or an amount."""
    return [
        (*cell.span(), _SHORT.fullmatch(cell.group()) is not None)
        for cell in _CELL.finditer(line)
        if cell.start() >= _INDENT or line[: cell.start()].strip()
    ]


def _is_one_row(block: list[list[str]]) -> bool:
    """Tell whether the lines between two rules are one row whose longest cells are broken into several lines.

    The first cell and at least half of all have fewer lines than the row, and none has an empty line amid its words.
    """
    columns = [[bool(cell) for cell in column] for column in zip(*block, strict=True)]
    shorter = [not all(column) for column in columns]
    are_whole = all(len(list(groupby(column))) - (not column[0]) - (not column[-1]) <= 1 for column in columns)
    return bool(block) and shorter[0] and 2 * sum(shorter) >= len(shorter) and are_whole


def _joined(lines: list[list[str]]) -> list[str]:
    """Return the cells of a row that takes several lines."""
    return ["\n".join(filter(None, column)) for column in zip(*lines, strict=True)]
