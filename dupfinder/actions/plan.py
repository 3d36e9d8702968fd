"""Plan: what is to be removed, as data that can be shown, saved, checked and refused."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import dupfinder
from dupfinder.actions.names import Json, items, named, number, optional_path, path_from, share, word
from dupfinder.base.errors import PlanError, UsageError
from dupfinder.base.stamp import FileStamp

SCHEMA: Final = 1
_HASH: Final = re.compile(r"[0-9a-f]{32}")  # BLAKE2b-128


class Verb(StrEnum):
    """How a victim goes."""

    TRASH = "trash"
    MOVE = "move"
    HARDLINK = "hardlink"


class Reason(StrEnum):
    """Why the victim is thought superfluous."""

    IDENTICAL_BYTES = "identical_bytes"
    IDENTICAL_TEXT = "identical_text"
    NEAR = "near"
    CONTAINED = "contained"
    CONTAINS = "contains"  # the victim holds all of the keeper and more


@dataclass(frozen=True, slots=True)
class Witness:
    """A file as it was when it was read: its stamp and the BLAKE2b-128 of its bytes, in hexadecimal."""

    stamp: FileStamp
    content_hash: str

    @property
    def path(self) -> Path:
        return self.stamp.path

    @property
    def identity(self) -> tuple[int, int]:
        """(device, inode): two names with the same identity are one file."""
        return (self.stamp.device, self.stamp.inode)


@dataclass(frozen=True, slots=True)
class Step:
    """One victim, the kept file it gives way to, and why. `similarity`: the verified resemblance, 0..1."""

    verb: Verb
    victim: Witness
    keeper: Witness
    reason: Reason
    similarity: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, and what they must respect.

    roots:       folders (or single files) that were scanned; nothing outside them is touched.
    protected:   folders in which nothing is touched. Of nested roots and protected folders the innermost decides.
    destination: for MOVE: the folder that receives the files, with their sub-folders kept.
    quarantine:  receives files of TRASH on volumes without a trash; None: a folder below the victim's root.
    min_similarity: near-duplicates must still reach this, computed exactly, right before the act.
    min_containment: the same for contained documents.
    left_out:    shingles of boilerplate that both are computed without, ascending uint64, little endian.
    """

    steps: tuple[Step, ...]
    roots: tuple[Path, ...]
    protected: tuple[Path, ...] = ()
    destination: Path | None = None
    min_similarity: float = 0.0
    scan_name: str = ""
    min_containment: float = 0.0
    quarantine: Path | None = None
    left_out: bytes = b""


class Fault(StrEnum):
    """What makes a plan contradict itself."""

    KEEPER_IS_VICTIM = "keeper_is_victim"
    VICTIM_TWICE = "victim_twice"
    RELATIVE_PATH = "relative_path"
    NO_DESTINATION = "no_destination"
    NO_ROOTS = "no_roots"
    NO_HASH = "no_hash"


class ContradictoryPlan(PlanError):
    """A plan that must not be carried out, not even in part. Facts: `path`, `fault`."""

    def __init__(self, path: Path, fault: Fault) -> None:
        super().__init__(path, fault)
        self.path = path
        self.fault = fault


def _is_plain(path: Path) -> bool:
    return path.is_absolute() and ".." not in path.parts


def validate(plan: Plan) -> None:
    """Raise ContradictoryPlan unless each file has one part at most: victim once, or keeper of any number."""
    for path in (*plan.roots, *plan.protected, plan.destination, plan.quarantine):
        if path is not None and not _is_plain(path):
            raise ContradictoryPlan(path, Fault.RELATIVE_PATH)
    victims: set[Path] = set()
    for step in plan.steps:
        for witness in (step.victim, step.keeper):
            if not _is_plain(witness.path):
                raise ContradictoryPlan(witness.path, Fault.RELATIVE_PATH)
            if not _HASH.fullmatch(witness.content_hash):
                raise ContradictoryPlan(witness.path, Fault.NO_HASH)
        if step.victim.path in victims:
            raise ContradictoryPlan(step.victim.path, Fault.VICTIM_TWICE)
        victims.add(step.victim.path)
        if step.verb is Verb.MOVE and plan.destination is None:
            raise ContradictoryPlan(step.victim.path, Fault.NO_DESTINATION)
        if not plan.roots:
            raise ContradictoryPlan(step.victim.path, Fault.NO_ROOTS)
    for step in plan.steps:
        if step.keeper.path in victims:
            raise ContradictoryPlan(step.keeper.path, Fault.KEEPER_IS_VICTIM)


def witness_as_json(witness: Witness) -> dict[str, object]:
    """A witness as a JSON object."""
    stamp = witness.stamp
    return {
        **named(stamp.path),
        "size": stamp.size,
        "mtime_ns": stamp.mtime_ns,
        "ctime_ns": stamp.ctime_ns,
        "device": stamp.device,
        "inode": stamp.inode,
        "blake2b_128": witness.content_hash,
    }


def _witness_from(record: object) -> Witness:
    path = path_from(record)
    assert isinstance(record, Mapping)  # path_from took it
    keys = ("size", "mtime_ns", "ctime_ns", "device", "inode")
    return Witness(FileStamp(path, *(number(record, key) for key in keys)), word(record, "blake2b_128"))


def step_as_json(step: Step) -> dict[str, object]:
    """A step as a JSON object."""
    return {
        "verb": step.verb.value,
        "reason": step.reason.value,
        "similarity": step.similarity,
        "victim": witness_as_json(step.victim),
        "keeper": witness_as_json(step.keeper),
    }


def step_from_json(record: object) -> Step:
    """The step of a record of `step_as_json`. ValueError when it is none."""
    if not isinstance(record, Mapping):
        raise ValueError("no step")
    return Step(
        Verb(word(record, "verb")),
        _witness_from(record.get("victim")),
        _witness_from(record.get("keeper")),
        Reason(word(record, "reason")),
        share(record, "similarity"),
    )


def _as_json(plan: Plan) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "kind": "plan",
        "program": f"dupfinder {dupfinder.__version__}",
        "scan_name": plan.scan_name,
        "roots": [named(root) for root in plan.roots],
        "protected": [named(folder) for folder in plan.protected],
        "destination": None if plan.destination is None else named(plan.destination),
        "quarantine": None if plan.quarantine is None else named(plan.quarantine),
        "min_similarity": plan.min_similarity,
        "min_containment": plan.min_containment,
        "left_out": base64.b64encode(plan.left_out).decode("ascii"),
        "steps": [step_as_json(step) for step in plan.steps],
    }


def _from_json(record: Json) -> Plan:
    return Plan(
        steps=tuple(step_from_json(step) for step in items(record, "steps")),
        roots=tuple(path_from(root) for root in items(record, "roots")),
        protected=tuple(path_from(folder) for folder in items(record, "protected")),
        destination=optional_path(record.get("destination")),
        min_similarity=share(record, "min_similarity"),
        scan_name=word(record, "scan_name"),
        min_containment=share(record, "min_containment", 0.0),
        quarantine=optional_path(record.get("quarantine")),
        left_out=_shingles(record),
    )


def _shingles(record: Json) -> bytes:
    """Plans of before have none."""
    found = base64.b64decode(word(record, "left_out") if "left_out" in record else "", validate=True)
    if len(found) % 8:
        raise ValueError("left_out is cut")
    return found


def save(plan: Plan, path: Path) -> None:
    """Write `plan` to `path` as JSON, atomically, readable by its owner only. ContradictoryPlan, OSError."""
    validate(plan)
    beside = path.with_name(f".dupfinder-{secrets.token_hex(8)}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "w", encoding="ascii") as stream:
            json.dump(_as_json(plan), stream, indent=1)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def load(path: Path) -> Plan:
    """The plan in the file `path`. UsageError, with one sentence, when it is none or contradicts itself."""
    shown = ascii(str(path))
    try:
        record = json.loads(path.read_bytes())
    except OSError as fault:
        raise UsageError(f"The plan {shown} cannot be read: {fault.strerror}.") from fault
    except (ValueError, RecursionError) as fault:
        raise UsageError(f"{shown} is not a plan of dupfinder.") from fault
    if not isinstance(record, dict) or record.get("kind") != "plan":
        raise UsageError(f"{shown} is not a plan of dupfinder.")
    schema = record.get("schema")
    if schema != SCHEMA:
        raise UsageError(f"{shown} is a plan of schema {schema!r}; this dupfinder reads schema {SCHEMA}.")
    try:
        plan = _from_json(record)
        validate(plan)
    except ValueError as fault:
        raise UsageError(f"{shown} is not a whole plan: {fault}.") from fault
    except ContradictoryPlan as fault:
        raise UsageError(f"{shown} contradicts itself ({fault.fault}): {str(fault.path)!a}.") from fault
    return plan
