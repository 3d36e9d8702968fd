"""The JSON report, schema 1: for programs. A row a line, so that two reports can be compared line by line."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC
from pathlib import Path
from typing import IO, Any, Final

from dupfinder.report.order import clusters_in_order, contains_in_order, files_in_order, members_in_order
from dupfinder.report.rows import Report, ReportCluster, ReportContains, ReportFile, ReportMember

SCHEMA: Final = 1
_DIGITS: Final = 4  # of shares; a shingle more or less is never seen beyond
# Valid in JSON, but able to mislead who reads it in a terminal: C1 controls, line ends, bidi and zero-width signs.
_MISLEADING: Final = re.compile("[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def write(report: Report, file: IO[bytes]) -> None:
    """Write the report as one JSON object."""
    head: dict[str, Any] = {"schema": SCHEMA, "program": report.program, "scan": _scan(report)}
    head["summary"] = asdict(report.summary)
    file.write(b"{\n")
    for name, value in head.items():
        file.write(f'"{name}": '.encode() + encoded(value) + b",\n")
    _rows(file, "files", map(_file, files_in_order(report)), b",\n")
    _rows(file, "clusters", map(_cluster, clusters_in_order(report)), b",\n")
    _rows(file, "contains", map(_contains, contains_in_order(report)), b"\n")
    file.write(b"}\n")


def encoded(value: Any) -> bytes:
    """JSON in UTF-8. Undecodable bytes of names, kept as lone surrogates, become `\\udcXX` escapes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _MISLEADING.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode("utf-8", "backslashreplace")


def _rows(file: IO[bytes], name: str, rows: Iterable[dict[str, Any]], end: bytes) -> None:
    file.write(f'"{name}": ['.encode())
    separator = b"\n"
    for row in rows:
        file.write(separator + encoded(row))
        separator = b",\n"
    file.write(b"]" + end)


def _scan(report: Report) -> dict[str, Any]:
    return {
        "roots": [{"path": os.fspath(path), "role": role} for path, role in report.roots],
        "started": f"{report.started.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "seconds": round(report.seconds, 3),
        "radius": report.radius,
        "min_similarity": report.min_similarity,
        "min_containment": report.min_containment,
        "scheme": report.scheme,
    }


def _file(file: ReportFile) -> dict[str, Any]:
    return {
        "path": os.fspath(file.path),
        "path_base64": base64.b64encode(os.fsencode(file.path)).decode("ascii"),
        "status": file.status,
        "reason": file.reason,
        "bytes": file.size,
        "words": file.words,
        "pages": file.pages,
        "language": file.language,
        "reader": file.reader,
        "fingerprint": None if file.fingerprint is None else f"{file.fingerprint:016x}",
        "cluster": file.cluster,
        **({} if file.archive is None else {"archive": os.fspath(file.archive)}),  # of a member of an archive alone
    }


def _cluster(cluster: ReportCluster) -> dict[str, Any]:
    members = [_member(member) for member in members_in_order(cluster)]
    return {"id": cluster.id, "keeper": os.fspath(cluster.keeper), "members": members}


def _member(member: ReportMember) -> dict[str, Any]:
    return {
        "path": os.fspath(member.path),
        "relation": member.relation,
        "similarity": _share(member.similarity),
        "in_keeper": _share(member.in_keeper),
        "keeper_in": _share(member.keeper_in),
        "distance": member.distance,
        "linked_through": _path_or_none(member.linked_through),
    }


def _contains(found: ReportContains) -> dict[str, Any]:
    return {
        "container": os.fspath(found.container),
        "part": os.fspath(found.part),
        "share": _share(found.share),
    }


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, _DIGITS)


def _path_or_none(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path)
