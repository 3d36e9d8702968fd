"""The oldest allowed version of every dependency of the program, one a line: `python -m tests.lowest`.

`make test-lowest` runs the tests on exactly these; packaging/constraints.txt holds the newest that were tried.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
_FLOOR = re.compile(r"([\w.-]+)>=([\w.]+)")


def floors(requirements: list[str]) -> list[str]:
    """Requirements "name>=version" as "name==version". Raises ValueError for one without a floor."""
    pins = []
    for requirement in requirements:
        floor = _FLOOR.match(requirement)
        if floor is None:
            raise ValueError(f"no oldest version is named: {requirement}")
        pins.append(f"{floor[1]}=={floor[2]}")
    return pins


def main() -> int:
    """Print the floors of what the program needs."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    sys.stdout.writelines(f"{line}\n" for line in floors(project["dependencies"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
