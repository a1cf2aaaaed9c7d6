"""The system calls that learner code may make. Whatever is not named here is denied.

Numbers are (x86_64, aarch64), None where the machine has no such call. Source: the kernel's
arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

from typing import TypeAlias

Numbers: TypeAlias = dict[str, tuple[int | None, int | None]]

READING: Numbers = {
    "read": (0, 63),
    "readv": (19, 65),
    "pread64": (17, 67),
    "lseek": (8, 62),
    "close": (3, 57),
    "close_range": (436, 436),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "fadvise64": (221, 223),
}

WRITING: Numbers = {
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "pwrite64": (18, 68),
    "ftruncate": (77, 46),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "umask": (95, 166),
}
"""in the guest's own folder: that it is nowhere else is for Landlock and the view to see to.
Nothing that changes owner, mode, times or attributes, for those Landlock does not guard."""

TALKING: Numbers = {
    "write": (1, 64),
    "writev": (20, 66),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "recvfrom": (45, 207),
}
"""on descriptors that are open already: the pipe for output and the protocol's"""

MEMORY: Numbers = {
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    "madvise": (28, 233),
    "mincore": (27, 232),
    "brk": (12, 214),
    "get_mempolicy": (239, 236),
}

THREADS: Numbers = {
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "set_tid_address": (218, 96),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "rseq": (334, 293),
    "membarrier": (324, 283),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "restart_syscall": (219, 128),
}

TIME: Numbers = {
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
}

SIGNALS: Numbers = {
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "alarm": (37, None),
    "pause": (34, None),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
}
"""how a process handles its own; none sends one to another process"""

ASKING: Numbers = {
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getgroups": (115, 158),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "getpriority": (140, 141),
    "uname": (63, 160),
    "getrlimit": (97, 163),
    "getrandom": (318, 278),
}

ALWAYS: Numbers = {
    **READING,
    **WRITING,
    **TALKING,
    **MEMORY,
    **THREADS,
    **TIME,
    **SIGNALS,
    **ASKING,
}

DEPENDING: Numbers = {
    "open": (2, None),
    "openat": (257, 56),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "clone": (56, 220),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "sendto": (44, 206),
}
"""allowed with some arguments only: `seccomp` says which"""

SIGNAL_TO_THREAD = (234, 131)
"""tgkill: allowed to a thread of one's own"""

UNKNOWN: Numbers = {
    "clone3": (435, 435),
    "openat2": (437, 437),
}
"""answered as by a kernel too old to have them, so that the C library takes the older call,
whose arguments the filter can see"""
