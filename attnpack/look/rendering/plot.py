"""A drawing as PNG, by matplotlib's Agg renderer alone: no display, no figure, no axes.

Everything of one colour is one path, letters too: a picture has up to a thousand labels, and
matplotlib lays out each `Text` for a millisecond. Imported only where a PNG is asked for.
"""

from __future__ import annotations

import io
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgba
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from PIL import Image

from attnpack.look.rendering.drawing import Box, Dots, Drawing, Label, Line
from attnpack.look.rendering.lettering import outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.look.model.attention import Array

PIXELS_PER_INCH = 100
"""a drawing's pixel is one pixel at this resolution"""


def png(drawing: Drawing, dpi: int) -> bytes:
    """The bytes of a PNG: the same for the same drawing within one version of matplotlib."""
    scale = dpi / PIXELS_PER_INCH
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    canvas = _Canvas(width, height, dpi)
    for fill, path in _boxes(drawing).items():
        canvas.fill(path, fill, antialiased=False)
    for (colour, thickness), path in _lines(drawing).items():
        canvas.stroke(path, colour, thickness)
    for colour, path in _letters(drawing).items():
        canvas.fill(path, colour, antialiased=True)
    image = Image.fromarray(canvas.pixels()).convert("RGB")
    file = io.BytesIO()
    image.save(file, format="png", dpi=(dpi, dpi))
    return file.getvalue()


class _Canvas:
    """Agg's renderer with a drawing's coordinates: pixels, y downward."""

    def __init__(self, width: int, height: int, dpi: int) -> None:
        scale = dpi / PIXELS_PER_INCH
        untyped: Any = RendererAgg
        self._renderer = untyped(width, height, dpi)
        self._place = Affine2D().scale(scale, -scale).translate(0, height)

    def fill(self, path: Path, colour: str, *, antialiased: bool) -> None:
        """Fill the inside of a path."""
        context = self._renderer.new_gc()
        context.set_linewidth(0)
        context.set_antialiased(antialiased)
        self._renderer.draw_path(context, path, self._place, to_rgba(colour))

    def stroke(self, path: Path, colour: str, width: float) -> None:
        """Draw along a path; the width is in a drawing's pixels."""
        context = self._renderer.new_gc()
        context.set_foreground(colour)
        context.set_linewidth(width * 72 / PIXELS_PER_INCH)
        self._renderer.draw_path(context, path, self._place)

    def pixels(self) -> Array:
        """What has been drawn, as RGBA (height, width, 4)."""
        return np.asarray(self._renderer.buffer_rgba())


def _boxes(drawing: Drawing) -> dict[str, Path]:
    by_fill: defaultdict[str, list[Path]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            by_fill[shape.fill].append(_rectangle(shape))
        elif isinstance(shape, Dots):
            by_fill[shape.colour] += [_rectangle(dot) for dot in _dots(shape)]
    return {fill: Path.make_compound_path(*paths) for fill, paths in by_fill.items()}


def _dots(dots: Dots) -> Iterator[Box]:
    x, y = dots.x - dots.size / 2, dots.y - dots.size / 2
    for number in range(dots.number):
        yield Box(x + number * dots.step, y, dots.size, dots.size, dots.colour)


def _rectangle(box: Box) -> Path:
    right, bottom = box.x + box.width, box.y + box.height
    corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y)]
    return Path(corners, closed=True)


def _lines(drawing: Drawing) -> dict[tuple[str, float], Path]:
    by_style: defaultdict[tuple[str, float], list[Path]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Line):
            ends = [(shape.x1, shape.y1), (shape.x2, shape.y2)]
            by_style[shape.colour, shape.width].append(Path(ends))
    return {style: Path.make_compound_path(*paths) for style, paths in by_style.items()}


def _letters(drawing: Drawing) -> dict[str, Path]:
    by_colour: defaultdict[str, list[Path]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Label) and shape.text.strip():
            vertices, codes = outline(shape)
            by_colour[shape.colour].append(Path(vertices, codes))
    return {colour: Path.make_compound_path(*paths) for colour, paths in by_colour.items()}
