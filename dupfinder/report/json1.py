"""The JSON report in schema 1, for older programs.

Facts without a field in schema 1 are omitted: forms, pairs, what else differs between same words.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from functools import partial
from typing import IO, Any, Final

from dupfinder.report.json import cluster_facts, file_facts, plain, scan_facts, write_head, write_rows
from dupfinder.report.rows import (
    Report,
    ReportFile,
    ReportMember,
    clusters_in_order,
    contains_in_order,
    files_in_order,
)

_RELATIONS: Final = {
    "keeper": "keeper", "identical": "identical_bytes", "same_text": "identical_text", "same_words": "identical_text",
    "version": "near", "part": "contained", "whole": "contains", "linked": "linked",
}  # fmt: skip
_STATUSES: Final = {"held": "unreadable", "bytes_only": "unsupported"}  # statuses that schema 1 does not have
_FILE: Final = ("path", "path_base64", "status", "reason", "bytes", "words", "pages", "language", "reader",
                "fingerprint", "cluster")  # fmt: skip
_MEMBER: Final = ("path", "relation", "similarity", "in_keeper", "keeper_in", "distance")


def write(report: Report, file: IO[bytes]) -> None:
    """Write the report as one JSON object."""
    scan, summary = scan_facts(report), asdict(report.summary)
    summary["skipped"] += summary.pop("bytes_only")
    del scan["passages"], summary["relations"], summary["left_out_by_reason"]
    head = {"schema": 1, "program": report.program, "scan": scan, "summary": summary}
    write_head(file, head)
    write_rows(file, "files", map(_file, files_in_order(report)), b",\n")
    write_rows(file, "clusters", map(partial(cluster_facts, _member), clusters_in_order(report)), b",\n")
    write_rows(file, "contains", map(plain, contains_in_order(report)), b"\n")
    file.write(b"}\n")


def _file(file: ReportFile) -> dict[str, Any]:
    facts = file_facts(file)
    return {name: facts[name] for name in _FILE} | {"status": _STATUSES.get(file.status, file.status)}


def _member(member: ReportMember) -> dict[str, Any]:
    linked = member.relation == "linked" and member.nearest is not None
    return plain(member, _MEMBER) | {
        "relation": _RELATIONS[member.relation],
        "linked_through": os.fspath(member.nearest.path) if linked and member.nearest is not None else None,
    }
