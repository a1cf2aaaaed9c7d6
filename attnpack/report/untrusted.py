"""Text out of a submission, made fit for a terminal: data, never control."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LINES: Final = 20
"""of a learner's output, before the mark"""
CHARACTERS: Final = 4000

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC and other strings: titles, links, clipboard
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
_CONTROLLING = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def printable(text: str) -> str:
    """The text without escape sequences, control and formatting characters; tabs are spaces."""
    text = _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = text.expandtabs(4)
    return "".join(c for c in text if c == "\n" or unicodedata.category(c) not in _CONTROLLING)


def capped(text: str, lines: int = LINES, characters: int = CHARACTERS) -> str:
    """The beginning of a printable text, with a visible mark where something was cut off."""
    clean = printable(text).rstrip("\n")
    kept = "\n".join(clean[:characters].split("\n")[:lines])
    if kept == clean:
        return kept
    return f"{kept}\n[... {len(clean) - len(kept)} more characters; all of them: --json]"


def one_line(text: str, characters: int = 300) -> str:
    """The text on one line, cut with a visible mark."""
    flat = " ".join(printable(text).split())
    return flat if len(flat) <= characters else f"{flat[: characters - 4]} ..."
