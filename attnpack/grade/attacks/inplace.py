"""Overwrites its arguments."""


def add(a, b):
    a[:] = 0
    b[:] = 0
    return a
