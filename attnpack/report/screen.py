"""The one way to the screen: whatever text it is made of, no control sequence passes but our own.

Names of files, lines of source, messages and output come from code that may be anybody's.
Colours are the console's: they are added after the text went through here. Plain lines go by
`prose.say`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.segment import Segment

from attnpack.report.untrusted import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType


class Screen(Console):
    """A console that shows text as text: no markup, no emoji names, no escapes out of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, "highlight": False, **options})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of a renderable, their text made printable."""
        for segment in super().render(renderable, options):
            text = segment.text
            if segment.control or text.isprintable() or text == "\n":
                yield segment
            else:
                yield Segment(printable(text), segment.style)
