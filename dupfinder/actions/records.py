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
from dupfinder.actions.names import Json, named_path, number, optional_path, path_from, word
from dupfinder.actions.outcome import Aspect, Batch, Fact, Intent, Outcome, Refusal, RefusalKind, State
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Step, step_as_json, step_from_json

_START: Final = b'{"record":'  # of a line; cannot occur inside one, where quotation marks are escaped


class LineKind(StrEnum):
    """The kind of a line."""

    BEGIN = "begin"
    INTEND = "intend"
    PLACE = "place"  # another place is tried, because the one before was taken
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    TAKEN_BACK = "taken_back"
    UNDO = "undo"
    RESTORED = "restored"
    KEPT = "kept"  # an undo or emptying did not happen; the step is still done
    EMPTY = "empty"  # about to be removed from the quarantine for good
    EMPTIED = "emptied"
    END = "end"


def _sum(text: str) -> str:
    """Return the checksum of a record's text: BLAKE2b-64 in hexadecimal."""
    return hashlib.blake2b(text.encode("ascii"), digest_size=8).hexdigest()


def _canonical(record: Json) -> str:
    """Return a record's JSON with sorted keys."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def line_of(record: Json) -> bytes:
    """Return a record as a line: {"record": ..., "sum": checksum of the record's canonical form}."""
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


def _place_as_json(place: Place) -> dict[str, object]:
    """Return a place as a JSON object."""
    return {
        "kind": place.kind.value,
        "at": None if place.path is None else named_path(place.path),
        "info": None if place.info is None else named_path(place.info),
    }


def _place_from(record: object) -> Place:
    """Return the place of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no place")
    return Place(PlaceKind(word(record, "kind")), optional_path(record.get("at")), optional_path(record.get("info")))


def _refusal_as_json(refusal: Refusal) -> dict[str, object]:
    """Return a refusal as a JSON object, without its step."""
    return {
        "kind": refusal.kind.value,
        "expected": refusal.expected,
        "found": refusal.found,
        "aspect": refusal.aspect.value,
    }


def _fact(value: object) -> Fact:
    """Return a value of a refusal, None if it has another type."""
    return value if isinstance(value, str | int | float) else None


def _refusal_from(record: object, step: Step) -> Refusal:
    """Return the refusal of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no refusal")
    kind, aspect = RefusalKind(word(record, "kind")), Aspect(word(record, "aspect"))
    return Refusal(step, kind, _fact(record.get("expected")), _fact(record.get("found")), aspect)


def begin(batch_id: str, started: datetime, scan_name: str, total: int) -> Json:
    """Return the first line of a batch."""
    moment = started.astimezone(UTC).isoformat()
    return {"line": LineKind.BEGIN, "batch": batch_id, "started": moment, "scan_name": scan_name, "total": total}


def end(stopped: bool) -> Json:
    """Return the line that ends a removal."""
    return {"line": LineKind.END, "stopped": stopped}


def intend(intent: Intent) -> Json:
    """Return the line before an act."""
    return {"line": LineKind.INTEND, **_intent_as_json(intent)}


def _intent_as_json(intent: Intent) -> dict[str, object]:
    """Return an intent as a JSON object."""
    return {
        "number": intent.number,
        "step": step_as_json(intent.step),
        "holding": named_path(intent.holding),
        "spare": None if intent.spare is None else named_path(intent.spare),
        "place": _place_as_json(intent.place),
        "marks": _metadata_as_json(intent.metadata),
        "root": None if intent.root is None else named_path(intent.root),
    }


def _metadata_as_json(metadata: Metadata) -> dict[str, object]:
    """Return metadata as a JSON object."""
    return {
        "mode": metadata.mode,
        "mtime_ns": metadata.mtime_ns,
        "atime_ns": metadata.atime_ns,
        "owner": None if metadata.owner is None else list(metadata.owner),
        "attributes": {name: base64.b64encode(value).decode("ascii") for name, value in metadata.attributes},
    }


def _metadata_from(record: object) -> Metadata:
    """Return the metadata of a record. Raises ValueError."""
    if not isinstance(record, Mapping):
        raise ValueError("no metadata")
    attributes = record.get("attributes")
    owner = record.get("owner")
    if not isinstance(attributes, Mapping) or not (owner is None or (isinstance(owner, list) and len(owner) == 2)):
        raise ValueError("no attributes or owner")
    return Metadata(
        number(record, "mode"),
        number(record, "mtime_ns"),
        number(record, "atime_ns"),
        None if owner is None else (int(owner[0]), int(owner[1])),
        tuple(sorted((str(name), base64.b64decode(value, validate=True)) for name, value in attributes.items())),
    )


def later_line(
    kind: LineKind, step_number: int, place: Place | None = None, at: Path | None = None, intent: Intent | None = None
) -> Json:
    """Return a line about a step that was begun. intent: its intent again, in case the first line is damaged."""
    return {
        "line": kind,
        "number": step_number,
        "place": None if place is None else _place_as_json(place),
        "at": None if at is None else named_path(at),
        "intent": None if intent is None else _intent_as_json(intent),
    }


def refused(step_number: int, refusal: Refusal, at: Path | None = None) -> Json:
    """Return the line of a refused step. at: the victim's name if it is not the original one."""
    return {
        "line": LineKind.REFUSED,
        "number": step_number,
        "step": step_as_json(refusal.step),
        "refusal": _refusal_as_json(refusal),
        "at": None if at is None else named_path(at),
    }


def failed(step_number: int, step: Step, failure: str, at: Path | None = None) -> Json:
    """Return the line of a step that the system did not allow. at: as for `refused`."""
    return {
        "line": LineKind.FAILED,
        "number": step_number,
        "step": step_as_json(step),
        "failure": failure,
        "at": None if at is None else named_path(at),
    }


def _intent_from(record: Json) -> Intent:
    """Return the intent of a record. Raises ValueError."""
    return Intent(
        number(record, "number"),
        step_from_json(record.get("step")),
        path_from(record.get("holding")),
        optional_path(record.get("spare")),
        _place_from(record.get("place")),
        _metadata_from(record.get("marks")),
        optional_path(record.get("root")),
    )


_STATES = {
    LineKind.DONE: State.DONE,
    LineKind.TAKEN_BACK: State.TAKEN_BACK,
    LineKind.UNDO: State.RESTORING,
    LineKind.RESTORED: State.RESTORED,
    LineKind.KEPT: State.DONE,
    LineKind.EMPTY: State.EMPTYING,
    LineKind.EMPTIED: State.EMPTIED,
}


def _outcome_after(record: Json, before: Outcome | None) -> Outcome | None:
    """Return the outcome of a step after `record`; None if the line belongs to no known step."""
    kind, step_number = LineKind(word(record, "line")), number(record, "number")
    if kind is LineKind.INTEND:
        return _intended(record)
    at = optional_path(record.get("at"))
    if kind in (LineKind.REFUSED, LineKind.FAILED):
        step, intent = step_from_json(record.get("step")), before.intent if before is not None else None
        after = Outcome(step_number, step, State.FAILED, restored_to=at, intent=intent)
        if kind is LineKind.FAILED:
            return replace(after, failure=word(record, "failure"))
        return replace(after, state=State.REFUSED, refusal=_refusal_from(record.get("refusal"), step))
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
    return Outcome(intent.number, intent.step, State.INTENDED, place=intent.place, intent=intent)


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
    kind = LineKind(word(record, "line"))
    if kind is LineKind.BEGIN:
        started = datetime.fromisoformat(word(record, "started"))
        return replace(batch, started=started, scan_name=word(record, "scan_name"), total=number(record, "total"))
    if kind is LineKind.END:
        return replace(batch, ended=True, stopped=record.get("stopped") is True)
    step_number = number(record, "number")
    after = _outcome_after(record, outcomes.get(step_number))
    if after is not None:
        outcomes[step_number] = after
    return batch
