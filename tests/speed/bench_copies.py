"""How long exact copies take among N files, beside rdfind, jdupes and fdupes where they are installed.

    make bench-copies [N=30000]

Makes N files of the sizes that photos and papers have (log-normal around 20 KB), a third of them copies of others, and
runs each program on them in turn. Of dupfinder three moments count: the first group, all groups, and the end of the
scan with its report; in a new library, and again when nothing changed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 5  # the median counts
MEDIAN_BYTES = 20_000
SUFFIXES = (".jpg", ".png", ".mp3", ".mp4")
MOST_TIMES = {"all groups": 3.0, "end": 3.0, "all groups, again": 1.5}  # of rdfind's time
MOST_SECONDS = {"first group": 2.0}
PEERS = {
    "rdfind": ("rdfind", "-n", "true", "-outputname", os.devnull),
    "jdupes": ("jdupes", "-r", "-q"),
    "fdupes": ("fdupes", "-r", "-q"),
}


def make(place: Path, count: int) -> None:
    """Write the files."""
    chance = random.Random(1)
    paths: list[Path] = []
    for number in range(count):
        folder = place / f"{number // 500:04}"
        if number % 500 == 0:
            folder.mkdir(parents=True)
        if paths and chance.random() < 0.35:
            original = chance.choice(paths)
            data, suffix = original.read_bytes(), original.suffix
        else:
            data = chance.randbytes(max(1, int(chance.lognormvariate(0, 1.2) * MEDIAN_BYTES)))
            suffix = chance.choice(SUFFIXES)
        paths.append(folder / f"{number:07}{suffix}")
        paths[-1].write_bytes(data)


def moments(place: Path, home: Path, suffix: str) -> dict[str, float]:
    """Seconds of a scan from its start to the first group, to all groups, and to its end."""
    command = [sys.executable, "-m", "dupfinder", "scan", str(place), "--all-files", "--progress", "json"]
    environment = {**os.environ, "DUPFINDER_HOME": str(home)}
    seconds: dict[str, float] = {}
    begun = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as scan:
        assert scan.stderr is not None
        for line in scan.stderr:
            if not line.startswith(b"{"):
                continue
            now, report = time.monotonic() - begun, json.loads(line)
            if report["stage"] == "hash" and report["identical"]["groups"]:
                seconds.setdefault(f"first group{suffix}", now)
                seconds[f"all groups{suffix}"] = now
    seconds[f"end{suffix}"] = time.monotonic() - begun
    return seconds


def peer_seconds(command: Sequence[str], place: Path) -> float:
    """Seconds of another program."""
    begun = time.monotonic()
    subprocess.run([*command, str(place)], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def main() -> int:
    """Print a table; 1 when a figure is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    peers = {name: command for name, command in PEERS.items() if shutil.which(name)}
    rounds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "files"
        make(place, count)
        for number in range(ROUNDS + 1):
            home = Path(folder) / f"home{number}"
            results = {name: peer_seconds(command, place) for name, command in peers.items()}
            results |= moments(place, home, "") | moments(place, home, ", again")
            for name, seconds in results.items() if number else ():  # the first round fills the system's cache
                rounds.setdefault(name, []).append(seconds)
    medians = {name: sorted(values)[len(values) // 2] for name, values in rounds.items()}
    print(f"{count:,} files, a third of them copies; medians of {ROUNDS} rounds")
    missed = False
    rdfind = medians.get("rdfind", 0.0)
    for name, median in medians.items():
        asked = MOST_SECONDS.get(name) or MOST_TIMES.get(name, 0.0) * rdfind
        missed |= bool(asked) and median > asked
        times = f"{median / rdfind:8.2f} times rdfind" if rdfind else ""
        print(f"{name:24}{median:8.2f} s{times}" + (f"   (asked for: {asked:.2f} s)" if asked else ""))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
