"""Where `attnpack` begins: a check's guest warms up while the command line is imported."""

import os
import sys

HELP = {"-h", "--help"}


def main() -> None:
    """The entry point."""
    _libraries_first()
    words = sys.argv[1:]
    if words[:1] == ["check"] and HELP.isdisjoint(words):
        from attnpack.host import early

        early.start(words[1:])
    from attnpack.cli import main as command_line

    command_line()


def _libraries_first() -> None:
    """Look into PYTHONPATH last: a file of the learner's may be named like a library."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    own = {os.path.abspath(entry) for entry in named if entry}  # noqa: PTH100  pathlib is slower to import
    sys.path.sort(key=lambda entry: os.path.abspath(entry) in own)  # noqa: PTH100
