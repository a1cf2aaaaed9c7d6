"""Overflows the stack of the interpreter itself."""

import ctypes

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


@CALLBACK
def again(depth):
    return again(depth)


def add(a, b):
    nested = []
    for _ in range(10**6):
        nested = [nested]
    return again(0)
