"""Two colour maps that colour-blind readers can order, and ink that reads on them.

Weights: cividis (Nuñez, Anderton, Renslow 2018). Differences: PuOr (ColorBrewer, Harrower, Brewer).
"""

from __future__ import annotations

import math
from typing import TypeAlias

from attnpack.look.pictures.picture import Kind

Rgb: TypeAlias = tuple[int, int, int]

LOG_FLOOR = 1e-4
"""what a logarithmic scale shows as nothing"""
LEAK = "#c1121f"
LEAK_ON_DARK = "#ff7b7b"
GOOD = "#1b6b3a"
INK = "#1f2430"
FAINT = "#8a8f99"
PAPER = "#ffffff"

_CIVIDIS: tuple[Rgb, ...] = (
    (0, 34, 78),
    (26, 56, 111),
    (67, 78, 108),
    (97, 101, 111),
    (125, 124, 120),
    (155, 148, 118),
    (188, 174, 108),
    (222, 201, 88),
    (254, 232, 56),
)
_PUOR: tuple[Rgb, ...] = (
    (45, 0, 75),
    (93, 55, 144),
    (152, 141, 190),
    (206, 205, 228),
    (246, 246, 247),
    (254, 215, 162),
    (239, 158, 60),
    (190, 99, 10),
    (127, 59, 8),
)
_NOT_A_NUMBER: Rgb = (255, 0, 255)


def level(value: float, log: bool) -> float:
    """A weight's place on the scale, 0 to 1. A weight outside the range sits at its end."""
    if log:
        value = 1 - math.log10(max(value, LOG_FLOOR)) / math.log10(LOG_FLOOR)
    return min(1.0, max(0.0, value))


def colour(value: float, kind: Kind, log: bool) -> Rgb:
    """The fill of a cell."""
    if not math.isfinite(value):
        return _NOT_A_NUMBER
    if kind is Kind.DIFFERENCE:
        return _between(_PUOR, (min(1.0, max(-1.0, value)) + 1) / 2)
    return _between(_CIVIDIS, level(value, log))


def ink(fill: Rgb) -> str:
    """Black or white, whichever reads better on a fill (WCAG relative luminance)."""
    red, green, blue = (_linear(channel / 255) for channel in fill)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if luminance > 0.179 else "#ffffff"


def leak_on(fill: Rgb) -> str:
    """The red that shows on a fill."""
    return LEAK if ink(fill) == "#000000" else LEAK_ON_DARK


def hexadecimal(rgb: Rgb) -> str:
    """#rrggbb"""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _between(anchors: tuple[Rgb, ...], share: float) -> Rgb:
    position = share * (len(anchors) - 1)
    below = min(int(position), len(anchors) - 2)
    part = position - below
    red, green, blue = (
        round(low + part * (high - low))
        for low, high in zip(anchors[below], anchors[below + 1], strict=True)
    )
    return red, green, blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
