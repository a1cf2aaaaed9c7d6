"""A whole picture: title, findings, panels side by side, the scale. Shared by SVG, PNG and page."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from attnpack.look.model.tokenizer import CONTINUES
from attnpack.look.pictures.findings import MARKS, Finding, Tone, findings
from attnpack.look.pictures.picture import Kind, Picture, panels
from attnpack.look.rendering import colours
from attnpack.look.rendering.drawing import LETTER, Anchor, Box, Drawing, Label, Shape, moved
from attnpack.look.rendering.matrix import CAPTION, draw_panel

if TYPE_CHECKING:
    from attnpack.look.pictures.view import View

_MARGIN = 16.0
_GAP = 18.0
_RAMP = 150.0


def heading(picture: Picture) -> str:
    """The title of a picture."""
    sentence = " ".join(picture.tokens[1:]).replace(f" {CONTINUES}", "")
    return f'Attention of {picture.source}: "{sentence}"'


def draw(picture: Picture, view: View) -> Drawing:
    """The whole picture: title, findings, panels, scale."""
    shown = [draw_panel(panel, picture, view) for panel in panels(picture, view)]
    columns = columns_of(picture, view)
    wide = max(panel.width for panel in shown) + _GAP
    high = max(panel.height for panel in shown) + _GAP
    width = max(520.0, 2 * _MARGIN + wide * min(columns, len(shown)) - _GAP)
    head, top = _head(picture, width)
    shapes: list[Shape] = [*head]
    for number, panel in enumerate(shown):
        row, column = divmod(number, columns)
        shapes += moved(panel.shapes, _MARGIN + column * wide, top + row * high)
    bottom = top + high * -(-len(shown) // columns)
    shapes += moved(scale(view).shapes, _MARGIN, bottom)
    height = bottom + scale(view).height + _MARGIN
    return Drawing(width, height, (Box(0, 0, width, height, colours.PAPER), *shapes))


def columns_of(picture: Picture, view: View) -> int:
    """How many panels stand side by side."""
    if view.diff:
        return 3
    if view.mean or view.head is not None:
        return len(picture.weights)
    return int(picture.weights.shape[1])


def scale(view: View) -> Drawing:
    """What the colours and marks mean."""
    ends = ("0.0001 or less", "1") if view.log else ("0", "1")
    shapes = ramp(Kind.WEIGHTS, *ends)
    texts = [
        "dot: the future, weight 0",
        "red cross (small: a stroke): the future, weight not 0",
        "Σ: sum of the row, ! where it is not 1",
    ]
    height = 14.0 * len(texts) + 4
    for number, text in enumerate(texts):
        shapes.append(Label(_RAMP + 20, number * 14 + 4, text, CAPTION))
    if view.diff:
        shapes += moved(tuple(ramp(Kind.DIFFERENCE, "-1", "+1")), 0, height + 6)
        said = "yours - reference: purple where yours is less, orange where it is more"
        shapes.append(Label(_RAMP + 20, height + 10, said, CAPTION))
        height += 34
    return Drawing(_RAMP + 420, height, tuple(shapes))


def ramp(kind: Kind, low: str, high: str) -> list[Shape]:
    """All colours of a scale from left to right, its ends named below."""
    steps = 50
    step = _RAMP / steps
    least = -1.0 if kind is Kind.DIFFERENCE else 0.0
    shapes: list[Shape] = []
    for number in range(steps):
        value = least + (1.0 - least) * number / (steps - 1)
        fill = colours.hexadecimal(colours.colour(value, kind, log=False))
        shapes.append(Box(number * step, 0, step, 10, fill))
    shapes.append(Label(0, 20, low, CAPTION))
    shapes.append(Label(_RAMP, 20, high, CAPTION, anchor=Anchor.END))
    return shapes


def _head(picture: Picture, width: float) -> tuple[list[Shape], float]:
    letters = int((width - 2 * _MARGIN) / (LETTER * 11))
    shapes: list[Shape] = []
    y = _MARGIN + 4
    for line in textwrap.wrap(heading(picture), int(letters * 11 / 15)) or [""]:
        shapes.append(Label(_MARGIN, y, line, 15, bold=True))
        y += 20
    for finding in findings(picture):
        for number, line in enumerate(textwrap.wrap(finding.text, letters - 4)):
            mark = MARKS[finding.tone] if number == 0 else ""
            shapes.append(Label(_MARGIN, y, mark, 11, tone(finding), bold=True))
            shapes.append(Label(_MARGIN + 24, y, line, 11, tone(finding)))
            y += 16
    return shapes, y + 10


def tone(finding: Finding) -> str:
    """The colour of a finding."""
    return {Tone.BAD: colours.LEAK, Tone.GOOD: colours.GOOD, Tone.PLAIN: colours.INK}[finding.tone]
