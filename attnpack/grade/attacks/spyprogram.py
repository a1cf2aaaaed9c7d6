"""Runs a program."""

import subprocess

subprocess.run(["ls", "/"])
