"""Deletes a folder of the machine."""

import shutil

# The test makes this folder, and it must be there afterwards.
shutil.rmtree("/tmp/attnpack-canary")
