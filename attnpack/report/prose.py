"""Plain text for the commands that need no table: wrapped to the terminal, ASCII where needed.

Without rich, which such a command would wait for longer than for its own work.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Final, TextIO

from attnpack.report import glyphs
from attnpack.report.untrusted import printable

if TYPE_CHECKING:
    from pathlib import Path

WIDEST: Final = 100
"""columns; longer lines are hard to read"""


def columns() -> int:
    """The width of the terminal; 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Print text, in characters that the stream has."""
    out = stream or sys.stdout
    print(glyphs.for_encoding(out.encoding).text(printable(text)), file=out)


def wrapped(text: str, indent: str = "") -> str:
    """Each line of the text as a paragraph of its own."""
    return "\n".join(
        textwrap.fill(
            line,
            min(WIDEST, columns()),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


def hanging(head: str, text: str) -> str:
    """A paragraph beside its head, its further lines under its first."""
    body = wrapped(text, " " * len(head))
    return head + body[len(head) :]


def quoted(path: Path) -> str:
    """A path as it is typed in a shell."""
    if sys.platform == "win32":
        return f'"{path}"' if " " in str(path) else str(path)
    return shlex.quote(str(path))


def titled(title: str, text: str) -> str:
    """A paragraph under its title."""
    return f"{title}\n{wrapped(text, '  ')}\n"
