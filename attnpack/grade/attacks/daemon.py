"""Leaves a process behind in a session of its own."""

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(120)
    os._exit(0)
