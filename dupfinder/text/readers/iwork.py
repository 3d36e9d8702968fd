"""Read documents of Pages, Numbers and Keynote, if they contain a PDF preview.

Apple has not published the formats of the documents themselves.
"""

from __future__ import annotations

from dataclasses import replace

from dupfinder.base.details import Clause
from dupfinder.base.problems import ProblemKind
from dupfinder.text.document import Extracted, MediaType, Unreadable, all_unknown
from dupfinder.text.pdf.reader import read_pdf
from dupfinder.text.readers.package import opened

_PREVIEW = "QuickLook/Preview.pdf"


def read_iwork(data: bytes) -> Extracted:
    """Return the text of the preview. Raises Unreadable if the preview is missing or a picture."""
    with opened(data) as package:
        if not package.has(_PREVIEW):
            raise Unreadable(ProblemKind.UNSUPPORTED, Clause.NO_PREVIEW, final=True)
        preview = read_pdf(package.read(_PREVIEW))
    return replace(preview, media_type=MediaType.IWORK, other=all_unknown(MediaType.IWORK))
