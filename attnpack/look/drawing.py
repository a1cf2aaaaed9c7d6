"""A picture laid out as boxes, lines and labels: what the SVG, the PNG and the page share."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from attnpack.look import colours
from attnpack.look.findings import MARKS, Finding, Tone, findings
from attnpack.look.picture import (
    Kind,
    Panel,
    Picture,
    leaks,
    panels,
    position_of,
    row_is_off,
)
from attnpack.look.tokenizer import CONTINUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.look.attention import Array
    from attnpack.look.view import View

LONGEST_LABEL = 10
"""characters of a token beside a row"""
NUMBERS_UP_TO = 12
"""tokens; longer pictures have cells too small for a number"""
_LETTER = 0.62
"""mean width of a letter, in font sizes"""
_BOLD_LETTER = 0.72
_MARGIN = 16.0
_TITLE = 13.0
_CAPTION = 10.0
_SUM_WIDTH = 40.0
_BAR_WIDTH = 150.0
_GAP = 18.0
_RAMP = 150.0
_CROSSED = 20.0
"""the smallest cell with room for a cross"""


class Anchor(Enum):
    """Where on its text a label's point lies."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Turn(Enum):
    """How a label is turned."""

    LEVEL = 0
    UPWARD = -90


@dataclass(frozen=True)
class Box:
    """A filled rectangle; x and y are its upper left corner, in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float = 1.0


@dataclass(frozen=True)
class Dots:
    """Square dots in a row, a step apart; x and y are the middle of the first."""

    x: float
    y: float
    number: int
    step: float
    size: float
    colour: str


@dataclass(frozen=True)
class Label:
    """A line of text; y is the middle of its height."""

    x: float
    y: float
    text: str
    size: float
    colour: str = colours.INK
    anchor: Anchor = Anchor.START
    turn: Turn = Turn.LEVEL
    bold: bool = False


Shape: TypeAlias = Box | Line | Dots | Label


@dataclass(frozen=True)
class Drawing:
    """Everything to draw, later shapes over earlier ones."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class _Grid:
    """The sizes that all panels of one drawing share."""

    cell: float
    font: float
    labels: float
    """width of the row labels, height of the column labels"""
    length: int

    @property
    def side(self) -> float:
        return self.cell * self.length

    @property
    def width(self) -> float:
        return _CAPTION + 6 + self.labels + self.side + _SUM_WIDTH

    @property
    def height(self) -> float:
        return 2 * _TITLE + _CAPTION + self.labels + self.side


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


def draw_panel(panel: Panel, picture: Picture, view: View) -> Drawing:
    """One matrix with its labels and its Σ column, or one query's bars."""
    if view.position is not None:
        return _bars(panel, picture, position_of(picture, view.position), view)
    grid = _grid(picture)
    left = _CAPTION + 6 + grid.labels
    top = 2 * _TITLE + _CAPTION + grid.labels
    shapes: list[Shape] = [
        Label(left, _TITLE / 2, panel.title, _TITLE, bold=True),
        Label(
            left + grid.side / 2,
            1.5 * _TITLE + 3,
            "key (column)",
            _CAPTION,
            colours.FAINT,
            Anchor.MIDDLE,
        ),
        Label(
            _CAPTION / 2,
            top + grid.side / 2,
            "query (row)",
            _CAPTION,
            colours.FAINT,
            Anchor.MIDDLE,
            Turn.UPWARD,
        ),
    ]
    shapes += _tokens(picture, grid, left, top)
    shapes += _cells(panel, grid, view, left, top)
    if panel.kind is Kind.WEIGHTS:
        shapes += _sums(panel, grid, left + grid.side + 5, top)
    width = max(grid.width, left + _title_width(panel.title))
    return Drawing(width, grid.height, tuple(shapes))


def scale(view: View) -> Drawing:
    """What the colours and marks mean."""
    ends = ("0.0001 or less", "1") if view.log else ("0", "1")
    shapes = _ramp(Kind.WEIGHTS, *ends)
    texts = [
        "dot: the future, weight 0",
        "red cross (small: a stroke): the future, weight not 0",
        "Σ: sum of the row, ! where it is not 1",
    ]
    height = 14.0 * len(texts) + 4
    for number, text in enumerate(texts):
        shapes.append(Label(_RAMP + 20, number * 14 + 4, text, _CAPTION))
    if view.diff:
        shapes += moved(tuple(_ramp(Kind.DIFFERENCE, "-1", "+1")), 0, height + 6)
        said = "yours - reference: purple where yours is less, orange where it is more"
        shapes.append(Label(_RAMP + 20, height + 10, said, _CAPTION))
        height += 34
    return Drawing(_RAMP + 420, height, tuple(shapes))


def _ramp(kind: Kind, low: str, high: str) -> list[Shape]:
    """All colours of a scale from left to right, its ends named below."""
    steps = 50
    step = _RAMP / steps
    least = -1.0 if kind is Kind.DIFFERENCE else 0.0
    shapes: list[Shape] = []
    for number in range(steps):
        value = least + (1.0 - least) * number / (steps - 1)
        fill = colours.hexadecimal(colours.colour(value, kind, log=False))
        shapes.append(Box(number * step, 0, step, 10, fill))
    shapes.append(Label(0, 20, low, _CAPTION))
    shapes.append(Label(_RAMP, 20, high, _CAPTION, anchor=Anchor.END))
    return shapes


def moved(shapes: tuple[Shape, ...], x: float, y: float) -> tuple[Shape, ...]:
    """The same shapes, farther right and down."""
    return tuple(_moved(shape, x, y) for shape in shapes)


def short(token: str) -> str:
    """A token that fits beside a row."""
    return token if len(token) <= LONGEST_LABEL else token[: LONGEST_LABEL - 1] + "…"


def _moved(shape: Shape, x: float, y: float) -> Shape:
    match shape:
        case Line():
            return replace(
                shape, x1=shape.x1 + x, y1=shape.y1 + y, x2=shape.x2 + x, y2=shape.y2 + y
            )
        case _:
            return replace(shape, x=shape.x + x, y=shape.y + y)


def _grid(picture: Picture) -> _Grid:
    length = len(picture.tokens)
    cell = next(
        size for most, size in ((12, 34.0), (24, 18.0), (40, 13.0), (10**9, 10.0)) if length <= most
    )
    font = min(11.0, cell * 0.85)
    longest = max(len(short(token)) for token in picture.tokens)
    return _Grid(cell, font, max(3, longest) * font * _LETTER + 6, length)


def _title_width(title: str) -> float:
    return len(title) * _TITLE * _BOLD_LETTER


def _head(picture: Picture, width: float) -> tuple[list[Shape], float]:
    letters = int((width - 2 * _MARGIN) / (_LETTER * 11))
    shapes: list[Shape] = []
    y = _MARGIN + 4
    for line in textwrap.wrap(heading(picture), int(letters * 11 / 15)) or [""]:
        shapes.append(Label(_MARGIN, y, line, 15, bold=True))
        y += 20
    for finding in findings(picture):
        for number, line in enumerate(textwrap.wrap(finding.text, letters - 4)):
            mark = MARKS[finding.tone] if number == 0 else ""
            shapes.append(Label(_MARGIN, y, mark, 11, _tone(finding), bold=True))
            shapes.append(Label(_MARGIN + 24, y, line, 11, _tone(finding)))
            y += 16
    return shapes, y + 10


def _tone(finding: Finding) -> str:
    return {Tone.BAD: colours.LEAK, Tone.GOOD: colours.GOOD, Tone.PLAIN: colours.INK}[finding.tone]


def _tokens(picture: Picture, grid: _Grid, left: float, top: float) -> list[Shape]:
    shapes: list[Shape] = []
    for number, token in enumerate(picture.tokens):
        middle = (number + 0.5) * grid.cell
        text = short(token)
        shapes += [
            Label(left - 4, top + middle, text, grid.font, anchor=Anchor.END),
            Label(left + middle, top - 4, text, grid.font, anchor=Anchor.START, turn=Turn.UPWARD),
        ]
    return shapes


def _cells(panel: Panel, grid: _Grid, view: View, left: float, top: float) -> list[Shape]:
    leaking = leaks(panel.weights)
    shapes: list[Shape] = []
    for query in range(grid.length):
        y = top + query * grid.cell
        for key in range(grid.length):
            x = left + key * grid.cell
            if key > query and not leaking[query, key]:
                continue
            fill = colours.colour(float(panel.weights[query, key]), panel.kind, view.log)
            shapes += _cell(float(panel.weights[query, key]), fill, panel.kind, grid, x, y)
            if leaking[query, key] and panel.kind is Kind.WEIGHTS:
                shapes += _cross(x, y, grid.cell, colours.leak_on(fill))
        for first, number in _runs(~leaking[query, query + 1 :]):
            x = left + (query + 1.5 + first) * grid.cell
            size = max(1.0, grid.cell / 12)
            shapes.append(Dots(x, y + grid.cell / 2, number, grid.cell, size, colours.FAINT))
    return shapes


def _runs(true: Array) -> Iterator[tuple[int, int]]:
    """Where each run of True starts, and how long it is."""
    start = 0
    for value, run in groupby(true):
        length = len(list(run))
        if value:
            yield start, length
        start += length


def _cell(
    value: float, fill: colours.Rgb, kind: Kind, grid: _Grid, x: float, y: float
) -> list[Shape]:
    shapes: list[Shape] = [Box(x, y, grid.cell, grid.cell, colours.hexadecimal(fill))]
    if grid.length <= NUMBERS_UP_TO:
        text = f"{value:.2f}" if kind is Kind.WEIGHTS else signed(value)
        middle = grid.cell / 2
        shapes.append(Label(x + middle, y + middle, text, 10, colours.ink(fill), Anchor.MIDDLE))
    return shapes


def signed(value: float) -> str:
    """A difference with its sign; one that rounds to 0 has none."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def _cross(x: float, y: float, cell: float, colour: str) -> list[Shape]:
    """A cross without its middle, so that a number stays readable; in small cells one stroke."""
    near, far = cell * 0.06, cell * 0.28
    if cell < _CROSSED:
        return [Line(x + near, y + near, x + cell - near, y + cell - near, colour, 1.5)]
    corners = ((0.0, 0.0, 1, 1), (cell, 0.0, -1, 1), (0.0, cell, 1, -1), (cell, cell, -1, -1))
    return [
        Line(
            x + a + right * near,
            y + b + down * near,
            x + a + right * far,
            y + b + down * far,
            colour,
            2.0,
        )
        for a, b, right, down in corners
    ]


def _sums(panel: Panel, grid: _Grid, x: float, top: float) -> list[Shape]:
    sums = panel.weights.sum(axis=-1)  # (T,)
    size = min(10.0, grid.font)
    shapes: list[Shape] = [Label(x, top - 8, "Σ", size + 1, colours.INK, bold=True)]
    for query, off in enumerate(row_is_off(sums)):
        text = f"{sums[query]:.2f}" + ("!" if off else "")
        ink = colours.LEAK if off else colours.FAINT
        y = top + (query + 0.5) * grid.cell
        shapes.append(Label(x, y, text, size, ink, bold=bool(off)))
    return shapes


def _bars(panel: Panel, picture: Picture, query: int, view: View) -> Drawing:
    """What one query looks at: a bar per key, in the order of the text."""
    row = panel.weights[query]
    leaking = leaks(panel.weights)[query]
    high = 15.0
    labels = max(len(short(token)) for token in picture.tokens) * 11 * _LETTER + 6
    title = f"{panel.title}: what {query} “{short(picture.tokens[query])}” looks at"
    shapes: list[Shape] = [Label(0, _TITLE / 2, title, _TITLE, bold=True)]
    for key, token in enumerate(picture.tokens):
        y = 2 * _TITLE + key * high
        value = float(row[key])
        shown = abs(value) if panel.kind is Kind.DIFFERENCE else value
        length = _BAR_WIDTH * colours.level(shown, view.log)
        fill = (
            colours.LEAK
            if leaking[key]
            else colours.hexadecimal(colours.colour(value, panel.kind, view.log))
        )
        mark = "!" if leaking[key] else ""
        text = "·" if key > query and not leaking[key] else f"{value:.2f}{mark}"
        shapes += [
            Label(labels - 4, y + high / 2, short(token), 11, anchor=Anchor.END),
            Box(labels, y + 2, max(length, 0.5), high - 4, fill),
            Label(
                labels + length + 4,
                y + high / 2,
                text,
                10,
                colours.LEAK if leaking[key] else colours.INK,
            ),
        ]
    width = max(labels + _BAR_WIDTH + 40, _title_width(title))
    return Drawing(width, 2 * _TITLE + high * len(picture.tokens), tuple(shapes))
