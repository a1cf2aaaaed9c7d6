"""Attaches to the process that started it, as a debugger does."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SEIZE = 0x4206
for pid in {os.getppid(), 1, 2} - {0, os.getpid()}:
    if libc.ptrace(SEIZE, pid, None, None) == 0:
        print("attnpack-owned: traces", pid)
    word = ctypes.create_string_buffer(8)
    if libc.process_vm_readv(pid, word, 1, word, 1, 0) >= 0:
        print("attnpack-owned: reads memory of", pid)
