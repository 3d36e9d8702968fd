"""Windows job objects for reading processes: they end with the program, start no other and hold limited memory.

Source: learn.microsoft.com, JOBOBJECT_EXTENDED_LIMIT_INFORMATION. Does nothing on other systems.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

_EXTENDED_LIMITS, _USER_INTERFACE = 9, 4  # classes of information
_ONE_PROCESS, _PROCESS_MEMORY, _NO_ERROR_BOX, _END_WITH_THE_PROGRAM = 0x8, 0x100, 0x400, 0x2000
# No handles of other programs, no clipboard, no change of the system's settings or display, no shutdown.
_ALL_RESTRICTIONS: Final = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class JobObject:
    """A job for one reading process. memory_bytes: its limit. programs: whether it may start other processes.

    Does nothing on other systems, nor when Windows refuses to create the job.
    """

    def __init__(self, memory_bytes: int, *, programs: bool) -> None:
        self._handle: int | None = None
        if sys.platform == "win32":
            self._make(memory_bytes, programs)

    def take_in(self, process: int) -> None:
        """Add a process to the job. process: its handle."""
        if self._handle is not None:
            _kernel().AssignProcessToJobObject(ctypes.c_void_p(self._handle), ctypes.c_void_p(process))

    def close(self) -> None:
        """End the processes that are still in the job."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _kernel().CloseHandle(ctypes.c_void_p(handle))

    def _make(self, memory_bytes: int, programs: bool) -> None:
        """Create the job and set its limits."""
        kernel = _kernel()
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._handle = kernel.CreateJobObjectW(None, None)
        if self._handle is None:
            return
        limits = _ExtendedLimits()
        limits.basic.flags = _PROCESS_MEMORY | _NO_ERROR_BOX | _END_WITH_THE_PROGRAM | (0 if programs else _ONE_PROCESS)
        limits.basic.processes = 1
        limits.process_memory = memory_bytes
        self._set(kernel, _EXTENDED_LIMITS, limits)
        self._set(kernel, _USER_INTERFACE, ctypes.c_uint32(_ALL_RESTRICTIONS))

    def _set(self, kernel: Any, kind: int, value: Any) -> None:
        """Set one class of information of the job."""
        size = ctypes.sizeof(value)
        kernel.SetInformationJobObject(ctypes.c_void_p(self._handle), kind, ctypes.byref(value), size)


def _kernel() -> Any:
    """Return the system's library with the calls for job objects."""
    return ctypes.CDLL("kernel32")
