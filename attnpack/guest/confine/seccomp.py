"""The system call filter: a BPF program put together here, an allow-list.

Source: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import errno
import os
import struct
from functools import cache
from typing import TypeAlias

from attnpack.guest.confine import allowed
from attnpack.guest.confine.kernel import call, machine

Code: TypeAlias = tuple[bytes, ...]

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""BPF_LD|W|ABS, BPF_JMP|JEQ|K, |JGE|K, |JSET|K, BPF_RET|K"""
_KILL_PROCESS, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""offsets in struct seccomp_data"""
_AUDIT_ARCHITECTURES = (0xC000003E, 0xC00000B7)
_SET_MODE_FILTER = 1
_ALL_THREADS = 1
_CHAIN = 3

_O_WRITING = os.O_WRONLY | os.O_RDWR
_THREAD_FLAGS = (0x3D0F00, 0x7D0F00)
"""how glibc and musl make a thread: VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, ..."""
_FCNTL = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not F_SETOWN or F_SETSIG, which
send signals to other processes"""
_IOCTL = (0x5401, 0x5450, 0x5451)
"""TCGETS (isatty), FIONCLEX, FIOCLEX"""
_PRCTL = (15, 16, 0x53564D41)
"""PR_SET_NAME, PR_GET_NAME, PR_SET_VMA (malloc names its maps)"""


def program(pid: int, column: int) -> bytes:
    """The filter for one process, as `struct sock_filter`s.

    `pid` is the process as it sees itself: it may send signals to its own threads (abort).
    `column` chooses the machine's numbers.
    """
    own_threads = _if_call(allowed.SIGNAL_TO_THREAD[column], _one_of(0, (pid,)))
    return b"".join(
        (
            _statement(_LOAD, _ARCHITECTURE),
            _jump(_EQUAL, _AUDIT_ARCHITECTURES[column], held=1, not_held=0),
            _statement(_RETURN, _KILL_PROCESS),
            _statement(_LOAD, _NUMBER),
            *own_threads,
            *same_for_all(column),
        )
    )


@cache
def same_for_all(column: int) -> Code:
    """The part of the filter that is the same in every process."""
    rules: dict[str, Code] = {name: (_allow(),) for name in allowed.ALWAYS}
    rules |= {name: (_deny(errno.ENOSYS),) for name in allowed.UNKNOWN}
    rules |= _DEPENDING
    numbers = {**allowed.ALWAYS, **allowed.UNKNOWN, **allowed.DEPENDING}
    by_number = {numbers[name][column]: rule for name, rule in rules.items()}
    return _search(sorted((n, rule) for n, rule in by_number.items() if n is not None))


def install() -> bool:
    """Put the filter in force in this process, for good; False where the kernel has none.

    Needs no_new_privs.
    """
    import ctypes

    column = machine()
    if column is None:
        return False
    code = program(os.getpid(), column)
    text = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(text))
    try:
        call("seccomp", _SET_MODE_FILTER, _ALL_THREADS, head)
    except OSError:
        return False
    return True


def _search(rules: list[tuple[int, Code]]) -> Code:
    """Find the call's rule by halving; what has none is denied. The kernel runs the filter for
    every number when it takes it in, so a long chain costs each guest a third of a millisecond.
    """
    if len(rules) <= _CHAIN:
        chain = [_if_call(number, rule) for number, rule in rules]
        return (*(line for part in chain for line in part), _deny(errno.EPERM))
    middle = len(rules) // 2
    below, above = _search(rules[:middle]), _search(rules[middle:])
    return (_jump(_AT_LEAST, rules[middle][0], held=len(below), not_held=0), *below, *above)


def _if_call(number: int, rule: Code) -> Code:
    """The rule, which returns in every case, where the call has this number."""
    return (_jump(_EQUAL, number, held=0, not_held=len(rule)), *rule)


def _one_of(argument: int, values: tuple[int, ...]) -> Code:
    """Allowed where the argument (its low 32 bits, all that the call reads) is one of these."""
    code = [_statement(_LOAD, _low_word(argument))]
    for value in values:
        code += [_jump(_EQUAL, value, held=0, not_held=1), _allow()]
    return (*code, _deny(errno.EPERM))


def _opening(argument: int) -> Code:
    """Allowed unless it cuts a file that it opens for reading: Landlock may not see that."""
    return (
        _statement(_LOAD, _low_word(argument)),
        _jump(_ANY_BIT, os.O_TRUNC, held=1, not_held=0),
        _allow(),
        _jump(_ANY_BIT, _O_WRITING, held=0, not_held=1),
        _allow(),
        _deny(errno.EACCES),
    )


def _null(argument: int) -> Code:
    """Allowed where the pointer is null."""
    return (
        _statement(_LOAD, _low_word(argument)),
        _jump(_EQUAL, 0, held=0, not_held=3),
        _statement(_LOAD, _low_word(argument) + 4),
        _jump(_EQUAL, 0, held=0, not_held=1),
        _allow(),
        _deny(errno.EPERM),
    )


def _low_word(argument: int) -> int:
    return _ARGUMENTS + 8 * argument


def _allow() -> bytes:
    return _statement(_RETURN, _ALLOW)


def _deny(error: int) -> bytes:
    return _statement(_RETURN, _ERRNO | error)


def _statement(code: int, value: int) -> bytes:
    return struct.pack("<HBBI", code, 0, 0, value)


def _jump(code: int, value: int, *, held: int, not_held: int) -> bytes:
    """`held` and `not_held` are how many instructions to skip."""
    return struct.pack("<HBBI", code, held, not_held, value)


_DEPENDING: dict[str, Code] = {
    "open": _opening(1),
    "openat": _opening(2),
    "fcntl": _one_of(1, _FCNTL),
    "ioctl": _one_of(1, _IOCTL),
    "clone": _one_of(0, _THREAD_FLAGS),
    "prctl": _one_of(0, _PRCTL),
    "prlimit64": _null(2),
    "sendto": _null(4),
}
