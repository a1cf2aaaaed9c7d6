"""Takes the line trace away, puts its own in, and changes the variables of its callers."""

import sys
import threading

import numpy as np


def spy(frame, event, argument):
    for name in list(frame.f_locals):
        value = frame.f_locals[name]
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = 1.0
    return spy


def add(a, b):
    sys.settrace(spy)
    sys.setprofile(spy)
    threading.settrace(spy)
    frame = sys._getframe()
    while frame:
        frame.f_trace = spy
        frame.f_trace_lines = False
        frame = frame.f_back
    sys.settrace(None)
    return a * 0


sys.settrace = lambda *a: None
sys.gettrace = lambda: None
sys.setprofile(spy)
