"""The mark of our workbooks and Word documents: who made them and who saved them last."""

from __future__ import annotations

import re
import zipfile
import zlib
from typing import IO, Final

_PART: Final = "docProps/core.xml"
_MOST_BYTES: Final = 65_536  # of the part; ours is below one thousand
_MADE: Final = re.compile(rb"<dc:creator>dupfinder ")
_SAVED: Final = re.compile(rb"<cp:lastModifiedBy>dupfinder ")  # an office program puts the person's name here


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether a packed office file was written by dupfinder and not saved by a person since."""
    try:
        with zipfile.ZipFile(file) as package, package.open(_PART) as part:
            properties = part.read(_MOST_BYTES)
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
        return False
    return bool(_MADE.search(properties) and _SAVED.search(properties))
