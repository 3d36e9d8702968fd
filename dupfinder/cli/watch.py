"""The verb `watch`: keep a library fresh, and print what new documents are alike to."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.settings import Settings
from dupfinder.cli.options import add_flag, check_library_to_write, decimal
from dupfinder.cli.scan import add_request, demand_of, library_of, open_session, whole_request_of
from dupfinder.cli.terminal import Printer, add_progress, remark, tell
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import documents_text, groups_text

if TYPE_CHECKING:
    from dupfinder.review.reporting import Newcomer
    from dupfinder.review.session import ReviewSession

_LEAST_PAUSE = 1  # seconds


def add_parsers(verbs: Any) -> None:
    watch = verbs.add_parser(
        "watch", help=say("scan folders again whenever a file changes, and tell what new documents are similar to")
    )
    add_request(watch)
    watch.add_argument(
        "--every", type=decimal(_LEAST_PAUSE), default=60.0, metavar="SECONDS",
        help=say("look at folders at least so often, also where the system tells of no changes"),
    )  # fmt: skip
    add_flag(watch, "--json", say("one JSON object a line for each new document"))
    add_progress(watch)
    watch.set_defaults(run=_watch)


def _watch(arguments: Namespace) -> int:
    """Scan until the person stops it."""
    from dupfinder.review.reporting import newcomers
    from dupfinder.scan.walk import checked_roots
    from dupfinder.scan.watching import keep_fresh
    from dupfinder.wording.errors import away_sentence

    settings, library = Settings(), library_of(arguments)
    demand = demand_of(arguments, settings)
    request = whole_request_of(arguments, settings, outputs=[])
    check_library_to_write(library, force=False)
    checked_roots(request.roots)  # a name that is mistyped is no folder to wait for
    earlier = None
    with Printer.of(arguments.progress) as printer:
        for scan in keep_fresh(
            request, library, printer, demand, settings, arguments.every,
            on_away=lambda error: remark(away_sentence(error)),
        ):  # fmt: skip
            session = open_session(library, scan)
            if earlier is None:
                printer.close()
                printer.mode = "none"
                if not arguments.quiet:
                    _tell_first(session)
            else:
                for newcomer in newcomers(session, earlier):
                    (_write_json if arguments.json else _print)(newcomer)
                sys.stdout.flush()
            earlier = session.result.documents
    return 0


def _tell_first(session: ReviewSession) -> None:
    """Print what the first scan holds."""
    remark(
        say(
            "Watching {read}; {groups} so far. New documents are listed here as they come; Ctrl+C ends it.",
            read=documents_text(session.result.summary.read),
            groups=groups_text(session.counts().clusters),
        )
    )


def _print(newcomer: Newcomer) -> None:
    """Print a new document and its relatives, as `query` does."""
    from dupfinder.cluster.relation import name_of
    from dupfinder.wording.relations import relative_line

    tell("{name}: {count} similar", name=shown(newcomer.path), count=len(newcomer.relatives))
    for relative in newcomer.relatives:
        print(relative_line(str(relative.path), name_of(relative.relation), relative.similarity))


def _write_json(newcomer: Newcomer) -> None:
    """Print a new document and its relatives as one line of JSON, with the names of reports."""
    from dupfinder.cluster.relation import name_of
    from dupfinder.report.figures import rounded_down

    relatives = [
        {"path": os.fspath(relative.path), "relation": name_of(relative.relation),
         "similarity": rounded_down(relative.similarity)}
        for relative in newcomer.relatives
    ]  # fmt: skip
    print(json.dumps({"path": os.fspath(newcomer.path), "relatives": relatives}))
