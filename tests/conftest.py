"""What every test has: folders of its own for the program's things, so that no test meets a person's."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dupfinder.wording import catalogue

# The same code gets the same examples: what a change breaks is then told from what was never tried before.
# Nor does a verdict depend on how much else the machine does. Tests that set a number take long for an example.
settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("same"), derandomize=False, max_examples=400)
settings.load_profile("same")
os.umask(0o022)  # what a test makes has the usual rights, whatever mask the person who runs it has chosen


def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each processor: a third of the time a test waits, for processes or disks, and another goes on."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The program's data folder and the trash of this test alone, also after it undid its own changes."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DUPFINDER_HOME", str(folder / "dupfinder"))
        environment.setenv("XDG_DATA_HOME", str(folder / "share"))
        yield folder


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: bringing hundreds of journals to a disk takes long."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path, prefix="dupfinder-test-") as folder:
        yield Path(folder)


@pytest.fixture
def umask() -> Iterator[None]:
    """The most permissive mask, so that a mode is the program's own doing."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """English, whatever this machine speaks, also in the processes that a test starts."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "DUPFINDER_LANGUAGE"):
            environment.delenv(name, raising=False)
        environment.setenv("LC_ALL", "C.UTF-8")
        catalogue.use(catalogue.ENGLISH)
        yield
    catalogue.use(catalogue.ENGLISH)
