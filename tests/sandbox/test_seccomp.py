"""The filter, run by an interpreter of its instructions, for both machines."""

from __future__ import annotations

import errno
import os
import platform
import re
import struct
from pathlib import Path

import pytest

from attnpack.guest.confine import allowed, seccomp
from attnpack.guest.confine.kernel import MACHINES, NUMBERS

X86_64, AARCH64 = 0xC000003E, 0xC00000B7
OWN_PID = 3
ALLOW, KILL = "allow", "kill"

FORBIDDEN = {
    "socket": (41, 198), "connect": (42, 203), "socketpair": (53, 199), "bind": (49, 200),
    "sendmsg": (46, 211), "recvmsg": (47, 212),
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "kill": (62, 129), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_tree": (428, 428), "fsopen": (430, 430),
    "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219), "add_key": (248, 217),
    "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "seccomp": (317, 277),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "memfd_create": (319, 279), "pipe2": (293, 59), "eventfd2": (290, 19),
    "symlinkat": (266, 36), "linkat": (265, 37), "chmod": (90, None), "fchmod": (91, 52),
    "chown": (92, None), "setxattr": (188, 5), "flock": (73, 32),
    "fchmodat": (268, 53), "fchownat": (260, 54), "utimensat": (280, 88),
    "truncate": (76, 45), "fallocate": (285, 47), "mknodat": (259, 33),
    "setuid": (105, 146), "setresuid": (117, 147), "capset": (126, 91), "setsid": (112, 157),
    "setrlimit": (160, 164), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "reboot": (169, 142),
    "init_module": (175, 105), "personality": (135, 92), "sysinfo": (99, 179), "sync": (162, 81),
}  # fmt: skip


def run(code, number, arguments=(), architecture=X86_64):
    """What the filter answers: "allow", "kill" or an errno."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<iIQ6Q", number, architecture, 0, *padded)
    instructions = list(struct.iter_unpack("<HBBI", code))
    word = at = 0
    while True:
        kind, held, not_held, value = instructions[at]
        at += 1
        if kind == 0x20:
            (word,) = struct.unpack_from("<I", data, value)
        elif kind == 0x06:
            action = value & 0xFFFF0000
            return {0x7FFF0000: ALLOW, 0x80000000: KILL, 0x50000: value & 0xFFFF}[action]
        else:
            truth = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[kind]
            at += held if truth else not_held


@pytest.fixture(params=[0, 1], ids=MACHINES)
def column(request):
    return request.param


@pytest.fixture
def ask(column):
    code = seccomp.program(OWN_PID, column)
    architecture = (X86_64, AARCH64)[column]
    return lambda number, *arguments: run(code, number, arguments, architecture)


def test_what_is_named_is_allowed(ask, column):
    for name, numbers in allowed.ALWAYS.items():
        if numbers[column] is not None:
            assert ask(numbers[column]) == ALLOW, name


def test_what_is_forbidden_is_denied_whatever_its_arguments(ask, column):
    for name, numbers in FORBIDDEN.items():
        if numbers[column] is not None:
            for arguments in ((), (1, 2, 3), (2**64 - 1,) * 6):
                assert ask(numbers[column], *arguments) == errno.EPERM, name


def test_every_other_number_is_denied(ask, column):
    named = {n[column] for n in (allowed.ALWAYS | allowed.DEPENDING | allowed.UNKNOWN).values()}
    named.add(allowed.SIGNAL_TO_THREAD[column])
    for number in set(range(600)) - named:
        assert ask(number) == errno.EPERM, number


def test_calls_of_another_architecture_end_the_process(column):
    code = seccomp.program(OWN_PID, column)
    for architecture in (0x40000003, 0x40000028, (AARCH64, X86_64)[column]):
        assert run(code, 0, architecture=architecture) == KILL


def test_the_x32_numbers_are_denied():
    code = seccomp.program(OWN_PID, 0)
    assert run(code, 0x40000000 + allowed.ALWAYS["write"][0]) == errno.EPERM


def test_a_file_that_is_opened_for_reading_is_not_cut(ask, column):
    """Whether it may be opened for writing is for Landlock and the view to say."""
    number = allowed.DEPENDING["openat"][column]
    for flags in (os.O_RDONLY | os.O_CLOEXEC, os.O_WRONLY, os.O_RDWR | os.O_CREAT | os.O_TRUNC):
        assert ask(number, 0, 0, flags) == ALLOW
    for flags in (os.O_TRUNC, os.O_TRUNC | os.O_CREAT):
        assert ask(number, 0, 0, flags) == errno.EACCES


def test_clone_makes_threads_only(ask, column):
    number = allowed.DEPENDING["clone"][column]
    thread, sigchld, vfork, new_user = 0x3D0F00, 17, 0x4111, 0x10000000
    assert ask(number, thread) == ALLOW
    for flags in (0, sigchld, vfork, thread | new_user, new_user | sigchld):
        assert ask(number, flags) == errno.EPERM


def test_clone3_seems_not_to_exist(ask, column):
    assert ask(allowed.UNKNOWN["clone3"][column]) == errno.ENOSYS


def test_a_signal_goes_to_a_thread_of_its_own_only(ask, column):
    number = allowed.SIGNAL_TO_THREAD[column]
    assert ask(number, OWN_PID, OWN_PID, 6) == ALLOW
    for other in (0, 1, 2, 4, 2**64 - 1):
        assert ask(number, other, other, 9) == errno.EPERM


def test_fcntl_sets_no_owner_of_a_descriptor(ask, column):
    number, set_owner, set_signal, set_owner_ex = allowed.DEPENDING["fcntl"][column], 8, 10, 15
    assert ask(number, 1, 3) == ALLOW
    for command in (set_owner, set_signal, set_owner_ex):
        assert ask(number, 1, command) == errno.EPERM


def test_nothing_is_typed_into_a_terminal(ask, column):
    number, is_terminal, type_in = allowed.DEPENDING["ioctl"][column], 0x5401, 0x5412
    assert ask(number, 0, is_terminal) == ALLOW
    assert ask(number, 0, type_in) == errno.EPERM


def test_limits_are_read_and_not_set(ask, column):
    number = allowed.DEPENDING["prlimit64"][column]
    assert ask(number, 0, 7, 0, 0x7FFF0000) == ALLOW
    assert ask(number, 0, 7, 0x7FFF0000, 0) == errno.EPERM
    assert ask(number, 0, 7, 1 << 32, 0) == errno.EPERM


def test_a_message_goes_where_the_descriptor_leads_and_nowhere_else(ask, column):
    number = allowed.DEPENDING["sendto"][column]
    assert ask(number, 3, 0x1000, 8, 0, 0, 0) == ALLOW
    assert ask(number, 3, 0x1000, 8, 0, 1 << 32, 16) == errno.EPERM


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the header is another machine's")
def test_the_numbers_are_those_of_the_kernels_header():
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("no kernel headers are installed")
    known = dict(re.findall(r"#define __NR_(\w+) (\d+)", header.read_text()))
    tables = {**allowed.ALWAYS, **allowed.DEPENDING, **allowed.UNKNOWN, **NUMBERS, **FORBIDDEN}
    for name, numbers in tables.items():
        if name in known:
            assert int(known[name]) == numbers[0], name
