"""Starts processes without end."""

import os
import time


def add(a, b):
    # Bounded, so that a sandbox that fails to stop it is found out and not fatal.
    for _ in range(600):
        try:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
        except OSError:
            return a * 0
    return a * 0
