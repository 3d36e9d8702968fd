"""What the acts of `index` have in common: their options, designs by name, files with paths."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.progress import MODES, Printer

if TYPE_CHECKING:
    from dupfinder.index.design import TableDesign


def radius_of(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 16:
        raise argparse.ArgumentTypeError(f"the radius is a whole number from 0 to 16, not {text!r}")
    return int(text)


def count_of(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number above 0 is wanted, not {text!r}")
    return int(text)


def count_of_many(text: str) -> int:
    """A number of fingerprints as people write large ones: 8e9, 2^34, 10000000."""
    base, power, exponent = text.partition("^")
    try:
        number = int(base) ** int(exponent) if power and len(base + exponent) < 6 else int(float(text))
    except (ValueError, OverflowError):
        number = 0
    if not 1 <= number <= 1 << 60:
        raise argparse.ArgumentTypeError(f"a number of fingerprints is wanted, as in 8e9 or 2^34, not {text!r}")
    return number


def add_common(act: argparse.ArgumentParser, default: int | None = 3) -> None:
    act.add_argument("--radius", type=radius_of, default=default, metavar="K", help="bits that may differ, 0 to 16")
    act.add_argument("--progress", choices=MODES, default="auto", help="how progress is told on standard error")


def add_paths(act: argparse.ArgumentParser) -> None:
    """Declare `--paths`."""
    act.add_argument("--paths", action="store_true", help="paths in place of row numbers, of files that hold them")


def printer_of(arguments: Namespace) -> Printer:
    """The printer that --progress and -v choose."""
    return Printer.of(arguments.progress, verbose=arguments.verbose)


def design_of(name: str | None, bits: int, radius: int) -> TableDesign | None:
    """A design by its name; None for no name. UsageError."""
    from dupfinder.index.design import named

    try:
        return None if name is None else named(name, bits, radius)
    except ValueError as error:
        raise UsageError(f"--design: {error}") from error


def paths_of(file: Path, paths: Sequence[str] | None) -> Sequence[str]:
    """The paths of a file of fingerprints. UsageError where it holds none."""
    if paths is None:
        raise UsageError(f"{shown(file)} holds no paths: --paths needs a .npz or .tsv file that does.")
    return paths
