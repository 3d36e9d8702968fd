"""The ends of cells and rows in texts, in which columns cells are, and which of them are filled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from dupfinder.text.lines import split_at_lines

# ASCII's separators: readers write them behind each cell and row of a table, the last instead of a cell's words.
CELL_END, ROW_END, FILLED = "\x1f", "\x1e", "\x1d"
_END_OF_CELL = re.compile(f"[{CELL_END}{ROW_END}]")
_OF_CELLS = re.compile(rf"[^\W\d_]+|{CELL_END}+")
MOST_EMPTY = 100  # empty cells that readers write side by side; rows of a sheet may end with thousands
_BLANK = " \t\r\n\u00a0-‐‑‒–—−:="  # any dash says "nothing"; also the line below the heads of a table in Markdown


def column_numbers(positions: set[int]) -> dict[int, int]:
    """Return the number of the column, from 0, of each position in a line; neighbouring positions are one column."""
    ordered = sorted(positions)
    return dict(zip(ordered, accumulate((b - a > 1 for a, b in pairwise(ordered)), initial=0), strict=False))


def columns_in_rows(rows: Sequence[Sequence[int]]) -> list[str]:
    """Return the numbers of the columns in which each row has cells; nothing if no row leaves out a column."""
    if all(list(row) == list(range(len(row))) for row in rows):
        return []
    return ["-".join(map(str, row)) for row in rows]


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
