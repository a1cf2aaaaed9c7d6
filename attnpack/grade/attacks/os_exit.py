"""Ends the process while it is loaded, past every handler, with exit code 0."""

import os

os._exit(0)
