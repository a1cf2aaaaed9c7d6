"""Leaves a link to a file of the machine."""

import os

os.symlink("/etc/passwd", "/tmp/attnpack-canary/l")
