"""The entry point of the command line: verbs, exit codes, and one line for any error."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import signal
import sys
from collections.abc import Sequence

from dupfinder import __version__
from dupfinder.base.errors import (
    DupfinderError,
    JournalError,
    LibraryLocked,
    NotALibrary,
    OccupiedError,
    PlanError,
    RootError,
)
from dupfinder.base.progress import Stopped
from dupfinder.cli import usage
from dupfinder.cli.terminal import remark
from dupfinder.wording.catalogue import N_, say

_REMOVING = frozenset(("apply", "undo", "recover", "quarantine"))  # verbs that move files
LEAST_MEMORY = 384 << 20  # bytes; with less, libraries end the process without a message


def build_parser() -> usage.Parser:
    """Return the parser of the whole command line."""
    # The modules of verbs are small; they import heavy modules only when they run.
    from dupfinder.cli import compare, fingerprint, index, library, removal, scan, watch

    parser = usage.Parser(
        prog="dupfinder",
        description=say("Find near-duplicate documents. Without a verb the window opens."),
        epilog=f"{say('`dupfinder VERB --help` shows what a verb takes, with examples.')} {say(usage.EXIT_CODES)}",
    )
    help_text = say("show program's version number and exit")
    parser.add_argument("--version", action="version", version=f"dupfinder {__version__}", help=help_text)
    parser.add_argument("--debug", action="store_true", help=say("show tracebacks"))
    usage.add_language(parser, None)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=usage.Parser)
    for module in (scan, watch, compare, removal, library, fingerprint, index):
        module.add_parsers(verbs)
    usage.add_own_verbs(verbs, parser)
    usage.add_common_options(parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code. Tracebacks are shown only with --debug."""
    try:
        return _main(arguments)
    except KeyboardInterrupt:  # while the verbs load, when nothing was begun
        return usage.STOPPED


def _main(arguments: Sequence[str] | None) -> int:
    """Run a command; return its exit code. Raises KeyboardInterrupt only before the verb runs."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        return _window()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    results_closed = sys.stdout is None
    _open_streams()
    usage.choose_language(words, os.environ)
    try:
        namespace = build_parser().parse_args(words)
    except SystemExit:
        _flush()
        raise
    if not namespace.verb:
        if namespace.language:
            os.environ["DUPFINDER_LANGUAGE"] = namespace.language  # where the window looks
        return _window()
    if results_closed:
        remark(say("Standard output is closed: there is nowhere to write the results to. Nothing was done."))
        return usage.BAD_INPUT
    if (allowed := _memory_allowed()) < LEAST_MEMORY:
        pattern = N_("dupfinder needs {least} MB of memory, and the limit here is {allowed} MB. Nothing was done.")
        remark(say(pattern, least=LEAST_MEMORY >> 20, allowed=allowed >> 20))
        return usage.BAD_INPUT
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return _run(namespace)


def _run(namespace: argparse.Namespace) -> int:
    """Run a verb, print any error in one line, and return the exit code."""
    level = logging.DEBUG if namespace.debug else logging.INFO if namespace.verbose else logging.ERROR
    logging.basicConfig(level=level, format="%(name)s: %(message)s")
    if namespace.quiet and hasattr(namespace, "progress"):
        namespace.progress = "none"
    try:
        code: int = namespace.run(namespace)
        sys.stdout.flush()
        return code
    except (Stopped, KeyboardInterrupt):
        if namespace.verb in _REMOVING:
            remark(say("Stopped. `dupfinder history` tells what was done."))
        else:
            remark(say("Stopped. Everything read so far is kept."))
        return usage.STOPPED
    except BrokenPipeError:
        _discard_output()
        return usage.DONE
    except Exception as error:  # the program's boundary: people get a sentence, scripts an exit code
        if namespace.debug:
            raise
        try:
            return _exit_code_of(error, can_force=getattr(namespace, "force", None) is False)
        except MemoryError:
            return usage.BAD_INPUT


def _flush() -> None:
    """Flush standard output, whose reader may have ended."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()


def _discard_output() -> None:
    """Replace standard output by the null device, after its reader has ended."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _memory_allowed() -> int:
    """Return the bytes of address space that the system allows this process (`ulimit -v`)."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource  # exists only on Unix

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return sys.maxsize if allowed == resource.RLIM_INFINITY else allowed


def _open_streams() -> None:
    """Open the null device for closed standard streams, else the next opened file takes the place of one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # It gets the lowest free number, and keeps it in child processes too.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def _is_short_of_memory(error: Exception) -> bool:
    """Tell whether an error means a lack of memory, also when libraries do not load or threads do not start."""
    signs = ("cannot allocate memory", "failed to map", "can't start new thread")
    if isinstance(error, ImportError | RuntimeError):
        return any(sign in str(error).lower() for sign in signs)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _exit_code_of(error: Exception, *, can_force: bool) -> int:
    """Print an error in one line, and return its exit code. Unexpected errors are also logged."""
    if _is_short_of_memory(error):  # before importing the sentences, which needs memory
        remark(say("There is not enough memory to go on. What was read so far is kept; close other programs or raise "
                 "the limits, and start again."))  # fmt: skip
        return usage.BAD_INPUT
    from dupfinder.wording.errors import sentence, system_sentence

    if isinstance(error, DupfinderError):
        hint = say("With --force it gives way.") if can_force and isinstance(error, OccupiedError | NotALibrary) else ""
        remark(f"{sentence(error)} {hint}".rstrip())
        return _code(error)
    _record(error)
    if isinstance(error, OSError):
        remark(system_sentence(error))
        return usage.BAD_INPUT
    pattern = N_(
        "Something went wrong in dupfinder itself ({error}). Nothing more was done; run again with --debug for details."
    )
    remark(say(pattern, error=type(error).__name__))
    return 1


def _code(error: DupfinderError) -> int:
    if isinstance(error, LibraryLocked):
        return usage.IN_USE
    if isinstance(error, RootError):
        return usage.NO_ROOT
    if isinstance(error, PlanError) or (isinstance(error, JournalError) and error.batch):  # some steps were done
        return usage.REFUSED
    return usage.BAD_INPUT


def _record(error: Exception) -> None:
    from dupfinder.base.paths import log_file

    try:
        handler = logging.FileHandler(log_file(), encoding="utf-8", errors="backslashreplace")
    except OSError:
        return  # if the log cannot be written, the line on standard error must be enough
    logger = logging.getLogger(__name__)
    logger.addHandler(handler)
    logger.propagate = False
    logger.error("unexpected", exc_info=error)
    logger.removeHandler(handler)
    handler.close()


def _window() -> int:
    from importlib import import_module

    # By name: the command line must not import Qt unless the window is opened.
    code: int = import_module("dupfinder.gui").main([])
    return code


if __name__ == "__main__":
    sys.exit(main())
