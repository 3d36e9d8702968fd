"""Filled-in forms, and the fillings of a form as a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from dupfinder.base.display import folder_text, path_text, shown
from dupfinder.base.progress import Reporter
from dupfinder.gui.kit import words
from dupfinder.gui.kit.labels import plain_tip
from dupfinder.gui.kit.tables import DISPLAY, RowsModel
from dupfinder.review.fillings import FillKind, FormView
from dupfinder.review.members import title_of
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import say, say_as
from dupfinder.wording.figures import NOTHING

_Sliced = TypeVar("_Sliced", str, tuple[str, ...])
LEAST_TITLE = 4  # letters: a shorter common beginning of names is not used as the form's name


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A form: its fillings (one document for each text), the copies of each, its name and its folder."""

    fillings: tuple[int, ...]
    copies: tuple[tuple[int, ...], ...]
    title: str
    folder: str

    @property
    def documents(self) -> list[int]:
        """All its documents, including copies."""
        return [*self.fillings, *(row for rows in self.copies for row in rows)]


NO_FORM = FormEntry((), (), "", "")


class FormOrder(StrEnum):
    FILLINGS = "fillings"
    NAME = "name"
    FOLDER = "folder"


def forms_of(session: ReviewSession, reporter: Reporter) -> list[FormEntry]:
    """Return all forms of a scan, rejected ones too, the form with the most fillings first. Thread-safe."""
    documents, representatives = session.result.documents, session.grouping.representative
    roots = [path for path, _ in session.result.summary.roots]
    entries = []
    for form in session.grouping.forms:
        reporter.check()
        copies: dict[int, list[int]] = {}
        for row in form.tolist():
            copies.setdefault(int(representatives[row]), []).append(row)
        for rows in copies.values():
            rows.sort(key=session.grouping.files.ranks.__getitem__, reverse=True)  # the best stands for the others
        fillings = tuple(rows[0] for rows in copies.values())
        names = [title_of(documents, row) for row in fillings]
        common = _usual_beginning(names).strip(" -_(（[【第.0123456789")  # 第: number
        folder = _beginning([documents.path(row).parent.parts for row in fillings])
        title = common if len(common) >= LEAST_TITLE else names[0]
        others = tuple(tuple(rows[1:]) for rows in copies.values())
        entries.append(FormEntry(fillings, others, shown(title), folder_text(Path(*folder), roots)))
    return in_order(entries, FormOrder.FILLINGS)


def in_order(entries: Sequence[FormEntry], order: FormOrder) -> list[FormEntry]:
    """Sort forms; equal ones keep their order."""
    keys: dict[FormOrder, Callable[[FormEntry], tuple[int, str, str]]] = {
        FormOrder.FILLINGS: lambda entry: (-len(entry.fillings), "", ""),
        FormOrder.NAME: lambda entry: (0, entry.title.casefold(), ""),
        FormOrder.FOLDER: lambda entry: (0, entry.folder.casefold(), entry.title.casefold()),
    }
    return sorted(entries, key=keys[order])


def _beginning(sequences: Sequence[_Sliced]) -> _Sliced:
    """Return the common beginning of sequences: letters of names, or parts of paths."""
    first = sequences[0]
    length = min(map(len, sequences))
    end = next((at for at in range(length) if any(sequence[at] != first[at] for sequence in sequences)), length)
    return first[:end]


def _usual_beginning(names: Sequence[str]) -> str:
    """Return the longest beginning that at least half of the names share."""
    ordered, half = sorted(names), (len(names) + 1) // 2
    ends = zip(ordered, ordered[half - 1 :], strict=False)
    return max(map(_beginning, ends), key=len)


class EntriesModel(RowsModel):
    """One row for each form, or pair of folders; painted by a delegate.

    describe: returns the title of an entry, what is beside it, and what is below it.
    """

    def __init__(self, describe: Callable[[Any], tuple[str, str, str]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.describe = describe

    def cell(self, row: int, column: int, role: int) -> object:
        title, beside, below = self.describe(self.rows[row])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((title, below, beside))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{title}\n{below}")
        return title if role == DISPLAY else None


class EndColumn(IntEnum):
    """The columns after those of the fields."""

    FILE = 0
    COPIES = 1


class FillingsModel(RowsModel):
    """A row for each filling: its number, its fields, its file, and its copies.

    The rows can be sorted by any column. `pair` has the rows of A and B, -1 for none. colour: returns that of a token.
    """

    def __init__(
        self, session: ReviewSession, colour: Callable[[str], QColor | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent, len(EndColumn))
        self._colour = colour
        self._session = session
        self._entry = NO_FORM
        self._shared = 0  # parts of a path down to the folder that all fillings are in
        self._kinds: tuple[FillKind, ...] = ()  # of the fields
        self._fills: dict[int, tuple[str, ...]] = {}  # the fields of each filling that was read
        self.rows: Sequence[int] = ()  # the filling in each row
        self._pair = (-1, -1)  # fillings

    def show_form(self, entry: FormEntry, view: FormView | None) -> bool:
        """Show the fillings of a form, the first two as A and B; without `view` only their files.

        Return whether it is another form, whose fillings are in their original order.
        """
        self.beginResetModel()
        if is_other := entry is not self._entry:
            self.rows = range(len(entry.fillings))
            self._pair = (0, 1) if len(self.rows) > 1 else (-1, -1)
        self._entry = entry
        paths = self._session.result.documents
        self._shared = len(_beginning([paths.path(row).parent.parts for row in entry.fillings] or [()]))
        self._kinds, self._fills = (), {}
        if view is not None and view.layout is not None:
            self._kinds, self._fills = view.layout.kinds, dict(zip(view.read, view.layout.fills, strict=True))
        self._columns = self.field_count + len(EndColumn)
        self.endResetModel()
        return is_other

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the fillings by a column, empty cells last; -1 restores the original order."""
        self.beginResetModel()
        rows = range(len(self._entry.fillings))
        keys = {row: key for row in rows if column >= 0 and (key := self._key(row, column)) is not None}
        filled = sorted(keys, key=keys.__getitem__, reverse=order is Qt.SortOrder.DescendingOrder)
        self.rows = filled + [row for row in rows if row not in keys]
        self.endResetModel()

    def _key(self, filling: int, column: int) -> tuple[float, str] | None:
        """Return the sort key of a filling, with numbers by value; None for an empty cell."""
        text = self._text(filling, column)
        if column < self.field_count and not (filling in self._fills and self._fills[filling][column]):
            return None
        number = _number(text) if self.is_number(column) else 0.0
        return number, text.casefold()

    @property
    def pair(self) -> tuple[int, int]:
        """The rows of A and B, -1 for none."""
        left, right = self._pair
        return (self.rows.index(left), self.rows.index(right)) if left >= 0 else (-1, -1)

    def set_side(self, row: int, side: int) -> None:
        """Set A (side 0) or B (1) to a row; if it was the other side, the two are swapped."""
        pair, filling = list(self._pair), self.rows[row]
        if pair[1 - side] == filling:
            pair[1 - side] = pair[side]
        pair[side] = filling
        self._pair = (pair[0], pair[1])
        self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def fills(self, row: int) -> tuple[str, ...]:
        """Return the fields of a row's filling; empty if it could not be read."""
        return self._fills.get(self.rows[row], ())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the heading and the rows for a file, with full paths."""
        heading = [str(self.headerData(column, Qt.Orientation.Horizontal)) for column in range(self.columnCount())]
        paths = self._session.result.documents.paths
        rows = []
        for row in range(self.rowCount()):
            cells = [self._text(self.rows[row], column) for column in range(self.columnCount())]
            rows.append([*cells, shown(paths[self.document(row)])])
        return [*heading, say("Path")], rows

    @property
    def field_count(self) -> int:
        return len(self._kinds)

    @property
    def empty(self) -> int:
        """Number of empty fields in all fillings."""
        return sum(not fill for fills in self._fills.values() for fill in fills)

    def field_name(self, field: int) -> str:
        """Return the name of a field, guessed from its fillings."""
        kinds, kind = self._kinds, self._kinds[field]
        name = {
            FillKind.DATE: say("Date"),
            FillKind.AMOUNT: say("Amount"),
            FillKind.NUMBER: say("Number"),
            FillKind.TEXT: say_as("kind of field", "Text"),
        }[kind]
        before = kinds[:field].count(kind)
        return f"{name} {before + 1}" if kinds.count(kind) > 1 or kind is FillKind.TEXT else name

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation is Qt.Orientation.Vertical and role == DISPLAY:
            sides = dict(zip(self.pair, "AB", strict=True))
            return sides.get(section, str(self.rows[section] + 1))
        return super().headerData(section, orientation, role)

    def header(self, column: int) -> str:
        if column < self.field_count:
            return f"{column + 1}  {self.field_name(column)}"
        return say("File") if column - self.field_count == EndColumn.FILE else say("Copies of it")

    def cell(self, row: int, column: int, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(self.rows[row], column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._text(self.rows[row], column))
            case Qt.ItemDataRole.BackgroundRole:
                return self._colour("accent_soft") if row in self.pair else None
            case Qt.ItemDataRole.ForegroundRole if self.leads_to_copies(row, column):
                return self._colour("accent")
        return None

    def _text(self, filling: int, column: int) -> str:
        if column < self.field_count:
            if filling not in self._fills:
                return NOTHING
            return shown(" ".join(self._fills[filling][column].split())) or say("left empty")
        if column - self.field_count == EndColumn.FILE:
            return self._file(self._entry.fillings[filling])
        return self._copies(filling)

    def _file(self, document: int) -> str:
        """Return the name of a file, with its folder below the one that all fillings are in."""
        path = self._session.result.documents.path(document)
        folder = path_text(path.parent.parts[self._shared :])
        return f"{shown(path.name)}  ·  {folder}" if folder else shown(path.name)

    def is_number(self, column: int) -> bool:
        return column < self.field_count and self._kinds[column] in (FillKind.NUMBER, FillKind.AMOUNT)

    def _copies(self, filling: int) -> str:
        """Return the relations of a filling's copies: "1 identical"."""
        document, copies = self._entry.fillings[filling], self._entry.copies[filling]
        counts = Counter(self._session.relation_of(copy, document)[0] for copy in copies)
        return words.counts_of(counts) or say("none")

    def document(self, row: int) -> int:
        return self._entry.fillings[self.rows[row]]

    def leads_to_copies(self, row: int, column: int) -> bool:
        """Tell whether a cell names copies of a filling, which form a group with it."""
        return column == self.field_count + EndColumn.COPIES and bool(self._entry.copies[self.rows[row]])


def _number(text: str) -> float:
    """Return the first number of a text, with any thousands separator; 0 for none."""
    match = re.search(r"\d[\d.,' \u00a0]*", text)
    if match is None:
        return 0.0
    digits = re.sub(r"[' \u00a0]", "", match.group()).rstrip(".,")
    whole, mark, rest = re.match(r"(.*?)(?:([.,])(\d{1,2}))?$", digits).groups()  # type: ignore[union-attr]
    return float(re.sub(r"[.,]", "", whole) + (f".{rest}" if mark else ""))
