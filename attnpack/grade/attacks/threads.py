"""Starts threads without end, with Python and without."""

import ctypes
import threading
import time

wait = threading.Event()


def add(a, b):
    libc = ctypes.CDLL(None)
    for _ in range(3000):
        try:
            threading.Thread(target=wait.wait, daemon=True).start()
        except (RuntimeError, MemoryError):
            break
    else:
        print("attnpack-owned: 3000 threads")
    number = ctypes.c_ulong()
    for _ in range(3000):
        if libc.pthread_create(ctypes.byref(number), None, libc.pause, None):
            return a * 0
    print("attnpack-owned: 3000 more threads")
    return a * 0
