"""Loops for ever while it is loaded."""

while True:
    pass
