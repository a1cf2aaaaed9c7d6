"""A drawing as SVG: text stays text, and the same drawing gives the same bytes."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from attnpack.look.rendering.drawing import Anchor, Box, Dots, Drawing, Label, Line, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

FONT = "'DejaVu Sans', Verdana, Arial, sans-serif"
_OPENING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
    'width="{width}" height="{height}" role="img" font-family="{font}">'
)


def svg(drawing: Drawing, title: str) -> str:
    """A whole SVG document, also to be put into a page as it stands."""
    width, height = _n(drawing.width), _n(drawing.height)
    labels = [_label(shape) for shape in drawing.shapes if isinstance(shape, Label)]
    opening = _OPENING.format(width=width, height=height, font=FONT)
    named = f"<title>{_text(title)}</title>"
    shapes = [*_boxes(drawing), *_lines(drawing), *labels]
    return "\n".join([opening, named, *shapes, "</svg>", ""])


def _boxes(drawing: Drawing) -> Iterator[str]:
    """All boxes and dots of one colour are one path: a long sentence has tens of thousands."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            paths[shape.fill].append(_rectangle(shape.x, shape.y, shape.width, shape.height))
        elif isinstance(shape, Dots):
            x, y = shape.x - shape.size / 2, shape.y - shape.size / 2
            paths[shape.colour] += [
                _rectangle(x + number * shape.step, y, shape.size, shape.size)
                for number in range(shape.number)
            ]
    for fill, parts in paths.items():
        yield f'<path fill="{fill}" shape-rendering="crispEdges" d="{"".join(parts)}"/>'


def _lines(drawing: Drawing) -> Iterator[str]:
    paths: defaultdict[tuple[str, float], list[str]] = defaultdict(list)
    for shape in drawing.shapes:
        if isinstance(shape, Line):
            part = f"M{_n(shape.x1)} {_n(shape.y1)}L{_n(shape.x2)} {_n(shape.y2)}"
            paths[shape.colour, shape.width].append(part)
    for (colour, width), parts in paths.items():
        yield f'<path stroke="{colour}" stroke-width="{_n(width)}" d="{"".join(parts)}"/>'


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{_n(x)} {_n(y)}h{_n(width)}v{_n(height)}h{_n(-width)}z"


def _label(label: Label) -> str:
    anchor = "" if label.anchor is Anchor.START else f' text-anchor="{label.anchor.value}"'
    weight = ' font-weight="bold"' if label.bold else ""
    baseline = label.size * 0.35
    if label.turn is Turn.LEVEL:
        place = f'x="{_n(label.x)}" y="{_n(label.y + baseline)}"'
    else:
        x, y = _n(label.x + baseline), _n(label.y)
        place = f'x="{x}" y="{y}" transform="rotate({label.turn.value} {x} {y})"'
    return (
        f'<text {place} font-size="{_n(label.size)}" fill="{label.colour}"{anchor}{weight}>'
        f"{_text(label.text)}</text>"
    )


def _n(number: float) -> str:
    """A tenth of a pixel is fine enough."""
    return f"{number:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    """Escaped, without the characters that XML forbids."""
    return escape("".join(c for c in text if c.isprintable()))
