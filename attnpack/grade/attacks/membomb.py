"""Takes memory without end."""


def add(a, b):
    # Bounded at 6 GiB, so that a sandbox without a cap is found out and not fatal.
    held = []
    for _ in range(96):
        held.append(bytearray(1 << 26))
    return a * 0
