"""A drawing as PNG, by matplotlib without a display. Imported only where a PNG is asked for.

Letters are drawn as outlines, all of one colour at once: a picture has up to a thousand labels,
and matplotlib lays out each `Text` for a millisecond.
"""

from __future__ import annotations

import io
from collections import defaultdict
from typing import TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.path import Path

from attnpack.look.drawing import Box, Dots, Drawing, Label, Line
from attnpack.look.lettering import outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

PIXELS_PER_INCH = 100
"""a drawing's pixel is one pixel at this resolution"""


def png(drawing: Drawing, dpi: int) -> bytes:
    """The bytes of a PNG: the same for the same drawing within one version of matplotlib."""
    figure = Figure(figsize=(drawing.width / PIXELS_PER_INCH, drawing.height / PIXELS_PER_INCH))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    _draw_boxes(axes, drawing)
    _draw_lines(axes, drawing)
    _draw_labels(axes, drawing)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
    return file.getvalue()


def _draw_boxes(axes: Axes, drawing: Drawing) -> None:
    boxes = list(_boxes(drawing))
    corners = [
        [(b.x, b.y), (b.x + b.width, b.y), (b.x + b.width, b.y + b.height), (b.x, b.y + b.height)]
        for b in boxes
    ]
    fills = [box.fill for box in boxes]
    drawn = PolyCollection(corners, facecolors=fills, linewidths=0, antialiased=False, zorder=1)
    axes.add_collection(drawn, autolim=False)


def _boxes(drawing: Drawing) -> Iterator[Box]:
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            yield shape
        elif isinstance(shape, Dots):
            x, y = shape.x - shape.size / 2, shape.y - shape.size / 2
            for number in range(shape.number):
                yield Box(x + number * shape.step, y, shape.size, shape.size, shape.colour)


def _draw_lines(axes: Axes, drawing: Drawing) -> None:
    lines = [shape for shape in drawing.shapes if isinstance(shape, Line)]
    ends = [[(line.x1, line.y1), (line.x2, line.y2)] for line in lines]
    widths = [line.width * 72 / PIXELS_PER_INCH for line in lines]
    colours = [line.colour for line in lines]
    drawn = LineCollection(ends, colors=colours, linewidths=widths, zorder=2)
    axes.add_collection(drawn, autolim=False)


def _draw_labels(axes: Axes, drawing: Drawing) -> None:
    outlines: defaultdict[str, list[Path]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Label) and shape.text.strip():
            vertices, codes = outline(shape)
            outlines[shape.colour].append(Path(vertices, codes))
    paths = [Path.make_compound_path(*parts) for parts in outlines.values()]
    drawn = PathCollection(paths, facecolors=list(outlines), linewidths=0, zorder=3)
    axes.add_collection(drawn, autolim=False)
