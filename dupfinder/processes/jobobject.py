"""A job object of Windows: reading processes in it end with the program, start nothing and hold no more memory than
they may.

Source: learn.microsoft.com, JOBOBJECT_EXTENDED_LIMIT_INFORMATION. Nothing here runs on another system.
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
    _fields_ = (
        ("basic", _BasicLimits),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class JobObject:
    """One job for one reading process. memory_bytes: that it may hold. programs: whether it may start other processes.

    Does nothing on other systems, and nothing where Windows refuses.
    """

    def __init__(self, memory_bytes: int, *, programs: bool) -> None:
        self._handle: int | None = None
        if sys.platform == "win32":
            self._make(memory_bytes, programs)

    def take_in(self, process: int) -> None:
        """Put a process into the job, by its handle."""
        if self._handle is not None:
            _kernel().AssignProcessToJobObject(ctypes.c_void_p(self._handle), ctypes.c_void_p(process))

    def close(self) -> None:
        """End what is still in the job."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _kernel().CloseHandle(ctypes.c_void_p(handle))

    def _make(self, memory_bytes: int, programs: bool) -> None:
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
        size = ctypes.sizeof(value)
        kernel.SetInformationJobObject(ctypes.c_void_p(self._handle), kind, ctypes.byref(value), size)


def _kernel() -> Any:
    return ctypes.CDLL("kernel32")
