"""The installed program, run as a person would, with folders of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.report.schema import read_report

SCRIPT = Path(sys.executable).with_name("dupfinder")


@dataclass(frozen=True)
class Ran:
    """What a run said and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """The program with a home of its own below `home`."""

    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """The variables it runs under."""
        return {
            **os.environ,
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home / "share"),
            "DUPFINDER_HOME": str(self.home / "dupfinder"),
            "PYTHONWARNINGS": "error::ResourceWarning",
        }

    def command(self, *arguments: str | Path) -> list[str]:
        """Its command line."""
        return [str(SCRIPT), *map(str, arguments)]

    def run(self, *arguments: str | Path, given: str | bytes = b"") -> Ran:
        """Run it to its end."""
        data = given.encode() if isinstance(given, str) else given
        ran = subprocess.run(
            self.command(*arguments), input=data, capture_output=True, env=self.environment, check=False
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Start it, with pipes to read from."""
        return subprocess.Popen(
            self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment
        )


# Loaded before everything else in the program: it halts when it has told that so much of a stage is done.
_HALT = """
import json, os, signal, sys
class Halting:
    def __init__(self, stream):
        self._stream, self._due = stream, False
    def __getattr__(self, name):
        return getattr(self._stream, name)
    def write(self, text):
        self._stream.write(text)
        self._stream.flush()
        stage, done = os.environ["HALT_AT"].split(":")
        if text.startswith("{"):
            progress = json.loads(text)
            left = (progress["total"] or 0) - progress["done"]
            enough = progress["done"] >= int(done) if int(done) >= 0 else left <= -int(done)
            self._due = progress["stage"] == stage and enough
        elif self._due and text == "\\n":
            sys.stderr = self._stream
            os.kill(os.getpid(), signal.SIGSTOP)
sys.stderr = Halting(sys.stderr)
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores interrupts
"""


def start_halting(program: Program, stage: str, done: int, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start the program and wait until it halts itself (POSIX), when it first reports this much of a stage as done.

    Then end it by a signal, or let it go on by SIGCONT. done: -10 means that 10 files at most are left.
    A scan that goes on after another reads only what that one had not stored yet, so only the number left is certain.
    """
    hook = program.home / "hook"
    hook.mkdir(parents=True, exist_ok=True)
    (hook / "sitecustomize.py").write_text(_HALT)
    places = os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")])
    environment = {**program.environment, "PYTHONPATH": places, "HALT_AT": f"{stage}:{done}"}
    command = program.command(*arguments, "--progress", "json")
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), "the program ended before it came there"
    return child


def accounted(report: Path) -> dict[str, Any]:
    """A JSON report that is as the schema says, and whose numbers agree with its rows."""
    contents = read_report(report)
    summary, files = contents["summary"], contents["files"]
    assert summary["offered"] == len(files) == summary["read"] + summary["problems"] + summary["skipped"]
    assert len({file["path_base64"] for file in files}) == len(files)
    assert summary["read"] == sum(file["status"] == "read" for file in files)
    assert all(file["status"] == "read" or file["reason"].endswith(".") for file in files)
    members = [member["path"] for cluster in contents["clusters"] for member in cluster["members"]]
    assert len(members) == len(set(members)) == summary["documents_in_clusters"]
    assert summary["clusters"] == len(contents["clusters"])
    assert all(cluster["keeper"] == cluster["members"][0]["path"] for cluster in contents["clusters"])
    return contents


def without_times(report: Path) -> str:
    """A report's text without what differs from run to run: moments, durations and what was known before."""
    contents = json.loads(report.read_text(encoding="utf-8"))
    for name in ("started", "seconds"):
        del contents["scan"][name]
    del contents["summary"]["reused"]
    for file in contents["files"]:
        del file["seconds"]
    return json.dumps(contents)
