"""Load what every reading process needs, when this module is imported: once, in the server process."""

from contextlib import suppress
from pathlib import Path

from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.worker import Answers
from dupfinder.scan.reading import read_one
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

Answers(read_one)  # the codec of its answers is built once

with suppress(OSError, ValueError):  # a missing file is reported when it is needed
    # What is read first loads its tables.
    if first := extract("Été, déjà. 中文也是。".encode(), Path("first.txt")).extracted:
        fingerprinter(Scheme()).print_of(normalise(first.text))
