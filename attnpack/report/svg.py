"""A report as a picture of a terminal, for the README and the docs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from rich.terminal_theme import MONOKAI

from attnpack.report.screen import Screen

if TYPE_CHECKING:
    from rich.console import RenderableType

COLUMNS: Final = 84


def svg(shown: RenderableType, title: str) -> str:
    """The SVG document; the same bytes for the same report."""
    console = Screen(
        file=io.StringIO(),
        record=True,
        width=COLUMNS,
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(shown)
    return console.export_svg(title=title, theme=MONOKAI, unique_id="attnpack")
