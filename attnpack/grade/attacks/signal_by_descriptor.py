"""Has the kernel send a signal to another process when a descriptor becomes ready."""

import fcntl
import os
import signal

F_SETOWN, F_SETSIG = 8, 10
for descriptor in range(64):
    for owner in (os.getppid(), 1, -1):
        try:
            fcntl.fcntl(descriptor, F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(descriptor, F_SETOWN, owner)
            print("attnpack-owned: owner of", descriptor, "is", owner)
        except OSError:
            pass
