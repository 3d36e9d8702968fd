"""Compressed tables on disk: written atomically, memory-mapped, rejected when damaged, truncated or of another format.

A file has a header, the number of keys of each block (zlib), a checksum of every eight blocks, the first key of each
block, row numbers if they are stored, and the rest of the blocks: 1,016 bytes each, the last without its unused end.
A query finds its blocks among the first keys by interpolation search, reads only these, and verifies their checksums.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault, IndexFileError
from dupfinder.base.files import Closable, raising_disk_full, write_whole
from dupfinder.engine.coding import BLOCK_BYTES, BLOCK_WORDS, Coding, HuffmanCode, code_of, decoded_keys, encoded_keys
from dupfinder.index.design import BitRange, TableDesign, bit_ranges, mask_of, named_design
from dupfinder.index.tables import interpolate_one
from dupfinder.index.words import keys_of, width_of, words_of

MAGIC: Final = b"\x89DFTABLE"  # no text begins with this byte
VERSION: Final = 3
# The fields of TableHeader in their order; the header's own checksum follows.
_HEADER: Final = struct.Struct("<8sHBBBBHHQIQH16s65sII")
_CHECK: Final = struct.Struct("<I")
_CODINGS: Final = (Coding.XOR, Coding.DIFFERENCE)
_KEY_BYTES: Final = 8
_REST_BYTES: Final = BLOCK_BYTES - _KEY_BYTES  # of a block, without its first key
_CHECKED: Final = 8  # blocks that share a checksum
_PIECE: Final = 1 << 24  # bytes that the checksum reads at a time


class TableHeader(NamedTuple):
    """The fields of the header of a file.

    bits: of a fingerprint. radius, number, tables: table `number` of the `tables` of a design for this radius.
    packed_bytes: size of the compressed numbers of keys. last_bytes: size of the last block without its first key.
    lengths: of the code. check: CRC-32 of all between the header and the row numbers. check_rows: that of these.
    """

    magic: bytes
    version: int
    bits: int
    radius: int
    coding_number: int
    has_rows: int
    number: int
    tables: int
    keys: int
    blocks: int
    packed_bytes: int
    last_bytes: int
    design_bytes: bytes
    lengths: bytes
    check: int
    check_rows: int

    @property
    def design(self) -> str:
        return self.design_bytes.rstrip(b"\0").decode()

    @property
    def coding(self) -> Coding:
        return _CODINGS[self.coding_number]

    @property
    def row_bytes(self) -> int:
        """Size of the row numbers in bytes."""
        return 4 * self.keys if self.has_rows else 0

    @property
    def rest_bytes(self) -> int:
        """Size of all blocks without their first keys, in bytes."""
        return (self.blocks - 1) * _REST_BYTES + self.last_bytes if self.blocks else 0

    @property
    def file_bytes(self) -> int:
        """Size of the file."""
        check_bytes = _CHECK.size * -(-self.blocks // _CHECKED)
        top_bytes = self.packed_bytes + check_bytes + _KEY_BYTES * self.blocks
        return _HEADER.size + _CHECK.size + top_bytes + self.row_bytes + self.rest_bytes

    @property
    def bits_each(self) -> float:
        """Bits on disk for one fingerprint, without row numbers."""
        return 8 * (self.file_bytes - self.row_bytes) / self.keys if self.keys else 0.0


def check_design(fingerprints: NDArray[np.unsignedinteger], design: TableDesign) -> None:
    """Raise ValueError for unsupported fingerprints or designs."""
    if width_of(fingerprints) != design.bits or design.bits > 64:
        raise ValueError("compressed tables hold fingerprints of 32 or 64 bits, and a design for their width")
    named_design(design.name, design.bits, design.radius)  # raises for an unknown name


def sorted_keys(
    fingerprints: NDArray[np.unsignedinteger], design: TableDesign, number: int
) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Return the keys of table `number`, ascending, and the row of each: uint64 (n,), intp (n,).

    Raises ValueError for unsupported fingerprints or designs.
    """
    check_design(fingerprints, design)
    keys = permuted(words_of(fingerprints)[0], bit_order(design, number), design.bits)
    order = np.argsort(keys, kind="stable")
    return keys[order], order


def write_table(
    path: Path,
    keys: NDArray[np.uint64],
    rows: NDArray[np.uint32],
    design: TableDesign,
    number: int,
    coding: Coding = Coding.XOR,
) -> None:
    """Write ascending keys of table `number` and their row numbers. The file appears complete or not at all.

    rows: as many as keys, or none. Raises DiskFullError, OSError.
    """
    if len(keys):
        code, words, counts = encoded_keys(keys, coding)
    else:
        code = HuffmanCode(np.zeros(65, np.uint8), np.zeros(65, np.uint64))
        words, counts = np.empty((0, BLOCK_WORDS), np.uint64), np.empty(0, np.uint16)
    packed = zlib.compress(counts.astype("<u2").tobytes(), 9)
    rests = words[:, 1:].astype(">u8").tobytes()
    unused = min(len(rests) - len(rests.rstrip(b"\0")), _REST_BYTES)
    top = b"".join((packed, _checks_of(rests), words[:, 0].astype(">u8").tobytes()))
    row_numbers = rows.astype("<u4").tobytes()
    fields = TableHeader(
        MAGIC, VERSION, design.bits, design.radius, _CODINGS.index(coding), int(len(rows) > 0), number,
        len(design.tables), len(keys), len(words), len(packed), _REST_BYTES - unused, design.name.encode(),
        code.lengths.tobytes(), zlib.crc32(top), zlib.crc32(row_numbers),
    )  # fmt: skip
    header = _HEADER.pack(*fields)
    parts = [header, _CHECK.pack(zlib.crc32(header)), top, row_numbers, rests[: len(rests) - unused]]
    with raising_disk_full(path):
        write_whole(path, parts, mode=0o666)


def _checks_of(rests: bytes) -> bytes:
    """Return the CRC-32 of every eight blocks without their first keys: uint32, as bytes."""
    view = memoryview(rests)
    step = _CHECKED * _REST_BYTES
    return np.array([zlib.crc32(view[at : at + step]) for at in range(0, len(rests), step)], "<u4").tobytes()


@dataclass(frozen=True, slots=True)
class TableMatches:
    """The hits in one table: fingerprints uint64, distances uint8 in bits, positions in the table int64; all (m,)."""

    fingerprints: NDArray[np.uint64]
    distance: NDArray[np.uint8]
    positions: NDArray[np.int64]


class CompressedTable(Closable):
    """A table file, open for queries. A context manager."""

    def __init__(self, path: Path, *, verify: bool = True) -> None:
        """Open the file. `verify` compares its whole content with its checksums, also what no query reads.

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
        head = self._map[: _HEADER.size]
        header = TableHeader(*_HEADER.unpack(head))
        if header.magic != MAGIC:
            raise IndexFileError(self.path, Fault.NOT_A_TABLE)
        if header.version != VERSION:
            raise IndexFileError(self.path, Fault.OTHER_FORMAT, version=header.version, known=VERSION)
        if _CHECK.unpack_from(self._map, _HEADER.size)[0] != zlib.crc32(head):
            raise IndexFileError(self.path, Fault.DAMAGED_HEADER)
        start = _HEADER.size + _CHECK.size
        checks_at = start + header.packed_bytes
        firsts_at = checks_at + 4 * -(-header.blocks // _CHECKED)
        rows_at = firsts_at + _KEY_BYTES * header.blocks
        if size != header.file_bytes:
            raise IndexFileError(self.path, Fault.OTHER_SIZE, bytes=size, expected=header.file_bytes)
        if zlib.crc32(self._map[start:rows_at]) != header.check:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        self.header = header
        self._code = code_of(np.frombuffer(header.lengths, np.uint8))
        self.design = named_design(header.design, header.bits, header.radius)
        self._order = bit_order(self.design, header.number)
        self._rows_at = rows_at
        self._rests_at = self._rows_at + header.row_bytes
        self._counts = np.frombuffer(zlib.decompress(self._map[start:checks_at]), "<u2").astype(np.uint16)
        if len(self._counts) != header.blocks or int(self._counts.sum()) != header.keys:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        self._ends = np.cumsum(self._counts, dtype=np.int64)
        # Copies: an array on the map would prevent closing it.
        self._checks = self._map[checks_at:firsts_at]
        self._firsts = np.frombuffer(self._map[firsts_at:rows_at], ">u8").astype(np.uint64)
        if verify:
            self._verify(header)

    def _verify(self, header: TableHeader) -> None:
        """Compare the row numbers and all blocks with their checksums. Raises IndexFileError."""
        check = 0
        for at in range(self._rows_at, self._rests_at, _PIECE):
            check = zlib.crc32(self._map[at : min(at + _PIECE, self._rests_at)], check)
        if check != header.check_rows:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        step = _PIECE // BLOCK_BYTES
        for first in range(0, header.blocks, step):
            self._rests(first, min(first + step, header.blocks))

    def close(self) -> None:
        self._map.close()

    def keys(self, first: int = 0, stop: int | None = None) -> NDArray[np.uint64]:
        """Return the permuted keys of blocks `first` to `stop - 1` (None: to the last), ascending: uint64 (m,).

        Raises IndexFileError for damaged blocks.
        """
        stop = self.header.blocks if stop is None else stop
        rests = np.frombuffer(self._rests(first, stop), ">u8").reshape(-1, BLOCK_WORDS - 1).astype(np.uint64)
        words = np.column_stack((self._firsts[first:stop], rests))
        return decoded_keys(words, self._counts[first:stop], self._code, self.header.coding)

    def _rests(self, first: int, stop: int) -> bytes:
        """Return blocks `first` to `stop - 1` without their first keys. Raises IndexFileError for damaged ones."""
        first_check, stop_check = first // _CHECKED, -(-stop // _CHECKED)
        # The blocks of these checks.
        start, end = first_check * _CHECKED, min(stop_check * _CHECKED, self.header.blocks)
        content = self._map[self._rests_at + start * _REST_BYTES : self._rests_at + end * _REST_BYTES]
        content = content.ljust((end - start) * _REST_BYTES, b"\0")
        if _checks_of(content) != self._checks[4 * first_check : 4 * stop_check]:
            raise IndexFileError(self.path, Fault.DAMAGED_CONTENT)
        return content[(first - start) * _REST_BYTES : (stop - start) * _REST_BYTES]

    def pieces(self, blocks: int) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint32]]]:
        """Yield (keys, ascending, and their row numbers, empty if none are stored) of `blocks` blocks at a time."""
        for first in range(0, self.header.blocks, blocks):
            stop = min(first + blocks, self.header.blocks)
            start, end = int(self._ends[first] - self._counts[first]), int(self._ends[stop - 1])
            content = self._map[self._rows_at + 4 * start : self._rows_at + 4 * end] if self.header.row_bytes else b""
            yield self.keys(first, stop), np.frombuffer(content, "<u4").astype(np.uint32)

    def query(self, fingerprint: int, radius: int | None = None) -> TableMatches:
        """Return the fingerprints within `radius` bits (None: the design's) of a query that share its prefix.

        Raises ValueError for a radius or a fingerprint that the table does not support, IndexFileError.
        """
        within = self.design.radius_or(radius)
        self.design.check_query(fingerprint)
        # Within 0 bits, the whole key must be equal.
        prefix_bits = self.design.tables[self.header.number].prefix_bits if within else self.header.bits
        key, low, high = key_range(fingerprint, self._order, self.header.bits, prefix_bits)
        first = max(0, interpolate_one(self._firsts, low) - 1)  # the block before may end with keys from `low` on
        stop = len(self._firsts) if high == 2**64 - 1 else interpolate_one(self._firsts, high + 1)
        if stop <= first:
            return TableMatches(np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty(0, np.int64))
        keys = self.keys(first, stop)
        counts = np.bitwise_count(keys ^ np.uint64(key))
        matching = np.flatnonzero((counts <= within) & (keys >= np.uint64(low)) & (keys <= np.uint64(high)))
        positions = matching + (int(self._ends[first]) - int(self._counts[first]))
        return TableMatches(unpermuted(keys[matching], self._order, self.header.bits), counts[matching], positions)

    def rows(self, positions: NDArray[np.int64]) -> NDArray[np.uint32]:
        """Return the row numbers at positions of the table: uint32 (m,). Raises ValueError if the file has none."""
        if not self.header.row_bytes:
            raise ValueError("the table does not keep row numbers")
        content = [self._map[self._rows_at + 4 * at : self._rows_at + 4 * at + 4] for at in positions.tolist()]
        return np.frombuffer(b"".join(content), "<u4").astype(np.uint32)


def key_range(fingerprint: int, order: tuple[BitRange, ...], bits: int, prefix_bits: int) -> tuple[int, int, int]:
    """Return the key of a fingerprint, and the first and the last key with the same prefix."""
    key = 0
    for start, width in order:
        key = key << width | (fingerprint >> (bits - start - width)) & ((1 << width) - 1)
    room = bits - prefix_bits
    return key, key >> room << room, key | ((1 << room) - 1)


def bit_order(design: TableDesign, number: int) -> tuple[BitRange, ...]:
    """Return the order of the bits in the keys of table `number`, as ranges, the most significant first.

    Raises ValueError if the design has no such table.
    """
    if not 0 <= number < len(design.tables):
        raise ValueError(f"design {design.name} has no table {number}")
    prefix = design.tables[number].prefix
    return prefix + tuple(bit_ranges(~mask_of(prefix, design.bits), design.bits))


def permuted(fingerprints: NDArray[np.uint64], order: tuple[BitRange, ...], bits: int) -> NDArray[np.uint64]:
    """Return fingerprints of at most 64 bits with their bits in this order: uint64 (n,)."""
    return keys_of((fingerprints,), order, bits).astype(np.uint64)


def unpermuted(keys: NDArray[np.uint64], order: tuple[BitRange, ...], bits: int) -> NDArray[np.uint64]:
    """Return the fingerprints of permuted keys: uint64 (n,). The inverse of `permuted`."""
    positions = accumulate((width for _, width in order), initial=0)  # of the ranges in the keys
    inverse = [(position, width) for (_, width), position in sorted(zip(order, positions, strict=False))]
    return permuted(keys, tuple(inverse), bits)
