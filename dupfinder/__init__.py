"""dupfinder finds near-duplicate documents. Start reading at README.md, "The map of the code"."""

from typing import Final

__version__: Final = "0.1.0"
