"""Fills its own folder with bytes, with files and with folders in folders."""

import os
import threading


def write(name):
    try:
        with open(name, "wb") as file:
            for _ in range(4096):
                file.write(bytes(1 << 20))
    except OSError:
        pass


for _number in range(8):
    threading.Thread(target=write, args=(f"{_number}.bin",), daemon=True).start()
try:
    for _number in range(50_000):
        open(f"empty{_number}", "w").close()
except OSError:
    pass
try:
    for _number in range(50_000):
        os.mkdir("a", 0o700 if _number % 2 else 0o500)
        os.chdir("a")
except OSError:
    pass
