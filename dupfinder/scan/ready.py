"""What every reading process needs, loaded by importing this: once, by the process that they are copied from."""

from contextlib import suppress

from dupfinder.fingerprint.scheme import Scheme
from dupfinder.processes.worker import Answers
from dupfinder.scan.reading import fingerprinter, read_one
from dupfinder.text.normalise import normalise

Answers(read_one)  # how its answers cross is worked out once

with suppress(OSError, ValueError):  # what is missing is told by whoever needs it
    fingerprinter(Scheme()).print_of(normalise("Été, déjà: what is read first loads its tables. 中文也是。"))
