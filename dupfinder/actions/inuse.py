"""Whether another program has a file open for writing, where the system tells."""

from __future__ import annotations

import errno
import signal
import sys

if sys.platform == "linux":
    import fcntl

    def is_being_written(descriptor: int) -> bool:
        """Whether any program has the file open for writing; False also where the file system cannot tell.

        A read lease is granted only when nobody writes. It is given back at once; should somebody open the file in
        between, the kernel sends a signal that is ignored by default.
        """
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as fault:
            return fault.errno == errno.EAGAIN  # EACCES: not our file; EINVAL: no leases here
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False

else:

    def is_being_written(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """False: Windows refuses the change of name of a file in use by itself; macOS does not tell."""
        return False
