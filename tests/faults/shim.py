"""The preloaded library `shim.c`: built with the C compiler of the machine, and spoken to from the program it is in."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

GO_ON, KILL, HALF = 0, -1, -2  # answers; any positive one is the number of an error
SOURCE = Path(__file__).with_name("shim.c")

Asked = Callable[[str, str, bool], int]
"""Gets the name of a call, the path it is about, and whether it changes anything; returns an answer."""

_ASKED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int)
_held: list[object] = []  # what C calls must not be collected


def compiler() -> str | None:
    """The C compiler, where the shim can be built: on Linux."""
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None) if sys.platform == "linux" else None


def build(folder: Path) -> Path:
    """Build the shim in `folder`."""
    program = compiler()
    assert program is not None
    target = folder / "faults.so"
    command = [program, "-shared", "-fPIC", "-O1", "-D_FORTIFY_SOURCE=0", "-o", str(target), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return target


def arm(folders: tuple[Path, Path], asked: Asked) -> None:
    """From now on `asked` is asked before each call of this process below the two folders."""

    def ask(call: bytes, path: bytes, changes: int) -> int:
        return asked(call.decode("ascii"), os.fsdecode(path), bool(changes))

    function = _ASKED(ask)
    _held[:] = [function]
    shim = ctypes.CDLL(None)
    shim.faults_arm.argtypes = (ctypes.c_char_p, ctypes.c_char_p, _ASKED)
    shim.faults_arm(os.fsencode(folders[0]), os.fsencode(folders[1]), function)
