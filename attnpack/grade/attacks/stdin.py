"""Waits for input."""


def add(a, b):
    return float(input())
