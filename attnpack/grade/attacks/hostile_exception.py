"""Raises exceptions that harm whoever prints them."""

import os


class Hostile(Exception):
    def __str__(self):
        os._exit(0)

    __repr__ = __str__

    @property
    def args(self):
        while True:
            pass

    @property
    def __traceback__(self):
        raise MemoryError


class Endless(Exception):
    def __str__(self):
        return "x" * (1 << 24)


calls = 0


def add(a, b):
    global calls
    calls += 1
    if calls % 2:
        error = Endless("x" * (1 << 24))
        error.__cause__ = error.__context__ = Endless()
        raise error
    raise Hostile
