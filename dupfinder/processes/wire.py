"""Answers of reading processes as plain data: by the types that a function declares, and by nothing that the data says.

Unpickling runs whatever the sender wishes. Here the receiver knows which type it expects and builds that or refuses:
numbers and texts as JSON, bytes and arrays behind it as they are. A dataclass crosses with all its fields, so a field
is declared once, where the class is.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
import os
import struct
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import numpy as np

_HEAD = struct.Struct("<II")  # bytes of the JSON part, number of parts behind it
_SIZE = struct.Struct("<Q")
_LOWEST, _HIGHEST = -(2**63), 2**64  # integers that are allowed: those of the library, signed and unsigned

_LENGTH: Final = struct.Struct("<Q")
_PIECE: Final = 1 << 20


class WireError(ValueError):
    """A message that is not of the type that was expected."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Codec:
    """How values of one type cross.

    pack:   value to JSON; bytes and arrays are appended to the list of parts.
    unpack: the opposite; takes parts in the same order. Raises WireError, TypeError, ValueError, KeyError.
    fits:   whether a value is of the type, to choose among the alternatives of a union.
    """

    pack: Callable[[Any, list[bytes]], Any]
    unpack: Callable[[Any, Iterator[memoryview]], Any]
    fits: Callable[[Any], bool]


class Wire:
    """Packs and unpacks values of one declared type: dataclasses, enums, containers and numpy arrays of numbers, paths,
    dates, texts, bytes and numbers, and unions of them.

    Raises TypeError for a type that cannot cross.
    """

    def __init__(self, declared: Any) -> None:
        self._codec = _codec(declared)

    def pack(self, value: Any) -> bytes:
        """The value as bytes. Raises TypeError or AttributeError when it is not of the declared type."""
        parts: list[bytes] = []
        packed = json.dumps(self._codec.pack(value, parts), ensure_ascii=False, separators=(",", ":"))
        text = packed.encode("utf-8", "surrogatepass")
        sizes = b"".join(_SIZE.pack(len(part)) for part in parts)
        return b"".join([_HEAD.pack(len(text), len(parts)), sizes, text, *parts])

    def unpack(self, message: bytes) -> Any:
        """The value that a message holds. Raises WireError for every message that `pack` would not have made."""
        try:
            text, parts = _parted(message)
            value = self._codec.unpack(json.loads(text), parts)
        except WireError:
            raise
        except (TypeError, ValueError, KeyError, RecursionError, StopIteration, struct.error, OverflowError) as error:
            raise WireError(f"no answer of this kind: {type(error).__name__}") from error
        if next(parts, None) is not None:
            raise WireError("more parts than were announced")
        return value


def returned_by(work: Callable[..., Any]) -> Any:
    """The type that a function declares to return. Raises TypeError when it declares none."""
    hints = get_type_hints(work)
    if "return" not in hints:
        raise TypeError(f"{work!r} does not declare what it returns")
    return hints["return"]


def _parted(message: bytes) -> tuple[str, Iterator[memoryview]]:
    length, count = _HEAD.unpack_from(message)
    sizes = [_SIZE.unpack_from(message, _HEAD.size + place * _SIZE.size)[0] for place in range(count)]
    start = _HEAD.size + count * _SIZE.size
    if start + length + sum(sizes) != len(message):
        raise WireError("the parts are not as long as they were announced")
    stops = np.cumsum([start + length, *sizes], dtype=np.uint64).tolist()
    whole = memoryview(message)
    parts = iter([whole[low:high] for low, high in itertools.pairwise(stops)])
    return bytes(whole[start : start + length]).decode("utf-8", "surrogatepass"), parts


@functools.cache
def _codec(declared: Any) -> _Codec:
    """The codec of a type. Raises TypeError for one that cannot cross."""
    if declared in _PLAIN:
        return _PLAIN[declared]
    origin, arguments = get_origin(declared), get_args(declared)
    if origin in (Union, types.UnionType):
        return _union([_codec(argument) for argument in arguments])
    if origin is np.ndarray:
        return _array(np.dtype(get_args(arguments[1])[0]))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return _tuple([_codec(argument) for argument in arguments])
    if origin in _CONTAINERS:
        return _container(_CONTAINERS[origin], _codec(arguments[0]))
    if origin in (dict, Mapping):
        return _mapping(_codec(arguments[0]), _codec(arguments[1]))
    if isinstance(declared, type) and issubclass(declared, Enum):
        return _Codec(lambda value, _: value.value, lambda raw, _: declared(raw), _is_a(declared))
    if isinstance(declared, type) and dataclasses.is_dataclass(declared):
        return _dataclass(declared)
    raise TypeError(f"{declared!r} cannot cross from a reading process")


def _is_a(kind: type | tuple[type, ...]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _exactly(kind: type) -> Callable[[Any, Iterator[memoryview]], Any]:
    def unpack(raw: Any, _: Iterator[memoryview]) -> Any:
        if type(raw) is not kind:
            raise WireError(f"{type(raw).__name__} in the place of {kind.__name__}")
        return raw

    return unpack


def _whole(raw: Any, _: Iterator[memoryview]) -> int:
    if type(raw) is not int or not _LOWEST <= raw < _HIGHEST:
        raise WireError("no integer of 64 bits")
    return raw


def _real(raw: Any, _: Iterator[memoryview]) -> float:
    if type(raw) not in (int, float) or not math.isfinite(raw):
        raise WireError("no finite number")
    return float(raw)


def _pack_bytes(value: bytes, parts: list[bytes]) -> None:
    parts.append(bytes(value))


def _take_bytes(raw: None, parts: Iterator[memoryview]) -> bytes:
    if raw is not None:
        raise WireError("bytes have a part of their own")
    return bytes(next(parts))


def _pack_path(value: Path, _: list[bytes]) -> str:
    return os.fsencode(value).decode("latin-1")


def _take_path(raw: str, _: Iterator[memoryview]) -> Path:
    if "\0" in raw:
        raise WireError("a path with a NUL in it")
    return Path(os.fsdecode(raw.encode("latin-1")))


def _take_date(raw: str, _: Iterator[memoryview]) -> datetime:
    return datetime.fromisoformat(raw)


def _nothing(raw: None, _: Iterator[memoryview]) -> None:
    if raw is not None:
        raise WireError("something in the place of nothing")


_PLAIN: dict[Any, _Codec] = {
    type(None): _Codec(lambda _value, _: None, _nothing, lambda value: value is None),
    bool: _Codec(lambda value, _: bool(value), _exactly(bool), _is_a((bool, np.bool_))),
    int: _Codec(lambda value, _: int(value), _whole, _is_a((int, np.integer))),
    float: _Codec(lambda value, _: float(value), _real, _is_a((int, float, np.floating))),
    str: _Codec(lambda value, _: str(value), _exactly(str), _is_a(str)),
    bytes: _Codec(_pack_bytes, _take_bytes, _is_a(bytes)),
    Path: _Codec(_pack_path, _take_path, _is_a(Path)),
    datetime: _Codec(lambda value, _: value.isoformat(), _take_date, _is_a(datetime)),
}
_CONTAINERS: dict[Any, Callable[[list[Any]], Any]] = {
    list: list,
    tuple: tuple,
    Sequence: tuple,
    set: set,
    frozenset: frozenset,
    AbstractSet: frozenset,
}


def _listed(raw: Any, length: int | None = None) -> list[Any]:
    if type(raw) is not list or (length is not None and len(raw) != length):
        raise WireError("no list of this length")
    return raw


def _union(kinds: Sequence[_Codec]) -> _Codec:
    """[which, value], where `which` counts the alternatives as they were declared."""

    def pack(value: Any, parts: list[bytes]) -> Any:
        for which, kind in enumerate(kinds):
            if kind.fits(value):
                return [which, kind.pack(value, parts)]
        raise TypeError(f"{type(value).__name__} is none of the declared types")

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        which, packed = _listed(raw, 2)
        if type(which) is not int or not 0 <= which < len(kinds):
            raise WireError("no such alternative")
        return kinds[which].unpack(packed, parts)

    return _Codec(pack, unpack, lambda value: any(kind.fits(value) for kind in kinds))


def _array(kind: np.dtype[Any]) -> _Codec:
    """The shape, and the numbers as a part of their own."""
    if kind.hasobject:
        raise TypeError("an array of objects cannot cross from a reading process")

    def pack(value: Any, parts: list[bytes]) -> list[int]:
        if value.dtype != kind:
            raise TypeError(f"an array of {value.dtype} in the place of one of {kind}")
        parts.append(value.tobytes())
        return list(value.shape)

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        shape = [_whole(length, parts) for length in _listed(raw)]
        part = next(parts)
        if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(part):
            raise WireError("an array of another size than announced")
        if kind == np.bool_ and bytes(part).strip(b"\0\1"):
            raise WireError("truth values that are neither 0 nor 1")
        return np.frombuffer(part, kind).reshape(shape).copy()

    return _Codec(pack, unpack, _is_a(np.ndarray))


def _tuple(kinds: Sequence[_Codec]) -> _Codec:
    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [kind.pack(item, parts) for kind, item in zip(kinds, value, strict=True)]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> tuple[Any, ...]:
        return tuple([kind.unpack(item, parts) for kind, item in zip(kinds, _listed(raw, len(kinds)), strict=True)])

    return _Codec(pack, unpack, _is_a(tuple))


def _container(build: Callable[[list[Any]], Any], kind: _Codec) -> _Codec:
    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [kind.pack(item, parts) for item in value]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        return build([kind.unpack(item, parts) for item in _listed(raw)])

    return _Codec(pack, unpack, _is_a((list, tuple, set, frozenset)))


def _mapping(key: _Codec, kind: _Codec) -> _Codec:
    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [[key.pack(name, parts), kind.pack(item, parts)] for name, item in value.items()]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> dict[Any, Any]:
        pairs = [_listed(pair, 2) for pair in _listed(raw)]
        return {key.unpack(name, parts): kind.unpack(item, parts) for name, item in pairs}

    return _Codec(pack, unpack, _is_a(Mapping))


def _dataclass(kind: Any) -> _Codec:
    """The values of the fields, in their order."""
    hints = get_type_hints(kind)
    fields = [(field.name, _codec(hints[field.name])) for field in dataclasses.fields(kind)]

    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [codec.pack(getattr(value, name), parts) for name, codec in fields]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        values = _listed(raw, len(fields))
        return kind(**{name: codec.unpack(item, parts) for (name, codec), item in zip(fields, values, strict=True)})

    return _Codec(pack, unpack, _is_a(kind))


def send(pipe: Connection, message: bytes) -> None:
    """Send a message; waits until there is room for it. Raises OSError when nobody listens."""
    if sys.platform == "win32":
        pipe.send_bytes(message)
        return
    for piece in (_LENGTH.pack(len(message)), message):
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(pipe.fileno(), rest) :]


class Inbox:
    """The receiving end of a pipe. most: bytes of the largest message that is taken."""

    def __init__(self, pipe: Connection, most: int) -> None:
        self._pipe = pipe
        self._most = most
        self._held = bytearray()
        self.closed = False
        if sys.platform != "win32":
            os.set_blocking(pipe.fileno(), False)

    def messages(self) -> list[bytes]:
        """The messages that are whole by now. `closed` says that no further will come.

        Raises ValueError for a message that is too large.
        """
        if sys.platform == "win32":
            return self._whole_messages()
        try:
            while piece := os.read(self._pipe.fileno(), _PIECE):
                self._held += piece
                if len(self._held) >= _PIECE:
                    break
            else:
                self.closed = True
        except BlockingIOError:
            pass
        except OSError:
            self.closed = True
        return self._cut()

    def _cut(self) -> list[bytes]:
        found: list[bytes] = []
        at = 0
        while len(self._held) - at >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._held, at)
            if length > self._most:
                raise ValueError(f"a message of {length} bytes, over the limit of {self._most}")
            stop = at + _LENGTH.size + length
            if len(self._held) < stop:
                break
            found.append(bytes(self._held[at + _LENGTH.size : stop]))
            at = stop
        del self._held[:at]
        return found

    def _whole_messages(self) -> list[bytes]:
        """On Windows a pipe carries messages and not bytes: those that are there come whole."""
        found: list[bytes] = []
        try:
            while self._pipe.poll():
                found.append(self._pipe.recv_bytes(self._most))
        except (EOFError, OSError):
            self.closed = True
        return found
