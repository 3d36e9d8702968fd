"""The groups of a scan on standard output: for people, for programs, and as paths for `xargs -0`."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from typing import IO, TYPE_CHECKING

from dupfinder.base.display import counted, located, shown
from dupfinder.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dupfinder.report.rows import Report, ReportCluster, ReportMember

FORMATS = ("text", "json", "csv", "paths0")
_NEVER_LISTED = frozenset(("protected", "archive", "keep"))  # decisions
_WITHOUT_LOSS = "identical,same-text"


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare --format and --kinds."""
    parser.add_argument("--format", choices=FORMATS,
                        help="groups on standard output: text (the default where no report is written), json, csv; "
                             "paths0: what could go, see --kinds, each path ended by NUL")  # fmt: skip
    parser.add_argument("--kinds", metavar="NAMES", help="with --format paths0: the documents to list, by what they "
                        "are to the kept one: identical,same-text,same-words,version; by default the first two. Kept, "
                        "protected and archived ones never")  # fmt: skip


def check_format(arguments: Namespace) -> None:
    """UsageError, before any work, for --kinds that are none or go with another format."""
    if arguments.kinds is not None:
        if arguments.format != "paths0":
            raise UsageError("--kinds goes with --format paths0.")
        _kinds(arguments)


def _kinds(arguments: Namespace) -> frozenset[str]:
    from dupfinder.cluster.relation import SURVIVING, name_of
    from dupfinder.review.rules import relations_of

    relations = relations_of(part.strip() for part in (arguments.kinds or _WITHOUT_LOSS).split(","))
    if not set(relations) <= SURVIVING:
        raise UsageError("--kinds are identical, same-text, same-words and version: a part has no copy that stays.")
    return frozenset(map(name_of, relations))


def format_of(arguments: Namespace, reports: list[object]) -> str | None:
    """The format to print; None where a report is written and no format was asked for."""
    return arguments.format or (None if reports else "text")


def write_groups(report: Report, arguments: Namespace, style: str) -> None:
    """Write the groups to standard output. BrokenPipeError when its reader has gone."""
    sys.stdout.flush()
    stream: IO[bytes] = sys.stdout.buffer
    if style == "json":
        from dupfinder.report import json, json1

        (json1 if arguments.schema == 1 else json).write(report, stream)
    elif style == "csv":
        from dupfinder.report import csv

        csv.write(report, stream)
    elif style == "paths0":
        kinds = _kinds(arguments)
        for cluster in report.clusters:
            stream.writelines(os.fsencode(one.path) + b"\0" for one in cluster.members if _may_go(one, kinds))
    else:
        for cluster in report.clusters:
            for line in _lines(report, cluster):
                print(line)
    stream.flush()


def _may_go(member: ReportMember, kinds: frozenset[str]) -> bool:
    return member.relation in kinds and member.decision not in _NEVER_LISTED


def _lines(report: Report, cluster: ReportCluster) -> Iterator[str]:
    free = f", {counted(cluster.bytes_to_free, 'byte')} beyond one copy" if cluster.bytes_to_free else ""
    yield f"\nGroup {cluster.id}: {counted(len(cluster.members), 'document')}{free}"
    from dupfinder.cluster.relation import percent

    for member in cluster.members:
        equal = member.relation in ("identical", "same_text", "same_words")
        compared = member.similarity is not None and member.relation != "keeper"
        similar = f"{percent(member.similarity or 0.0, equal=equal):3} %" if compared else "     "
        name = {"keeper": "kept", "linked": "distant"}.get(member.relation, member.relation.replace("_", " "))
        note = f" ({member.decision})" if member.decision in ("protected", "keep", "remove") else ""
        yield f"  {similar}  {name:<10}  {shown(located(member.path, report.archive_of(member.path)))}{note}"
