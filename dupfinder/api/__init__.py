"""The interface for programs: documents, fingerprints, sketches, indexes, comparisons, scans and libraries.

    import dupfinder.api as dupfinder

    left, right = (dupfinder.read(path) for path in ("offer.docx", "offer.pdf"))
    print(dupfinder.compare(left, right).relation)

Every name in `__all__` is part of the interface and keeps its meaning within one major number of `VERSION`; a new
minor number only adds names and arguments. Everything else in the package may change at any time.

Texts need no preparation: each function that takes a text normalises it; normalising it first changes nothing.
Fingerprints and sketches know how they were made, and those made in different ways are not compared; texts without
words to compare raise TooShort. Wrong arguments raise TypeError or ValueError with a sentence. A job that fails raises
a DupfinderError; `sentence` describes it in words.

Never imports Qt or opens a network connection. Writes only to the paths that it is given and, for `scan` and
`open_library`, to the program's data folder.
"""

from typing import Final

from dupfinder.api.disk import DiskIndex, open_index, write_index
from dupfinder.api.documents import Document, NotRead, normalise, read, read_many
from dupfinder.api.errors import MixedSchemes, TooShort, sentence
from dupfinder.api.fingerprints import (
    Comparison,
    Fingerprint,
    Fingerprints,
    Sketch,
    compare,
    containment,
    distance,
    fingerprint,
    fingerprint_many,
    is_candidate,
    learn,
    resemblance,
    simhash,
    sketch,
)
from dupfinder.api.indexes import Index, KeyPair, Match, SketchIndex, SketchMatch, SketchPair
from dupfinder.api.libraries import Library, Scan, open_library, scan
from dupfinder.api.searching import Tables, batch, find, join, plan_join, plan_query
from dupfinder.base.errors import DupfinderError
from dupfinder.engine.planning import Capacity, plan_capacity
from dupfinder.fingerprint.scheme import Scheme

VERSION: Final = (1, 0)

__all__ = [
    "VERSION",
    "Capacity",
    "Comparison",
    "DiskIndex",
    "Document",
    "DupfinderError",
    "Fingerprint",
    "Fingerprints",
    "Index",
    "KeyPair",
    "Library",
    "Match",
    "MixedSchemes",
    "NotRead",
    "Scan",
    "Scheme",
    "Sketch",
    "SketchIndex",
    "SketchMatch",
    "SketchPair",
    "Tables",
    "TooShort",
    "batch",
    "compare",
    "containment",
    "distance",
    "find",
    "fingerprint",
    "fingerprint_many",
    "is_candidate",
    "join",
    "learn",
    "normalise",
    "open_index",
    "open_library",
    "plan_capacity",
    "plan_join",
    "plan_query",
    "read",
    "read_many",
    "resemblance",
    "scan",
    "sentence",
    "simhash",
    "sketch",
    "write_index",
]
