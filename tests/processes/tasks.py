"""Work for sandboxes under test: what good, slow, greedy and deadly tasks do in a worker."""

from __future__ import annotations

import ctypes
import os
import time
from functools import cache
from importlib import import_module
from pathlib import Path

from dupfinder.processes.descriptors import open_handed
from dupfinder.processes.worker import Failure
from dupfinder.text.document import Attempt, ReadResult
from dupfinder.text.extract import extract


def work_on(task: str) -> str:
    """Do as the task says: "say x", "sleep seconds", "raise", "leave", "pid", or one of the burdens."""
    verb, _, rest = task.partition(" ")
    match verb:
        case "sleep":
            time.sleep(float(rest))
        case "leave":
            os._exit(3)
        case "raise":
            raise ValueError("secret words of a document")
        case "import":
            import_module(rest)
        case "pid":
            return str(os.getpid())
        case "environment":
            return os.environ.get(rest, "")
        case "large":
            return "x" * int(rest)
    return _burden(verb, rest) or rest


def _burden(verb: str, rest: str) -> str:
    """What wears a worker: "toil seconds", "hoard megabytes", "grow", "spin", "swell", "die", "lock seconds"...

    "prepare seconds" toils when the worker does it for the first time, and returns the worker's number.
    """
    match verb:
        case "prepare":
            return _prepared(float(rest.split()[0]))
        case "toil":
            _toil(float(rest.split()[0]))
        case "hoard":
            hoarded = b"x" * (int(rest.split()[0]) << 20)
            _toil(0.5)
            return str(len(hoarded))
        case "grow":
            pieces: list[bytes] = []
            while True:  # up to 800 MB in some seconds, and held until someone looks
                pieces.extend([b"x" * (1 << 24)] if len(pieces) < 50 else [])
                time.sleep(0.05)
        case "spin":
            while True:
                pass
        case "swell":
            hoard = [bytes(1 << 26) for _ in range(1 << 10)]
            return str(len(hoard))
        case "die":
            ctypes.string_at(0)
        case "lock":
            ctypes.PyDLL(None).sleep(int(rest))  # holds the interpreter's lock: no Python code runs meanwhile
    return ""


def begun(task: str) -> str:
    """The first step of work_on: all but what "fall" and "stumble" do in the second."""
    return task if task in ("fall", "stumble") else work_on(task)


def finished(begun: list[str]) -> list[str]:
    """The second step of work_on, for several tasks at once."""
    if "fall" in begun:
        ctypes.string_at(0)
    if "stumble" in begun:
        raise ValueError("secret words of a document")
    return [f"{value}!" for value in begun]


@cache
def _prepared(seconds: float) -> str:
    """Toil once in each worker."""
    _toil(seconds)
    return str(os.getpid())


def _toil(seconds: float) -> None:
    """Keep the processor busy for so long."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def gentler(task: str, failure: Failure) -> str | None:
    """What to try after a failure: only "die", "swell" and "spin" have another way."""
    verb, _, rest = task.partition(" ")
    return f"say {rest} {failure.value}" if verb in ("die", "swell", "spin") and rest else None


def read(task: tuple[Path, Attempt]) -> tuple[ReadResult, int]:
    """Read a document in one of the ways; with the most memory this worker held, in bytes."""
    import resource  # Unix alone has it

    path, attempt = task
    with open(open_handed(path), "rb") as stream:
        extraction = extract(stream.read(), path, attempt=attempt)
    return extraction, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_otherwise(task: tuple[Path, Attempt], failure: Failure) -> tuple[Path, Attempt] | None:
    """The same document as a scan would try it again."""
    return (task[0], Attempt.PLAINEST if failure is Failure.TOO_SLOW else Attempt.SECOND)


def files_of(task: tuple[Path, Attempt]) -> tuple[Path]:
    """The document itself."""
    return (task[0],)


def size_of(task: tuple[Path, Attempt]) -> int:
    """Bytes of a document."""
    return task[0].stat().st_size


def weigh(task: str) -> int:
    """Bytes to read for a task."""
    return len(task)
