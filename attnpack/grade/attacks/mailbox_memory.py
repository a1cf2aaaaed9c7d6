"""Leaves a note in shared memory: System V, POSIX, a message queue, an anonymous file."""

import ctypes
import os
from multiprocessing import shared_memory

libc = ctypes.CDLL(None, use_errno=True)
for name, made in {
    "shmget": lambda: libc.shmget(0x61747470, 4096, 0o1666),
    "msgget": lambda: libc.msgget(0x61747470, 0o1666),
    "semget": lambda: libc.semget(0x61747470, 1, 0o1666),
    "memfd": lambda: libc.memfd_create(b"attnpack-owned", 0),
    "shm_open": lambda: libc.shm_open(b"/attnpack-owned", os.O_CREAT | os.O_RDWR, 0o666),
}.items():
    if made() >= 0:
        print("attnpack-owned:", name)
try:
    shared_memory.SharedMemory("attnpack-owned", create=True, size=4096)
    print("attnpack-owned: shared memory")
except OSError:
    pass
