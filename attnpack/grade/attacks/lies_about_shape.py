"""Forges answers whose shapes, dtypes and offsets do not fit their bytes."""

import json
import os
import struct


def send(header, body=b""):
    encoded = json.dumps(header).encode() if isinstance(header, dict) else header
    for descriptor in range(3, 8):
        try:
            os.write(descriptor, struct.pack("<II", len(encoded), len(body)) + encoded + body)
        except OSError:
            pass


def keys():
    """The keys of the questions, from the memory of this process."""
    import gc

    found = set()
    for thing in gc.get_objects():
        key = getattr(thing, "key", None) if hasattr(type(thing), "__dataclass_fields__") else None
        if isinstance(key, str):
            found.add(key)
    return sorted(found)


LIES = (
    ["<f8", [1 << 40, 1 << 40], 0], ["<f8", [-1], 0], ["<f8", [3, 4], -8], ["<f8", [3, 4], 1 << 50],
    ["|O", [1], 0], ["<U9", [1], 0], ["<f8", [1] * 64, 0], ["<f8", [0.5], 0], ["<f8", None, 0],
    ["<f8", [True, 4], 0], ["<f8", ["3", 4], 0], [[], {}, None], "<f8", None, {"a": 1},
)


def add(a, b):
    for key in keys() or ["k"]:
        for lie in LIES:
            for field in ("results", "arrays", "array", "changed", "gradients"):
                send({"frame": "answer", "key": key, "outcome": "returned", field: [lie]}, b"\0" * 96)
    return a * 0
