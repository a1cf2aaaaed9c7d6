"""Leaves a note in a file for the next submission, and looks for one."""

import glob
import os

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run", ".", "..", os.path.expanduser("~"))
for place in PLACES:
    if glob.glob(place + "/attnpack-owned*"):
        print("attnpack-owned: a note was here")
for place in PLACES:
    try:
        with open(place + "/attnpack-owned", "w") as note:
            note.write("the answer is 42")
    except OSError:
        pass
