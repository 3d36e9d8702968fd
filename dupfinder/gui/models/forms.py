"""Forms that were filled in, and the fillings of one of them as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.base.display import shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.views import words
from dupfinder.gui.views.places import steps
from dupfinder.review.fillings import FillKind, FormView
from dupfinder.review.members import title_of
from dupfinder.review.session import ReviewSession

Index = QModelIndex | QPersistentModelIndex
_Sliced = TypeVar("_Sliced", str, tuple[str, ...])
LEAST_TITLE = 4  # letters that the names of all fillings have in common, for these to name the form


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A form: its fillings (one document of each text), the copies of each of them, its name and its folder."""

    fillings: tuple[int, ...]
    copies: tuple[tuple[int, ...], ...]
    title: str
    folder: str


def forms_of(session: ReviewSession) -> list[FormEntry]:
    """The forms of a scan, the one with the most fillings first."""
    documents, stands = session.result.documents, session.grouping.copies
    roots = [path for path, _ in session.result.summary.roots]
    entries = []
    for family in session.grouping.forms:
        copies: dict[int, list[int]] = {}
        for row in family.tolist():
            copies.setdefault(int(stands[row]), []).append(row)
        fillings = tuple(rows[0] for rows in copies.values())
        names = [title_of(documents, row) for row in fillings]
        common = _usual_beginning(names).strip(" -_(.0123456789")
        folder = _beginning([documents.path(row).parent.parts for row in fillings])
        title = common if len(common) >= LEAST_TITLE else names[0]
        others = tuple(tuple(rows[1:]) for rows in copies.values())
        entries.append(FormEntry(fillings, others, shown(title), steps(Path(*folder), roots)))
    return sorted(entries, key=lambda entry: -len(entry.fillings))


def _beginning(sequences: Sequence[_Sliced]) -> _Sliced:
    """What all begin with: letters of names, or steps of paths."""
    first = sequences[0]
    length = min(map(len, sequences))
    end = next((at for at in range(length) if any(one[at] != first[at] for one in sequences)), length)
    return first[:end]


def _usual_beginning(names: Sequence[str]) -> str:
    """The longest beginning that at least half of the names share."""
    ordered, half = sorted(names), (len(names) + 1) // 2
    ends = zip(ordered, ordered[half - 1 :], strict=False)
    return max((_beginning(pair) for pair in ends), key=len)


class FormsModel(QAbstractListModel):
    """One row a form, painted by a delegate."""

    def __init__(self, entries: Sequence[FormEntry], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries = entries

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((entry.title, self.fillings(index.row()), entry.folder))
        return None

    def fillings(self, row: int) -> str:
        """ "24 fillings"."""
        return self.tr("%Ln fillings", None, len(self.entries[row].fillings))


class After(IntEnum):
    """The columns after those of the places."""

    FILE = 0
    COPIES = 1


class FillingsModel(QAbstractTableModel):
    """A row for each filling: its number, what it has at each place, its file, and the copies of it."""

    def __init__(self, session: ReviewSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._entry: FormEntry | None = None
        self._view: FormView | None = None

    def show_form(self, entry: FormEntry | None, view: FormView | None) -> None:
        """Show the fillings of a form; without `view` their files alone."""
        self.beginResetModel()
        self._entry, self._view = entry, view
        self.endResetModel()

    @property
    def places(self) -> int:
        """How many places of the form differ."""
        layout = self._view.layout if self._view is not None else None
        return 0 if layout is None else len(layout.kinds)

    @property
    def empty(self) -> int:
        """How many places were left empty in some filling."""
        layout = self._view.layout if self._view is not None else None
        return 0 if layout is None else sum(not fill for row in layout.fills for fill in row)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() or self._entry is None else len(self._entry.fillings)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self.places + len(After)

    def place_name(self, place: int) -> str:
        """What a place is called, guessed from its contents."""
        assert self._view is not None and self._view.layout is not None
        kinds = self._view.layout.kinds
        kind = kinds[place]
        name = {
            FillKind.DATE: self.tr("Date"),
            FillKind.AMOUNT: self.tr("Amount"),
            FillKind.NUMBER: self.tr("Number"),
            FillKind.TEXT: self.tr("Text"),
        }[kind]
        before = kinds[:place].count(kind)
        return f"{name} {before + 1}" if kinds.count(kind) > 1 or kind is FillKind.TEXT else name

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Vertical:
            return str(section + 1)
        if section < self.places:
            return f"{section + 1}  {self.place_name(section)}"
        return self.tr("File") if section - self.places == After.FILE else self.tr("Copies of it")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole
        ):  # fmt: skip
            return None
        text = self.text(index.row(), index.column())
        return words.plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        assert self._entry is not None
        if column < self.places:
            return self._fill(row, column)
        if column - self.places == After.FILE:
            return shown(self._session.result.documents.path(self._entry.fillings[row]).name)
        return self._copies(row)

    def _fill(self, row: int, place: int) -> str:
        assert self._view is not None and self._view.layout is not None
        if row not in self._view.read:
            return words.NO_VALUE
        content = self._view.layout.fills[self._view.read.index(row)][place]
        return shown(" ".join(content.split())) if content else self.tr("left empty")

    def _copies(self, row: int) -> str:
        """ "1 identical"; what the copies of a filling are to it."""
        assert self._entry is not None
        counts: dict[Relation, int] = {}
        for copy in self._entry.copies[row]:
            relation, _ = self._session.tie_of(copy, self._entry.fillings[row])
            counts[relation] = counts.get(relation, 0) + 1
        return words.counts_of(counts) or self.tr("none")

    def document(self, row: int) -> int:
        """The document of a row."""
        assert self._entry is not None
        return self._entry.fillings[row]

    def has_copies(self, row: int) -> bool:
        """Whether a filling has copies of its own, which are a group."""
        return self._entry is not None and bool(self._entry.copies[row])
