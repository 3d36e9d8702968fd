"""The tests of a package, run once: which lines each of them runs, and how many seconds it takes.

`python -m tests.quality.learning FILE TESTS MODULE ...` runs the tests of a folder, writes to FILE what they showed
about the modules, and ends as pytest does. For tests/quality/mutants.py, which starts it in a copy of the project.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pytest


@dataclass
class _Watch:
    """A plugin of pytest that names the running test to coverage and times it."""

    traced: coverage.Coverage
    seconds: dict[str, float] = field(default_factory=dict)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.traced.switch_context(item.nodeid)
        started = time.perf_counter()
        result = yield
        self.seconds[item.nodeid] = time.perf_counter() - started
        return result


def main() -> int:
    """Run the tests and write what they showed."""
    target, tests, *modules = sys.argv[1:]
    traced = coverage.Coverage(data_file=None, config_file=False, include=modules)
    watch = _Watch(traced)
    traced.start()
    code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", tests], plugins=[watch])
    traced.stop()
    data = traced.get_data()
    runners = {
        module: {
            line: [test for test in names if test]
            for line, names in data.contexts_by_lineno(str(Path(module).resolve())).items()
        }
        for module in modules
    }
    Path(target).write_bytes(pickle.dumps((watch.seconds, runners)))
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
