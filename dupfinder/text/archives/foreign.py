"""7z and RAR archives: list the members and read one member's bytes, where libarchive is installed.

Such an archive may have to be unpacked from its start to reach a member. So all documents in it are unpacked into
memory at once, and those of the latest archive are held there. A document for which there is no room is refused.
"""

from __future__ import annotations

import ctypes
import importlib
import locale
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    FOREIGN_SUFFIXES,
    MOST_SECONDS,
    ArchiveContents,
    ArchiveMember,
    as_path,
    decoded,
    file_key,
    pieces_up_to,
    refused_by_name,
    without_doubles,
)
from dupfinder.text.archives.packed import CHUNK
from dupfinder.text.archives.tararchive import PACKED, most_unpacked
from dupfinder.text.document import MAX_PART_BYTES, Unreadable

UNPACKED: Final = PACKED + 1  # the packing method of all members
_FORMATS: Final = {b"7z\xbc\xaf\x27\x1c": "7zip", b"Rar!\x1a\x07\0": "rar", b"Rar!\x1a\x07\x01\0": "rar5"}
_ENDS: Final = {"rar": bytes.fromhex("c43d7b00400700"), "rar5": bytes.fromhex("1d77565103050400")}  # of a complete one
_LIBRARIES: Final = {"win32": "archiveint.dll", "darwin": "libarchive.2.dylib"}  # parts of these systems
_ANY_SYSTEM: Final = 0  # ZIP's number of a system on which a backslash separates folders, as RAR of Windows has it


@dataclass
class _HeldArchive:
    """The documents of an archive. key: see `file_key`. tape: the bytes of its documents, one after the other."""

    key: tuple[int, ...]
    tape: BytesIO
    contents: ArchiveContents


_newest = _HeldArchive((), BytesIO(), ArchiveContents(()))


def is_foreign(path: Path, head: bytes) -> bool:
    """Tell whether a file is a 7z or RAR archive, by its name and its first bytes."""
    return path.suffix.lower() in FOREIGN_SUFFIXES and begins_as_foreign(head)


def begins_as_foreign(head: bytes) -> bool:
    return head.startswith(tuple(_FORMATS))


def contents_of(stream: IO[bytes]) -> ArchiveContents:
    """Return the members in order. Raises Unreadable if libarchive is missing, or nothing can be unpacked; OSError."""
    return _opened(stream).contents


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the bytes of a member in pieces. Raises Unreadable if the archive no longer holds them."""
    tape = _opened(stream).tape
    tape.seek(member.offset)
    yield from pieces_up_to(tape, member.size)


def forget() -> None:
    """Release the memory of the archive that was unpacked last."""
    global _newest
    _newest = _HeldArchive((), BytesIO(), ArchiveContents(()))


def _opened(stream: IO[bytes]) -> _HeldArchive:
    """Return an archive, unpacked now or before."""
    global _newest
    key = file_key(stream)
    if not key or key != _newest.key:
        forget()
        _newest = _unpacked(stream, key)
    return _newest


def _unpacked(stream: IO[bytes], key: tuple[int, ...]) -> _HeldArchive:
    """Unpack the documents of an archive. Raises Unreadable, OSError."""
    library, most, format_name = _library(), most_unpacked(stream), _format_of(stream)
    tape, listed, watched = BytesIO(), list[ArchiveMember](), _WatchedStream(stream)
    names: list[str | bytes] = []
    trouble: Details = ()
    try:
        with library.stream_reader(watched, format_name, "none", block_size=CHUNK) as archive:
            for entry in archive:
                if len(listed) >= members.MAX_MEMBERS:
                    trouble = details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS)
                    break
                if not entry.isdir:
                    names.append(entry.pathname or "")
                    listed.append(_unpacked_member(entry, tape, most, library))
    except library.ArchiveError as error:
        if not listed:
            raise _refused(error) from error
        trouble = details(Clause.UNPACKED_UP_TO, members=len(listed))
    if not trouble and not _is_complete(stream, format_name):
        trouble = details(Clause.DAMAGED_AFTER, members=len(listed))
    if watched.error is not None:
        raise watched.error
    unique = without_doubles([as_path(name, _ANY_SYSTEM) for name in _texts(names)])
    contents = tuple(replace(member, name=name) for member, name in zip(listed, unique, strict=True))
    return _HeldArchive(key, tape, ArchiveContents(contents, trouble))


class _WatchedStream:
    """A stream that keeps an error of the system, which libarchive cannot hand on, and then ends."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stream.read(len(buffer))
        except OSError as error:
            self.error, data = error, b""
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True


def _texts(names: list[str | bytes]) -> list[str]:
    """Return names as text; libarchive gives those as bytes that are not in UTF-8."""
    texts = iter(decoded([(name, 0, b"") for name in names if isinstance(name, bytes)]))
    return [next(texts) if isinstance(name, bytes) else name for name in names]


def _format_of(stream: IO[bytes]) -> str:
    """Return what libarchive calls the format of an archive, and go to its start."""
    stream.seek(0)
    head = stream.read(max(map(len, _FORMATS)))
    stream.seek(0)
    return next(name for mark, name in _FORMATS.items() if head.startswith(mark))


def _is_complete(stream: IO[bytes], format_name: str) -> bool:
    """Tell whether an archive has its end: of RAR, libarchive does not tell that it is cut off between two members."""
    end = _ENDS.get(format_name, b"")
    stream.seek(-len(end), os.SEEK_END)
    return stream.read() == end


def _unpacked_member(entry: Any, tape: BytesIO, most: int, library: Any) -> ArchiveMember:
    """Return a member as it is listed, and append its bytes to `tape` unless it is refused. most: bytes of the tape."""
    name, offset = as_path(_texts([entry.pathname or ""])[0], _ANY_SYSTEM), tape.tell()
    refusal, limit = _refusal(entry, name, library), min(MAX_PART_BYTES, most - offset)
    try:
        for piece in _pieces(entry, library) if refusal is None else ():
            tape.write(piece)
            if max(tape.tell() - offset, entry.size or 0) > limit:
                refusal = ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=entry.size or 0, limit=limit)
                break
    except library.ArchiveError as trouble:
        refusal = _refused(trouble).kind, ()
    size, seconds = tape.tell() - offset, entry.mtime
    if refusal is None and entry.size not in (None, size):
        refusal = ProblemKind.DAMAGED, ()
    if refusal is not None:
        size = entry.size or 0
        tape.truncate(offset)
        tape.seek(offset)
    modified = int(seconds) * 1_000_000_000 if seconds is not None and 0 <= seconds < MOST_SECONDS else None
    return ArchiveMember(name, offset, UNPACKED, size, size, 0, modified, *(refusal or ()))


def _pieces(entry: Any, library: Any) -> Iterator[bytes]:
    """Yield the bytes of a member. Raises ArchiveError also for a wrong checksum, of which libarchive only warns."""
    buffer = ctypes.create_string_buffer(CHUNK)
    while count := library.ffi.read_data(entry._archive_p, buffer, CHUNK):
        if count < 0:
            raise library.ArchiveError("damaged")
        yield buffer.raw[:count]


def _refusal(entry: Any, name: str, library: Any) -> tuple[ProblemKind, Details] | None:
    """Return why a member must not be read; None if it may be."""
    if entry.issym:
        return ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK)
    if entry.islnk:
        return ProblemKind.SKIPPED, details(Clause.SECOND_NAME)
    if not entry.isreg:
        return ProblemKind.SKIPPED, details(Clause.SPECIAL_FILE)
    if (refusal := refused_by_name(name)) is None and library.ffi.entry_is_encrypted(entry._entry_p):
        refusal = ProblemKind.ENCRYPTED, ()
    return refusal


def _refused(error: Exception) -> Unreadable:
    """Return the exception for an error of libarchive, which tells of a password in its message alone."""
    return Unreadable(ProblemKind.ENCRYPTED if "encrypt" in str(error).lower() else ProblemKind.DAMAGED)


def _library() -> Any:
    """Return the bindings of libarchive. Raises Unreadable if it is not installed.

    It turns names into the encoding of the locale, so that must have all letters.
    """
    os.environ.setdefault("LIBARCHIVE", _LIBRARIES.get(sys.platform, "libarchive.so.13"))  # else a program looks for it
    logging.getLogger("libarchive").disabled = True
    if locale.getencoding().lower() != "utf-8":
        with suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    try:
        library = importlib.import_module("libarchive")
    except (ImportError, OSError, AttributeError, TypeError) as error:
        raise Unreadable(ProblemKind.SKIPPED, Clause.NO_LIBARCHIVE) from error
    library.ffi.ffi("entry_is_encrypted", [library.ffi.c_archive_entry_p], ctypes.c_int)  # which it does not bind
    return library
