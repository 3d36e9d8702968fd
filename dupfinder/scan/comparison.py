"""Compare two documents side by side: both are read again, in a process that may fail without harm."""

from __future__ import annotations

import filecmp
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dupfinder.base.files import Closing
from dupfinder.base.paths import weights_dir
from dupfinder.base.problems import Problem
from dupfinder.base.progress import Stage
from dupfinder.cluster.evidence import compare as measure_pair
from dupfinder.cluster.relation import (
    Demand,
    Evidence,
    Relation,
    decide,
    of_same_words,
    other_bytes,
    other_content,
    other_row,
    similarity,
)
from dupfinder.diff.align import Options, compare
from dupfinder.diff.blocks import Comparison
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import shared
from dupfinder.index.pairs import Pairs
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.reading import FAILED, file_holding, fingerprinter, read_text
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.document import Extracted, OtherContent
from dupfinder.text.normalise import normalise
from dupfinder.text.source import bytes_on_disk

HEAVIEST = 12  # words shown of two fingerprints


@dataclass(frozen=True, slots=True)
class PairTask:
    """Two files to compare. explain: also find the words that determine their fingerprints."""

    left: Path
    right: Path
    options: Options = field(default_factory=Options)
    scheme: Scheme = field(default_factory=scheme_in_use)
    explain: bool = False

    @property
    def size(self) -> int:
        """Bytes of both files, or of their archives, which set the deadline; 0 for a missing file."""
        return bytes_on_disk((self.left, self.right))


@dataclass(frozen=True, slots=True)
class Weighty:
    """A word with much weight in one of two fingerprints, and how often each text has it.

    share: its share of all weight, 0 to 1, in the text where that is larger.
    """

    word: str
    left_count: int
    right_count: int
    share: float


@dataclass(frozen=True, slots=True)
class Inside:
    """The words that determine two fingerprints. fingerprints: None if a text is too short to have one."""

    fingerprints: tuple[int, int] | None
    words: tuple[Weighty, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """The comparison of two documents, and what was measured of them; see cluster.relation.Evidence.

    comparison: None if one of the two could not be read, or if they were only measured.
    trouble:    why there is no comparison. unread: the file that could not be read; None if it may be either.
    distance:   bits between the fingerprints; None if a text is too short to have one.
    inside:     None unless the task asked to explain.
    counted:    resemblance and both containments, counted exactly over both texts, if the other values are estimates
                and the task asked to explain; else None. They show the error of the estimates, by which relations are
                decided.
    same_words: IDENTICAL, SAME_TEXT or SAME_WORDS for equal words, else None. differs, not_known: other content that
                differs between such texts, and other content that their readers cannot see.
    in_part:    whether each text is incomplete; such a text never equals another.
    """

    left: Path
    right: Path
    comparison: Comparison | None
    resemblance: float = 0.0
    left_in_right: float = 0.0
    right_in_left: float = 0.0
    error: float = 0.0
    aligned: float = -1.0
    changes: int = 0
    run: float = 0.0
    difference: int = 0
    distance: int | None = None
    same_words: int | None = None
    differs: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    inside: Inside | None = None
    counted: tuple[float, float, float] | None = None
    trouble: Problem | None = None
    unread: Path | None = None
    in_part: tuple[bool, bool] = (False, False)

    def evidence(self) -> tuple[Pairs, Evidence]:
        """Return the pair and its evidence in the form that `decide` takes."""
        distance = 64 if self.distance is None else self.distance
        pair = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.array([distance], np.uint8))
        evidence = Evidence(
            resemblance=np.array([self.resemblance], np.float32),
            left_in_right=np.array([self.left_in_right], np.float32),
            right_in_left=np.array([self.right_in_left], np.float32),
            error=np.array([self.error], np.float32),
            aligned=np.array([self.aligned], np.float32),
            changes=np.array([self.changes], np.int32),
            run=np.array([self.run], np.float32),
            difference=np.array([self.difference], np.uint8),
            form=np.zeros(1, np.bool_),
        )
        return pair, evidence

    def relation(self, demand: Demand) -> Relation:
        """Return the relation of the left document to the right one, by the two texts alone."""
        if self.same_words is not None:
            return Relation(self.same_words)
        pair, evidence = self.evidence()
        return Relation(int(decide(evidence, pair, demand)[0]))

    @property
    def similarity(self) -> float:
        """The similarity of the two, 0 to 1; 1 only for equal words."""
        return 1.0 if self.same_words is not None else float(similarity(self.evidence()[1])[0])


@dataclass(frozen=True, slots=True)
class Side:
    """One of two documents as it was read for comparison: its text, the normalised text, and its TextPrint."""

    extracted: Extracted
    plain: str
    text_print: TextPrint


def read_side(path: Path, scheme: Scheme) -> Side | Problem:
    """Read one document for comparison; a Problem if it has no readable text."""
    read = read_text(path)
    if read.extracted is None:
        assert read.problem is not None
        return read.problem
    plain = normalise(read.extracted.text, simplify=scheme.simplify)
    return Side(read.extracted, plain, fingerprinter(scheme).print_of(plain))


def measured(paths: tuple[Path, Path], sides: tuple[Side, Side], scheme: Scheme) -> PairView:
    """Measure two documents that were read, without comparing their lines."""
    left, right = (side.text_print for side in sides)
    same_words, differs, not_known = _same_words([side.extracted for side in sides], left, right)
    pair, evidence = measure_pair(left, right, scheme.shingle)
    return PairView(
        *paths,
        None,
        resemblance=float(evidence.resemblance[0]),
        left_in_right=float(evidence.left_in_right[0]),
        right_in_left=float(evidence.right_in_left[0]),
        error=float(evidence.error[0]),
        aligned=float(evidence.aligned[0]),
        changes=int(evidence.changes[0]),
        run=float(evidence.run[0]),
        difference=int(evidence.difference[0]),
        distance=int(pair.distance[0]) if left.has_features and right.has_features else None,
        same_words=same_words,
        differs=differs,
        not_known=not_known,
        in_part=(sides[0].extracted.partial, sides[1].extracted.partial),
    )


def compare_pair(task: PairTask) -> PairView:
    """Read and compare two files. Runs in the comparing process."""
    sides: list[Side] = []
    for path in (task.left, task.right):
        side = read_side(path, task.scheme)
        if isinstance(side, Problem):
            return PairView(task.left, task.right, None, trouble=side, unread=path)
        sides.append(side)
    left, right = sides
    view = measured((task.left, task.right), (left, right), task.scheme)
    view = replace(view, comparison=compare(left.extracted.text, right.extracted.text, task.options))
    if not task.explain:
        return view
    maker = fingerprinter(task.scheme)
    inside = _inside(maker, [left.plain, right.plain], [left.text_print, right.text_print])
    return replace(view, inside=inside, counted=_counted(maker, left.plain, right.plain) if view.error else None)


def _counted(maker: Fingerprinter, left: str, right: str) -> tuple[float, float, float]:
    """Return resemblance and both containments of two texts, counted over all their shingles."""
    left_set, right_set = maker.shingle_set(left), maker.shingle_set(right)
    common = shared(left_set, right_set)
    return common / (len(left_set) + len(right_set) - common), common / len(left_set), common / len(right_set)


def _same_words(
    texts: list[Extracted], left: TextPrint, right: TextPrint
) -> tuple[int | None, tuple[str, ...], tuple[str, ...]]:
    """Return (relation by words and other content, what differs, what is unknown) of two texts with equal words.

    The relation is None for texts that differ or are incomplete. Bytes are not compared.
    """
    if left.text_hash != right.text_hash or any(text.partial for text in texts):
        return None, (), ()
    columns = [other_row(other_bytes(text.other)) for text in texts]
    same_format = np.array([texts[0].media_type == texts[1].media_type])
    relation = of_same_words(columns[0], columns[1], same_format, np.zeros(1, np.bool_))
    differs, unknown = other_content(columns[0], columns[1], same_format)
    kinds = [kind.value for kind in OtherContent]
    return (
        int(relation[0]),
        tuple(kind for kind, applies in zip(kinds, differs[0], strict=True) if applies),
        tuple(kind for kind, applies in zip(kinds, unknown[0], strict=True) if applies),
    )


def with_bytes(view: PairView) -> PairView:
    """Return the view, with relation IDENTICAL if the two files have equal bytes.

    Bytes of members of archives are not compared.
    """
    left, right = view.left, view.right
    if view.same_words is None or not (left.is_file() and right.is_file()):
        return view
    if not filecmp.cmp(left, right, shallow=False):
        return view
    return replace(view, same_words=int(Relation.IDENTICAL), differs=(), not_known=())


def _inside(maker: Fingerprinter, texts: list[str], prints: list[TextPrint]) -> Inside:
    """Return the words that determine two fingerprints."""
    both = all(text_print.has_features for text_print in prints)
    heaviest = [{word.feature: word for word in maker.heaviest(text, HEAVIEST)} for text in texts]
    counts = []
    for text in texts:
        terms = maker.terms_of(text)
        counts.append(dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True)))
    words = []
    for feature in heaviest[0].keys() | heaviest[1].keys():
        best = max((side[feature] for side in heaviest if feature in side), key=lambda word: word.share)
        words.append(Weighty(best.word, counts[0].get(feature, 0), counts[1].get(feature, 0), best.share))
    words.sort(key=lambda word: (-word.share, word.word))
    return Inside((prints[0].fingerprint, prints[1].fingerprint) if both else None, tuple(words[:HEAVIEST]))


class Comparer(Closing):
    """Compares pairs in a process that is kept ready. Use it from one thread at a time."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(
            compare_pair,
            workers=1,
            files=lambda task: (file_holding(task.left), file_holding(task.right)),
            readable=[weights_dir()],
        )

    def compare(self, task: PairTask, check: Callable[[], None] = lambda: None) -> PairView:
        """Compare two files. `check` may raise Stopped, which ends the process."""
        (done,) = self._sandbox.run([task], check)
        if done.value is not None:
            return with_bytes(done.value)
        assert done.failure is not None
        trouble = Problem(task.left, Stage.READ, FAILED[done.failure], done.details)
        return PairView(task.left, task.right, None, trouble=trouble)

    def close(self) -> None:
        """End the process."""
        self._sandbox.close()


def compare_files(left: Path, right: Path, *, explain: bool = False) -> PairView:
    """Compare two files. explain: find also the words that determine their fingerprints."""
    with Comparer() as comparer:
        return comparer.compare(PairTask(left, right, explain=explain))
