"""Exits where nobody expects it: destructors, exit handlers, signal handlers, imports."""

import atexit
import gc
import os
import signal
import sys
import threading


class Leaving:
    def __del__(self):
        sys.exit(0)


class Exiting:
    def __del__(self):
        os._exit(0)


for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU, signal.SIGSEGV, signal.SIGCHLD):
    signal.signal(number, lambda *a: os._exit(0))
atexit.register(os._exit, 0)
threading.excepthook = sys.excepthook = sys.unraisablehook = lambda *a: os._exit(0)
gc.callbacks.append(lambda *a: None)


def add(a, b):
    leaving, hidden = Leaving(), Exiting()
    hidden.itself = hidden
    return a * 0
