"""Whether reading keeps the processor busy: `python -m tests.speed.bench_busy FOLDER`.

Reads a folder as a scan does. Told are the seconds of the processor, what share of the clock's they are over all
reading processes, and how much longer reading took than with none of them ever idle. What other programs take, reading
cannot have: it is told beside, and counts as busy, so that the figure means something on a quiet machine alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.speed.bench_hostile import files_in, processor_seconds

LEAST_BUSY = 0.85
MOST_LONGER = 1.3  # times the processor's seconds over the number of processes


def main() -> int:
    """Measure and tell; 1 when the processor was idle too long."""
    # Each worker loads the module that started the program again: it is to find nothing heavy here.
    from psutil import cpu_times

    from dupfinder.base.settings import Settings
    from dupfinder.base.stamp import FileStamp
    from dupfinder.scan.readers import reading_limits, reading_sandbox, workers
    from dupfinder.scan.reading import ReadTask
    from dupfinder.scan.request import Root, ScanRequest

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=0)
    arguments = parser.parse_args()
    request = ScanRequest((Root(arguments.folder),), workers=arguments.workers)
    tasks = [ReadTask(FileStamp.of(path, path.stat()), request.scheme) for path in files_in(arguments.folder)]
    count = workers(request)
    began, used, machine = time.perf_counter(), processor_seconds(), cpu_times()
    with reading_sandbox(workers(request), reading_limits(Settings()), request.scheme.learned) as sandbox:
        done = sum(1 for _ in sandbox.run(tasks))
        passed, used = time.perf_counter() - began, processor_seconds() - used
    now = cpu_times()
    whole = (now.user + now.system + now.nice) - (machine.user + machine.system + machine.nice)
    others = max(0.0, whole - used)
    busy = min(1.0, (used + others) / (passed * count))
    longer = 1 / busy
    print(f"{done} files, {count} processes: {passed:.1f} s by the clock, {used:.1f} s of the processor")
    print(f"others took {others:.1f} s; busy {busy:.0%} of the time (at least {LEAST_BUSY:.0%})")
    print(f"{longer:.2f} times as long as with no process idle (at most {MOST_LONGER})")
    return int(busy < LEAST_BUSY or longer > MOST_LONGER)


if __name__ == "__main__":
    sys.exit(main())
