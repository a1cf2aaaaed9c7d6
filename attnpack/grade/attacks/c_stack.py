"""Overflows the stack of the interpreter itself."""

import ctypes
import functools

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


@CALLBACK
def again(depth):
    return again(depth)


def add(a, b):
    nested = functools.reduce(lambda inside, _: [inside], range(10**5), [])
    return again(len(nested))
