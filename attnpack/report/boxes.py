"""The lines of tables and panels, in the signs that a terminal has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box

from attnpack.report.glyphs import ASCII

if TYPE_CHECKING:
    from attnpack.report.glyphs import Glyphs

ASCII_HEAD: Final = box.Box("\n".join(["    ", "    ", " -- ", *["    "] * 5]) + "\n", ascii=True)


def of_panel(glyphs: Glyphs) -> box.Box:
    """A frame."""
    return box.ASCII if glyphs is ASCII else box.ROUNDED


def of_table(glyphs: Glyphs) -> box.Box:
    """A line under the head and none between the columns."""
    return ASCII_HEAD if glyphs is ASCII else box.SIMPLE_HEAD
