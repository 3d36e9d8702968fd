"""How a reading process on Linux gives up rights: Landlock limits the files that it may open, seccomp its system calls.

Landlock can only narrow what a process may open. The filter names the calls that are refused, not those allowed,
because new C libraries use calls that an older list would not allow. Calls newer than the list are answered with
ENOSYS, so that libraries fall back to older calls.
Sources: linux/Documentation/userspace-api/landlock.rst and seccomp_filter.rst; asm/unistd_64.h and
asm-generic/unistd.h for the numbers.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, the same on all machines
_ASK_VERSION, _BENEATH = 1, 1
_NO_NEW_PRIVILEGES: Final = 38  # of prctl(2)

_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
# Rights to files, by the version of Landlock that added them. A right named in a rule set is refused unless allowed.
_FILE_RIGHTS: Final = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
_NETWORK_SINCE, _NETWORK = 4, 0b11  # to bind and to connect by TCP
_SCOPE_SINCE, _SCOPE = 6, 0b11  # abstract sockets and signals to processes outside the cell


def landlock_version() -> int:
    """Return the version of Landlock that the kernel offers, 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_system().syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), _ASK_VERSION)))


def restrict_files(readable: Iterable[str], executable: Iterable[str]) -> bool:
    """Restrict this thread, and all that it starts, to opening these files and folders, for reading only.

    readable: files, and folders with all they contain; those that do not exist are ignored.
    executable: the same for programs that it may start.
    Returns whether the kernel applied it.
    """
    known = landlock_version()
    if not known:
        return False
    rights = sum(bits for since, bits in _FILE_RIGHTS if since <= known)
    network = _NETWORK if known >= _NETWORK_SINCE else 0
    scope = _SCOPE if known >= _SCOPE_SINCE else 0
    attributes = struct.pack("=QQQ", rights, network, scope)[: 8 * (1 + bool(network) + bool(scope))]
    rules = int(_system().syscall(ctypes.c_long(_CREATE), attributes, ctypes.c_size_t(len(attributes)), 0))
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE)
        for path in executable:
            _allow(rules, path, _READ_FILE | _EXECUTE)
        return int(_system().syscall(ctypes.c_long(_RESTRICT), rules, 0)) == 0
    finally:
        os.close(rules)


def give_up_privileges() -> bool:
    """Tell the kernel never to grant new privileges, as Landlock and seccomp require. Returns success."""
    return sys.platform == "linux" and int(_system().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)) == 0


def _allow(rules: int, path: str, rights: int) -> None:
    """Add a rule that allows `rights` to a file, and in a folder also reading it. A missing file is ignored."""
    if sys.platform != "linux":
        return
    with suppress(OSError):  # missing, or not permitted
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights |= _READ_FOLDER
            rule = struct.pack("=Qi", rights, descriptor)
            _system().syscall(ctypes.c_long(_ADD), rules, _BENEATH, rule, 0)
        finally:
            os.close(descriptor)


def _system() -> ctypes.CDLL:
    """Return the C library, for system calls."""
    return ctypes.CDLL(None, use_errno=True)


_SET_FILTER, _ACTION_AVAILABLE, _ALL_THREADS = 1, 2, 1
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # opcodes of classic BPF
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16  # bytes into struct seccomp_data
_X32: Final = 0x40000000  # call numbers from here on belong to the x32 ABI
_NEWEST: Final = 470  # calls from here on are newer than this list

_THREAD: Final = 0x00010000  # CLONE_THREAD: the new task is a thread, not a process
_WRITING: Final = 0o3 | os.O_CREAT | os.O_TRUNC | os.O_APPEND  # flags of open(2) that allow more than reading
_OWNER_COMMANDS: Final = (8, 10, 15, 1024, 1026)  # of fcntl: signals and leases that reach other processes
_TERMINAL_COMMANDS: Final = (0x5412, 0x541C)  # of ioctl: inject input into a terminal

# machine: (its audit architecture number, the number of seccomp(2), its column in the tables below)
_MACHINES: Final = {"x86_64": (0xC000003E, 317, 0), "aarch64": (0xC00000B7, 277, 1)}

# name: number on x86_64 and on machines of the generic table; -1 where there is no such call.
_REFUSED: Final = {
    # the network
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "accept": (43, 202), "accept4": (288, 242),
    "bind": (49, 200), "listen": (50, 201), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130), "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "setsid": (112, 157), "setpgid": (109, 154),
    # files: their content, names and properties
    "creat": (85, -1), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "rename": (82, -1),
    "renameat": (264, 38), "renameat2": (316, 276), "unlink": (87, -1), "unlinkat": (263, 35), "rmdir": (84, -1),
    "mkdir": (83, -1), "mkdirat": (258, 34), "link": (86, -1), "linkat": (265, 37), "symlink": (88, -1),
    "symlinkat": (266, 36), "mknod": (133, -1), "mknodat": (259, 33), "chmod": (90, -1), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "lchown": (94, -1), "fchown": (93, 55),
    "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1), "utimensat": (280, 88), "futimesat": (261, -1),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "inotify_init": (253, -1), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    # the machine
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "setuid": (105, 146), "setgid": (106, 144), "setreuid": (113, 145), "setregid": (114, 143),
    "setresuid": (117, 147), "setresgid": (119, 149), "setfsuid": (122, 151), "setfsgid": (123, 152),
    "setgroups": (116, 159), "capset": (126, 91), "unshare": (272, 97), "setns": (308, 268),
    "personality": (135, 92), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "userfaultfd": (323, 282), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "reboot": (169, 142), "syslog": (103, 116), "iopl": (172, -1), "ioperm": (173, -1), "modify_ldt": (154, -1),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58), "uselib": (134, -1),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
}  # fmt: skip
_STARTING: Final = {"fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281)}
_OPEN, _OPENAT, _OPENAT2 = (2, -1), (257, 56), (437, 437)
_CLONE, _CLONE3, _KILL_CALL, _TGKILL = (56, 220), (435, 435), (62, 129), (234, 131)
_PRLIMIT, _FCNTL, _IOCTL = (302, 261), (72, 25), (16, 29)

Instruction = tuple[int, int, int, int]  # opcode, instructions to skip if true, if false, value
_ALLOWED_CALL: Final[Instruction] = (_RETURN, 0, 0, _ALLOW)
_REFUSED_CALL: Final[Instruction] = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
_UNKNOWN_CALL: Final[Instruction] = (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)


def can_filter_calls() -> bool:
    """Tell whether the kernel filters system calls and this machine's call numbers are known."""
    machine = _machine()
    if machine is None:
        return False
    action = ctypes.c_uint32(_REFUSE)
    return int(_system().syscall(ctypes.c_long(machine[1]), _ACTION_AVAILABLE, 0, ctypes.byref(action))) == 0


def restrict_calls(*, programs: bool) -> bool:
    """Filter the system calls of all threads of this process from now on, and return whether the kernel does.

    programs: whether it may start other processes. `give_up_privileges` must have been called before.
    """
    machine = _machine()
    if machine is None:
        return False
    audit, call, column = machine
    instructions = list(_filter(audit, column, programs))
    packed = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    code = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("@HP", len(instructions), ctypes.addressof(code))
    return int(_system().syscall(ctypes.c_long(call), _SET_FILTER, _ALL_THREADS, program)) == 0


def _machine() -> tuple[int, int, int] | None:
    """Return the row of _MACHINES for this machine, None if it is unknown."""
    if sys.platform != "linux" or sys.maxsize < 2**32 or sys.byteorder != "little":
        return None
    return _MACHINES.get(platform.machine())


def _filter(audit: int, column: int, programs: bool) -> Iterator[Instruction]:
    """Yield the filter program. At each call, the kernel runs it from the first instruction to the first return."""
    yield _LOAD, 0, 0, _MACHINE_AT
    yield _EQUAL, 1, 0, audit
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER_AT
    yield _AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _KILL
    yield _AT_LEAST, 0, 1, _NEWEST
    yield _UNKNOWN_CALL
    refused = dict(_REFUSED) if programs else _REFUSED | _STARTING
    for numbers in refused.values():
        yield from _when(numbers[column], [_REFUSED_CALL])
    yield from _when(_OPEN[column], _refused_if_writing(1))
    yield from _when(_OPENAT[column], _refused_if_writing(2))
    for numbers in (_OPENAT2, _CLONE3):  # their flags are in memory, which a filter cannot read
        yield from _when(numbers[column], [_UNKNOWN_CALL])
    yield from _when(_PRLIMIT[column], _refused_unless(_EQUAL, 0))
    yield from _when(_FCNTL[column], _refused_commands(_OWNER_COMMANDS))
    yield from _when(_IOCTL[column], _refused_commands(_TERMINAL_COMMANDS))
    if not programs:  # with programs, it must be able to end them; Landlock protects other processes
        yield from _when(_CLONE[column], _refused_unless(_ANY_BIT, _THREAD))
        for numbers in (_KILL_CALL, _TGKILL):
            yield from _when(numbers[column], _refused_unless(_EQUAL, os.getpid()))
    yield _ALLOWED_CALL


def _when(number: int, instructions: list[Instruction]) -> Iterator[Instruction]:
    """Yield instructions that apply to one call only. The last of `instructions` must return."""
    if number >= 0:
        yield _EQUAL, 0, len(instructions), number
        yield from instructions


def _argument(position: int) -> Instruction:
    """Load the lower half of an argument: the kernel ignores the upper half for the calls filtered here."""
    return _LOAD, 0, 0, _ARGUMENTS_AT + 8 * position


def _refused_if_writing(position: int) -> list[Instruction]:
    """Return instructions that refuse to open a file for writing. position: index of the argument with the flags."""
    return [_argument(position), (_ANY_BIT, 0, 1, _WRITING), _REFUSED_CALL, _ALLOWED_CALL]


def _refused_unless(test: int, value: int) -> list[Instruction]:
    """Return instructions that refuse a call unless its first argument passes a test."""
    return [_argument(0), (test, 1, 0, value), _REFUSED_CALL, _ALLOWED_CALL]


def _refused_commands(commands: tuple[int, ...]) -> list[Instruction]:
    """Return instructions that refuse a call if its second argument is among `commands`."""
    tests = [(_EQUAL, len(commands) - index, 0, command) for index, command in enumerate(commands)]
    return [_argument(1), *tests, _ALLOWED_CALL, _REFUSED_CALL]
