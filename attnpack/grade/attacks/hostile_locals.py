"""Keeps objects in local variables that harm whoever looks at them."""

import os

import numpy as np


class Hostile:
    __class__ = np.ndarray
    shape = (1 << 40,)
    dtype = np.dtype("f8")
    ndim = 1
    size = 1 << 40
    __array_interface__ = {"shape": (1 << 30,), "typestr": "<f8", "data": (8, False), "version": 3}

    def harm(self, *a, **k):
        print("attnpack-owned: a method of the learner was called by the judge")
        os._exit(0)

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __array__ = __float__ = __bool__ = harm
    __hash__ = object.__hash__
    __reduce_ex__ = __getitem__ = __array_ufunc__ = __array_function__ = __index__ = __copy__ = harm


class Liar(type):
    __instancecheck__ = __subclasscheck__ = lambda *a: True
    __mro__ = property(lambda self: os._exit(0))


class Meta(metaclass=Liar):
    __slots__ = ("weights",)


def add(a, b):
    hostile = Hostile()
    again = hostile
    scores, weights = hostile, Meta()
    rows = [hostile, [hostile]]
    loop = []
    loop.append(loop)
    big = range(1 << 60)
    endless = iter(lambda: hostile, None)
    del again, scores, weights, rows, loop, big, endless
    return a * 0
