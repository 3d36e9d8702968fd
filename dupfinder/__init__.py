"""dupfinder finds near-duplicate documents. Start reading at resources/manual/house.md."""

from typing import Final

__version__: Final = "0.1.0"
