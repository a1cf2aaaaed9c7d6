"""Takes memory in other ways: unreserved maps, locked pages, pipes, descriptors."""

import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
NORESERVE, PRIVATE, ANONYMOUS, LOCKED = 0x4000, 2, 0x20, 0x2000
for flags in (NORESERVE, LOCKED, 0):
    found = libc.mmap(None, ctypes.c_size_t(1 << 36), 3, PRIVATE | ANONYMOUS | flags, -1, 0)
    if found not in (None, ctypes.c_void_p(-1).value):
        print("attnpack-owned: 64 GiB")
if libc.mlockall(3) == 0:
    print("attnpack-owned: locked memory")
held = []
for _ in range(2000):
    try:
        held.append(os.pipe())
    except OSError:
        break
else:
    print("attnpack-owned: 2000 pipes")
for _ in range(2000):
    try:
        held.append(os.dup(0))
    except OSError:
        break
else:
    print("attnpack-owned: 2000 descriptors")
