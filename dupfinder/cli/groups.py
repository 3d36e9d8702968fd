"""Print the groups of a scan: for people, for programs, and as paths for `xargs -0`."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from typing import IO, TYPE_CHECKING, Final

from dupfinder.base.display import located, shown
from dupfinder.base.errors import UsageError
from dupfinder.wording.catalogue import N_, say, say_count
from dupfinder.wording.figures import padded, percent_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dupfinder.report.rows import Report, ReportCluster, ReportMember

FORMATS = ("text", "json", "csv", "paths0")
_NEVER_LISTED = frozenset(("protected", "archive", "keep"))  # decisions
_WITHOUT_LOSS = "identical,same-text"
_NOTES = {"protected": N_("protected"), "keep": N_("to be kept"), "remove": N_("to be removed")}  # decisions


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add --format and --kinds."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help=say(
            "groups on standard output: text (the default where no report is written), json, csv; paths0: "
            "what could go, see --kinds, each path ended by NUL"
        ),
    )
    parser.add_argument(
        "--kinds",
        metavar="NAMES",
        help=say(
            "with --format paths0: the documents to list, by what they are to the kept one: "
            "identical,same-text,same-words,version; by default the first two. Kept, protected and archived ones never"
        ),
    )


def check_format(arguments: Namespace) -> None:
    """Raise UsageError, before any work, for unknown --kinds, or --kinds with another format."""
    if arguments.kinds is not None:
        if arguments.format != "paths0":
            raise UsageError(N_("--kinds goes with --format paths0."))
        _kinds(arguments)


def _kinds(arguments: Namespace) -> frozenset[str]:
    from dupfinder.cluster.relation import SURVIVING, name_of
    from dupfinder.review.rules import relations_of

    relations = relations_of(part.strip() for part in (arguments.kinds or _WITHOUT_LOSS).split(","))
    if not set(relations) <= SURVIVING:
        raise UsageError(N_("--kinds are identical, same-text, same-words and version: a part has no copy that stays."))
    return frozenset(map(name_of, relations))


GROUPS_ALONE: Final = frozenset(("text", "paths0"))  # formats that say nothing of other files


def format_of(arguments: Namespace, reports: list[object]) -> str | None:
    """Return the format to print; None if reports are written and no format was given."""
    return arguments.format or (None if reports else "text")


def write_groups(report: Report, arguments: Namespace, style: str) -> None:
    """Write the groups to standard output. Raises BrokenPipeError when its reader has ended."""
    sys.stdout.flush()
    stream: IO[bytes] = sys.stdout.buffer
    if style == "json":
        from dupfinder.report import json

        json.write(report, stream, arguments.schema)
    elif style == "csv":
        from dupfinder.report import csv

        csv.write(report, stream)
    elif style == "paths0":
        kinds = _kinds(arguments)
        for cluster in report.clusters:
            stream.writelines(os.fsencode(member.path) + b"\0" for member in cluster.members if _may_go(member, kinds))
    else:
        for cluster in report.clusters:
            for line in _lines(report, cluster):
                print(line)
    stream.flush()


def _may_go(member: ReportMember, kinds: frozenset[str]) -> bool:
    return member.relation in kinds and member.decision not in _NEVER_LISTED


def _lines(report: Report, cluster: ReportCluster) -> Iterator[str]:
    from dupfinder.cluster.relation import percent
    from dupfinder.wording.relations import relation_name

    documents = say_count("{count} document", "{count} documents", len(cluster.members))
    if cluster.bytes_to_free:
        size = say_count("{count} byte", "{count} bytes", cluster.bytes_to_free)
        documents = say("{documents}, {size} beyond one copy", documents=documents, size=size)
    yield "\n" + say("Group {number}: {documents}", number=cluster.id, documents=documents)
    for member in cluster.members:
        equal = member.relation in ("identical", "same_text", "same_words")
        compared = member.similarity is not None and member.relation != "keeper"
        similar = percent_text(percent(member.similarity or 0.0, equal=equal)) if compared else ""
        name = say("kept") if member.relation == "keeper" else relation_name(member.relation).lower()
        line = f"  {padded(similar, 5, right=True)}  {padded(name, 10)}  "
        line += shown(located(member.path, report.archive_of(member.path)))
        note = _NOTES.get(member.decision)
        yield f"{line} ({say(note)})" if note else line
