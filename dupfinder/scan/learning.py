"""Learn from the documents of a scan how common each word is among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dupfinder.base.errors import Fault, InputError
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import SIMPLIFY, WORKERS, Settings
from dupfinder.cluster.linkage import representatives
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.hashing import Hashes
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import UNIT, DocumentFrequencies, FrequencyCounter, shipped
from dupfinder.library.rows import Documents, ScanResult
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.readers import reading_limits, workers
from dupfinder.scan.reading import file_holding, read_text
from dupfinder.scan.request import ScanRequest
from dupfinder.scan.weights import CommonWord, LearnedTable, keep
from dupfinder.text.normalise import normalise

FEWEST_DOCUMENTS = 20  # with fewer, word frequencies mean nothing
_SHOWN = 200  # words stored to be shown
_CANDIDATES = 40  # most frequent words of each document, among which the words to show are chosen


@dataclass(frozen=True, slots=True)
class LearningTask:
    """One file to read. simplify: as in the scheme."""

    path: Path
    size: int
    simplify: bool = False


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """The distinct features of a text, and the words of its most frequent ones."""

    features: Hashes
    words: dict[int, str]


def read_terms(task: LearningTask) -> TextFeatures | None:
    """Return the features of one file; None if it cannot be read now. Runs in a reading process."""
    extracted = read_text(task.path).extracted
    if extracted is None:
        return None
    maker, text = fingerprinter(Scheme(simplify=task.simplify)), normalise(extracted.text)
    terms = maker.terms_of(text)
    most = np.sort(terms.features[np.argsort(-terms.counts, kind="stable")[:_CANDIDATES]])
    return TextFeatures(terms.features, maker.words_of(text, most))


def learn(result: ScanResult, settings: Settings, reporter: Reporter) -> LearnedTable:
    """Read the documents of a scan again, count their words, and use the learned weights from the next scan on.

    Copies count once. Documents that cannot be read any more are left out. Raises UsageError if fewer than
    FEWEST_DOCUMENTS remain, OSError, Stopped.
    """
    counter, words, counted = FrequencyCounter(), dict[int, str](), 0
    for features in _read_all(list(_tasks(result.documents, settings)), settings, reporter):
        counter.add(features.features)
        for feature, word in features.words.items():  # several words may share a stem: show the alphabetically first
            words[feature] = min(word, words.get(feature, word))
        counted += 1
    if counted < FEWEST_DOCUMENTS:
        raise InputError(Fault.FEW_DOCUMENTS, fewest=FEWEST_DOCUMENTS, counted=counted)
    table = counter.table()
    return keep(table, _most_common(table, words), settings)


def _tasks(documents: Documents, settings: Settings) -> Iterator[LearningTask]:
    """Yield a task for each document that can be compared; of copies only for the first."""
    simplify = bool(settings.get(SIMPLIFY))
    is_first_copy = representatives(documents.copy_hashes()) == np.arange(len(documents))
    for row in np.flatnonzero(documents.comparable & is_first_copy).tolist():
        yield LearningTask(documents.path(row), int(documents.size[row]), simplify)


def _read_all(tasks: list[LearningTask], settings: Settings, reporter: Reporter) -> Iterator[TextFeatures]:
    with Sandbox(
        read_terms,
        workers=workers(ScanRequest((), workers=settings.integer(WORKERS))),
        limits=reading_limits(settings),
        files=lambda task: (file_holding(task.path),),
    ) as sandbox:
        for count, done in enumerate(sandbox.run(tasks, reporter.check), 1):
            reporter.tell(Progress(Stage.READ, count, len(tasks)))
            if done.value is not None:
                yield done.value


def _most_common(table: DocumentFrequencies, words: dict[int, str]) -> tuple[CommonWord, ...]:
    named = np.isin(table.keys, np.fromiter(words, np.uint64, len(words)))
    keys, counts = table.keys[named], table.counts[named].astype(np.int64)
    order = np.lexsort((keys, -counts))[:_SHOWN]
    learned, usual = table.rarity_of(keys[order]) / UNIT, shipped().rarity_of(keys[order]) / UNIT
    return tuple(
        CommonWord(words[key], count, round(learned_rarity, 2), round(shipped_rarity, 2))
        for key, count, learned_rarity, shipped_rarity in zip(
            keys[order].tolist(), counts[order].tolist(), learned.tolist(), usual.tolist(), strict=True
        )
    )
