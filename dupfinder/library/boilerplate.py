"""Boilerplate in the library: the passages that were learned, which of them are left out, and where they stand."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.fingerprint.shingles import distinct
from dupfinder.library import store
from dupfinder.library.columns import pack, unpack

_KEPT_READINGS = 5000  # what was found in witnesses and may be asked for again


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that stands in many files.

    key:      names it, by its words alone. text: its beginning, as one of the files has it.
    shingles: uint64 (x,), ascending: what is left out of a comparison.
    """

    key: str
    text: str
    shingles: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a passage stands in one scan. files: with copies; groups: of documents that are no versions of one
    another; used: it was left out; examples: numbers of some of the documents."""

    passage: Passage
    files: int
    groups: int
    used: bool
    enabled: bool
    examples: tuple[int, ...]


class Boilerplate:
    """What the library knows of boilerplate. Belongs to the connection's thread, as the library does."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def readings(self, keys: Sequence[str]) -> dict[str, list[Passage]]:
        """What was found in witnesses before, by the key of the question."""
        found = {}
        with store.reading(self._path):
            for key in keys:
                row = self._connection.execute("SELECT found FROM boilerplate_reading WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = [Passage(name, text, unpack(bytes.fromhex(data)))
                                  for name, text, data in json.loads(row[0])]  # fmt: skip
        return found

    def keep_readings(self, found: dict[str, list[Passage]]) -> None:
        """Remember what was found in witnesses, so that nobody reads them again. DiskFullError."""
        rows = (
            (key, json.dumps([[one.key, one.text, pack(one.shingles).hex()] for one in passages]))
            for key, passages in found.items()
        )
        with store.faults(self._path), store.Transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO boilerplate_reading VALUES (?,?)", rows)
            self._connection.execute(
                "DELETE FROM boilerplate_reading WHERE rowid <="
                " (SELECT coalesce(max(rowid), 0) FROM boilerplate_reading) - ?",
                (_KEPT_READINGS,),
            )

    def switched_off(self) -> list[Passage]:
        """The passages that the person wants compared like any other text."""
        with store.reading(self._path):
            rows = self._connection.execute(
                "SELECT key, text, shingles FROM boilerplate WHERE enabled = 0 ORDER BY key"
            )
            return [Passage(key, text, unpack(data)) for key, text, data in rows]

    def keep(self, scan: int, standings: Iterable[Standing]) -> None:
        """Store where the passages of a scan stand, in their order; what no scan knows any more and is not switched off
        is forgotten. DiskFullError."""
        with store.faults(self._path), store.Transaction(self._connection):
            self._connection.execute("DELETE FROM scan_boilerplate WHERE scan = ?", (scan,))
            for number, one in enumerate(standings):
                passage = one.passage
                self._connection.execute(
                    "INSERT OR IGNORE INTO boilerplate VALUES (?,?,?,?)",
                    (passage.key, passage.text, pack(passage.shingles), one.enabled),
                )
                self._connection.execute(
                    "INSERT INTO scan_boilerplate VALUES (?,?,?,?,?,?,?)",
                    (scan, number, passage.key, one.files, one.groups, one.used, json.dumps(one.examples)),
                )
            self._connection.execute(
                "DELETE FROM boilerplate WHERE enabled AND NOT EXISTS"
                " (SELECT 1 FROM scan_boilerplate s WHERE s.key = boilerplate.key)"
            )

    def standings(self, scan: int) -> list[Standing]:
        """The passages of a scan, those in most files first."""
        query = (
            "SELECT b.key, b.text, b.shingles, s.files, s.groups, s.used, b.enabled, s.examples FROM scan_boilerplate s"
            " JOIN boilerplate b ON b.key = s.key WHERE s.scan = ? ORDER BY s.number"
        )
        with store.reading(self._path):
            return [
                Standing(Passage(key, text, unpack(data)), files, groups, bool(used), bool(enabled),
                         tuple(map(int, json.loads(examples))))
                for key, text, data, files, groups, used, enabled, examples in self._connection.execute(query, (scan,))
            ]  # fmt: skip

    def left_out(self, scan: int) -> NDArray[np.uint64]:
        """The shingles that were left out when a scan was matched, uint64 (x,), ascending."""
        query = (
            "SELECT b.shingles FROM scan_boilerplate s JOIN boilerplate b ON b.key = s.key WHERE s.scan = ? AND s.used"
        )
        with store.reading(self._path):
            sets = [unpack(data) for (data,) in self._connection.execute(query, (scan,))]
        return distinct(np.concatenate([np.empty(0, np.uint64), *sets]))

    def switch(self, keys: Iterable[str], enabled: bool) -> None:
        """Leave passages out from the next matching on, or compare them like any other text. DiskFullError."""
        with store.faults(self._path), store.Transaction(self._connection):
            self._connection.executemany(
                "UPDATE boilerplate SET enabled = ? WHERE key = ?", ((enabled, key) for key in keys)
            )
