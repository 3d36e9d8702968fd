"""Landlock, Linux's sandbox for ordinary processes: what a process may open is said once, and only ever narrowed.

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
# Rights to files by the version of Landlock that brought them: what is handled is refused unless a rule allows it.
_FILE_RIGHTS: Final = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
_NETWORK_SINCE, _NETWORK = 4, 0b11  # to bind and to connect by TCP
_SCOPE_SINCE, _SCOPE = 6, 0b11  # to sockets without a name in the file system and signals, outside the cell


def version() -> int:
    """The version of Landlock that the kernel offers; 0 where it offers none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_system().syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), _ASK_VERSION)))


def restrict(readable: Iterable[str], executable: Iterable[str] = ()) -> bool:
    """Let this thread, and all it starts, open only these files and what lies below these folders, for reading; and
    start only programs among `executable`. Whether the kernel does. What does not exist is passed over.
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
    """Never gain privileges again by starting a program; whether the system agrees. Landlock and seccomp ask for it."""
    return sys.platform == "linux" and int(_system().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)) == 0


def _allow(rules: int, path: str, rights: int, of_folders: int) -> None:
    with suppress(OSError):  # not there, or not for this person
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if stat.S_ISDIR(os.fstat(place).st_mode):
                rights |= of_folders
            rule = struct.pack("=Qi", rights, place)
            _system().syscall(ctypes.c_long(_ADD), rules, _BENEATH, rule, 0)
        finally:
            os.close(place)


def _system() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
