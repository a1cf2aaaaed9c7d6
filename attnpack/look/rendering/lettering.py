"""Labels as outlines of letters, by the font that matplotlib brings with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib import get_data_path
from matplotlib.font_manager import get_font
from matplotlib.ft2font import FT2Font, LoadFlags

from attnpack.look.rendering.drawing import Anchor, Label, Turn

if TYPE_CHECKING:
    from attnpack.look.model.attention import Array

_SIZE = 100.0
"""at which outlines are taken; they are scaled"""
_MISSING = "?"
"""for letters that the font lacks: emoji, CJK and others"""
_SHARES = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}


class Letter(NamedTuple):
    """An outline at `_SIZE`, y upward, and how far the next letter is."""

    vertices: Array
    codes: Array
    advance: float


def outline(label: Label) -> tuple[Array, Array]:
    """Vertices (n, 2) and path codes (n,) of a label in the drawing's pixels, y downward."""
    letters = [_letter(character, label.bold) for character in label.text]
    starts = np.cumsum([0.0, *(letter.advance for letter in letters)])
    shifted = [
        letter.vertices + np.array([x, 0.0]) for letter, x in zip(letters, starts, strict=False)
    ]
    vertices = np.concatenate(shifted) - (starts[-1] * _SHARES[label.anchor], _middle(label.bold))
    x, y = (vertices * label.size / _SIZE).T
    placed = (x, -y) if label.turn is Turn.LEVEL else (-y, -x)
    codes = np.concatenate([letter.codes for letter in letters])
    return np.stack([placed[0] + label.x, placed[1] + label.y], axis=-1), codes


def lacking(text: str) -> list[str]:
    """The letters for which the font has none, so that `?` is drawn: each once, in order."""
    font = _font(bold=False)
    letters = (each for each in text if not each.isspace())
    return [each for each in dict.fromkeys(letters) if not font.get_char_index(ord(each))]


@cache
def _letter(character: str, bold: bool) -> Letter:
    font = _font(bold)
    shown = character if font.get_char_index(ord(character)) else _MISSING
    glyph = font.load_char(ord(shown), flags=LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return Letter(np.asarray(vertices), np.asarray(codes), glyph.linearHoriAdvance / 65536)


@cache
def _middle(bold: bool) -> float:
    """Half the height of a capital letter: what lies on a label's y."""
    return float(_letter("H", bold).vertices[:, 1].max()) / 2


@cache
def _font(bold: bool) -> FT2Font:
    """matplotlib's own file, not one that the system may have under the same name."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    font = get_font(Path(get_data_path(), "fonts", "ttf", name))
    font.set_size(_SIZE, 72)
    return font
