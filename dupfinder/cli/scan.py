"""The verbs `scan`, `report`."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TextIO

from dupfinder.base.details import ProblemKind
from dupfinder.base.display import located, shown
from dupfinder.base.errors import DupfinderError, UsageError
from dupfinder.base.paths import DECISIONS_NAME, default_library
from dupfinder.base.progress import Progress, Stage
from dupfinder.base.settings import (
    ALL_FILES,
    ARCHIVES,
    HIDDEN,
    LARGEST,
    MAX_RADIUS,
    MIN_CONTAINMENT,
    MIN_SIMILARITY,
    OCR,
    RADIUS,
    WORKERS,
    Settings,
)
from dupfinder.cli.options import (
    add_choices,
    add_flag,
    add_force,
    add_number,
    add_path,
    add_reading,
    check_library_to_write,
    check_reports,
    decimal,
    filters_of,
    listed_files,
    reports_within,
    tell_unmatched,
)
from dupfinder.cli.terminal import add_progress, printer_of, remark, tell
from dupfinder.wording.catalogue import N_, number_text, say, say_count
from dupfinder.wording.figures import documents_text, files_text, groups_text, listed, size_text

if TYPE_CHECKING:
    from dupfinder.base.output import Recogniser
    from dupfinder.cluster.relation import Demand
    from dupfinder.diff.blocks import TextComparison
    from dupfinder.fingerprint.scheme import Scheme
    from dupfinder.library.rows import Documents
    from dupfinder.report.rows import Report, ReportCluster, ReportMember
    from dupfinder.review.reporting import PathPair
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.readers import Machines
    from dupfinder.scan.request import Root, ScanRequest

MOST_REASONS = 8  # for files that were not read; others are counted together
MOST_SLOW = 10  # files that --verbose prints


def add_parsers(verbs: Any) -> None:
    scan = verbs.add_parser("scan", help=say("scan folders, or go on with an unfinished scan"))
    add_request(scan)
    _add_reports(scan, "--report")
    add_force(scan, say("files in the place of a report or the library that dupfinder did not write"))
    scan.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=say(
            "read on the workers of a Dask cluster that see the folders; ADDRESS is that of its scheduler, as "
            "tcp://host:8786"
        ),
    )
    add_path(
        scan,
        "--scratch",
        say("with --cluster: a folder that all its machines may write into; then pairs are found there too"),
        metavar="DIR",
    )
    add_flag(scan, "--fresh", say("read everything again"))
    add_progress(scan)
    add_format(scan)
    scan.set_defaults(run=run_scan_verb)
    _add_report_parser(verbs)


def add_request(verb: Any) -> None:
    """Add the options that say what is scanned, and into which library."""
    add_path(verb, "folders", say("a folder, or a file"), nargs="*", metavar="FOLDER")
    add_path(verb, "--protect", say("compared, never marked"), action="append", default=[], metavar="DIR")
    add_path(verb, "--leave-out", say("not entered"), action="append", default=[], metavar="DIR")
    add_radius(verb)
    add_path(verb, "--library", say("where to keep what was read"))
    verb.add_argument("--name", default="", help=say("what to call the scan"))
    add_reading(verb)
    verb.add_argument(
        "--all-files",
        action=argparse.BooleanOptionalAction,
        help=say("also files of every other kind and size (photos, videos, archives ...), by exact content only"),
    )
    verb.add_argument(
        "--ocr",
        metavar="LANGS",
        help=say('recognise pages without a text layer by tesseract, as in eng+deu; "": do not'),
    )
    add_choices(verb)


def _add_report_parser(verbs: Any) -> None:
    report = verbs.add_parser(
        "report", help=say("show or write the results of a stored scan, without reading files again")
    )
    add_scan(report)
    _add_reports(report, "--to")
    add_force(report, say("a file that is no earlier report"))
    add_format(report)
    add_radius(report)
    add_library(report)
    report.set_defaults(run=run_report_verb)


def _add_reports(parser: argparse.ArgumentParser, option: str) -> None:
    """Add the option that names reports to write, and the schema of JSON reports."""
    add_path(
        parser,
        option,
        say("write a report; .json .html .csv .xlsx .docx; may be repeated"),
        action="append",
        default=[],
    )
    parser.add_argument(
        "--schema",
        type=int,
        choices=(1, 2),
        default=2,
        help=say("of JSON reports; 1 for programs written before schema 2"),
    )


def add_scan(parser: argparse.ArgumentParser) -> None:
    """Add the number of a stored scan."""
    add_number(parser, "scan", say("number of the scan; the newest if left out"), metavar="SCAN", nargs="?")


def add_library(parser: argparse.ArgumentParser) -> None:
    add_path(parser, "--library", say("the library; your own if left out"))


def add_radius(parser: argparse.ArgumentParser) -> None:
    """Add `--radius` and `--min-similarity`."""
    add_number(parser, "--radius", say("bits that may differ, 0 to 16; as set if left out"), 0, MAX_RADIUS, metavar="K")
    parser.add_argument(
        "--min-similarity",
        type=decimal(MIN_SIMILARITY.low, MIN_SIMILARITY.high),
        metavar="S",
        help=say("least resemblance, 0.5 to 1; as set if left out"),
    )


def run_scan_verb(arguments: Namespace) -> int:
    """Scan, print the counts, write the reports."""
    from dupfinder.review.reporting import report_of
    from dupfinder.scan.pipeline import run_scan
    from dupfinder.scan.readers import workers
    from dupfinder.wording.errors import put_aside_sentence, repaired_sentence

    settings = Settings()
    check_format(arguments)
    demand = demand_of(arguments, settings)
    library = library_of(arguments)
    request = replace(whole_request_of(arguments, settings, outputs=arguments.report), fresh=arguments.fresh)
    check_library_to_write(library, force=arguments.force)
    check_reports(arguments.report, library, force=arguments.force)
    with printer_of(arguments) as printer, _machines(arguments, request, settings) as machines:
        scan = run_scan(
            request, library, printer, demand, settings, force=arguments.force, machines=machines,
            on_put_aside=lambda new_path: remark(put_aside_sentence(new_path)),
            on_repaired=lambda parts: remark(repaired_sentence(parts)),
        )  # fmt: skip
    session = open_session(library, scan)
    tell_unmatched(request, session.result.documents.paths)
    style = format_of(arguments, arguments.report)
    if not arguments.quiet:
        _tell(session, sys.stdout if style in (None, "text") else sys.stderr)
    is_verbose = arguments.verbose and not arguments.quiet
    if style is None and not arguments.report and not is_verbose:
        return 0
    report = report_of(session, groups_alone=style in GROUPS_ALONE and not (arguments.report or is_verbose))
    if is_verbose:
        _tell_unread(report)
        _tell_slowest(report)
    if any(path.suffix.lower() == ".html" for path in arguments.report):
        report = _with_excerpts(report, arguments, workers(request))
    _write_all(report, arguments, arguments.report, style)
    return 0


def _machines(
    arguments: Namespace, request: ScanRequest, settings: Settings
) -> AbstractContextManager[Machines | None]:
    """Return a context with the cluster of --cluster, checked when it is entered; None without --cluster.

    Raises UsageError; entering the context raises ClusterError, RootError.
    """
    if arguments.scratch is not None and arguments.cluster is None:
        raise UsageError(N_("--scratch goes with --cluster."))
    if arguments.cluster is None:
        return nullcontext()
    if arguments.workers:
        raise UsageError(N_("--workers counts processes on this machine; leave it out with --cluster."))
    from dupfinder.scan.remote import remote_machines

    return remote_machines(arguments.cluster, request, settings, arguments.scratch)


def _roots_of(arguments: Namespace, protect: Sequence[Path], leave_out: Sequence[Path]) -> tuple[Root, ...]:
    from dupfinder.scan.request import Role, Root

    listed = listed_files(arguments)
    if not arguments.folders and not listed:
        raise UsageError(N_("Name a folder, or a list of files by --files-from."))
    for path in leave_out:
        if not os.path.lexists(path):
            remark(say("There is no {path}, so nothing is left out there.", path=shown(path)))
    return (
        *(Root(path) for path in (*arguments.folders, *listed)),
        *(Root(path, Role.PROTECT) for path in protect),
        *(Root(path, Role.LEAVE_OUT) for path in leave_out),
    )


def request_of(
    arguments: Namespace,
    *,
    outputs: list[Path],
    recogniser_of: Callable[[Path], Recogniser] | None = None,
    scheme: Scheme | None = None,
    protect: Sequence[Path] = (),
    leave_out: Sequence[Path] = (),
) -> ScanRequest:
    """Return the scan request of the arguments.

    outputs: files to be written, which are not scanned. recogniser_of: as for `reports_within`. scheme: None: that of
    the settings. Raises UsageError.
    """
    from dupfinder.scan.request import ScanRequest
    from dupfinder.scan.weights import scheme_in_use
    from dupfinder.text.sniff import FAMILIES

    settings = Settings()
    if scheme is None:
        tell_lost_weights(settings)
    roots = _roots_of(arguments, protect, leave_out)
    return ScanRequest(
        roots,
        smallest=arguments.min_size or 0,
        formats=frozenset(FAMILIES) if arguments.code else frozenset(),
        largest=settings.integer(LARGEST) * 1_000_000,
        filters=filters_of(arguments),
        one_file_system=arguments.one_file_system,
        hidden=bool(settings.get(HIDDEN)) and not arguments.no_hidden,
        archives=bool(settings.get(ARCHIVES)) and not arguments.no_archives,
        outputs=reports_within(outputs, roots, recogniser_of),
        workers=arguments.workers or settings.integer(WORKERS),
        scheme=scheme or scheme_in_use(settings),
    )


def tell_lost_weights(settings: Settings) -> None:
    """Tell when the learned weights, which the settings choose, cannot be used."""
    from dupfinder.scan.weights import are_lost

    if are_lost(settings):
        remark(
            say(
                "The learned weights are missing or damaged, so the built-in ones are used. `dupfinder weights learn` "
                "makes them again; `dupfinder weights reset` chooses the built-in ones."
            )
        )


def whole_request_of(arguments: Namespace, settings: Settings, *, outputs: list[Path]) -> ScanRequest:
    """Return the scan request of the options of `add_request`. Raises UsageError."""
    from dupfinder.actions.quarantine import moved_aside

    request = request_of(arguments, outputs=outputs, protect=arguments.protect, leave_out=arguments.leave_out)
    all_files = bool(settings.get(ALL_FILES)) if arguments.all_files is None else arguments.all_files
    return replace(
        request, name=arguments.name, ocr=_languages_of(arguments, settings), all_files=all_files,
        moved_aside=moved_aside,
    )  # fmt: skip


def _languages_of(arguments: Namespace, settings: Settings) -> str:
    """Return --ocr, checked against the installed languages, or the setting."""
    from dupfinder.text.pdf import ocr

    languages: str | None = arguments.ocr
    if languages is None:
        return str(settings.get(OCR))
    if not languages:
        return ""
    if not ocr.is_available():
        raise UsageError(N_("--ocr needs the program tesseract, which is not installed."))
    if missing := ocr.missing_languages(str(OCR.checked(languages))):
        raise UsageError(N_("tesseract has no language {languages} installed."), languages=shown(", ".join(missing)))
    return languages


def run_report_verb(arguments: Namespace) -> int:
    """Write reports of a stored scan at any radius."""
    from dupfinder.review.reporting import report_of

    check_format(arguments)
    check_reports(arguments.to, library_of(arguments), force=arguments.force)
    session = session_of(arguments)
    style = format_of(arguments, arguments.to)
    report = report_of(session, groups_alone=style in GROUPS_ALONE and not arguments.to)
    _write_all(report, arguments, arguments.to, style)
    return 0


def library_of(arguments: Namespace) -> Path:
    named: Path | None = arguments.library
    return named if named is not None else default_library()


def demand_of(arguments: Namespace, settings: Settings) -> Demand:
    """Return the demand of the options, and of the settings where there is no option."""
    from dupfinder.cluster.relation import Demand

    radius, similarity = arguments.radius, arguments.min_similarity
    return Demand(
        settings.number(MIN_SIMILARITY) if similarity is None else similarity,
        settings.number(MIN_CONTAINMENT),
        settings.integer(RADIUS) if radius is None else radius,
    )


def open_session(library: Path, scan: int | None, *, with_decisions: bool = True) -> ReviewSession:
    """Return the review of a stored scan.

    with_decisions: with the marks made in the window, not only what is kept and what is no duplicate.
    Raises LibraryMissing; UsageError if there are scans, but not this one.
    """
    from dupfinder.library.decisions import Decisions
    from dupfinder.library.library import LibraryFile
    from dupfinder.review.session import ReviewSession

    with LibraryFile(library) as opened:
        done = {summary.id for summary in opened.scans() if summary.state == "done"}
        if done and scan is not None and scan not in done:
            raise UsageError(
                N_("There is no finished scan {scan} in this library; `dupfinder library info` lists them."), scan=scan
            )
        decisions = Decisions(library.parent / DECISIONS_NAME)
        session = ReviewSession(opened.result(scan), decisions if with_decisions else None)
        if not with_decisions:
            session.load_without_marks(decisions)
        return session


def session_of(arguments: Namespace, *, with_decisions: bool = True) -> ReviewSession:
    """Return the review of the scan that is named, with --radius and --min-similarity; otherwise as `open_session`."""
    session = open_session(library_of(arguments), arguments.scan, with_decisions=with_decisions)
    if arguments.radius is not None:
        if arguments.radius > session.widest_radius:
            raise UsageError(
                N_("This scan was matched up to radius {widest_radius}; --radius {radius} is wider."),
                widest_radius=session.widest_radius,
                radius=arguments.radius,
            )
        session.set_radius(arguments.radius)
    if arguments.min_similarity is not None:
        session.set_demand(replace(session.demand, similarity=arguments.min_similarity))
    return session


def _tell(session: ReviewSession, stream: TextIO) -> None:
    """Print the counts of a scan."""
    from dupfinder.review.reporting import summary_of

    summary = summary_of(session)
    tell(
        "Scan {scan}: {files}: {read} read, {problems} with problems, {skipped} left out "
        "({reused} unchanged since before).",
        scan=session.result.summary.id,
        files=files_text(summary.offered),
        read=number_text(summary.read),
        reused=number_text(summary.reused),
        problems=number_text(summary.problems),
        skipped=number_text(summary.skipped),
        file=stream,
    )
    if summary.bytes_only:
        by_bytes = say_count(
            "{count} file was compared by exact content only.",
            "{count} files were compared by exact content only.",
            summary.bytes_only,
        )
        print(f"  {by_bytes}", file=stream)
    for reason, number in _reasons(session.result.documents):
        print("  " + say("{files}: {reason}", files=files_text(number), reason=shown(reason)), file=stream)
    tell(
        "{groups} of {documents} at radius {radius}; {bytes} can be freed.",
        groups=groups_text(summary.clusters),
        documents=documents_text(summary.documents_in_clusters),
        radius=session.demand.radius,
        bytes=size_text(summary.bytes_to_free),
        file=stream,
    )


def _tell_unread(report: Report) -> None:
    from dupfinder.report.figures import reason_text

    for file in report.files:
        if file.status != "read":
            remark(f"{shown(file.path)}: {reason_text(file)}")


def _reasons(documents: Documents) -> list[tuple[str, int]]:
    """Return why files were not read, in one clause each, with the number of files; the most frequent first."""
    from dupfinder.base.details import details_of
    from dupfinder.library.rows import READ
    from dupfinder.report.rows import counted_reasons
    from dupfinder.wording.errors import problem_sentence

    sentences: Counter[str] = Counter()
    for (status, detail), number in Counter(zip(documents.status, documents.detail, strict=True)).items():
        if status != READ:
            sentences[problem_sentence(ProblemKind(status), details_of(detail))] += number
    reasons = list(counted_reasons(sentences).items())
    others = sum(number for _, number in reasons[MOST_REASONS:])
    return [*reasons[:MOST_REASONS], *([(say("Other reasons, which a report names."), others)] if others else [])]


def _tell_slowest(report: Report) -> None:
    """Print the files that took the most processor time, in this scan or when they were read before."""
    slowest = sorted(report.files, key=lambda file: -(file.seconds or 0.0))[:MOST_SLOW]
    for file in slowest:
        if file.seconds:
            seconds = number_text(file.seconds, 2)
            remark("  " + say("{seconds} s of the processor: {path}", seconds=seconds, path=shown(file.path)))


def _write_all(report: Report, arguments: Namespace, paths: list[Path], style: str | None) -> None:
    """Write reports, then the groups to standard output, whose reader may end early. Raises the last report's error."""
    from dupfinder.report.write import write
    from dupfinder.wording.errors import sentence

    failures: list[DupfinderError] = []
    for path in paths:
        try:
            write(report, path, force=arguments.force, schema=arguments.schema)
        except DupfinderError as error:  # of this one alone: others may be written elsewhere
            failures.append(error)
            continue
        if not arguments.quiet:
            tell("Wrote {path}", path=shown(path), file=sys.stderr)
    if style is not None:
        write_groups(report, arguments, style)
    for failure in failures[:-1]:
        remark(sentence(failure))
    if failures:
        raise failures[-1]


def _with_excerpts(report: Report, arguments: Namespace, workers: int) -> Report:
    """Return the report of a scan with excerpts, for which some files are read again; a later report reads none."""
    from dupfinder.review.reporting import with_excerpts
    from dupfinder.scan.comparison import Comparer, PairTask

    def compare(pairs: list[PathPair]) -> Iterator[tuple[PathPair, TextComparison | None]]:
        for done, view in enumerate(comparer.compare_all(PairTask(*pair) for pair in pairs), 1):
            printer.tell(Progress(Stage.WRITE, done, len(pairs)))
            yield (view.left, view.right), view.comparison

    with printer_of(arguments) as printer, Comparer(workers) as comparer:
        return with_excerpts(report, compare)


FORMATS = ("text", "json", "csv", "paths0")
_WITHOUT_LOSS = "identical,same-text"
# Decisions of documents that paths0 never lists, and what a text says beside a document, by its decision.
_NEVER_LISTED = frozenset(("protected", "archive", "keep"))
_NOTES = {"protected": N_("protected"), "keep": N_("to be kept"), "remove": N_("to be removed")}


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
    from dupfinder.review.rules import parse_relations

    relations = parse_relations(arguments.kinds or _WITHOUT_LOSS)
    if not set(relations) <= SURVIVING:
        raise UsageError(N_("--kinds are identical, same-text, same-words and version: a part has no copy that stays."))
    return frozenset(map(name_of, relations))


GROUPS_ALONE: Final = frozenset(("text", "paths0"))  # formats that say nothing of other files


def format_of(arguments: Namespace, reports: list[Path]) -> str | None:
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
            stream.writelines(os.fsencode(path) + b"\0" for path in _that_could_go(cluster, kinds))
    else:
        for cluster in report.clusters:
            for line in _lines(report, cluster):
                print(line)
    stream.flush()


def _are_of(relation: str, member: ReportMember, kinds: frozenset[str]) -> bool:
    """Tell whether a relation to another file lets a member go: what was not read of it may be in no other file."""
    return relation in kinds and (relation == "identical" or not member.read_in_part)


def _that_could_go(cluster: ReportCluster, kinds: frozenset[str]) -> Iterator[Path]:
    """Yield the members that are of these kinds to the kept copy, or else to a member that is not yielded.

    As rules do, of the other documents with the same words all but the best count by their relation to the best.
    """
    from dupfinder.cluster.keeper import provisional_names

    def rank(member: ReportMember) -> tuple[bool, bool, int]:
        return member.decision not in _NEVER_LISTED, member.decision == "remove", provisional_names(str(member.path))

    others = {member.path: member for member in cluster.members if not _are_of(member.relation, member, kinds)}
    copies = {path: [path] for path in others}  # of each member, and itself
    for member in others.values():
        nearest = member.nearest
        if nearest is not None and nearest.path in others and _are_of(nearest.relation, member, kinds - {"version"}):
            few, many = sorted((copies[member.path], copies[nearest.path]), key=len)
            if few is not many:
                many += few
                copies.update(dict.fromkeys(few, many))
    stay = set()
    for same in {id(same): same for same in copies.values()}.values():
        on_disk = [others[path] for path in same if others[path].decision != "archive"]
        stay.add(min(on_disk, key=rank).path if on_disk else None)
    for member in cluster.members:
        if member.path not in stay and member.relation != "keeper" and member.decision not in _NEVER_LISTED:
            yield member.path


def _lines(report: Report, cluster: ReportCluster) -> Iterator[str]:
    from dupfinder.report.figures import why_kept
    from dupfinder.wording.relations import relative_line

    documents = documents_text(len(cluster.members))
    if cluster.bytes_to_free:
        size = size_text(cluster.bytes_to_free)
        documents = say("{documents}, {size} can be freed", documents=documents, size=size)
    yield "\n" + say("Group {number}: {documents}", number=cluster.id, documents=documents)
    for member in cluster.members:
        line = relative_line(located(member.path, report.archive_of(member.path)), member.relation, member.similarity)
        notes = (why_kept(member, cluster), say(_NOTES[member.decision]) if member.decision in _NOTES else "")
        note = listed(filter(None, notes))
        yield say("{line} ({note})", line=line, note=note) if note else line
