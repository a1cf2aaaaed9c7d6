"""Writes into the installed packages, so that the next import runs it."""

import glob
import os

import numpy as np

home = os.path.dirname(np.__file__)
for path in [*glob.glob(home + "/__pycache__/*.pyc"), *glob.glob(home + "/*.py"), os.__file__]:
    for flags in (os.O_WRONLY | os.O_APPEND, os.O_RDWR):
        try:
            os.close(os.open(path, flags))
            print("attnpack-owned: could write to", path)
        except OSError:
            pass
for folder in (home, os.path.dirname(os.__file__), os.path.dirname(home)):
    try:
        open(folder + "/attnpack-owned.pth", "w").close()
    except OSError:
        pass
