"""Prints without end."""

import sys


def add(a, b):
    while True:
        sys.stdout.write("x" * 65536)
