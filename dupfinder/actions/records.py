"""Lines of the journal, each a JSON object with a checksum, and the batch that they describe."""

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

from dupfinder.actions.metadata import Metadata
from dupfinder.actions.outcome import Aspect, Batch, Fact, Intent, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import Json, Place, PlaceKind, named_path, optional_path, path_from, typed
from dupfinder.actions.plan import Step, step_as_json, step_from_json

_START: Final = b'{"record":'  # of a line; cannot occur inside one, where quotation marks are escaped


class LineKind(StrEnum):
    BEGIN = "begin"
    INTEND = "intend"
    PLACE = "place"  # another place is tried, because the file could not be moved to the one before
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"
    UNDO = "undo"
    RESTORED = "restored"
    UNCHANGED = "kept"  # an undo or emptying did not happen: the file stays removed
    EMPTY = "empty"  # about to be removed from the quarantine for good
    EMPTIED = "emptied"
    END = "end"


def _sum(text: str) -> str:
    """Return the checksum of a record's text: BLAKE2b-64 in hexadecimal."""
    return hashlib.blake2b(text.encode("ascii"), digest_size=8).hexdigest()


def _canonical(record: Json) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    """Return a value of a record as JSON values, or as values that this function takes in turn."""
    match value:
        case Path():
            return named_path(value)
        case Step():
            return step_as_json(value)
        case Place():
            return {"kind": value.kind, "at": value.path, "info": value.info}
        case Refusal():
            return {"kind": value.kind, "expected": value.expected, "found": value.found, "aspect": value.aspect}
        case Metadata():
            attributes = {name: base64.b64encode(content).decode("ascii") for name, content in value.attributes}
            times = {"mtime_ns": value.mtime_ns, "atime_ns": value.atime_ns}
            return {"mode": value.mode, **times, "owner": value.owner, "attributes": attributes}
        case Intent():
            return fields_of(value)
    raise TypeError(f"no value of a record: {value!r}")


def fields_of(intent: Intent) -> Json:
    """Return an intent as the fields of a record."""
    return {
        "number": intent.number,
        "step": intent.step,
        "holding": intent.holding,
        "spare": intent.spare,
        "place": intent.place,
        "marks": intent.metadata,
        "root": intent.root,
    }


def line_of(record: Json) -> bytes:
    """Return a record as a line: {"record": ..., "sum": checksum of the record's canonical form}.

    Its values may be paths, steps, places, refusals, intents and metadata.
    """
    text = _canonical(record)
    return f'{{"record":{text},"sum":"{_sum(text)}"}}\n'.encode("ascii")


def record_of(line: bytes) -> Json | None:
    """Return the record of a line; None if the line is cut or damaged."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    record = content.get("record") if isinstance(content, dict) else None
    if not isinstance(record, dict) or content.get("sum") != _sum(_canonical(record)):
        return None
    return record


def _place_from(record: object) -> Place:
    """Return the place of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no place")
    return Place(
        PlaceKind(typed(record, "kind", str)), optional_path(record.get("at")), optional_path(record.get("info"))
    )


def _fact(value: object) -> Fact:
    """Return a value of a refusal, None if it has another type."""
    return value if isinstance(value, str | int | float) else None


def _refusal_from(record: object, step: Step) -> Refusal:
    """Return the refusal of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no refusal")
    kind, aspect = RefusalKind(typed(record, "kind", str)), Aspect(typed(record, "aspect", str))
    return Refusal(step, kind, _fact(record.get("expected")), _fact(record.get("found")), aspect)


def _metadata_from(record: object) -> Metadata:
    """Return the metadata of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no metadata")
    attributes = record.get("attributes")
    owner = record.get("owner")
    if not isinstance(attributes, Mapping) or not (owner is None or (isinstance(owner, list) and len(owner) == 2)):
        raise ValueError("no attributes or owner")
    return Metadata(
        typed(record, "mode", int),
        typed(record, "mtime_ns", int),
        typed(record, "atime_ns", int),
        None if owner is None else (int(owner[0]), int(owner[1])),
        tuple(sorted((str(name), base64.b64decode(value, validate=True)) for name, value in attributes.items())),
    )


def _intent_from(record: Json) -> Intent:
    """Return the intent of a record. Raises ValueError."""
    return Intent(
        typed(record, "number", int),
        step_from_json(record.get("step")),
        path_from(record.get("holding")),
        optional_path(record.get("spare")),
        _place_from(record.get("place")),
        _metadata_from(record.get("marks")),
        optional_path(record.get("root")),
    )


_STATES = {
    LineKind.DONE: OutcomeState.DONE,
    LineKind.TAKEN_BACK: OutcomeState.TAKEN_BACK,
    LineKind.UNDO: OutcomeState.RESTORING,
    LineKind.RESTORED: OutcomeState.RESTORED,
    LineKind.UNCHANGED: OutcomeState.DONE,
    LineKind.EMPTY: OutcomeState.EMPTYING,
    LineKind.EMPTIED: OutcomeState.EMPTIED,
}


def _outcome_after(record: Json, before: Outcome | None) -> Outcome | None:
    """Return the outcome of a step after `record`; None if the line belongs to no known step."""
    kind, step_number = LineKind(typed(record, "line", str)), typed(record, "number", int)
    if kind is LineKind.INTEND:
        return _intended(record)
    at = optional_path(record.get("at"))
    if kind in (LineKind.REFUSED, LineKind.FAILED):
        step, intent = step_from_json(record.get("step")), before.intent if before is not None else None
        after = Outcome(step_number, step, OutcomeState.FAILED, restored_to=at, intent=intent)
        if kind is LineKind.FAILED:
            return replace(after, failure=typed(record, "failure", str))
        return replace(after, state=OutcomeState.REFUSED, refusal=_refusal_from(record.get("refusal"), step))
    if before is None and isinstance(copy := record.get("intent"), Mapping):  # the first line of the step is damaged
        before = _intended(copy)
    if before is None:
        return None
    place = before.place if record.get("place") is None else _place_from(record.get("place"))
    state = before.state if kind is LineKind.PLACE else _STATES[kind]
    return replace(before, state=state, place=place, restored_to=at)


def _intended(record: Json) -> Outcome:
    """Return the outcome of a step that was begun, by the record of its intent. Raises ValueError."""
    intent = _intent_from(record)
    return Outcome(intent.number, intent.step, OutcomeState.INTENDED, place=intent.place, intent=intent)


def started_of(batch_id: str) -> datetime:
    """Return when a batch was begun, by its id, in UTC, to the second."""
    return datetime.strptime(batch_id.partition("-")[0], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)


def _records_in(line: bytes) -> Iterator[Json | None]:
    """Yield the records between two line ends: one, or several if a line end is damaged. None: a damaged record."""
    record = record_of(line)
    if record is not None:
        yield record
        return
    parts = line.split(_START)
    if parts[0]:
        yield None
    for part in parts[1:]:
        yield record_of(_START + part[: part.rfind(b"}") + 1])


def batch_of(batch_id: str, content: bytes) -> Batch:
    """Return the batch that the bytes of a journal file describe.

    Damaged lines are counted and skipped. If the first line is damaged, the start is taken from the id, and the total
    from the other lines; the scan's name is lost.
    """
    outcomes: dict[int, Outcome] = {}
    batch = Batch(batch_id, started_of(batch_id), "", 0, ended=False)
    damaged = 0
    for line in content.split(b"\n"):
        for record in _records_in(line) if line else ():
            try:
                if record is None:
                    raise ValueError("damaged")
                batch = _apply(record, batch, outcomes)
            except (ValueError, KeyError):
                damaged += 1
    steps = tuple(outcomes[step_number] for step_number in sorted(outcomes))
    total = max(batch.total, max(outcomes, default=-1) + 1)
    return replace(batch, outcomes=steps, total=total, damaged=damaged)


def _apply(record: Json, batch: Batch, outcomes: dict[int, Outcome]) -> Batch:
    """Apply a record to the batch and the outcomes of its steps. Returns the batch. Raises ValueError, KeyError."""
    kind = LineKind(typed(record, "line", str))
    if kind is LineKind.BEGIN:
        started = datetime.fromisoformat(typed(record, "started", str))
        return replace(
            batch, started=started, scan_name=typed(record, "scan_name", str), total=typed(record, "total", int)
        )
    if kind is LineKind.END:
        return replace(batch, ended=True, stopped=record.get("stopped") is True)
    step_number = typed(record, "number", int)
    after = _outcome_after(record, outcomes.get(step_number))
    if after is not None:
        outcomes[step_number] = after
    return batch
