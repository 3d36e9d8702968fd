"""Small real folders, plans and judges for the tests of removal."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from dupfinder.actions.check import Checker, Judge, Judgement, Safeguards
from dupfinder.actions.outcome import Refusal
from dupfinder.actions.plan import KnownFile, Plan, Step, Verb
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Demand, Relation

OLD = 1_600_000_000_123_456_789  # ns: a time no test could produce by chance


def hash_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def write(path: Path, data: bytes, mtime_ns: int = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, ns=(mtime_ns, mtime_ns))
    return path


def known_file(path: Path) -> KnownFile:
    return KnownFile(FileStamp.of(path, os.lstat(path)), hash_of(path.read_bytes()))


def step(
    victim: Path, keeper: Path, verb: Verb = Verb.TRASH, relation: Relation = Relation.IDENTICAL, share: float = 1.0
) -> Step:
    return Step(verb, known_file(victim), known_file(keeper), relation, share)


def check(step: Step, plan: Plan, judge: Judge, safeguards: Safeguards | None = None) -> Refusal | None:
    """Why a step must not be done now; None if it may."""
    examined = Checker(plan, judge, safeguards).examine(step)
    if isinstance(examined, Refusal):
        return examined
    with examined:
        return None


def plan_of(steps: Iterable[Step], *roots: Path, protected: tuple[Path, ...] = (), to: Path | None = None) -> Plan:
    return Plan(tuple(steps), roots, protected, to, min_similarity=0.7, min_containment=0.9, scan_name="a scan")


RELATIONS = (Relation.IDENTICAL, Relation.SAME_TEXT, Relation.SAME_WORDS, Relation.VERSION, Relation.PART)


def alike(victim: Path, keeper: Path, demand: Demand) -> Judgement:
    """A judge for whom all texts are the same."""
    return Judgement(Relation.SAME_TEXT, 1.0, 1.0)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every regular file below `folder`, by its path from there."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                files[str(path.relative_to(folder))] = path.read_bytes()
    return files
