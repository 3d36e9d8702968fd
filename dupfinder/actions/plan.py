"""Plan: what is to be removed, as data that can be shown, saved, checked and refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Final

import dupfinder
from dupfinder.actions.places import Json, named_path, optional_path, path_from, share, typed
from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, InputError, PlanError
from dupfinder.base.files import has_end
from dupfinder.base.output import replacing
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import SURVIVING, Relation, name_of, relation_named

SCHEMA: Final = 2
_HEAD: Final = re.compile(rb'\{\s*"schema": \d+,\s*"kind": "plan",\s*"program": "dupfinder ')
_MOST_BYTES: Final = 2**63 - 1  # of one file, on every system
_HASH: Final = re.compile(r"[0-9a-f]{32}")  # BLAKE2b-128
_STAMP: Final = ("size", "mtime_ns", "ctime_ns", "device", "inode")  # of a FileStamp, in the order of its fields


class Verb(StrEnum):
    """How a victim is removed."""

    TRASH = "trash"
    MOVE = "move"
    HARDLINK = "hardlink"


@dataclass(frozen=True, slots=True)
class KnownFile:
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
    """A victim, the keeper that remains instead, the victim's relation to it, and their similarity, 0 to 1.

    share: of a part, how much of its text is in the keeper, 0 to 1; None if unknown.
    """

    verb: Verb
    victim: KnownFile
    keeper: KnownFile
    relation: Relation
    similarity: float
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, and their conditions.

    steps:       a tuple, or `review.survivors.PlanSteps`, which makes each step when it is accessed.
    roots:       folders (or single files) that were scanned; nothing outside them is touched.
    protected:   folders in which nothing is touched. Of nested roots and protected folders the innermost decides.
    destination: for MOVE: the folder that receives the files, with their sub-folders.
    quarantine:  receives files of TRASH on volumes without a trash; None: a folder below the victim's root.
    rules:       by which `dupfinder select` chose the copies that stay, in order, as it takes them.
    min_similarity, min_containment, radius: what versions and parts must still satisfy right before their step; see
                 cluster.relation.Demand.
    """

    steps: Sequence[Step]
    roots: tuple[Path, ...]
    protected: tuple[Path, ...] = ()
    destination: Path | None = None
    min_similarity: float = 0.0
    scan_name: str = ""
    min_containment: float = 0.0
    quarantine: Path | None = None
    radius: int = MAX_RADIUS
    rules: tuple[str, ...] = ()


class Contradiction(StrEnum):
    """Why a plan contradicts itself."""

    KEEPER_IS_VICTIM = "keeper_is_victim"
    VICTIM_TWICE = "victim_twice"
    RELATIVE_PATH = "relative_path"
    NO_DESTINATION = "no_destination"
    NO_ROOTS = "no_roots"
    NO_HASH = "no_hash"
    NO_SURVIVOR = "no_survivor"  # the keeper does not contain the victim's text


class ContradictoryPlan(PlanError):
    """A plan that must not be carried out, not even in part. Facts: `path`, `why`."""

    def __init__(self, path: Path, why: Contradiction) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why


def _is_plain(path: Path) -> bool:
    """Tell whether a path is absolute and without ".."."""
    return path.is_absolute() and ".." not in path.parts


def validate(plan: Plan) -> None:
    """Raise ContradictoryPlan unless each file has one role: victim of one step, or keeper of any number of steps."""
    for path in (*plan.roots, *plan.protected, plan.destination, plan.quarantine):
        if path is not None and not _is_plain(path):
            raise ContradictoryPlan(path, Contradiction.RELATIVE_PATH)
    victims: set[Path] = set()
    for step in plan.steps:
        _validate_step(step, plan)
        if step.victim.path in victims:
            raise ContradictoryPlan(step.victim.path, Contradiction.VICTIM_TWICE)
        victims.add(step.victim.path)
    for step in plan.steps:
        if step.keeper.path in victims:
            raise ContradictoryPlan(step.keeper.path, Contradiction.KEEPER_IS_VICTIM)


def _validate_step(step: Step, plan: Plan) -> None:
    """Raise ContradictoryPlan if a step by itself is invalid."""
    for file in (step.victim, step.keeper):
        if not _is_plain(file.path):
            raise ContradictoryPlan(file.path, Contradiction.RELATIVE_PATH)
        if not _HASH.fullmatch(file.content_hash):
            raise ContradictoryPlan(file.path, Contradiction.NO_HASH)
    if step.verb is Verb.MOVE and plan.destination is None:
        raise ContradictoryPlan(step.victim.path, Contradiction.NO_DESTINATION)
    if step.relation not in SURVIVING and step.relation is not Relation.PART:
        raise ContradictoryPlan(step.victim.path, Contradiction.NO_SURVIVOR)
    if not plan.roots:
        raise ContradictoryPlan(step.victim.path, Contradiction.NO_ROOTS)


def known_file_as_json(file: KnownFile) -> dict[str, object]:
    numbers = {name: getattr(file.stamp, name) for name in _STAMP}
    return {**named_path(file.path), **numbers, "blake2b_128": file.content_hash}


def _known_file_from(record: object) -> KnownFile:
    """Return the file of a record. ValueError names an invalid field."""
    path = path_from(record)
    assert isinstance(record, Mapping)  # checked by path_from
    stamp = FileStamp(path, *(typed(record, name, int) for name in _STAMP))
    if stamp.size < 0 or stamp.size > _MOST_BYTES or stamp.device < 0 or stamp.inode < 0:
        raise ValueError("size")
    return KnownFile(stamp, typed(record, "blake2b_128", str))


def step_as_json(step: Step) -> dict[str, object]:
    return {
        "verb": step.verb.value,
        "relation": name_of(step.relation),
        "similarity": step.similarity,
        **({} if step.share is None else {"share": step.share}),
        "victim": known_file_as_json(step.victim),
        "keeper": known_file_as_json(step.keeper),
    }


# Names of relations in journals written before schema 2, whose removals can still be undone.
_FORMER_REASONS: Final = {
    "identical_bytes": Relation.IDENTICAL,
    "identical_text": Relation.SAME_TEXT,
    "near": Relation.VERSION,
    "contained": Relation.PART,
    "contains": Relation.WHOLE,
}


def _relation(record: Json) -> Relation:
    """Return the relation of a record. ValueError names an invalid field."""
    field = "relation" if "relation" in record else "reason"
    name = typed(record, field, str)
    try:
        return relation_named(name) if field == "relation" else _FORMER_REASONS[name]
    except (ValueError, KeyError):
        raise ValueError(field) from None


def step_from_json(record: object) -> Step:
    """Return the step of a record made by `step_as_json`. ValueError names an invalid field."""
    if not isinstance(record, Mapping):
        raise ValueError("steps")
    verb = typed(record, "verb", str)
    if verb not in set(Verb):
        raise ValueError("verb")
    return Step(
        Verb(verb),
        _known_file_from(record.get("victim")),
        _known_file_from(record.get("keeper")),
        _relation(record),
        share(record, "similarity"),
        share(record, "share") if "share" in record else None,
    )


def _as_json(plan: Plan) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "kind": "plan",
        "program": f"dupfinder {dupfinder.__version__}",
        "scan_name": plan.scan_name,
        "roots": [named_path(root) for root in plan.roots],
        "protected": [named_path(folder) for folder in plan.protected],
        "destination": None if plan.destination is None else named_path(plan.destination),
        "quarantine": None if plan.quarantine is None else named_path(plan.quarantine),
        "min_similarity": plan.min_similarity,
        "min_containment": plan.min_containment,
        "radius": plan.radius,
        "rules": list(plan.rules),
        "steps": [step_as_json(step) for step in plan.steps],
    }


def _from_json(record: Json) -> Plan:
    """Return the plan of a record. ValueError names an invalid field."""
    return Plan(
        steps=tuple(step_from_json(step) for step in typed(record, "steps", list)),
        roots=tuple(path_from(root) for root in typed(record, "roots", list)),
        protected=tuple(path_from(folder) for folder in typed(record, "protected", list)),
        destination=optional_path(record.get("destination")),
        min_similarity=share(record, "min_similarity"),
        scan_name=typed(record, "scan_name", str),
        min_containment=share(record, "min_containment", 0.0),
        quarantine=optional_path(record.get("quarantine")),
        radius=typed(record, "radius", int),
        rules=tuple(map(str, typed({"rules": [], **record}, "rules", list))),
    )


def save_plan(plan: Plan, path: Path, *, force: bool = False) -> None:
    """Write `plan` to `path` as JSON, atomically, readable by its owner only.

    force: also replace a file that is not a plan. Raises ContradictoryPlan, OccupiedError, UsageError, DiskFullError.
    """
    validate(plan)
    with replacing(path, is_plan, force=force, mode=0o600) as file:
        file.write(json.dumps(_as_json(plan), indent=1).encode("ascii"))


def is_plan(file: IO[bytes]) -> bool:
    """Tell whether a file begins like a plan, whatever version of dupfinder wrote it."""
    return _HEAD.match(file.read(200)) is not None


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dict. ValueError if a key is repeated."""
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key twice")
    return record


def _check_understood(written: object, understood: object, where: str = "plan") -> None:
    """Raise ValueError, naming the field, if a plan has unknown fields or values that were read differently.

    written: the JSON as read. understood: the plan that was built from it, as JSON again. Missing fields have defaults.
    """
    if isinstance(written, dict) and isinstance(understood, dict):
        for key, value in written.items():
            if key not in understood:
                raise ValueError(f"{where}.{key}")
            if key != "program":
                _check_understood(value, understood[key], f"{where}.{key}")
    elif isinstance(written, list) and isinstance(understood, list) and len(written) == len(understood):
        for index, (left, right) in enumerate(zip(written, understood, strict=True)):
            _check_understood(left, right, f"{where}[{index}]")
    elif written != understood:
        raise ValueError(where)


def load_plan(path: Path) -> Plan:
    """Return the plan in a file. InputError if it is not a plan or contradicts itself."""
    name = str(path)
    try:
        if not has_end(path):
            raise InputError(Fault.NOT_A_PLAN, path=name)
        record = json.loads(path.read_bytes(), object_pairs_hook=_without_repetition)
    except OSError as fault:
        raise InputError(Fault.UNREADABLE_PLAN, path=name, reason=error_name(fault)) from fault
    except (ValueError, RecursionError) as fault:
        raise InputError(Fault.NOT_A_PLAN, path=name) from fault
    if not isinstance(record, dict) or record.get("kind") != "plan":
        raise InputError(Fault.NOT_A_PLAN, path=name)
    schema = record.get("schema")
    if schema != SCHEMA:
        raise InputError(Fault.OTHER_PLAN, path=name, schema=str(schema), known=SCHEMA)
    try:
        plan = _from_json(record)
        _check_understood(record, _as_json(plan))
        validate(plan)
    except ValueError as fault:
        raise InputError(Fault.WRONG_FIELD, path=name, field=str(fault)) from fault
    except ContradictoryPlan as fault:
        raise InputError(Fault.CONTRADICTION, path=name, about=str(fault.path), why=fault.why) from fault
    return plan
