"""Learn the boilerplate of a scan's documents: blocks from their sketches, and the words from two witnesses of each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import FILE_MEMORY, FILE_SECONDS, Settings
from dupfinder.cluster.boilerplate import LEAST_GROUPS, Block, find_blocks, holders_of
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.own import together
from dupfinder.cluster.verify import Shingles
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.boilerplate import Passage, Standing
from dupfinder.library.library import Library, Sketch
from dupfinder.library.rows import Documents
from dupfinder.scan.matching import compared, copy_hashes, shingles_of, upper_halves
from dupfinder.scan.passages import Wanted, WitnessTask, find_passages
from dupfinder.text.sandbox import Limits, Sandbox

MOST_PASSAGES = 200  # kept of one scan, those in most files first
_REVISION = 1  # raise when other passages are found for the same question
_EXAMPLES = 5  # documents named for a passage
_SAME_PASSAGE = 0.5  # of the smaller one's shingles, from which a switched off passage is the one that was found
_NOTHING: NDArray[np.uint64] = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Reading:
    """How witnesses are read. scheme: that of the sketches; None where it is not known any more: then only what was
    found before is found. workers: processes."""

    scheme: Scheme | None
    settings: Settings
    workers: int


@dataclass(frozen=True, slots=True)
class Found:
    """A passage of a scan. holders: int64 (h,), rows of `Documents` that hold it, copies included."""

    passage: Passage
    holders: NDArray[np.int64]
    enabled: bool


@dataclass(frozen=True, slots=True)
class Learned:
    """The boilerplate of a scan, the passages in most files first."""

    passages: tuple[Found, ...]

    @property
    def left_out(self) -> NDArray[np.uint64]:
        """The shingles that are left out of comparisons, ascending, each once."""
        chosen = [found.passage.shingles for found in self.passages if found.enabled]
        return together(chosen).astype(np.uint64) if chosen else _NOTHING

    def standings(self, documents: Documents, labels: NDArray[np.int32]) -> list[Standing]:
        """What is told and kept of it. labels: int32 (n,), the group of each document, negative for a lone one."""
        groups = np.where(labels < 0, np.arange(len(labels)), labels)
        return [
            Standing(
                found.passage,
                len(found.holders),
                len(set(groups[found.holders].tolist())),
                found.enabled,
                found.enabled,
                tuple(documents.ids[_examples(found.holders, groups)].tolist()),
            )
            for found in self.passages
        ]


def _examples(holders: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """A few of the holders, of different groups where there are enough."""
    firsts = {group: row for row, group in zip(holders[::-1].tolist(), groups[holders[::-1]].tolist(), strict=True)}
    return np.sort(np.fromiter(firsts.values(), np.int64, len(firsts)))[:_EXAMPLES]


def learn(library: Library, documents: Documents, reading: Reading, reporter: Reporter) -> Learned:
    """The boilerplate of these documents, a function of what they say alone. Raises LibraryError, Stopped.

    Witnesses are read once; what was found in them is kept in the library.
    """
    chosen = compared(documents)
    shingles = shingles_of(library, documents, chosen)
    sketches = library.sketches(documents.ids[chosen], Sketch.PARTS)
    halves = (sketches.values >> np.uint64(32)).astype(np.uint32)
    parts = Shingles(halves, sketches.starts, np.ones(len(chosen), np.bool_))
    hashes = documents.text_hash[chosen]
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    blocks = find_blocks(shingles, parts, order, Scheme().modulus, reporter)
    if not blocks:
        return Learned(())
    passages = _Witnesses(library, documents, chosen, reading, reporter).passages(blocks)
    off = library.boilerplate.switched_off()
    copies = representatives(copy_hashes(documents))
    found = []
    values = [upper_halves(passage.shingles) for passage in passages]
    for passage, rows in zip(passages, holders_of(shingles, parts, values), strict=True):
        if len(rows) < LEAST_GROUPS:
            continue
        holders = np.flatnonzero(np.isin(copies, chosen[rows]))
        found.append(Found(passage, holders, not any(_is_same(passage, other) for other in off)))
    return Learned(tuple(_distinct(found)))


def _is_same(one: Passage, other: Passage) -> bool:
    common = len(np.intersect1d(one.shingles, other.shingles, assume_unique=True))
    return common >= _SAME_PASSAGE * min(len(one.shingles), len(other.shingles))


def _distinct(found: list[Found]) -> list[Found]:
    """The passages in most files first, without those that lie in a more common one, MOST_PASSAGES at most."""
    found.sort(key=lambda one: (-len(one.holders), -len(one.passage.shingles), one.passage.key))
    kept: list[Found] = []
    seen = _NOTHING
    for one in found:
        shingles = one.passage.shingles
        if len(kept) < MOST_PASSAGES and np.isin(shingles, seen).sum() < _SAME_PASSAGE * len(shingles):
            kept.append(one)
            seen = np.union1d(seen, shingles)
    return kept


class _Witnesses:
    """Finds the words of blocks, in the library or in the documents themselves."""

    def __init__(
        self,
        library: Library,
        documents: Documents,
        chosen: NDArray[np.intp],
        reading: Reading,
        reporter: Reporter,
    ) -> None:
        self._library = library
        self._documents = documents
        self._chosen = chosen
        self._reading = reading
        self._reporter = reporter

    def passages(self, blocks: list[Block]) -> list[Passage]:
        """The passages of all blocks, each once."""
        keys = [self._key(block) for block in blocks]
        known = self._library.boilerplate.readings(keys)
        for first in (0, 2):  # the second two witnesses are asked where the first are gone
            left = [(key, block) for key, block in zip(keys, blocks, strict=True) if key not in known]
            if not left or self._reading.scheme is None:
                break
            read = self._read([(key, block) for key, block in left if len(block.witnesses) > first + 1], first)
            self._library.boilerplate.keep_readings(read)
            known |= read
        every = {passage.key: passage for key in keys for passage in known.get(key, ())}
        return list(every.values())

    def _key(self, block: Block) -> str:
        """The question: which words of these witnesses are these shingles?"""
        digest = hashlib.blake2b(b"%d %d" % (_REVISION, block.step), digest_size=16)
        for row in block.witnesses:
            digest.update(self._documents.text_hash[self._chosen[row]].tobytes())
        digest.update(block.values.tobytes())
        return digest.hexdigest()

    def _read(self, wanted: list[tuple[str, Block]], first: int) -> dict[str, list[Passage]]:
        """The answers of two witnesses of each block, by key; without those that cannot be read."""
        scheme, settings = self._reading.scheme, self._reading.settings
        assert scheme is not None
        asked: dict[tuple[int, int], list[tuple[str, Block]]] = {}
        for key, block in wanted:
            asked.setdefault((block.witnesses[first], block.witnesses[first + 1]), []).append((key, block))
        tasks = {}
        for (one, other), blocks in asked.items():
            rows = (int(self._chosen[one]), int(self._chosen[other]))
            task = WitnessTask(
                (self._documents.path(rows[0]), self._documents.path(rows[1])),
                int(self._documents.size[list(rows)].sum()),
                scheme,
                tuple(Wanted(block.values, block.step) for _, block in blocks),
            )
            tasks[task.paths] = (task, blocks)
        limits = Limits(seconds=2 * settings.number(FILE_SECONDS), memory_bytes=settings.integer(FILE_MEMORY) << 20)
        answers: dict[str, list[Passage]] = {}
        count = min(len(tasks), self._reading.workers)
        with Sandbox(find_passages, workers=count, limits=limits, weight=_weight) as sandbox:
            for done in sandbox.run([task for task, _ in tasks.values()], self._reporter.check):
                self._reporter.tell(Progress(Stage.MATCH, len(answers), len(wanted)))
                if done.value is not None:
                    for (key, _), passages in zip(tasks[done.task.paths][1], done.value, strict=True):
                        answers[key] = passages
        return answers


def _weight(task: WitnessTask) -> int:
    return task.size
