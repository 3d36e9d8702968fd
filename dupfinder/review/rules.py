"""Select automatically: ordered rules choose the copy that stays, and the others of the chosen kinds are marked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import UsageError
from dupfinder.library.rows import Documents
from dupfinder.review.filters import Kind
from dupfinder.review.members import Decision
from dupfinder.review.session import ReviewSession


class RuleKind(StrEnum):
    """What a rule prefers."""

    IN_FOLDER = "in"
    RICHER = "richer-format"
    PLAIN_NAME = "plain-name"
    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"
    SMALLEST = "smallest"
    MOST_TEXT = "most-text"
    SHORTEST_PATH = "shortest-path"
    LONGEST_PATH = "longest-path"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `folder` for IN_FOLDER."""

    kind: RuleKind
    folder: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Rule:
        """ "newest", "in:/folder" and so on. UsageError for anything else."""
        name, _, rest = text.partition(":")
        try:
            kind = RuleKind(name)
        except ValueError:
            known = ", ".join(rule.value for rule in RuleKind)
            raise UsageError(f"There is no rule {text!r}; the rules are {known} (in:FOLDER).") from None
        if (kind is RuleKind.IN_FOLDER) != bool(rest):
            raise UsageError(f"{name} takes no folder." if rest else f"The rule {text!r} needs a folder: in:FOLDER.")
        return cls(kind, Path(os.path.abspath(os.path.expanduser(rest))) if rest else None)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One cluster as the rules see it: what stays, what would be marked, and the rule that decided (None: a tie)."""

    cluster: int
    keeper: int
    marked: tuple[int, ...]
    decided_by: Rule | None


@dataclass(frozen=True, slots=True)
class Selection:
    """What applying the rules would do. undecided: clusters in which the rules tie; left_out: clusters of which nothing
    is marked and whose kind was not chosen."""

    chosen: tuple[Chosen, ...]
    undecided: tuple[int, ...]
    left_out: tuple[int, ...] = ()

    @property
    def documents(self) -> list[int]:
        """All rows to mark, ascending."""
        return sorted({row for one in self.chosen for row in one.marked})


def select(
    session: ReviewSession, rules: Sequence[Rule], kinds: frozenset[Kind], *, replace_own: bool = False
) -> Selection:
    """What the rules choose among the clusters that the session shows. Protected documents and, unless `replace_own`,
    the person's own decisions stand. Members that are merely linked are never marked. What is inside an archive is
    passed over: it is neither marked nor what stays for others. Nothing is decided yet."""
    return _Selector(session, rules, kinds, replace_own).run()


def apply(session: ReviewSession, selection: Selection) -> None:
    """Mark what was selected, as one step that can be undone."""
    session.decide(selection.documents, Decision.REMOVE)


class _Selector:
    def __init__(
        self, session: ReviewSession, rules: Sequence[Rule], kinds: frozenset[Kind], replace_own: bool
    ) -> None:
        self._session = session
        self._kinds = kinds
        self._documents = session.result.documents
        self._grouping = session.grouping
        self._usable = self._grouping.reach <= session.radius
        self._rules = [(rule, _claim(rule, self._documents, self._grouping.facts)) for rule in rules]
        self._own = session.decided() & (not replace_own)
        self._stays = session.stays()

    def run(self) -> Selection:
        chosen: list[Chosen] = []
        undecided: list[int] = []
        left_out: list[int] = []
        present = self._session.present()
        place_of = {int(number): place for place, number in enumerate(present.ids.tolist())}
        for number in self._session.clusters().ids.tolist():
            rows = present.rows(place_of[number])
            is_chosen = Kind(int(present.kinds[place_of[number]])) in self._kinds
            if number < 0:
                if is_chosen:
                    chosen.append(self._parts(number, int(present.keepers[place_of[number]]), rows))
                else:
                    left_out.append(number)
                continue
            found = self._cluster(number, rows)
            if found is None:
                undecided.append(number)
            elif found.marked:
                chosen.append(found)
            elif not is_chosen:
                left_out.append(number)
        return Selection(self._with_witnesses(chosen), tuple(undecided), tuple(left_out))

    def _with_witnesses(self, chosen: list[Chosen]) -> tuple[Chosen, ...]:
        """Without the marks whose witness another cluster's choice would mark too, and without those that would take
        the witness of an earlier mark. Each round drops one at least, so this ends."""
        while lost := self._session.lost_with(documents := Selection(tuple(chosen), ()).documents):
            dropped = set(lost) & set(documents)
            for row in set(lost) - dropped:
                dropped |= self._witnesses_among(row, documents)
            chosen = [replace(one, marked=tuple(row for row in one.marked if row not in dropped)) for one in chosen]
        return tuple(one for one in chosen if one.marked)

    def _witnesses_among(self, row: int, documents: list[int]) -> set[int]:
        """Those of the documents that could be a witness of a row."""
        stand = int(self._grouping.copies[row])
        container, part, _ = self._grouping.contained
        stands = {stand, *(other for other, _ in self._grouping.edges.of_document(stand, self._usable))}
        stands |= set(container[part == stand].tolist())
        return {document for document in documents if int(self._grouping.copies[document]) in stands}

    def _cluster(self, number: int, rows: NDArray[np.int32]) -> Chosen | None:
        marked: list[int] = []
        copies = self._grouping.copies
        last: tuple[int, Rule | None] | None = None
        tied = False
        if not any(map(self._free, rows.tolist())):
            return Chosen(number, int(rows[0]), (), None)
        rows = rows[~self._documents.inside[rows]]
        for stand in sorted(set(copies[rows].tolist())):
            same = rows[copies[rows] == stand]
            if len(same) > 1 and self._kinds & {Kind.EXACT, Kind.SAME_TEXT}:
                best = self._best(same)
                if best is None:
                    tied = True
                    continue
                last = best
                marked += [row for row in same.tolist() if self._superfluous(row, best[0])]
        if Kind.NEAR in self._kinds:
            left = rows[~np.isin(rows, marked)]
            best = self._best(left)
            if best is None:
                tied = True
            else:
                last = best
                near = {other for other, _ in self._grouping.edges.of_document(int(copies[best[0]]), self._usable)}
                marked += [row for row in left.tolist() if int(copies[row]) in near and self._free(row)]
        if not marked and (tied or last is None):
            return None if tied else Chosen(number, int(rows[0]), (), None)
        assert last is not None
        return Chosen(number, last[0], tuple(sorted(marked)), last[1])

    def _superfluous(self, row: int, keeper: int) -> bool:
        if row == keeper or not self._free(row):
            return False
        hashes = self._documents.content_hash
        exact = hashes[row].any() and (hashes[row] == hashes[keeper]).all()
        return (Kind.EXACT if exact else Kind.SAME_TEXT) in self._kinds

    def _parts(self, number: int, container: int, rows: NDArray[np.int32]) -> Chosen:
        stays = bool(self._stays[container])
        parts = [row for row in rows.tolist() if stays and row != container and self._free(row)]
        return Chosen(number, container, tuple(parts), None)

    def _free(self, row: int) -> bool:
        return bool(self._stays[row]) and not self._documents.protected[row] and not self._own[row]

    def _best(self, rows: NDArray[np.int32]) -> tuple[int, Rule | None] | None:
        """(the row that stays, the rule that decided); None when the rules tie."""
        rows = rows[self._stays[rows]]
        kept = rows[self._documents.protected[rows]]
        decided = rows[[self._session.decision(row) is Decision.KEEP for row in rows.tolist()]]
        if len(decided) or len(kept):
            return int((decided if len(decided) else kept)[0]), None
        for rule, claim in self._rules:
            values = claim[rows]
            rows = rows[values == values.max(initial=np.iinfo(np.int64).min)]
            if len(rows) == 1:
                return int(rows[0]), rule
        return None


def _claim(rule: Rule, documents: Documents, facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How much each document is preferred by a rule, int64 (n,); the largest stays."""
    lengths: Callable[[], NDArray[np.int64]] = lambda: np.fromiter(map(len, documents.paths), np.int64, len(documents))  # noqa: E731
    match rule.kind:
        case RuleKind.IN_FOLDER:
            inside = (Path(path).is_relative_to(rule.folder or Path()) for path in documents.paths)
            return np.fromiter(inside, np.int64, len(documents))
        case RuleKind.RICHER:
            return facts[:, 2]
        case RuleKind.PLAIN_NAME:
            return facts[:, 1]
        case RuleKind.NEWEST:
            return documents.mtime_ns
        case RuleKind.OLDEST:
            return -documents.mtime_ns
        case RuleKind.LARGEST:
            return documents.size
        case RuleKind.SMALLEST:
            return -documents.size
        case RuleKind.MOST_TEXT:
            return documents.words.astype(np.int64)
        case RuleKind.SHORTEST_PATH:
            return -lengths()
        case RuleKind.LONGEST_PATH:
            return lengths()


def kinds_of(names: Iterable[str]) -> frozenset[Kind]:
    """Kinds by their names: exact, same-text, near, contained. UsageError for any other."""
    known = {kind.name.lower().replace("_", "-"): kind for kind in Kind}
    found = set()
    for name in names:
        if name not in known:
            raise UsageError(f"There is no kind {name!r}; the kinds are {', '.join(known)}.")
        found.add(known[name])
    return frozenset(found)
