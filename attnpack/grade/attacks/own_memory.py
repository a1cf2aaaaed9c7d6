"""Overwrites memory of its own process: what it shares with the warm one is a copy."""

import ctypes
import sys

for module in list(sys.modules.values()):
    for value in list(vars(module).values())[:200]:
        if isinstance(value, (str, bytes)) and len(value) > 40:
            ctypes.memset(id(value) + 56, 0x41, 16)
ctypes.memset(id(None), 0, 8)
ctypes.string_at(0)
