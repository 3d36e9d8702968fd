"""Landlock, the Linux sandbox that an unprivileged process puts itself into: what it may open can only be narrowed.

Source: linux/Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, the same on all machines
_ASK_VERSION, _BENEATH = 1, 1
_NO_NEW_PRIVILEGES: Final = 38  # of prctl(2)

_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
# Rights to files, by the version of Landlock that added them. A right named in a rule set is refused unless allowed.
_FILE_RIGHTS: Final = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
_NETWORK_SINCE, _NETWORK = 4, 0b11  # to bind and to connect by TCP
_SCOPE_SINCE, _SCOPE = 6, 0b11  # abstract sockets and signals to processes outside the cell


def version() -> int:
    """Return the version of Landlock that the kernel offers, 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_system().syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), _ASK_VERSION)))


def restrict(readable: Iterable[str], executable: Iterable[str] = ()) -> bool:
    """Restrict this thread, and all that it starts, to opening these files and folders, for reading only.

    readable: files, and folders with all they contain; those that do not exist are ignored.
    executable: the same for programs that it may start.
    Returns whether the kernel applied it.
    """
    known = version()
    if not known:
        return False
    rights = sum(bits for since, bits in _FILE_RIGHTS if since <= known)
    network = _NETWORK if known >= _NETWORK_SINCE else 0
    scope = _SCOPE if known >= _SCOPE_SINCE else 0
    asked = struct.pack("=QQQ", rights, network, scope)[: 8 * (1 + bool(network) + bool(scope))]
    rules = int(_system().syscall(ctypes.c_long(_CREATE), asked, ctypes.c_size_t(len(asked)), 0))
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE, _READ_FOLDER)
        for path in executable:
            _allow(rules, path, _READ_FILE | _EXECUTE, _READ_FOLDER)
        return int(_system().syscall(ctypes.c_long(_RESTRICT), rules, 0)) == 0
    finally:
        os.close(rules)


def give_up_privileges() -> bool:
    """Tell the kernel never to grant new privileges, as Landlock and seccomp require. Returns success."""
    return sys.platform == "linux" and int(_system().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)) == 0


def _allow(rules: int, path: str, rights: int, of_folders: int) -> None:
    """Add a rule that allows `rights` to a file, or also `of_folders` if it is a folder. A missing file is ignored."""
    with suppress(OSError):  # missing, or not permitted
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights |= of_folders
            rule = struct.pack("=Qi", rights, descriptor)
            _system().syscall(ctypes.c_long(_ADD), rules, _BENEATH, rule, 0)
        finally:
            os.close(descriptor)


def _system() -> ctypes.CDLL:
    """Return the C library, for system calls."""
    return ctypes.CDLL(None, use_errno=True)
