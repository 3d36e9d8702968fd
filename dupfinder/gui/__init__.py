"""The window, and how it is opened. It shows a ReviewSession and passes decisions to it; jobs do long work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def open_window(folder: Path | None = None) -> int:
    """Open the window, on a folder if given; return the exit code. A second start raises the first window."""
    # Reading processes import the main module of the program, and with it this one, which must not import Qt.
    from dupfinder.gui.shell.starting import run

    return run(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `dupfinder-gui [FOLDER]`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return open_window(Path(arguments[0]) if arguments else None)
