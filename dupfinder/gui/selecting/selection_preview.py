"""What the rules would do, as painted lines: groups with the decision on each document, undecided groups, folders."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from dupfinder.base.display import shown
from dupfinder.cluster.clustering import freed
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.drawing import LEFT, MIDDLE
from dupfinder.gui.kit.tables import DISPLAY, CellPainter, CellState, RowsModel
from dupfinder.review.folder_pairs import by_folder
from dupfinder.review.listing import FILTERED_RELATIONS, RelationCounts
from dupfinder.review.members import Member
from dupfinder.review.rules import GroupChoice, Rule, RuleKind, Selection, count_markable
from dupfinder.review.session import ReviewSession
from dupfinder.wording.catalogue import N_, say, say_some
from dupfinder.wording.figures import documents_text, size_text

SAMPLE: Final = 40  # groups; enough to check the rules
MOST_PLACES: Final = 20  # offered as those in which alone files may be marked
MOST_MEMBERS: Final = 12  # of a group: a large one must not hide the others

ROW: Final = 34


class RuleText(NamedTuple):
    """A rule for people: its icon, what it prefers, an explanation ("": none), and why a document stays by it."""

    icon: str
    title: str
    explanation: str
    reason: str


RULE_TEXTS: Final = {
    kind: RuleText(*texts)
    for kind, texts in {
        RuleKind.IN_FOLDER: ("folder", N_("Prefer copies in"), "", N_("in {folder}")),
        RuleKind.PROPOSED: (
            "check", N_("Prefer the proposed copy"), N_("signed or final, newest by its name, …"), N_("proposed copy"),
        ),
        RuleKind.RICHER: ("document", N_("Prefer the richer format"), N_("DOCX before PDF"), N_("richer format")),
        RuleKind.PLAIN_NAME: (
            "copy", N_("Prefer a plain name and folder"), N_("not “Copy of”, “(1)”, Downloads"),
            N_("plain name and folder"),
        ),
        RuleKind.NEWEST: ("history", N_("Prefer the newest"), N_("by date changed"), N_("newest")),
        RuleKind.OLDEST: ("history", N_("Prefer the oldest"), N_("by date changed"), N_("oldest")),
        RuleKind.LARGEST: ("document", N_("Prefer the largest file"), "", N_("largest")),
        RuleKind.SMALLEST: ("document", N_("Prefer the smallest file"), "", N_("smallest")),
        RuleKind.MOST_TEXT: ("document", N_("Prefer the most text"), N_("by words"), N_("most text")),
        RuleKind.SHORTEST_PATH: ("right", N_("Prefer the shortest path"), "", N_("shortest path")),
        RuleKind.LONGEST_PATH: ("right", N_("Prefer the longest path"), "", N_("longest path")),
    }.items()
}  # fmt: skip


class PreviewKind(IntEnum):
    """What happens to the document of a line (OPEN: undecided); HEADING lines are groups, FOLDER lines folders."""

    HEADING = 0
    STAYS = 1
    GOES = 2
    OPEN = 3
    FOLDER = 4


TILES: Final = {
    PreviewKind.STAYS: ("check", "keep", "keep_soft"),
    PreviewKind.GOES: ("trash", "remove", "remove_soft"),
    PreviewKind.OPEN: ("eye", "secondary", "neutral_soft"),
    PreviewKind.FOLDER: ("folder", "secondary", "neutral_soft"),
}


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One painted line.

    member: None for headings and folders. rule: the deciding rule, for the document that stays.
    is_versioned: whether it stays because it is under version control.
    """

    kind: PreviewKind
    text: str
    member: Member | None = None
    rule: Rule | None = None
    is_versioned: bool = False
    count: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Preview:
    """The three lists of a selection, and its documents by their relation to what would stay.

    counts: how many documents rules could mark at most, by relation.
    places: the folders directly below the scanned ones that have most of the bytes.
    """

    selection: Selection
    counts: RelationCounts
    relations: RelationCounts
    documents: int
    bytes: int
    sample: Sequence[PreviewLine]
    undecided: Sequence[PreviewLine]
    folders: Sequence[PreviewLine]
    places: Sequence[str]


def preview_of(session: ReviewSession, selection: Selection) -> Preview:
    rows = selection.documents
    parts = [row for choice in selection.chosen for row in choice.parts]
    survivors = session.marks.survivors_of(np.array(rows, np.intp), copies=rows, parts=parts)
    survivor_of = dict(zip(rows, survivors.rows.tolist(), strict=True))
    folders = by_folder(session.result.documents, np.array(rows, np.int64))
    table = session.listed()
    title_row = {int(number): row for row, number in enumerate(table.ids.tolist())}
    undecided = [
        PreviewLine(
            PreviewKind.HEADING, shown(table.title(title_row[number])), count=int(table.size[title_row[number]])
        )
        for number in selection.undecided
    ]
    return Preview(
        selection,
        count_markable(session),
        _by_relation(selection, dict(zip(rows, survivors.relation.tolist(), strict=True))),
        len(rows),
        freed(session.grouping.files, np.array(rows, np.int64)),
        [line for choice in selection.chosen[:SAMPLE] for line in _group(session, choice, survivor_of)],
        undecided,
        [
            PreviewLine(PreviewKind.FOLDER, shown(line.folder), count=line.documents, bytes=line.bytes)
            for line in folders
        ],
        _places(session, [line.folder for line in folders]),
    )


def _places(session: ReviewSession, folders: Sequence[str]) -> list[str]:
    """Return in which folders directly below the scanned ones some folders are, at most MOST_PLACES."""
    places: dict[str, None] = {}
    roots = [os.path.join(path, "") for path, role in session.result.summary.roots if role == "scan"]
    for folder in folders:
        root = max((root for root in roots if folder.startswith(root)), key=len, default="")
        if root and len(places) < MOST_PLACES:
            places[root + folder[len(root) :].partition(os.sep)[0]] = None
    return list(places)


def _by_relation(selection: Selection, relation_of: dict[int, int]) -> RelationCounts:
    """Count the documents of a selection, and its groups with such documents."""
    of_groups = [{relation_of[row] for row in (*choice.marked, *choice.parts)} for choice in selection.chosen]
    counts = Counter(relation_of.values()), Counter(chain.from_iterable(of_groups))
    return RelationCounts(*(np.array([count[kind] for kind in FILTERED_RELATIONS]) for count in counts))


def _group(session: ReviewSession, choice: GroupChoice, survivor_of: dict[int, int]) -> list[PreviewLine]:
    """Return the lines of a group. The reason of a document that goes is its relation to what stays for it."""
    members = session.members(choice.cluster)
    keeper = next((member for member in members if member.document == choice.keeper), None)
    lines = [PreviewLine(PreviewKind.HEADING, shown(keeper.path.stem if keeper else ""))]
    ordered = sorted(members, key=lambda it: (it.document != choice.keeper, it.document not in survivor_of))
    for member in ordered[:MOST_MEMBERS]:  # of a large group what goes is shown, not what is left alone
        if member.document == choice.keeper:
            lines.append(PreviewLine(PreviewKind.STAYS, shown(member.name), member, choice.decided_by))
        else:
            survivor = survivor_of.get(member.document)
            kind = PreviewKind.OPEN if survivor is None else PreviewKind.GOES
            relation, similarity = session.relation_of(member.document, choice.keeper if survivor is None else survivor)
            if relation is not Relation.NONE or member.relation is not Relation.PART:  # which shows its own whole
                member = replace(member, relation=relation, similarity=similarity)
            is_versioned = bool(session.grouping.versioned[member.document])
            member = replace(member, is_keeper=False)
            lines.append(PreviewLine(kind, shown(member.name), member, is_versioned=is_versioned))
    if rest := say_some("{count} more", "{count} more", len(members) - len(lines) + 1):
        lines.append(PreviewLine(PreviewKind.HEADING, rest))
    return lines


class PreviewModel(RowsModel):
    """One column of lines."""

    def cell(self, row: int, column: int, role: int) -> object:
        line: PreviewLine = self.rows[row]
        if role == Qt.ItemDataRole.AccessibleTextRole and line.member is not None:  # its icon tells it to the eye
            decision = {PreviewKind.STAYS: say("Keep"), PreviewKind.GOES: say("Remove")}.get(line.kind, "")
            return ", ".join(filter(None, (line.text, decision, _reason(line, line.member), shown(line.member.folder))))
        return line.text if role in (DISPLAY, Qt.ItemDataRole.AccessibleTextRole) else None


class PreviewPainter(CellPainter):
    """A heading for a group; below it for each document an icon of the decision, its type, name, and the reason."""

    _model: PreviewModel

    def draw(self, painter: QPainter, box: QRectF, row: int, column: int, state: CellState) -> None:
        line, box = self._model.rows[row], box.adjusted(0, 0, -8, 0)
        right = Qt.AlignmentFlag.AlignRight
        if line.kind is PreviewKind.HEADING:
            box = box.adjusted(0, 6, 0, 0)
            note = documents_text(line.count) if line.count else ""
            used = self._drawing.text(painter, box, note, "secondary", "secondary", right)
            self._drawing.text(painter, box.adjusted(0, 0, -used - 8, 0), line.text, "strong", "text")
        else:
            self._paint_line(painter, box, line)

    def _paint_line(self, painter: QPainter, box: QRectF, line: PreviewLine) -> None:
        drawing = self._drawing
        icon, token, ground = TILES[line.kind]
        tile = QRectF(box.left(), box.center().y() - 13, 26, 26)
        drawing.shape(painter, tile, ground, 5)
        drawing.icon(painter, icon, token, tile.adjusted(6, 6, -6, -6))
        rest = box.adjusted(36, 0, 0, 0)
        if line.member is not None:
            rest.setLeft(rest.left() + drawing.badge(painter, rest, line.member.badge) + 10)
            note = _reason(line, line.member)
        else:
            note = f"{documents_text(line.count)} · {size_text(line.bytes)}"
        used = drawing.text(painter, rest, note, "secondary", "secondary", Qt.AlignmentFlag.AlignRight)
        rest.setRight(rest.right() - used - 12)
        tone = "secondary" if line.kind is PreviewKind.GOES else "text"
        used = drawing.text(painter, rest, line.text, "body", tone, elide=MIDDLE)
        if line.member is not None:
            rest.setLeft(rest.left() + used + 10)
            drawing.text(painter, rest, shown(line.member.folder), "secondary", "secondary", elide=LEFT)


def _reason(line: PreviewLine, member: Member) -> str:
    """Return why a document stays, goes, or is undecided."""
    relation = words.relation_to_kept(member)
    if line.kind is PreviewKind.STAYS and line.rule is not None:
        folder = line.rule.folder
        return say(RULE_TEXTS[line.rule.kind].reason, folder=shown(folder.name) if folder is not None else "")
    if line.kind is PreviewKind.STAYS:
        return say("protected") if member.protected else say("kept")
    if line.kind is PreviewKind.OPEN and member.is_locked:
        return words.decision_word(member)
    if line.kind is PreviewKind.OPEN and line.is_versioned:
        return say("under version control")
    return relation if line.kind is PreviewKind.GOES else say("{relation} — left to you", relation=relation)
