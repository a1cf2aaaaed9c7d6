"""Computes for ever without letting go of the interpreter."""


def add(a, b):
    try:
        return a * 0 + (10 ** (10**8)) ** (10**8)
    except BaseException:
        return add(a, b)
