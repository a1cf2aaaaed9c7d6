"""Asks the kernel directly, past Python, for what is forbidden."""

import ctypes
import platform

X86_64 = {
    "fork": (57,), "vfork?": (56, 17), "clone with new user": (56, 0x10000011), "socket": (41, 2, 1, 0),
    "ptrace": (101, 0, 0), "unshare": (272, 0x10000000), "mount": (165, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0), "keyctl": (250, 0, -3, 1), "io_uring": (425, 8, 0), "userfaultfd": (323, 1),
    "perf": (298, 0, 0, -1, -1, 0), "kill": (62, 1, 0), "tkill": (200, 1, 0), "pidfd": (434, 1, 0),
    "memfd": (319, 0, 0), "personality": (135, 0x40000), "chroot": (161, 0), "setuid": (105, 0),
    "x32 socket": (0x40000000 + 41, 2, 1, 0), "seccomp": (317, 0, 0, 0), "landlock": (444, 0, 0, 1),
    "open_tree": (428, -100, 0, 1), "inotify": (294, 0), "timerfd": (283, 1, 0), "pipe2": (293, 0, 0),
    "setsid": (112,), "sched_setaffinity": (203, 0, 0, 0), "sync": (162,), "dumpable": (157, 4, 1),
    "name_to_handle": (303, -100, 0, 0, 0, 0), "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
}
EPERM, ENOSYS = 1, 38

if platform.machine() == "x86_64":
    libc = ctypes.CDLL(None, use_errno=True)
    for name, (number, *arguments) in X86_64.items():
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
        if result == 0 and number in (56, 57):
            libc._exit(0)
        if result >= 0 or ctypes.get_errno() not in (EPERM, ENOSYS):
            print("attnpack-owned:", name, result, ctypes.get_errno())
