"""dupfinder finds near-duplicate documents. Start reading at resources/manual/house.md."""

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

__version__: Final = "0.1.0"


def _sort_fast_on_zen_4() -> None:
    """Let numpy sort by AVX2 on AMD's Zen 4, where AVX-512 makes sorting take four times as long.

    numpy reads the variable when it is imported, and child processes inherit it. On Linux alone: what numpy publishes
    for Windows sorts without AVX-512, and warns of an order to do so.
    """
    processor = ""
    with suppress(OSError), Path("/proc/cpuinfo").open() as file:
        processor = file.read(1000)
    model = re.search(r"family\W+25\W+model\W+(\d+)", processor, re.IGNORECASE)
    if model is not None and int(model[1]) & ~0xF in (0x10, 0x60, 0x70, 0xA0):  # Zen 4 has sixteen models from each
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL")


if sys.platform == "linux":
    _sort_fast_on_zen_4()
