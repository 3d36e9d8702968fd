"""What importing the program does to the process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_SHOW = "import os, dupfinder, numpy; print(os.environ.get('NPY_DISABLE_CPU_FEATURES'))"


@pytest.mark.parametrize("wished", ["", "AVX512_ICL"])
def test_numpy_is_imported_without_a_warning_and_what_the_user_disabled_stays(wished: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NPY_DISABLE_CPU_FEATURES"}
    environment |= {"NPY_DISABLE_CPU_FEATURES": wished} if wished else {}
    run = subprocess.run([sys.executable, "-c", _SHOW], env=environment, check=True, capture_output=True, text=True)
    assert not run.stderr
    assert not wished or run.stdout.strip() == wished
