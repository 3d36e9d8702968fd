"""Start child processes without running the caller's script in them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType

_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def without_script() -> Iterator[None]:
    """Hide the caller's script (`__main__`) while a process is started.

    Python runs the main script again, as `__mp_main__`, in each process that it spawns. A script without
    `if __name__ == "__main__"` would start itself again and again. Our processes need only our own modules.
    """
    with _ONE_AT_A_TIME:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


class _Process(SpawnProcess):
    """A process that is started without the caller's script."""

    def start(self) -> None:
        """Start the process."""
        with without_script():
            super().start()


class ApartContext(SpawnContext):
    """A "spawn" context of multiprocessing, for pools, without the caller's script. Work: a function of a module."""

    Process = _Process
