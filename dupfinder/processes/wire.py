"""Serialise answers of reading processes as plain data of a declared type, and send them through pipes.

Unpickling can run any code that the sender chooses. Here the receiver knows the expected type, and builds a value of it
or refuses: numbers and texts are JSON; bytes and arrays follow it in binary parts. A dataclass is sent with all its
fields, so that new fields need no change here.
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
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import numpy as np

_HEAD = struct.Struct("<II")  # bytes of the JSON part, number of parts behind it
_LENGTH = struct.Struct("<Q")  # bytes of a part, or of a message

_PIPE_BYTES: Final = 1 << 16  # the most that a pipe holds by default
_READS: Final = 16  # reads of one pipe in a row, before the others have their turn


class WireError(ValueError):
    """A message that is not a value of the expected type."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Codec:
    """How values of one type are packed and unpacked.

    pack:   turns a value into JSON; bytes and arrays are appended to the list of parts.
    unpack: the inverse; takes the parts in the same order. Raises WireError, TypeError, ValueError, KeyError.
    fits:   tells whether a value is of the type, to choose among the alternatives of a union.
    """

    pack: Callable[[Any, list[bytes]], Any]
    unpack: Callable[[Any, Iterator[memoryview]], Any]
    fits: Callable[[Any], bool]


class Wire:
    """Packs and unpacks values of one declared type.

    Supported: dataclasses, enums, containers, unions, paths, dates, texts, bytes, numbers, numpy arrays of numbers, and
    Annotated[int, n] for unsigned integers of n bits. Raises TypeError for any other type.
    """

    def __init__(self, declared: Any) -> None:
        self._codec = _codec(declared)

    def pack(self, value: Any) -> bytes:
        """Return the value as bytes. Raises TypeError or AttributeError if it is not of the declared type."""
        parts: list[bytes] = []
        packed = json.dumps(self._codec.pack(value, parts), ensure_ascii=False, separators=(",", ":"))
        text = packed.encode("utf-8", "surrogatepass")
        sizes = b"".join(_LENGTH.pack(len(part)) for part in parts)
        return b"".join([_HEAD.pack(len(text), len(parts)), sizes, text, *parts])

    def unpack(self, message: bytes) -> Any:
        """Return the value that a message holds. Raises WireError for a message that `pack` cannot have made."""
        try:
            text, parts = _split_message(message)
            value = self._codec.unpack(json.loads(text), parts)
        except WireError:
            raise
        except (TypeError, ValueError, KeyError, RecursionError, StopIteration, struct.error, OverflowError) as error:
            raise WireError(f"the message is damaged: {type(error).__name__}") from error
        if next(parts, None) is not None:
            raise WireError("more parts than were announced")
        return value


def returned_by(work: Callable[..., Any]) -> Any:
    """Return the type that a function declares to return. Raises TypeError if it declares none."""
    hints = get_type_hints(work)
    if "return" not in hints:
        raise TypeError(f"{work!r} does not declare what it returns")
    return hints["return"]


def _split_message(message: bytes) -> tuple[str, Iterator[memoryview]]:
    """Split a message into its JSON text and its binary parts. Raises WireError, struct.error."""
    length, count = _HEAD.unpack_from(message)
    sizes = [_LENGTH.unpack_from(message, _HEAD.size + part * _LENGTH.size)[0] for part in range(count)]
    start = _HEAD.size + count * _LENGTH.size
    if start + length + sum(sizes) != len(message):
        raise WireError("the parts are not as long as they were announced")
    stops = np.cumsum([start + length, *sizes], dtype=np.uint64).tolist()
    view = memoryview(message)
    parts = iter([view[low:high] for low, high in itertools.pairwise(stops)])
    return bytes(view[start : start + length]).decode("utf-8", "surrogatepass"), parts


@functools.cache
def _codec(declared: Any) -> _Codec:
    """Return the codec of a type. Raises TypeError if the type is not supported."""
    if declared in _PLAIN:
        return _PLAIN[declared]
    origin, arguments = get_origin(declared), get_args(declared)
    if (aliased := getattr(origin, "__value__", None)) is not None:  # numpy 2.5 declares NDArray as a type alias
        origin, arguments = get_origin(aliased), get_args(aliased[arguments])
    if origin is Annotated:
        _, bits = arguments
        return _Codec(_PLAIN[int].pack, functools.partial(_take_integer, low=0, high=1 << bits), _is_a(int))
    if origin in (Union, types.UnionType):
        return _union([_codec(argument) for argument in arguments])
    if origin is np.ndarray:
        return _array(np.dtype(get_args(arguments[1])[0]))  # NDArray[x] is ndarray[shape, dtype[x]]
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
    """Return a function that tells whether a value is an instance of `kind`."""
    return lambda value: isinstance(value, kind)


def _exactly(kind: type) -> Callable[[Any, Iterator[memoryview]], Any]:
    """Return a function that unpacks a JSON value of type `kind`, not of a subclass."""

    def unpack(raw: Any, _: Iterator[memoryview]) -> Any:
        if type(raw) is not kind:
            raise WireError(f"{type(raw).__name__} in the place of {kind.__name__}")
        return raw

    return unpack


def _take_integer(raw: Any, _: Iterator[memoryview], low: int = -(2**63), high: int = 2**64) -> int:
    """Return an integer from `low` up to `high`; by default, any of 64 bits, signed or unsigned. Raises WireError."""
    if type(raw) is not int or not low <= raw < high:
        raise WireError(f"not an integer from {low} up to {high}")
    return raw


def _take_float(raw: Any, _: Iterator[memoryview]) -> float:
    """Return a finite number. Raises WireError."""
    if type(raw) not in (int, float) or not math.isfinite(raw):
        raise WireError("not a finite number")
    return float(raw)


def _take_bytes(raw: None, parts: Iterator[memoryview]) -> bytes:
    """Return the next part. Raises WireError."""
    if raw is not None:
        raise WireError("a JSON value in the place of bytes")
    return bytes(next(parts))


def _take_path(raw: str, _: Iterator[memoryview]) -> Path:
    """Return the path of a text with one character for each byte. Raises WireError if it contains NUL."""
    if "\0" in raw:
        raise WireError("a path with a NUL in it")
    return Path(os.fsdecode(raw.encode("latin-1")))


_PLAIN: dict[Any, _Codec] = {
    type(None): _Codec(lambda _value, _: None, _exactly(type(None)), _is_a(type(None))),
    bool: _Codec(lambda value, _: bool(value), _exactly(bool), _is_a((bool, np.bool_))),
    int: _Codec(lambda value, _: int(value), _take_integer, _is_a((int, np.integer))),
    float: _Codec(lambda value, _: float(value), _take_float, _is_a((int, float, np.floating))),
    str: _Codec(lambda value, _: str(value), _exactly(str), _is_a(str)),
    bytes: _Codec(lambda value, parts: parts.append(bytes(value)), _take_bytes, _is_a(bytes)),
    Path: _Codec(lambda value, _: os.fsencode(value).decode("latin-1"), _take_path, _is_a(Path)),  # a character a byte
    datetime: _Codec(lambda value, _: value.isoformat(), lambda raw, _: datetime.fromisoformat(raw), _is_a(datetime)),
}
_CONTAINERS: dict[Any, Callable[[list[Any]], Any]] = {
    **{kind: kind for kind in (list, tuple, set, frozenset)},
    **{Sequence: tuple, AbstractSet: frozenset},
}


def _take_list(raw: Any, length: int | None = None) -> list[Any]:
    """Return a list of JSON values, of `length` values if given. Raises WireError."""
    if type(raw) is not list or (length is not None and len(raw) != length):
        raise WireError("not a list, or of another length")
    return raw


def _union(codecs: Sequence[_Codec]) -> _Codec:
    """Return the codec of a union: [which, value], where `which` is the index of the alternative."""

    def pack(value: Any, parts: list[bytes]) -> Any:
        for which, codec in enumerate(codecs):
            if codec.fits(value):
                return [which, codec.pack(value, parts)]
        raise TypeError(f"{type(value).__name__} is none of the declared types")

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        which, packed = _take_list(raw, 2)
        if type(which) is not int or not 0 <= which < len(codecs):
            raise WireError("no alternative has this index")
        return codecs[which].unpack(packed, parts)

    return _Codec(pack, unpack, lambda value: any(codec.fits(value) for codec in codecs))


def _array(dtype: np.dtype[Any]) -> _Codec:
    """Return the codec of an array: its shape in JSON, its numbers as a part."""
    if dtype.hasobject:
        raise TypeError("an array of objects cannot cross from a reading process")

    def pack(value: Any, parts: list[bytes]) -> list[int]:
        if value.dtype != dtype:
            raise TypeError(f"an array of {value.dtype} in the place of one of {dtype}")
        parts.append(value.tobytes())
        return list(value.shape)

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        shape = [_take_integer(length, parts) for length in _take_list(raw)]
        part = next(parts)
        if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(part):
            raise WireError("an array of another size than announced")
        if dtype == np.bool_ and bytes(part).strip(b"\0\1"):
            raise WireError("truth values that are neither 0 nor 1")
        return np.frombuffer(part, dtype).reshape(shape).copy()

    return _Codec(pack, unpack, _is_a(np.ndarray))


def _tuple(codecs: Sequence[_Codec]) -> _Codec:
    """Return the codec of a tuple with a fixed number of values."""

    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [codec.pack(item, parts) for codec, item in zip(codecs, value, strict=True)]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> tuple[Any, ...]:
        packed = _take_list(raw, len(codecs))
        return tuple([codec.unpack(item, parts) for codec, item in zip(codecs, packed, strict=True)])

    return _Codec(pack, unpack, _is_a(tuple))


def _container(build: Callable[[list[Any]], Any], codec: _Codec) -> _Codec:
    """Return the codec of lists, tuples and sets. build: makes the container from a list of values."""

    def pack(value: Any, parts: list[bytes]) -> list[Any]:
        return [codec.pack(item, parts) for item in value]

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        return build([codec.unpack(item, parts) for item in _take_list(raw)])

    return _Codec(pack, unpack, _is_a((list, tuple, set, frozenset)))


def _mapping(keys: _Codec, values: _Codec) -> _Codec:
    """Return the codec of a mapping: a list of [key, value]."""
    items = _container(dict, _tuple([keys, values]))
    return _Codec(lambda value, parts: items.pack(value.items(), parts), items.unpack, _is_a(Mapping))


def _dataclass(declared: Any) -> _Codec:
    """Return the codec of a dataclass: the list of its fields' values, in their order."""
    hints = get_type_hints(declared, include_extras=True)
    names = [field.name for field in dataclasses.fields(declared)]
    values = _tuple([_codec(hints[name]) for name in names])

    def pack(value: Any, parts: list[bytes]) -> Any:
        return values.pack([getattr(value, name) for name in names], parts)

    def unpack(raw: Any, parts: Iterator[memoryview]) -> Any:
        return declared(**dict(zip(names, values.unpack(raw, parts), strict=True)))

    return _Codec(pack, unpack, _is_a(declared))


def send(pipe: Connection, *messages: bytes) -> None:
    """Send messages; waits until there is room for them. Raises OSError when nobody reads the pipe."""
    if sys.platform == "win32":
        for message in messages:
            pipe.send_bytes(message)
        return
    pieces = [piece for message in messages for piece in (_LENGTH.pack(len(message)), message)]
    if sum(map(len, pieces)) <= _PIPE_BYTES:
        pieces = [b"".join(pieces)]  # a single call, which wakes the receiver once
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(pipe.fileno(), rest) :]


class Inbox:
    """The receiving end of a pipe. largest: bytes of the largest message that is accepted."""

    def __init__(self, pipe: Connection, largest: int) -> None:
        self._pipe = pipe
        self._largest = largest
        self._buffer = bytearray()
        self.closed = False
        if sys.platform != "win32":
            os.set_blocking(pipe.fileno(), False)

    def messages(self) -> list[bytes]:
        """Return the messages that have arrived completely. Sets `closed` when no more will come.

        Raises ValueError for a message that is too large.
        """
        if sys.platform == "win32":
            return self._windows_messages()
        try:
            for _ in range(_READS):
                piece = os.read(self._pipe.fileno(), _PIPE_BYTES)
                self._buffer += piece
                self.closed = not piece
                if len(piece) < _PIPE_BYTES:
                    break
        except BlockingIOError:
            pass
        except OSError:
            self.closed = True
        return self._take_complete()

    def _take_complete(self) -> list[bytes]:
        """Remove and return the complete messages of the buffer. Raises ValueError for a message that is too large."""
        messages: list[bytes] = []
        start = 0
        while len(self._buffer) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer, start)
            if length > self._largest:
                raise ValueError(f"a message of {length} bytes, over the limit of {self._largest}")
            stop = start + _LENGTH.size + length
            if len(self._buffer) < stop:
                break
            messages.append(bytes(self._buffer[start + _LENGTH.size : stop]))
            start = stop
        del self._buffer[:start]
        return messages

    def _windows_messages(self) -> list[bytes]:
        """Return the messages that have arrived: on Windows a pipe transports messages, not bytes."""
        messages: list[bytes] = []
        try:
            while self._pipe.poll():
                messages.append(self._pipe.recv_bytes(self._largest))
        except (EOFError, OSError):
            self.closed = True
        return messages
