"""Promises a frame, sends half of it and waits."""

import os
import struct
import time


def add(a, b):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, struct.pack("<II", 4000, 1 << 20) + b'{"frame": "answer", ')
        except OSError:
            pass
    time.sleep(600)
