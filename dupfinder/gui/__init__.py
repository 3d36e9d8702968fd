"""The window, and how it is opened. It shows a ReviewSession and passes decisions to it; jobs do long work."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dupfinder.wording import catalogue
from dupfinder.wording.catalogue import N_, say

_SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")  # any of them names one to Qt
_NO_SCREEN: Final = N_("There is no screen for the window here. `dupfinder --help` tells what can be done without it.")
_NO_OPTIONS: Final = N_("dupfinder-gui takes folders, and no options. `dupfinder --help` shows the command line.")


def open_window(folders: Sequence[Path] = ()) -> int:
    """Open the window, with folders to scan if given; return the exit code. A second start raises the first window."""
    # Reading processes import the main module of the program, and with it this one, which must not import Qt.
    from dupfinder.gui.shell.starting import run

    return run(folders)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `dupfinder-gui [FOLDER...]`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0].startswith("-"):
        return _refuse(_NO_OPTIONS)
    if sys.platform not in ("win32", "darwin") and not any(map(os.environ.get, _SCREENS)):
        return _refuse(_NO_SCREEN)  # Qt would end the process with a dump
    return open_window([Path(argument) for argument in arguments])


def _refuse(reason: str) -> int:
    """Tell why no window opens, in the person's language; return the exit code of bad input."""
    catalogue.use(catalogue.chosen(os.environ) or catalogue.of_system(os.environ))
    if sys.stderr is not None:  # None without a console on Windows
        sys.stderr.write(f"{say(reason)}\n")
    return 2
