"""The lines of the journal: each a JSON object with its own checksum, and the batch that a file of them tells."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from dupfinder.actions.marks import Marks
from dupfinder.actions.names import Json, named, number, optional_path, path_from, word
from dupfinder.actions.outcome import Aspect, Batch, Fact, Intent, Outcome, Refusal, RefusalKind, State
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Step, step_as_json, step_from_json

_START: Final = b'{"record":'  # of a line; inside one, quotation marks of names are escaped


class Kind(StrEnum):
    """What a line says."""

    BEGIN = "begin"
    INTEND = "intend"
    PLACE = "place"  # the first place was taken; this one is tried now
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"
    UNDO = "undo"
    RESTORED = "restored"
    KEPT = "kept"  # an undo, or an emptying of the quarantine, that was not done; the step is done as before
    EMPTY = "empty"  # it is about to be removed from the quarantine for good
    EMPTIED = "emptied"
    END = "end"


def _sum(text: str) -> str:
    return hashlib.blake2b(text.encode("ascii"), digest_size=8).hexdigest()


def _canonical(record: Json) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def line_of(record: Json) -> bytes:
    """A record as one line: {"record": ..., "sum": BLAKE2b-64 of the record's canonical form}."""
    text = _canonical(record)
    return f'{{"record":{text},"sum":"{_sum(text)}"}}\n'.encode("ascii")


def record_of(line: bytes) -> Json | None:
    """The record of a line; None when the line is cut or damaged."""
    try:
        whole = json.loads(line)
    except (ValueError, RecursionError):
        return None
    record = whole.get("record") if isinstance(whole, dict) else None
    if not isinstance(record, dict) or whole.get("sum") != _sum(_canonical(record)):
        return None
    return record


def _place_as_json(place: Place) -> dict[str, object]:
    return {
        "kind": place.kind.value,
        "at": None if place.path is None else named(place.path),
        "info": None if place.info is None else named(place.info),
    }


def _place_from(record: object) -> Place:
    if not isinstance(record, Mapping):
        raise ValueError("no place")
    return Place(PlaceKind(word(record, "kind")), optional_path(record.get("at")), optional_path(record.get("info")))


def _refusal_as_json(refusal: Refusal) -> dict[str, object]:
    return {
        "kind": refusal.kind.value,
        "expected": refusal.expected,
        "found": refusal.found,
        "aspect": refusal.aspect.value,
    }


def _fact(value: object) -> Fact:
    return value if isinstance(value, str | int | float) else None


def _refusal_from(record: object, step: Step) -> Refusal:
    if not isinstance(record, Mapping):
        raise ValueError("no refusal")
    kind, aspect = RefusalKind(word(record, "kind")), Aspect(word(record, "aspect"))
    return Refusal(step, kind, _fact(record.get("expected")), _fact(record.get("found")), aspect)


def begin(batch_id: str, started: datetime, scan_name: str, total: int) -> Json:
    """The first line of a batch."""
    moment = started.astimezone(UTC).isoformat()
    return {"line": Kind.BEGIN, "batch": batch_id, "started": moment, "scan_name": scan_name, "total": total}


def end(stopped: bool) -> Json:
    """The line that closes a removal."""
    return {"line": Kind.END, "stopped": stopped}


def intend(intent: Intent) -> Json:
    """The line before an act."""
    return {"line": Kind.INTEND, **_intent_as_json(intent)}


def _intent_as_json(intent: Intent) -> dict[str, object]:
    return {
        "number": intent.number,
        "step": step_as_json(intent.step),
        "holding": named(intent.holding),
        "spare": None if intent.spare is None else named(intent.spare),
        "place": _place_as_json(intent.place),
        "marks": _marks_as_json(intent.marks),
        "root": None if intent.root is None else named(intent.root),
    }


def _marks_as_json(marks: Marks) -> dict[str, object]:
    return {
        "mode": marks.mode,
        "mtime_ns": marks.mtime_ns,
        "atime_ns": marks.atime_ns,
        "owner": None if marks.owner is None else list(marks.owner),
        "attributes": {name: base64.b64encode(value).decode("ascii") for name, value in marks.attributes},
    }


def _marks_from(record: object) -> Marks:
    if not isinstance(record, Mapping):
        raise ValueError("no marks")
    attributes = record.get("attributes")
    owner = record.get("owner")
    if not isinstance(attributes, Mapping) or not (owner is None or (isinstance(owner, list) and len(owner) == 2)):
        raise ValueError("no marks")
    return Marks(
        number(record, "mode"),
        number(record, "mtime_ns"),
        number(record, "atime_ns"),
        None if owner is None else (int(owner[0]), int(owner[1])),
        tuple(sorted((str(name), base64.b64decode(value, validate=True)) for name, value in attributes.items())),
    )


def settled(
    kind: Kind, step_number: int, place: Place | None = None, at: Path | None = None, held: Intent | None = None
) -> Json:
    """A line on a step whose intent stands above it. `held`: that intent again, in case its own line is damaged."""
    return {
        "line": kind,
        "number": step_number,
        "place": None if place is None else _place_as_json(place),
        "at": None if at is None else named(at),
        "intent": None if held is None else _intent_as_json(held),
    }


def refused(step_number: int, refusal: Refusal, at: Path | None = None) -> Json:
    """The line of a step that was not done. `at`: the victim's name, when it could not have its own back."""
    return {
        "line": Kind.REFUSED,
        "number": step_number,
        "step": step_as_json(refusal.step),
        "refusal": _refusal_as_json(refusal),
        "at": None if at is None else named(at),
    }


def failed(step_number: int, step: Step, failure: str, at: Path | None = None) -> Json:
    """The line of a step that the system did not let happen."""
    return {
        "line": Kind.FAILED,
        "number": step_number,
        "step": step_as_json(step),
        "failure": failure,
        "at": None if at is None else named(at),
    }


def _intent_from(record: Json) -> Intent:
    return Intent(
        number(record, "number"),
        step_from_json(record.get("step")),
        path_from(record.get("holding")),
        optional_path(record.get("spare")),
        _place_from(record.get("place")),
        _marks_from(record.get("marks")),
        optional_path(record.get("root")),
    )


_STATES = {
    Kind.DONE: State.DONE,
    Kind.TAKEN_BACK: State.TAKEN_BACK,
    Kind.UNDO: State.RESTORING,
    Kind.RESTORED: State.RESTORED,
    Kind.KEPT: State.DONE,
    Kind.EMPTY: State.EMPTYING,
    Kind.EMPTIED: State.EMPTIED,
}


def _outcome_after(record: Json, before: Outcome | None) -> Outcome | None:
    """The step's outcome once `record` is known; None when the line belongs to no known step."""
    kind, step_number = Kind(word(record, "line")), number(record, "number")
    if kind is Kind.INTEND:
        intent = _intent_from(record)
        return Outcome(step_number, intent.step, State.INTENDED, place=intent.place, intent=intent)
    at = optional_path(record.get("at"))
    if kind in (Kind.REFUSED, Kind.FAILED):
        step = step_from_json(record.get("step"))
        held = before.intent if before is not None else None
        if kind is Kind.FAILED:
            failure = word(record, "failure")
            return Outcome(step_number, step, State.FAILED, failure=failure, restored_to=at, intent=held)
        refusal = _refusal_from(record.get("refusal"), step)
        return Outcome(step_number, step, State.REFUSED, refusal=refusal, restored_to=at, intent=held)
    if before is None:
        before = _from_copy(record.get("intent"))
    if before is None:
        return None
    place = before.place if record.get("place") is None else _place_from(record.get("place"))
    state = before.state if kind is Kind.PLACE else _STATES[kind]
    return replace(before, state=state, place=place, restored_to=at)


def _from_copy(record: object) -> Outcome | None:
    """The step of a line whose intent is damaged, by the copy that the line brings along."""
    if not isinstance(record, Mapping):
        return None
    intent = _intent_from(record)
    return Outcome(intent.number, intent.step, State.INTENDED, place=intent.place, intent=intent)


def started_of(batch_id: str) -> datetime:
    """When a batch was begun, by its id: to the second, UTC."""
    return datetime.strptime(batch_id.partition("-")[0], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)


def _records_in(line: bytes) -> Iterator[Json | None]:
    """The records in what stands between two line ends: one, or several where a line end is damaged. None: damage."""
    whole = record_of(line)
    if whole is not None:
        yield whole
        return
    parts = line.split(_START)
    if parts[0]:
        yield None
    for part in parts[1:]:
        yield record_of(_START + part[: part.rfind(b"}") + 1])


def batch_of(batch_id: str, content: bytes) -> Batch:
    """The batch that the bytes of one journal file tell. Damage costs the lines that it hit: they are counted and
    passed over. What the first line says is known from the id and the other lines as well, but for the scan's name."""
    outcomes: dict[int, Outcome] = {}
    batch = Batch(batch_id, started_of(batch_id), "", 0, ended=False)
    damaged = 0
    for line in content.split(b"\n"):
        for record in _records_in(line) if line else ():
            try:
                if record is None:
                    raise ValueError("damaged")
                batch = _take(record, batch, outcomes)
            except (ValueError, KeyError):
                damaged += 1
    steps = tuple(outcomes[step_number] for step_number in sorted(outcomes))
    total = max(batch.total, max(outcomes, default=-1) + 1)
    return replace(batch, outcomes=steps, total=total, damaged=damaged)


def _take(record: Json, batch: Batch, outcomes: dict[int, Outcome]) -> Batch:
    kind = Kind(word(record, "line"))
    if kind is Kind.BEGIN:
        started = datetime.fromisoformat(word(record, "started"))
        return replace(batch, started=started, scan_name=word(record, "scan_name"), total=number(record, "total"))
    if kind is Kind.END:
        return replace(batch, ended=True, stopped=record.get("stopped") is True)
    step_number = number(record, "number")
    after = _outcome_after(record, outcomes.get(step_number))
    if after is not None:
        outcomes[step_number] = after
    return batch
