"""Compressed tables on disk: written atomically, memory-mapped, rejected when damaged, truncated or of another format.

A file: header, number of keys of each block (zlib), row numbers if they are stored, then blocks of 1,024 bytes, the
last one without its unused end. The first key of each block is held in memory; a query locates its blocks among them
by interpolation search.
"""

from __future__ import annotations

import errno
import mmap
import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import error_name
from dupfinder.base.errors import DiskFullError, Fault, IndexFileError
from dupfinder.base.files import write_whole
from dupfinder.engine.coding import BLOCK_BYTES, BLOCK_WORDS, Code, Coding, code_of, decode, encode
from dupfinder.index.design import Run, TableDesign, mask_of, named, runs_of
from dupfinder.index.tables import interpolate_one
from dupfinder.index.words import width_of, words_of

MAGIC: Final = b"\x89DFTABLE"  # no text begins with this byte
VERSION: Final = 2
# The fields of _Header in their order; the header's own checksum follows.
_HEADER: Final = struct.Struct("<8sHBBBBHHQIQH16s65sI")
_CHECK: Final = struct.Struct("<I")
_CODINGS: Final = (Coding.XOR, Coding.DIFFERENCE)
_KEY_BYTES: Final = 8
_PIECE: Final = 1 << 24  # bytes that the checksum reads at a time


class _Header(NamedTuple):
    """The first bytes of a file. `packed` and `last`: size in bytes of the packed counts and of the last block."""

    magic: bytes
    version: int
    bits: int
    radius: int
    coding: int
    has_rows: int
    number: int
    tables: int
    keys: int
    blocks: int
    packed: int
    last: int
    design: bytes
    lengths: bytes
    check: int

    @property
    def row_bytes(self) -> int:
        """Size of the row numbers in bytes."""
        return 4 * self.keys if self.has_rows else 0

    @property
    def block_bytes(self) -> int:
        """Size of all blocks in bytes."""
        return (self.blocks - 1) * BLOCK_BYTES + self.last if self.blocks else 0


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The facts in the header of a file.

    bits: f. design, radius, number, tables: table `number` of the `tables` of a design. keys, blocks: their counts.
    file_bytes: size of the file. row_bytes: the part of it that is row numbers.
    """

    bits: int
    design: str
    radius: int
    number: int
    tables: int
    coding: Coding
    keys: int
    blocks: int
    file_bytes: int
    row_bytes: int

    @property
    def bits_each(self) -> float:
        """Bits on disk for one fingerprint, without row numbers."""
        return 8 * (self.file_bytes - self.row_bytes) / self.keys if self.keys else 0.0


def write_table(
    path: Path,
    fingerprints: NDArray[np.unsignedinteger],
    design: TableDesign,
    number: int,
    *,
    coding: Coding = Coding.XOR,
    keep_rows: bool = False,
) -> TableFacts:
    """Write table `number` of `design` over fingerprints of 32 or 64 bits. The file appears complete or not at all.

    Raises DiskFullError, OSError, and ValueError for unsupported fingerprints or designs.
    """
    if width_of(fingerprints) != design.bits or design.bits > 64:
        raise ValueError("compressed tables hold fingerprints of 32 or 64 bits, and a design for their width")
    named(design.name, design.bits, design.radius)
    keys = permuted(words_of(fingerprints)[0], runs_in_order(design, number), design.bits)
    rows = np.empty(0, np.uint32)
    if keep_rows:
        order = np.argsort(keys, kind="stable")
        keys, rows = keys[order], order.astype(np.uint32)
    else:
        keys = np.sort(keys)
    return _write(path, keys, rows, design, number, coding)


def _write(
    path: Path, keys: NDArray[np.uint64], rows: NDArray[np.uint32], design: TableDesign, number: int, coding: Coding
) -> TableFacts:
    """Write ascending keys and their row numbers as a table file."""
    if len(keys):
        code, bits, counts = encode(keys, coding)
    else:
        code = Code(np.zeros(65, np.uint8), np.zeros(65, np.uint64))
        bits, counts = np.empty((0, BLOCK_WORDS), np.uint64), np.empty(0, np.uint16)
    packed = zlib.compress(counts.astype("<u2").tobytes(), 9)
    content = bits.astype(">u8").tobytes()
    unused = min(len(content) - len(content.rstrip(b"\0")), BLOCK_BYTES - _KEY_BYTES) if len(bits) else 0
    parts = [packed, rows.astype("<u4").tobytes(), content[: len(content) - unused]]
    check = 0
    for part in parts:
        check = zlib.crc32(part, check)
    facts = _Header(
        MAGIC, VERSION, design.bits, design.radius, _CODINGS.index(coding), int(len(rows) > 0), number,
        len(design.tables), len(keys), len(bits), len(packed), BLOCK_BYTES - unused, design.name.encode(),
        code.lengths.tobytes(), check,
    )  # fmt: skip
    header = _HEADER.pack(*facts)
    try:
        size = write_whole(path, [header, _CHECK.pack(zlib.crc32(header)), *parts], mode=0o666)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(path) from error
        raise
    return TableFacts(
        design.bits, design.name, design.radius, number, len(design.tables), coding, len(keys), len(bits), size,
        len(parts[1]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableHits:
    """The hits in one table: fingerprints uint64, distances uint8 in bits, positions in the table int64; all (m,)."""

    fingerprints: NDArray[np.uint64]
    distance: NDArray[np.uint8]
    positions: NDArray[np.int64]


class CompressedTable:
    """A table file, open for queries. A context manager."""

    def __init__(self, path: Path, *, verify: bool = True) -> None:
        """Open the file. `verify` compares its content with its checksum.

        Raises IndexFileError for a file that is of another format, truncated or damaged.
        """
        self.path = path
        try:
            with open(path, "rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                if size < _HEADER.size + _CHECK.size:
                    raise IndexFileError(path, Fault.NOT_A_TABLE)
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise IndexFileError(path, Fault.UNREADABLE, reason=error_name(error)) from error
        try:
            self._open(size, verify)
        except (IndexFileError, ValueError, zlib.error) as error:
            self._map.close()
            if isinstance(error, IndexFileError):
                raise
            raise IndexFileError(path, Fault.DAMAGED_HEADER) from error

    def _open(self, size: int, verify: bool) -> None:
        """Read the header and check it against the file. Raises IndexFileError, ValueError and zlib.error."""
        packed = self._map[: _HEADER.size]
        header = _Header(*_HEADER.unpack(packed))
        if header.magic != MAGIC:
            raise IndexFileError(self.path, Fault.NOT_A_TABLE)
        if header.version != VERSION:
            raise IndexFileError(self.path, Fault.OTHER_FORMAT, version=header.version, known=VERSION)
        if _CHECK.unpack_from(self._map, _HEADER.size)[0] != zlib.crc32(packed):
            raise IndexFileError(self.path, Fault.DAMAGED_HEADER)
        start = _HEADER.size + _CHECK.size
        expected = start + header.packed + header.row_bytes + header.block_bytes
        if size != expected:
            raise IndexFileError(self.path, Fault.OTHER_SIZE, bytes=size, expected=expected)
        if verify and _checksum(self._map, start) != header.check:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        self.facts = TableFacts(
            header.bits, header.design.rstrip(b"\0").decode(), header.radius, header.number, header.tables,
            _CODINGS[header.coding], header.keys, header.blocks, size, header.row_bytes,
        )  # fmt: skip
        self._code = code_of(np.frombuffer(header.lengths, np.uint8))
        self.design = named(self.facts.design, header.bits, header.radius)
        self._runs = runs_in_order(self.design, header.number)
        self._rows_at = start + header.packed
        self._blocks_at = self._rows_at + header.row_bytes
        self._counts = np.frombuffer(zlib.decompress(self._map[start : self._rows_at]), "<u2").astype(np.uint16)
        if len(self._counts) != header.blocks or int(self._counts.sum()) != header.keys:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        self._ends = np.cumsum(self._counts, dtype=np.int64)
        self._firsts = self._first_keys()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._map.close()

    def _first_keys(self) -> NDArray[np.uint64]:
        """Return the first key of each block: uint64 (blocks,).

        A copy: an array on the map would prevent closing it.
        """
        firsts = np.ndarray((self.facts.blocks,), ">u8", self._map, self._blocks_at, (BLOCK_BYTES,))
        return firsts.astype(np.uint64)

    def keys(self, first: int = 0, stop: int | None = None) -> NDArray[np.uint64]:
        """Return the permuted keys of blocks `first` to `stop` (None: the last), ascending: uint64 (m,)."""
        stop = self.facts.blocks if stop is None else stop
        content = self._map[self._blocks_at + first * BLOCK_BYTES : self._blocks_at + stop * BLOCK_BYTES]
        content = content.ljust((stop - first) * BLOCK_BYTES, b"\0")
        words = np.frombuffer(content, ">u8").reshape(-1, BLOCK_WORDS).astype(np.uint64)
        return decode(words, self._counts[first:stop], self._code, self.facts.coding)

    def fingerprints(self) -> NDArray[np.unsignedinteger]:
        """Return all fingerprints, in the order of the table: uint32 or uint64 (n,)."""
        kind = np.uint32 if self.facts.bits == 32 else np.uint64
        return restored(self.keys(), self._runs, self.facts.bits).astype(kind)

    def query(self, fingerprint: int, radius: int | None = None) -> TableHits:
        """Return the fingerprints within `radius` bits (None: the design's) of a query that share its prefix.

        Raises ValueError for a radius or a fingerprint that the table does not support.
        """
        within = self.facts.radius if radius is None else radius
        if not 0 <= within <= self.facts.radius:
            raise ValueError(f"a radius of {within} is outside 0 to {self.facts.radius}, which the table serves")
        if not 0 <= fingerprint < 1 << self.facts.bits:
            raise ValueError(f"the query is not a fingerprint of {self.facts.bits} bits")
        key = int(permuted(np.array([fingerprint], np.uint64), self._runs, self.facts.bits)[0])
        room = self.facts.bits - self.design.tables[self.facts.number].prefix_bits
        low, high = key >> room << room, key | ((1 << room) - 1)
        first = max(0, interpolate_one(self._firsts, low) - 1)
        stop = len(self._firsts) if high == 2**64 - 1 else interpolate_one(self._firsts, high + 1)
        if stop <= first:
            return TableHits(np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty(0, np.int64))
        keys = self.keys(first, stop)
        counts = np.bitwise_count(keys ^ np.uint64(key))
        near = np.flatnonzero((counts <= within) & (keys >= np.uint64(low)) & (keys <= np.uint64(high)))
        positions = near + (int(self._ends[first]) - int(self._counts[first]))
        return TableHits(restored(keys[near], self._runs, self.facts.bits), counts[near], positions)

    def rows(self, positions: NDArray[np.int64]) -> NDArray[np.uint32]:
        """Return the row numbers at positions of the table: uint32 (m,).

        Raises ValueError if the file has no row numbers.
        """
        if not self.facts.row_bytes:
            raise ValueError("the table does not keep row numbers")
        content = [self._map[self._rows_at + 4 * at : self._rows_at + 4 * at + 4] for at in positions.tolist()]
        return np.frombuffer(b"".join(content), "<u4").astype(np.uint32)


def _checksum(content: mmap.mmap, start: int) -> int:
    """Return the CRC-32 of the content from `start` on, read piece by piece."""
    check = 0
    for at in range(start, len(content), _PIECE):
        check = zlib.crc32(content[at : at + _PIECE], check)
    return check


def runs_in_order(design: TableDesign, number: int) -> tuple[Run, ...]:
    """Return the runs of bits in the order of permutation `number`, the most significant first.

    Raises ValueError if the design has no such table.
    """
    if not 0 <= number < len(design.tables):
        raise ValueError(f"design {design.name} has no table {number}")
    prefix = design.tables[number].prefix
    return prefix + tuple(runs_of(~mask_of(prefix, design.bits), design.bits))


def permuted(fingerprints: NDArray[np.uint64], runs: tuple[Run, ...], bits: int) -> NDArray[np.uint64]:
    """Return fingerprints of at most 64 bits with their bits in the order of `runs`: uint64 (n,)."""
    keys = np.zeros(len(fingerprints), np.uint64)
    at = bits
    for start, width in runs:
        at -= width
        keys |= _moved(fingerprints, bits - start - width, at, width)
    return keys


def restored(keys: NDArray[np.uint64], runs: tuple[Run, ...], bits: int) -> NDArray[np.uint64]:
    """Return the fingerprints of permuted keys: uint64 (n,). The inverse of `permuted`."""
    fingerprints = np.zeros(len(keys), np.uint64)
    at = bits
    for start, width in runs:
        at -= width
        fingerprints |= _moved(keys, at, bits - start - width, width)
    return fingerprints


def _moved(values: NDArray[np.uint64], source: int, target: int, width: int) -> NDArray[np.uint64]:
    """Return the `width` bits from bit `source` (0 the lowest) on, moved to bit `target`."""
    return ((values >> np.uint64(source)) & np.uint64((1 << width) - 1)) << np.uint64(target)
