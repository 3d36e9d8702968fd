"""Show dupfinder's modules what they meet on Windows, as far as another system can. Loaded as `sitecustomize`.

They lack the names that Windows' Python lacks; processes are started, never copied; a pipe is no `Connection`; a file
that a process of the program has open or mapped is neither renamed nor removed; a rename replaces nothing; folders are
not opened, and no descriptor is given a time. What Windows itself does (its trash, its jobs) is not shown.
"""

from __future__ import annotations

import builtins
import ctypes
import errno
import mmap
import multiprocessing
import os
import signal
import socket
import stat
import sys
from collections.abc import Iterator
from multiprocessing import connection, context
from types import ModuleType
from typing import Any

_LACKS = {
    os: (
        "chown fchmod fchown fork getpgid getxattr killpg listxattr mkfifo nice posix_fadvise pread pwrite removexattr"
        " sched_getaffinity set_blocking setpgid setxattr statvfs sysconf"
        " O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_PATH"
    ),
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGPROF SIGURG SIGUSR1 SIGXCPU alarm setitimer",
    socket: "AF_UNIX recv_fds send_fds",
    mmap: " ".join(name for name in dir(mmap) if name.startswith(("MADV_", "MAP_", "PROT_"))),
}
_ABSENT = frozenset({"fcntl", "grp", "pwd", "resource", "termios"})
_BETWEEN = ("contextlib", "pathlib", "shutil", "tempfile", "weakref")  # modules through which dupfinder calls


class _Shown(ModuleType):
    """A module with some names hidden and others changed."""

    def __init__(self, module: ModuleType, hidden: str = "", **changed: Any) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(_module=module, _hidden=frozenset(hidden.split()), **changed)

    def __getattr__(self, name: str) -> Any:
        if name in self._hidden:
            raise AttributeError(f"{self.__name__}.{name}")
        return getattr(self._module, name)


class _NoPipe:
    """What `multiprocessing.connection.Connection` is on Windows for a pipe: another class."""


class _NoSystem:
    """A library of the system of which every call fails."""

    restype = None

    def __call__(self, *_: Any) -> None:
        return None

    def __getattr__(self, name: str) -> _NoSystem:
        part = _NoSystem()
        setattr(self, name, part)
        return part


_SHOWN: dict[str, ModuleType] = {module.__name__: _Shown(module, names) for module, names in _LACKS.items()}
_SHOWN["os"].__dict__.update(name="nt", supports_dir_fd=set(), supports_effective_ids=set(), O_BINARY=0)
_SHOWN["signal"].__dict__.update(SIGBREAK=signal.SIGQUIT)  # Ctrl+Break
_SHOWN["sys"] = _Shown(sys, platform="win32")
_SHOWN["ctypes"] = _Shown(ctypes, CDLL=lambda *_, **__: _NoSystem(), windll=_NoSystem())
_SHOWN["multiprocessing.connection"] = _Shown(connection, Connection=_NoPipe)

_import = builtins.__import__
_real = {name: getattr(os, name) for name in ("open", "rename", "replace", "unlink", "utime")}


def _imported(name: str, scope: Any = None, names: Any = None, fromlist: Any = (), level: int = 0) -> ModuleType:
    """Import a module as dupfinder would on Windows, or as ever for others."""
    if str((scope or {}).get("__name__", "")).startswith("dupfinder") and not level:
        if name in _ABSENT:
            raise ModuleNotFoundError(name, name=name)
        if name in _SHOWN and (fromlist or "." not in name):
            return _SHOWN[name]
    return _import(name, scope, names, fromlist, level)


def _for_dupfinder() -> bool:
    """Tell whether dupfinder makes the call that the caller of this function stands for."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_BETWEEN):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", "")).startswith("dupfinder")


def _in_use(path: Any) -> Iterator[str]:
    """Yield how a process of the program uses a regular file."""
    import psutil

    status = os.lstat(path)
    if stat.S_ISREG(status.st_mode):
        for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
            with open(f"/proc/{process.pid}/maps", errors="replace") as maps:
                yield from (f"mapped by {process.pid}" for line in maps if line.split()[4] == str(status.st_ino))
            for descriptor in os.listdir(f"/proc/{process.pid}/fd"):
                try:
                    if os.path.samestat(os.stat(f"/proc/{process.pid}/fd/{descriptor}"), status):
                        yield f"opened by {process.pid}"
                except OSError:
                    continue


def _refuse_if_in_use(path: Any) -> None:
    """Raise PermissionError for a file in use."""
    try:
        for use in _in_use(path):
            raise PermissionError(errno.EACCES, use, os.fspath(path))
    except (FileNotFoundError, ProcessLookupError):
        return


def _rename(source: Any, target: Any, **folders: Any) -> None:
    if _for_dupfinder():
        _refuse_if_in_use(source)
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "there is such a file", os.fspath(target))
    _real["rename"](source, target, **folders)


def _replace(source: Any, target: Any, **folders: Any) -> None:
    if _for_dupfinder():
        _refuse_if_in_use(source)
        _refuse_if_in_use(target)
    _real["replace"](source, target, **folders)


def _unlink(path: Any, **folders: Any) -> None:
    if _for_dupfinder() and not folders.get("dir_fd"):
        _refuse_if_in_use(path)
    _real["unlink"](path, **folders)


def _utime(path: Any, *times: Any, **more: Any) -> None:
    if isinstance(path, int) and _for_dupfinder():
        raise TypeError("a descriptor")
    _real["utime"](path, *times, **more)


def _open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    if _for_dupfinder():
        if dir_fd is not None:
            raise NotImplementedError("dir_fd")
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "a folder", os.fspath(path))
    return int(_real["open"](path, flags, mode, dir_fd=dir_fd))


def _show() -> None:
    """Change what is imported and called from now on."""
    for name, call in {
        "open": _open,
        "rename": _rename,
        "replace": _replace,
        "unlink": _unlink,
        "utime": _utime,
    }.items():
        setattr(os, name, call)
    os.remove = _unlink
    builtins.__import__ = _imported  # type: ignore[assignment]
    spawn = context.SpawnContext()
    multiprocessing.get_context = lambda method=None: _spawn_alone(spawn, method)  # type: ignore[assignment]
    multiprocessing.set_start_method("spawn")
    del context.ForkServerProcess


def _spawn_alone(spawn: context.SpawnContext, method: str | None) -> context.SpawnContext:
    """Return the one context that there is. Raises ValueError for another."""
    if method not in (None, "spawn"):
        raise ValueError(method)
    return spawn


if __name__ == "sitecustomize":
    _show()
