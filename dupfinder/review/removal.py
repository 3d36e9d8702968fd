"""Carry out plans and undo removals, for the window and the command line, and inform a session of their results.

Each function that changes files first completes removals that were interrupted. Every plan is checked against the
protected folders of the library and the person's decisions at that moment, and the texts of its documents are read and
compared again, in a process that can be killed.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.check import Judgement, Safeguards
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, Outcome, RefusalKind, State
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.undo import GivenBack, give_back_held, recover, undo
from dupfinder.base.files import Closing
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.cluster.pair import PairEvidence, TextFacts
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.handed import open_handed
from dupfinder.processes.sandbox import Sandbox
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

# by the refusal of a step: the state in which it found a file, and whether that is the document to remove
_FOUND: Final = {
    RefusalKind.GONE: (FileState.GONE, True),
    RefusalKind.CHANGED: (FileState.CHANGED, True),
    RefusalKind.KEEPER_GONE: (FileState.GONE, False),
    RefusalKind.KEEPER_CHANGED: (FileState.CHANGED, False),
}
Settled = Callable[[Batch], None]
"""Receives each interrupted removal after it was completed."""


def remove(plan: Plan, library: Path, reporter: Reporter, *, on_settled: Settled | None = None) -> Batch:
    """Carry out `plan`, then discard journals of removals that are older than the setting allows.

    library: its protected folders and the decisions beside it are respected. Raises PlanError, LibraryError,
    JournalError: then no file, or no further file, was touched.
    """
    safeguards = Safeguards.of(library)
    journal = settle(on_settled=on_settled)
    with TextJudge(scheme_in_use()) as judge:
        batch = carry_out(plan, journal=journal, judge=judge, reporter=reporter, safeguards=safeguards)
    journal.forget_older(timedelta(days=Settings().integer(JOURNAL_DAYS)))
    return batch


def rehearse(plan: Plan, library: Path, reporter: Reporter) -> list[Outcome]:
    """Return what `remove` would do with each step now, DONE or REFUSED, and touch nothing. Raises as `remove`."""
    with TextJudge(scheme_in_use()) as judge:
        return list(dry_run(plan, judge, reporter, Safeguards.of(library)))


def take_back(
    batch_id: str, reporter: Reporter, *, similar_name: bool = False, journal: Journal | None = None
) -> Batch:
    """Restore the files of a removal, as `undo` does. Raises UsageError (no such one), RemovalRunning, JournalError."""
    return undo(batch_id, settle(journal), reporter, similar_name=similar_name)


def give_names_back(paths: Sequence[Path], *, on_settled: Settled | None = None) -> list[GivenBack]:
    """Complete removals, and restore held names at or below `paths`. Raises RemovalRunning, JournalError."""
    return give_back_held(paths, settle(on_settled=on_settled))


def settle(journal: Journal | None = None, on_settled: Settled | None = None) -> Journal:
    """Complete every interrupted removal, and return the journal. Raises RemovalRunning."""
    journal = journal or Journal()
    for batch in recover(journal):
        if on_settled is not None:
            on_settled(batch)
    return journal


def note_removed(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were removed, and which were found missing or changed.

    Returns the rows of documents whose names still exist, because they became hard links.
    """
    if removed := _rows(session, _victims(batch.outcomes, State.DONE)):
        session.note_removed(removed)
    seen: dict[FileState, set[Path]] = {state: set() for state in FileState}
    for outcome in batch.outcomes:
        if outcome.refusal is not None and outcome.refusal.kind in _FOUND:
            state, is_victim = _FOUND[outcome.refusal.kind]
            seen[state].add((outcome.step.victim if is_victim else outcome.step.keeper).path)
    for state, paths in seen.items():
        if paths:
            session.note_files(_rows(session, paths), state)
    linked = [outcome for outcome in batch.outcomes if outcome.step.verb is Verb.HARDLINK]
    return _rows(session, _victims(linked, State.DONE))


def note_restored(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were restored; return their rows."""
    rows = _rows(session, _victims(batch.outcomes, State.RESTORED))
    session.note_files(rows, FileState.THERE)
    return rows


def _victims(outcomes: Iterable[Outcome], state: State) -> set[Path]:
    return {outcome.step.victim.path for outcome in outcomes if outcome.state is state}


def _rows(session: ReviewSession, paths: set[Path]) -> list[int]:
    names = {str(path) for path in paths}
    return [row for row, path in enumerate(session.result.documents.paths) if path in names]


_CACHED: Final = 8  # texts in the cache: consecutive victims often have the same keeper


@dataclass(frozen=True, slots=True)
class FactsTask:
    """One file to read. size: bytes, which set the deadline."""

    path: Path
    size: int
    scheme: Scheme


def read_facts(task: FactsTask) -> TextFacts | None:
    """Return the facts of one document; None if it has no readable text. Runs in the reading process."""
    try:
        with open(open_handed(task.path), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            data = stream.read()
    except OSError:
        return None
    extracted = extract(data, task.path).extracted
    if extracted is None:
        return None
    text = normalise(extracted.text, simplify=task.scheme.simplify)
    text_print = fingerprinter(task.scheme).print_of(text)
    if not text_print.words:
        return None
    return TextFacts.of(extracted, text_print)


class TextJudge(Closing):
    """The judge that front ends pass to `carry_out`. Use it as a context: leaving it ends the reading process.

    The process starts at the first judgement, so a plan of exact copies needs none.
    """

    def __init__(self, scheme: Scheme | None = None) -> None:
        self._scheme = scheme or Scheme()
        self._sandbox: Sandbox[FactsTask, TextFacts | None] = Sandbox(
            read_facts,
            workers=1,
            files=lambda task: (task.path,),
            readable=[path for path in (self._scheme.learned,) if path],
        )
        self._cache: OrderedDict[tuple[Path, int, int, int], TextFacts | None] = OrderedDict()

    def close(self) -> None:
        """End the reading process."""
        self._sandbox.close()

    def __call__(self, victim: Path, keeper: Path, demand: Demand) -> Judgement | None:
        """Return the relation of `victim` to `keeper` now; None if one cannot be read. OSError if one is missing."""
        left, right = self._facts(victim), self._facts(keeper)
        if left is None or right is None:
            return None
        return judge_facts(left, right, demand, self._scheme.shingle)

    def _facts(self, path: Path) -> TextFacts | None:
        """Return the facts of a file, from the cache if it is unchanged. Raises OSError."""
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        key = (path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
        if key not in self._cache:
            task = FactsTask(path, status.st_size, self._scheme)
            (done,) = self._sandbox.run([task])
            self._cache[key] = done.value
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]


def judge_facts(victim: TextFacts, keeper: TextFacts, demand: Demand, width: int) -> Judgement:
    """Return the relation of one text to another; partial texts are never the same. width: of a shingle, in tokens."""
    evidence = PairEvidence.of(victim, keeper, width)
    if evidence.same_words is None and evidence.distance is None:
        return Judgement(Relation.NONE, 0.0, 0.0, victim.partial)
    return Judgement(evidence.relation(demand), evidence.similarity, evidence.left_in_right, victim.partial)
