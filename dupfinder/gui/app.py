"""The way in to the window."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def open_window(folder: Path | None = None) -> int:
    """Open the window, on a folder if one is named; the exit code. A second start raises the first window."""
    # Every reading process loads the module that started the program again: here, and so without the toolkit.
    from dupfinder.gui.shell.starting import run

    return run(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `dupfinder-gui [FOLDER]`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return open_window(Path(arguments[0]) if arguments else None)


if __name__ == "__main__":
    sys.exit(main())
