"""The residual stream drawn: a row for each token, a column for each sublayer."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from attnpack.look.model.tokenizer import CONTINUES
from attnpack.look.pictures.findings import MARKS
from attnpack.look.pictures.picture import REFERENCE, Kind
from attnpack.look.pictures.stream import Stream, differs, said, shares
from attnpack.look.rendering import colours
from attnpack.look.rendering.drawing import LETTER, Anchor, Box, Drawing, Label, Shape, moved
from attnpack.look.rendering.layout import ramp, tone
from attnpack.look.rendering.matrix import CAPTION, short

if TYPE_CHECKING:
    from attnpack.look.pictures.findings import Finding

_MARGIN = 16.0
_LABELS = 96.0
_WIDE, _HIGH = 112.0, 34.0
_HEADING = 15.0

EXPLAINED = (
    "word: what would come next, were the stream read off here",
    "number and colour: the share of what is added, |added| / (|before| + |added|)",
    "!: not what right code adds",
)


def title(stream: Stream) -> str:
    """The title of a stream's picture."""
    sentence = " ".join(stream.tokens[1:]).replace(f" {CONTINUES}", "")
    return f'What each sublayer of {stream.source} adds to the stream: "{sentence}"'


def sentences(stream: Stream) -> tuple[Finding, ...]:
    """What stands under the title."""
    return said(stream, is_learners=stream.source != REFERENCE)


def draw(stream: Stream) -> Drawing:
    """The whole picture, to be read from left to right as the stream runs."""
    width = max(520.0, 2 * _MARGIN + _LABELS + _WIDE * len(stream.stages))
    head, top = _head(stream, width)
    cells, below = table(stream), explanation()
    bottom = top + cells.height + 14
    shapes = [
        *head,
        *moved(cells.shapes, _MARGIN, top),
        *moved(below.shapes, _MARGIN, bottom),
    ]
    high = bottom + below.height + _MARGIN
    return Drawing(width, high, (Box(0, 0, width, high, colours.PAPER), *shapes))


def _head(stream: Stream, width: float) -> tuple[list[Shape], float]:
    letters = int((width - 2 * _MARGIN) / (LETTER * 11))
    shapes: list[Shape] = []
    y = _MARGIN + 4
    for line in textwrap.wrap(title(stream), int(letters * 11 / 15)):
        shapes.append(Label(_MARGIN, y, line, 15, bold=True))
        y += 20
    for finding in sentences(stream):
        for number, line in enumerate(textwrap.wrap(finding.text, letters - 4)):
            mark = MARKS[finding.tone] if number == 0 else ""
            shapes.append(Label(_MARGIN, y, mark, 11, tone(finding), bold=True))
            shapes.append(Label(_MARGIN + 24, y, line, 11, tone(finding)))
            y += 16
    return shapes, y + 10


def table(stream: Stream) -> Drawing:
    """The cells with their headings."""
    shapes: list[Shape] = []
    for number, stage in enumerate(stream.stages):
        middle = _LABELS + (number + 0.5) * _WIDE
        above = "" if stage.layer is None else f"L{stage.layer}"
        shapes += [
            Label(middle, _HEADING / 2, above, 12, colours.FAINT, Anchor.MIDDLE),
            Label(middle, 1.5 * _HEADING, stage.sublayer, 12, anchor=Anchor.MIDDLE, bold=True),
        ]
    top = 2 * _HEADING + 4
    for position, token in enumerate(stream.tokens):
        y = top + (position + 0.5) * _HIGH
        shapes.append(Label(_LABELS - 8, y, short(token), 12, anchor=Anchor.END))
    width = _LABELS + _WIDE * len(stream.stages)
    height = top + _HIGH * len(stream.tokens)
    return Drawing(width, height, (*shapes, *_cells(stream, top)))


def _cells(stream: Stream, top: float) -> list[Shape]:
    share, off = shares(stream), differs(stream)
    shapes: list[Shape] = []
    for stage in range(len(stream.stages)):
        for position in range(len(stream.tokens)):
            x, y = _LABELS + stage * _WIDE, top + position * _HIGH
            word = short(stream.guesses[stage][position])
            if stage == 0:
                shapes.append(
                    Label(x + _WIDE / 2, y + _HIGH / 2, word, 12, colours.FAINT, Anchor.MIDDLE)
                )
                continue
            value = float(share[stage - 1, position])
            fill = colours.colour(value, Kind.WEIGHTS, log=False)
            ink = colours.ink(fill)
            mark = "!" if off[stage, position] else ""
            red = colours.leak_on(fill) if mark else ink
            middle = x + _WIDE / 2
            shapes += [
                Box(x + 1, y + 1, _WIDE - 2, _HIGH - 2, colours.hexadecimal(fill)),
                Label(middle, y + 11, word, 12, ink, Anchor.MIDDLE, bold=True),
                Label(middle, y + 25, f"{value:.2f}{mark}", 10, red, Anchor.MIDDLE),
            ]
    return shapes


def explanation() -> Drawing:
    """What colours, numbers and marks mean."""
    shapes: list[Shape] = ramp(Kind.WEIGHTS, "0", "1")
    for number, text in enumerate(EXPLAINED):
        shapes.append(Label(170, number * 14 + 4, text, CAPTION))
    return Drawing(600, 14.0 * len(EXPLAINED) + 4, tuple(shapes))
