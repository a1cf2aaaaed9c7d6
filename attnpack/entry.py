"""Where `attnpack` begins: a check's guest warms up while the command line is imported."""

import sys

HELP = {"-h", "--help"}


def main() -> None:
    """The entry point."""
    words = sys.argv[1:]
    if words[:1] == ["check"] and HELP.isdisjoint(words):
        from attnpack.host import early

        early.start(words[1:])
    from attnpack.cli import main as command_line

    command_line()
