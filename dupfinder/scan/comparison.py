"""Compare two documents side by side: both are read again, in a process that may fail without harm."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from dupfinder.base.details import Problem
from dupfinder.base.files import Closable
from dupfinder.base.paths import weights_dir
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.pair import ComparedText, PairEvidence
from dupfinder.cluster.relation import Relation
from dupfinder.diff.align import compare_texts
from dupfinder.diff.blocks import TextComparison
from dupfinder.diff.tokens import Options
from dupfinder.fingerprint.fingerprinter import Fingerprinter, fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import TextPrint, shared
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.reading import FAILED, attempt_after, file_holding, read_text
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.document import WRAPPED, Attempt, Extracted, OtherContent
from dupfinder.text.extract import shown_texts
from dupfinder.text.normalise import normalise
from dupfinder.text.source import bytes_on_disk

HEAVIEST = 12  # words shown of two fingerprints
_REMEMBERED = 4  # documents that a process keeps in memory, to compare them with another version or by other options
# Marks that readers take out of a text.
_TAKEN_OUT = frozenset((OtherContent.NUMBERS, OtherContent.HEADERS, OtherContent.LIST_STARTS))
_LONGEST_REMEMBERED = 4_000_000  # characters of a text that is kept in memory


@dataclass(frozen=True, slots=True)
class PairTask:
    """Two files to compare. explain: also find the words that determine their fingerprints.

    stamps: of the two files or their archives; while these are unchanged, a document that was just read is not read
            again. None: unknown.
    attempt: which readers are tried, for both files: after a process has ended or took too long, it is not known which
             of them was at fault.
    """

    left: Path
    right: Path
    options: Options = field(default_factory=Options)
    scheme: Scheme = field(default_factory=scheme_in_use)
    explain: bool = False
    stamps: tuple[FileStamp | None, FileStamp | None] = (None, None)
    attempt: Attempt = Attempt.FIRST

    @property
    def size(self) -> int:
        """Bytes of both files, or of their archives, which set the deadline; 0 for a missing file."""
        return bytes_on_disk((self.left, self.right))


@dataclass(frozen=True, slots=True)
class PairWord:
    """A word with much weight in one of two fingerprints, and how often each text has it.

    share: its share of all weight, 0 to 1, in the text where that is larger.
    """

    word: str
    left_count: int
    right_count: int
    share: float


@dataclass(frozen=True, slots=True)
class PrintWords:
    """The words that determine two fingerprints. fingerprints: None if a text is too short to have one."""

    fingerprints: tuple[int, int] | None
    words: tuple[PairWord, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """The comparison of two documents, and what was measured of them.

    comparison: None if one of the two could not be read.
    trouble:    why there is no comparison. unread: the file that could not be read; None if it may be either.
    print_words: None unless the task asked to explain.
    counted:    resemblance and both containments, counted exactly over both texts, if the other values are estimates
                and the task asked to explain; else None. They show the error of the estimates, by which relations are
                decided.
    """

    left: Path
    right: Path
    comparison: TextComparison | None
    evidence: PairEvidence = field(default_factory=PairEvidence)
    print_words: PrintWords | None = None
    counted: tuple[float, float, float] | None = None
    trouble: Problem | None = None
    unread: Path | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One of two documents as it was read for comparison: its text, the normalised text, and its TextPrint."""

    extracted: Extracted
    normalised: str
    text_print: TextPrint


def read_side(path: Path, scheme: Scheme, attempt: Attempt = Attempt.FIRST) -> Side | Problem:
    """Read one document for comparison; a Problem if it has no readable text."""
    read = read_text(path, attempt)
    if read.extracted is None:
        assert read.problem is not None
        return read.problem
    normalised = normalise(read.extracted.text)
    return Side(read.extracted, normalised, fingerprinter(scheme).print_of(normalised))


class _Sides:
    """The documents that a comparing process read last."""

    def __init__(self) -> None:
        self._recent: dict[tuple[Path, FileStamp | None, Scheme, Attempt], Side] = {}

    def read(self, path: Path, stamp: FileStamp | None, scheme: Scheme, attempt: Attempt) -> Side | Problem:
        """Do what `read_side` does, without reading the document if it is remembered and its stamp is the same."""
        key = path, stamp, scheme, attempt
        side = self._recent.pop(key, None) or read_side(path, scheme, attempt)
        if stamp is not None and isinstance(side, Side) and len(side.extracted.text) <= _LONGEST_REMEMBERED:
            self._recent[key] = side
            for oldest in list(self._recent)[:-_REMEMBERED]:
                del self._recent[oldest]
        return side


_SIDES = _Sides()


def measured(left: Side, right: Side, scheme: Scheme) -> PairEvidence:
    """Measure two documents that were read."""
    left_text, right_text = (ComparedText.of(side.extracted, side.text_print) for side in (left, right))
    return PairEvidence.of(left_text, right_text, scheme.shingle)


def compare_pair(task: PairTask) -> PairView:
    """Read and compare two files. Runs in the comparing process."""
    sides: list[Side] = []
    for path, stamp in zip((task.left, task.right), task.stamps, strict=True):
        side = _SIDES.read(path, stamp, task.scheme, task.attempt)
        if isinstance(side, Problem):
            return PairView(task.left, task.right, None, trouble=side, unread=path)
        sides.append(side)
    left, right = sides
    evidence = measured(left, right, task.scheme)
    view = PairView(task.left, task.right, _compared(left.extracted, right.extracted, evidence, task.options), evidence)
    if not task.explain:
        return view
    maker = fingerprinter(task.scheme)
    print_words = _print_words(maker, [left.normalised, right.normalised], [left.text_print, right.text_print])
    counted = _counted(maker, left.normalised, right.normalised) if evidence.error else None
    return replace(view, print_words=print_words, counted=counted)


def _compared(left: Extracted, right: Extracted, evidence: PairEvidence, options: Options) -> TextComparison:
    """Compare two texts as `shown_texts` returns them; with all marks that were taken out if only these differ."""
    wrap = left.media_type in WRAPPED, right.media_type in WRAPPED
    everything = bool(_TAKEN_OUT.intersection(evidence.differs))
    comparison = compare_texts(*shown_texts(left, right, everything=everything), options, wrap=wrap)
    if everything or comparison.differences or evidence.same_words is not None:
        return comparison
    return compare_texts(*shown_texts(left, right, everything=True), options, wrap=wrap)


def _counted(maker: Fingerprinter, left: str, right: str) -> tuple[float, float, float]:
    """Return resemblance and both containments of two texts, counted over all their shingles."""
    left_set, right_set = maker.shingle_set(left), maker.shingle_set(right)
    common = shared(left_set, right_set)
    return common / (len(left_set) + len(right_set) - common), common / len(left_set), common / len(right_set)


def with_bytes(view: PairView) -> PairView:
    """Return the view, with relation IDENTICAL if the two files have equal bytes.

    Bytes are not compared of members of archives, nor of a file that has gone since its text was read.
    """
    may_be_equal = view.evidence.same_words is not None or all(view.evidence.read_in_part)
    with suppress(OSError):
        if may_be_equal and filecmp.cmp(view.left, view.right, shallow=False):
            evidence = replace(view.evidence, same_words=Relation.IDENTICAL, differs=(), not_known=())
            return replace(view, evidence=replace(evidence, resemblance=1.0, left_in_right=1.0, right_in_left=1.0))
    return view


def _print_words(maker: Fingerprinter, texts: list[str], prints: list[TextPrint]) -> PrintWords:
    """Return the words that determine two fingerprints."""
    heaviest = [{word.feature: word for word in maker.heaviest(text, HEAVIEST)} for text in texts]
    counts = []
    for text in texts:
        terms = maker.terms_of(text)
        counts.append(dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True)))
    words = []
    for feature in heaviest[0].keys() | heaviest[1].keys():
        best = max((side[feature] for side in heaviest if feature in side), key=lambda word: word.share)
        words.append(PairWord(best.word, counts[0].get(feature, 0), counts[1].get(feature, 0), best.share))
    words.sort(key=lambda word: (-word.share, word.word))
    fingerprints = (prints[0].fingerprint, prints[1].fingerprint) if all(side.has_features for side in prints) else None
    return PrintWords(fingerprints, tuple(words[:HEAVIEST]))


class Comparer(Closable):
    """Compares pairs in processes that are kept ready. Use it from one thread at a time."""

    def __init__(self, workers: int = 1) -> None:
        self._sandbox = Sandbox(
            compare_pair,
            workers=workers,
            files=lambda task: (file_holding(task.left), file_holding(task.right)),
            readable=[weights_dir()],
            retry=lambda task, failure: replace(task, attempt=attempt_after(failure)),
        )

    def compare(self, task: PairTask, check: Callable[[], None] = lambda: None) -> PairView:
        """Compare two files. `check` may raise Stopped, which ends the process."""
        (view,) = self.compare_all([task], check)
        return view

    def compare_all(self, tasks: Iterable[PairTask], check: Callable[[], None] = lambda: None) -> Iterator[PairView]:
        """Compare pairs of files; yield each view when it is ready, in any order."""
        for done in self._sandbox.run(map(_stamped, tasks), check):
            if done.value is not None:
                yield with_bytes(done.value)
            else:
                assert done.failure is not None
                trouble = Problem(FAILED[done.failure], done.details)
                yield PairView(done.task.left, done.task.right, None, trouble=trouble)

    def close(self) -> None:
        self._sandbox.close()


def _stamped(task: PairTask) -> PairTask:
    return replace(task, stamps=(_stamp_of(task.left), _stamp_of(task.right)))


def _stamp_of(path: Path) -> FileStamp | None:
    """Return the stamp of the file that holds a document; None if it is gone."""
    with suppress(OSError):
        holder = file_holding(path)
        return FileStamp.of(holder, os.stat(holder))
    return None


def compare_files(left: Path, right: Path, *, explain: bool = False) -> PairView:
    """Compare two files. explain: find also the words that determine their fingerprints."""
    with Comparer() as comparer:
        return comparer.compare(PairTask(left, right, explain=explain))
