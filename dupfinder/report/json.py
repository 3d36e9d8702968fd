"""The JSON report, in schema 2 and 1: for programs. One row a line, so that reports can be compared line by line.

Sentences are in English, whatever the language in use, and have their codes beside them.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from dupfinder.report.figures import reason_text, reasons_text, rounded_down
from dupfinder.report.rows import (
    Report,
    ReportCluster,
    ReportFile,
    ReportMember,
    ReportNearest,
    contains_in_order,
    members_in_order,
)
from dupfinder.wording.catalogue import ENGLISH, speaking

SCHEMA: Final = 2
_MEMBER: Final = (
    "path", "relation", "similarity", "confidence", "difference", "changes", "differs", "not_known", "nearest", "whole",
    "in_keeper", "keeper_in", "distance",
)  # fmt: skip
_RELATIONS_1: Final = {
    "keeper": "keeper", "identical": "identical_bytes", "same_text": "identical_text", "same_words": "identical_text",
    "version": "near", "part": "contained", "whole": "contains", "linked": "linked",
}  # fmt: skip
_STATUSES_1: Final = {"held": "unreadable", "bytes_only": "unsupported"}  # statuses that schema 1 does not have
_FILE_1: Final = ("path", "path_base64", "status", "reason", "bytes", "words", "pages", "language", "reader",
                  "fingerprint", "cluster")  # fmt: skip
_MEMBER_1: Final = ("path", "relation", "similarity", "in_keeper", "keeper_in", "distance")
_HEAD: Final = re.compile(rb'\{\n"schema": \d+,\n"program": "dupfinder ')
# Valid in JSON, but misleading in a terminal: C1 controls, line ends, bidi and zero-width characters.
_MISLEADING: Final = re.compile("[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def write(report: Report, file: IO[bytes], schema: int = SCHEMA) -> None:
    """Write the report as one JSON object. schema: 2, or 1 for older programs."""
    head, lists = _schema_1(report) if schema == 1 else _schema_2(report)
    file.write(b"{\n")
    for name, value in {"schema": schema, "program": report.program, **head}.items():
        file.write(f'"{name}": '.encode() + encoded(value) + b",\n")
    *others, last = lists
    for name in others:
        _write_rows(file, name, lists[name], b",\n")
    _write_rows(file, last, lists[last], b"\n}\n")


_HeadAndLists = tuple[dict[str, Any], dict[str, Iterator[dict[str, Any]]]]  # the beginning, and lists of rows


def _schema_2(report: Report) -> _HeadAndLists:
    with speaking(ENGLISH):
        summary = asdict(report.summary) | {"reasons": reasons_text(report.files)}
    return {"scan": scan_facts(report), "summary": summary}, {
        "files": map(file_facts, report.files),
        "clusters": map(_cluster_2, report.clusters),
        "forms": map(plain, report.forms),
        "pairs": map(plain, report.pairs),
        "contains": map(plain, contains_in_order(report)),
    }


def _schema_1(report: Report) -> _HeadAndLists:
    """Return what schema 1 has a field for: no forms, no pairs, and no differences beside the words."""
    scan, summary = scan_facts(report), asdict(report.summary)
    summary["skipped"] += summary.pop("bytes_only")
    del scan["passages"], summary["relations"], summary["left_out_by_reason"]
    return {"scan": scan, "summary": summary}, {
        "files": map(_file_1, report.files),
        "clusters": map(partial(_cluster, _member_1), report.clusters),
        "contains": map(plain, contains_in_order(report)),
    }


def _file_1(file: ReportFile) -> dict[str, Any]:
    facts = file_facts(file)
    return {name: facts[name] for name in _FILE_1} | {"status": _STATUSES_1.get(file.status, file.status)}


def _member_1(member: ReportMember) -> dict[str, Any]:
    through = member.nearest if member.relation == "linked" else None
    return plain(member, _MEMBER_1) | {
        "relation": _RELATIONS_1[member.relation],
        "linked_through": None if through is None else os.fspath(through.path),
    }


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a file begins like a JSON report of any version of dupfinder."""
    return _HEAD.match(file.read(200)) is not None


def encoded(value: Any) -> bytes:
    r"""Return JSON in UTF-8. Undecodable bytes of names, represented by lone surrogates, become `\udcXX` escapes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _MISLEADING.sub(lambda match: f"\\u{ord(match.group()):04x}", text).encode("utf-8", "backslashreplace")


def _write_rows(file: IO[bytes], name: str, rows: Iterable[dict[str, Any]], end: bytes) -> None:
    """Write a list of rows, one on each line."""
    file.write(f'"{name}": ['.encode())
    separator = b"\n"
    for row in rows:
        file.write(separator + encoded(row))
        separator = b",\n"
    file.write(b"]" + end)


def scan_facts(report: Report) -> dict[str, Any]:
    """Return the folders, times and settings of a scan as JSON values."""
    return {
        "roots": [{"path": os.fspath(path), "role": role} for path, role in report.roots],
        "started": f"{report.started.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "seconds": round(report.seconds, 3),
        "radius": report.radius,
        "passages": report.passages,
        "min_similarity": report.min_similarity,
        "min_containment": report.min_containment,
        "scheme": report.scheme,
    }


def file_facts(file: ReportFile) -> dict[str, Any]:
    """Return a file that was offered as JSON values."""
    with speaking(ENGLISH):
        reason = reason_text(file)
    return {
        "path": os.fspath(file.path),
        "path_base64": base64.b64encode(os.fsencode(file.path)).decode("ascii"),
        "status": file.status,
        "reason": reason,
        "codes": [detail.code for detail in file.details],
        "bytes": file.size,
        "words": file.words,
        "pages": file.pages,
        "language": file.language,
        "reader": file.reader,
        "fingerprint": None if file.fingerprint is None else f"{file.fingerprint:016x}",
        "cluster": file.cluster,
        "content_hash": file.content_hash or None,
        "seconds": None if file.seconds is None else round(file.seconds, 3),
        "stack": file.stack,
        "in_stack": file.in_stack or None,
        **({} if file.archive is None else {"archive": os.fspath(file.archive)}),  # only of members of archives
    }


def _cluster(member: Callable[[ReportMember], dict[str, Any]], cluster: ReportCluster) -> dict[str, Any]:
    members = [member(row) for row in members_in_order(cluster)]
    return {"id": cluster.id, "keeper": os.fspath(cluster.keeper), "members": members}


def _cluster_2(cluster: ReportCluster) -> dict[str, Any]:
    return _cluster(partial(plain, names=_MEMBER), cluster) | {"why_keeper": cluster.why_keeper or None}


def plain(row: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return some fields of a row of the report, by default all, as JSON values: paths as text, shares rounded."""
    return {name: _value(getattr(row, name)) for name in names or row.__slots__}


def _value(value: Any) -> Any:
    match value:
        case float():
            return rounded_down(value)
        case Path():
            return os.fspath(value)
        case tuple():
            return [_value(part) for part in value]
        case ReportNearest():
            return plain(value)
        case _:
            return value
