"""Returns from its own process into the code of the warm one, to serve the next submission."""

import os
import sys


def stay(*arguments):
    raise SystemExit


os._exit = stay
sys.exit = stay
os.fork = lambda: 0
os.waitpid = lambda *a: (0, 0)

frame = sys._getframe()
while frame:
    for name in ("children", "policy", "host", "control"):
        if name in frame.f_locals:
            frame.f_locals[name] = None
    frame = frame.f_back


class Bomb(BaseException):
    pass


def add(a, b):
    raise Bomb
