"""Each own reader and parser under a coverage-guided fuzzer for a while, where one is installed; in the slow set."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.text.fuzzing import NAMES, readings

ROOT = Path(__file__).parents[2]
SECONDS = int(os.environ.get("DUPFINDER_FUZZ_SECONDS", "20"))  # for each reader
LIMITS = ("-rss_limit_mb=2048", "-timeout=15", "-max_len=20000", "-verbosity=0")


def test_every_reader_has_its_name_and_its_seeds() -> None:
    named = readings()
    assert sorted(named) == sorted(NAMES), "_NAMES and the rows of `readings` in tests/text/fuzzing.py are the same"
    for reading, seeds in named.values():
        for seed in seeds:
            reading(seed)


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 120)
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed: it has wheels for Linux alone")
@pytest.mark.parametrize("name", NAMES)
def test_a_reader_gives_text_or_a_reason_whatever_the_fuzzer_finds(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.text.fuzzing", name, f"-max_total_time={SECONDS}", *LIMITS]
    corpus = tmp_path / "inputs"
    corpus.mkdir()
    ended = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/", str(corpus)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
