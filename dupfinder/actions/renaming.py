"""A change of name that replaces nothing, as Linux and macOS have it; Python has no call for it."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import Final

_NOT_HERE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
# linux/fs.h: RENAME_NOREPLACE; sys/stdio.h of macOS: RENAME_EXCL
_CALLS: Final = {"linux": ("renameat2", 1), "darwin": ("renameatx_np", 4)}


def rename_exclusively(folder: int, name: str, to: int, new: str) -> None:
    """Rename `name` in the open folder `folder` to `new` in `to`. FileExistsError when that name is taken, OSError;
    NotImplementedError where the system or the file system cannot."""
    call, flag = _CALLS.get(sys.platform, ("", 0))
    function = getattr(ctypes.CDLL(None, use_errno=True), call, None) if call else None
    if function is None:
        raise NotImplementedError
    sys.audit("os.rename", name, new, folder, to)
    if function(folder, os.fsencode(name), to, os.fsencode(new), flag) == 0:
        return
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        raise NotImplementedError
    raise OSError(number, os.strerror(number), new)
