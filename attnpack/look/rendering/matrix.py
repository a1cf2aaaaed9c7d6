"""One panel of a picture: a head's matrix with its labels and sums, or one query's bars."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from attnpack.look.pictures.picture import Kind, Panel, Picture, leaks, position_of, row_is_off
from attnpack.look.rendering import colours
from attnpack.look.rendering.drawing import (
    BOLD_LETTER,
    LETTER,
    Anchor,
    Box,
    Dots,
    Drawing,
    Label,
    Line,
    Shape,
    Turn,
    letters_wide,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.look.model.attention import Array
    from attnpack.look.pictures.view import View

LONGEST_LABEL = 10
"""characters of a token beside a row"""
NUMBERS_UP_TO = 12
"""tokens; longer pictures have cells too small for a number"""
CAPTION = 10.0
"""font size of what explains"""
_TITLE = 13.0
_SUM_WIDTH = 40.0
_BAR_WIDTH = 150.0
_CROSSED = 20.0
"""the smallest cell with room for a cross"""


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
        return CAPTION + 6 + self.labels + self.side + _SUM_WIDTH

    @property
    def height(self) -> float:
        return 2 * _TITLE + CAPTION + self.labels + self.side


def draw_panel(panel: Panel, picture: Picture, view: View) -> Drawing:
    """One matrix with its labels and its Σ column, or one query's bars."""
    if view.position is not None:
        return _bars(panel, picture, position_of(picture, view.position), view)
    grid = _grid(picture)
    left = CAPTION + 6 + grid.labels
    top = 2 * _TITLE + CAPTION + grid.labels
    shapes: list[Shape] = [
        Label(left, _TITLE / 2, panel.title, _TITLE, bold=True),
        Label(
            left + grid.side / 2,
            1.5 * _TITLE + 3,
            "key (column)",
            CAPTION,
            colours.FAINT,
            Anchor.MIDDLE,
        ),
        Label(
            CAPTION / 2,
            top + grid.side / 2,
            "query (row)",
            CAPTION,
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


def short(token: str) -> str:
    """A token that fits beside a row."""
    return token if len(token) <= LONGEST_LABEL else token[: LONGEST_LABEL - 1] + "…"


def signed(value: float) -> str:
    """A difference with its sign; one that rounds to 0 has none."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def _grid(picture: Picture) -> _Grid:
    length = len(picture.tokens)
    cell = next(
        size for most, size in ((12, 34.0), (24, 18.0), (40, 13.0), (10**9, 10.0)) if length <= most
    )
    font = min(11.0, cell * 0.85)
    widest = max(letters_wide(short(token)) for token in picture.tokens)
    return _Grid(cell, font, max(3 * LETTER, widest) * font + 6, length)


def _title_width(title: str) -> float:
    return len(title) * _TITLE * BOLD_LETTER


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
    labels = max(len(short(token)) for token in picture.tokens) * 11 * LETTER + 6
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
