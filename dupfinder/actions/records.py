"""The lines of the journal: each a JSON object with its own checksum, and the batch that a file of them tells."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from dupfinder.actions.check import Aspect, Fact, Refusal, RefusalKind
from dupfinder.actions.names import Json, named, number, optional_path, path_from, word
from dupfinder.actions.outcome import Batch, Intent, Outcome, State
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Step, step_as_json, step_from_json


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
    KEPT = "kept"  # an undo that was not done; the step is done as before
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
    return {
        "line": Kind.INTEND,
        "number": intent.number,
        "step": step_as_json(intent.step),
        "holding": named(intent.holding),
        "spare": None if intent.spare is None else named(intent.spare),
        "place": _place_as_json(intent.place),
        "mode": intent.mode,
        "mtime_ns": intent.mtime_ns,
        "atime_ns": intent.atime_ns,
    }


def settled(kind: Kind, step_number: int, place: Place | None = None, at: Path | None = None) -> Json:
    """A line on a step whose intent stands above it."""
    return {
        "line": kind,
        "number": step_number,
        "place": None if place is None else _place_as_json(place),
        "at": None if at is None else named(at),
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
        number(record, "mode"),
        number(record, "mtime_ns"),
        number(record, "atime_ns"),
    )


_STATES = {
    Kind.DONE: State.DONE,
    Kind.TAKEN_BACK: State.TAKEN_BACK,
    Kind.UNDO: State.RESTORING,
    Kind.RESTORED: State.RESTORED,
    Kind.KEPT: State.DONE,
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
        return None
    place = before.place if record.get("place") is None else _place_from(record.get("place"))
    state = before.state if kind is Kind.PLACE else _STATES[kind]
    return replace(before, state=state, place=place, restored_to=at)


def batch_of(batch_id: str, lines: Iterable[bytes]) -> Batch:
    """The batch that the lines of one journal file tell. Damaged lines are counted and passed over."""
    outcomes: dict[int, Outcome] = {}
    batch = Batch(batch_id, datetime.fromtimestamp(0, UTC), "", 0, ended=False)
    damaged = 0
    for line in lines:
        record = record_of(line)
        try:
            if record is None:
                raise ValueError("damaged")
            batch = _take(record, batch, outcomes)
        except (ValueError, KeyError):
            damaged += 1
    found = tuple(outcomes[step_number] for step_number in sorted(outcomes))
    return replace(batch, outcomes=found, damaged=damaged)


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
