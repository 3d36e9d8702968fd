"""Recognise workbooks and Word documents of dupfinder: by who created them and who saved them last."""

from __future__ import annotations

import re
import zipfile
import zlib
from typing import IO, Final

_PART: Final = "docProps/core.xml"
_MOST_BYTES: Final = 65_536  # of the part; in our files it has less than a thousand
_CREATED: Final = re.compile(rb"<dc:creator>dupfinder ")
_SAVED: Final = re.compile(rb"<cp:lastModifiedBy>dupfinder ")  # an office program replaces this by the person's name


def is_ours(file: IO[bytes]) -> bool:
    """Tell whether an office file was written by dupfinder and not saved by another program since."""
    try:
        with zipfile.ZipFile(file) as package, package.open(_PART) as part:
            properties = part.read(_MOST_BYTES)
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
        return False
    return bool(_CREATED.search(properties) and _SAVED.search(properties))
