"""Two documents side by side: both are read anew and compared, in a process that may fail without harm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.display import shown
from dupfinder.base.problems import Problem
from dupfinder.base.progress import Stage
from dupfinder.cluster.own import compare_sets
from dupfinder.diff.align import Options, compare
from dupfinder.diff.blocks import Comparison
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.review.wording import problem_sentence
from dupfinder.scan.matching import are_scattered
from dupfinder.scan.reading import FAILED, fingerprinter, read_text
from dupfinder.scan.weights import scheme_in_use
from dupfinder.text.archive import holder_of
from dupfinder.text.document import Extracted
from dupfinder.text.normalise import normalise
from dupfinder.text.sandbox import Limits, Sandbox

HEAVIEST = 12  # words told of two fingerprints


@dataclass(frozen=True, slots=True)
class PairTask:
    """Two files to compare. explain: also find what their fingerprints are made of. left_out: shingles of boilerplate
    that the shares are computed without, uint64, ascending."""

    left: Path
    right: Path
    options: Options = field(default_factory=Options)
    scheme: Scheme = field(default_factory=scheme_in_use)
    explain: bool = False
    left_out: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64), repr=False, compare=False)

    @property
    def size(self) -> int:
        """Bytes of both files, or of their archives, which set the deadline; 0 for what is gone."""
        files = [holder_of(path) or path for path in (self.left, self.right)]
        return sum(file.stat().st_size for file in files if file.exists())


@dataclass(frozen=True, slots=True)
class Weighty:
    """A word that weighs much in one of two fingerprints, how often it stands in each text, and its part of all
    weight, 0 to 1, where that is larger."""

    word: str
    left_count: int
    right_count: int
    share: float


@dataclass(frozen=True, slots=True)
class Inside:
    """What two fingerprints are made of. fingerprints: None when a text is too short to have one.

    scattered: the two are one text under edits that fall everywhere (see cluster.scattered).
    """

    fingerprints: tuple[int, int] | None
    words: tuple[Weighty, ...]
    scattered: bool


@dataclass(frozen=True, slots=True)
class PairView:
    """What the comparison shows. Shares are exact, computed from both texts.

    comparison: None when one of the two could not be read; `trouble` is then why, and `problem` the sentence of it.
    distance:   bits between the fingerprints, None when a text is too short to have one.
    inside:     None unless the task asked to explain.
    left_out:   which part of each text is boilerplate that the shares are computed without.
    in_part:    whether reading ended before the document did; such a text is never the same as another.
    """

    left: Path
    right: Path
    comparison: Comparison | None
    problem: str = ""
    resemblance: float = 0.0
    left_in_right: float = 0.0
    right_in_left: float = 0.0
    distance: int | None = None
    same_text: bool = False
    inside: Inside | None = None
    trouble: Problem | None = None
    left_out: tuple[float, float] = (0.0, 0.0)
    in_part: tuple[bool, bool] = (False, False)


def compare_pair(task: PairTask) -> PairView:
    """Read and compare two files. Runs in the comparing process."""
    texts: list[Extracted] = []
    for path in (task.left, task.right):
        found = read_text(path)
        if found.extracted is None:
            assert found.problem is not None
            reason = problem_sentence(found.problem.kind, found.problem.detail)
            return PairView(task.left, task.right, None, f"{shown(path.name)}: {reason}", trouble=found.problem)
        texts.append(found.extracted)
    maker = fingerprinter(task.scheme)
    plain = [normalise(text.text, simplify=task.scheme.simplify) for text in texts]
    one, other = (maker.shingle_set(text) for text in plain)
    shares = compare_sets(one, other, task.left_out)
    prints = [maker.print_of(text) for text in plain]
    both = all(found.has_features for found in prints)
    return PairView(
        task.left,
        task.right,
        compare(texts[0].text, texts[1].text, task.options),
        resemblance=shares.resemblance,
        left_in_right=shares.left_in_right,
        right_in_left=shares.right_in_left,
        distance=(prints[0].fingerprint ^ prints[1].fingerprint).bit_count() if both else None,
        same_text=prints[0].text_hash == prints[1].text_hash and not any(text.partial for text in texts),
        inside=_inside(maker, plain, prints) if task.explain else None,
        left_out=shares.left_out,
        in_part=(texts[0].partial, texts[1].partial),
    )


def _inside(maker: Fingerprinter, texts: list[str], prints: list[TextPrint]) -> Inside:
    both = all(found.has_features for found in prints)
    heavy = [{word.feature: word for word in maker.heaviest(text, HEAVIEST)} for text in texts]
    counts = []
    for text in texts:
        terms = maker.terms_of(text)
        counts.append(dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True)))
    words = []
    for feature in heavy[0].keys() | heavy[1].keys():
        best = max((side[feature] for side in heavy if feature in side), key=lambda word: word.share)
        words.append(Weighty(best.word, counts[0].get(feature, 0), counts[1].get(feature, 0), best.share))
    words.sort(key=lambda word: (-word.share, word.word))
    return Inside(
        (prints[0].fingerprint, prints[1].fingerprint) if both else None,
        tuple(words[:HEAVIEST]),
        are_scattered(prints[0], prints[1], maker.scheme.shingle),
    )


class Comparer:
    """Keeps a comparing process ready, so that the next pair opens at once. Use from one thread at a time."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._sandbox = Sandbox(compare_pair, workers=1, limits=limits or Limits())

    def __enter__(self) -> Comparer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def compare(self, task: PairTask, check: Callable[[], None] = lambda: None) -> PairView:
        """Compare two files; `check` may raise Stopped, which ends the process."""
        for done in self._sandbox.run([task], check):
            if done.value is not None:
                return done.value
            assert done.failure is not None
            trouble = Problem(task.left, Stage.READ, FAILED[done.failure], done.detail)
            return PairView(
                task.left, task.right, None, problem_sentence(trouble.kind, trouble.detail), trouble=trouble
            )
        raise AssertionError("a sandbox answers every task")

    def close(self) -> None:
        """End the process."""
        self._sandbox.close()


def explain_files(left: Path, right: Path, left_out: NDArray[np.uint64] | None = None) -> PairView:
    """Compare two files once, without boilerplate, and find what their fingerprints are made of."""
    nothing = np.empty(0, np.uint64)
    with Comparer() as comparer:
        task = PairTask(left, right, explain=True, left_out=nothing if left_out is None else left_out)
        return comparer.compare(task)


def compare_files(
    left: Path, right: Path, options: Options | None = None, check: Callable[[], None] = lambda: None
) -> PairView:
    """Compare two files once."""
    with Comparer() as comparer:
        return comparer.compare(PairTask(left, right, options or Options()), check)
