"""Load what every reading process needs, when this module is imported: once, in the server process."""

from contextlib import suppress

from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.worker import Answers
from dupfinder.scan.reading import read_one
from dupfinder.text.normalise import normalise

Answers(read_one)  # the codec of its answers is built once

with suppress(OSError, ValueError):  # a missing file is reported when it is needed
    fingerprinter(Scheme()).print_of(normalise("Été, déjà: what is read first loads its tables. 中文也是。"))
