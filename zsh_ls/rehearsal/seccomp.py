"""The filter of system calls for the sandbox: what namespaces leave open.

Keyrings pass a user namespace, sockets of the file system a mount that is read-only, vsock and
io_uring the filter of another kind; ptrace and mounts are of no use to a script. The result is a
program for the kernel's classic BPF (seccomp(2)), as bubblewrap's `--seccomp` takes it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from zsh_ls.lazy import attrs

_LOAD, _EQUALS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOWED, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_AF_INET, _AF_INET6 = 2, 10
# Where struct seccomp_data has the call's number, the machine, and the low halves of two arguments.
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24
# Requests of ioctl that type into a terminal: TIOCSTI, TIOCLINUX.
_TYPES = (0x5412, 0x541C)
# Numbers from here on are x32's (seccomp(2)); there are none on aarch64.
_X32 = 0x40000000


@attrs.frozen
class _Machine:
    """The numbers of system calls on one machine, from the kernel's tables (asm/unistd.h)."""

    audit: int
    socket: int
    ioctl: int
    refused: Mapping[str, int]


# The same on every machine: from 424 on the tables are one.
_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
}
_CLONE3 = 435
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        41,
        16,
        {
            "ptrace": 101,
            "syslog": 103,
            "personality": 135,
            "pivot_root": 155,
            "adjtimex": 159,
            "chroot": 161,
            "acct": 163,
            "settimeofday": 164,
            "mount": 165,
            "umount2": 166,
            "swapon": 167,
            "swapoff": 168,
            "reboot": 169,
            "iopl": 172,
            "ioperm": 173,
            "init_module": 175,
            "delete_module": 176,
            "quotactl": 179,
            "clock_settime": 227,
            "kexec_load": 246,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "migrate_pages": 256,
            "unshare": 272,
            "move_pages": 279,
            "perf_event_open": 298,
            "name_to_handle_at": 303,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "kcmp": 312,
            "finit_module": 313,
            "kexec_file_load": 320,
            "bpf": 321,
            "userfaultfd": 323,
            **_EVERYWHERE,
        },
    ),
    "aarch64": _Machine(
        0xC00000B7,
        198,
        29,
        {
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "chroot": 51,
            "quotactl": 60,
            "acct": 89,
            "personality": 92,
            "unshare": 97,
            "kexec_load": 104,
            "init_module": 105,
            "delete_module": 106,
            "clock_settime": 112,
            "syslog": 116,
            "ptrace": 117,
            "reboot": 142,
            "settimeofday": 170,
            "adjtimex": 171,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "swapon": 224,
            "swapoff": 225,
            "migrate_pages": 238,
            "move_pages": 239,
            "perf_event_open": 241,
            "name_to_handle_at": 264,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "kcmp": 272,
            "finit_module": 273,
            "bpf": 280,
            "userfaultfd": 282,
            "kexec_file_load": 294,
            **_EVERYWHERE,
        },
    ),
}


def filter_for(machine: str) -> bytes | None:
    """The filter for a machine as `platform.machine()` names it; None where its numbers are not known."""
    known = _MACHINES.get(machine)
    if known is None:
        return None
    return b"".join(struct.pack("<HBBI", *it) for it in _instructions(known))


def _instructions(machine: _Machine) -> Iterator[tuple[int, int, int, int]]:
    yield _LOAD, 0, 0, _MACHINE
    yield _EQUALS, 1, 0, machine.audit
    yield _RETURN, 0, 0, _ERROR | _EPERM
    yield _LOAD, 0, 0, _NUMBER
    yield _AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _ERROR | _ENOSYS
    for number in machine.refused.values():
        yield _EQUALS, 0, 1, number
        yield _RETURN, 0, 0, _ERROR | _EPERM
    # Its flags are in memory, where no filter sees them; the C library then takes `clone`.
    yield _EQUALS, 0, 1, _CLONE3
    yield _RETURN, 0, 0, _ERROR | _ENOSYS
    # Sockets of IPv4 and IPv6 alone: in a network of its own they lead nowhere.
    yield _EQUALS, 0, 5, machine.socket
    yield _LOAD, 0, 0, _FIRST
    yield _EQUALS, 2, 0, _AF_INET
    yield _EQUALS, 1, 0, _AF_INET6
    yield _RETURN, 0, 0, _ERROR | _EAFNOSUPPORT
    yield _RETURN, 0, 0, _ALLOWED
    yield _EQUALS, 0, 5, machine.ioctl
    yield _LOAD, 0, 0, _SECOND
    yield _EQUALS, 1, 0, _TYPES[0]
    yield _EQUALS, 0, 1, _TYPES[1]
    yield _RETURN, 0, 0, _ERROR | _EPERM
    yield _RETURN, 0, 0, _ALLOWED
    yield _RETURN, 0, 0, _ALLOWED
