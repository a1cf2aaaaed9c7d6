"""Characters and numbers of a picture in the terminal: what fits, and what the encoding has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from attnpack.look.pictures.picture import Kind
from attnpack.look.rendering.matrix import signed

if TYPE_CHECKING:
    from attnpack.look.pictures.picture import Picture

_NOTHING = 0.005
"""what two decimals round to 0"""


@dataclass(frozen=True)
class Glyphs:
    """The characters of one kind of terminal."""

    levels: str
    """from no weight to all of it"""
    dot: str
    total: str
    bar: str
    cut: str
    minus: str


UNICODE = Glyphs(" ░▒▓█", "·", "Σ", "█", "…", "-")
ASCII = Glyphs(" .+#@", ".", "sum", "#", "~", "-")


def glyphs_for(encoding: str) -> Glyphs:
    """What a terminal of this encoding can show."""
    try:
        f"{UNICODE.levels}{UNICODE.dot}{UNICODE.total}{UNICODE.cut}".encode(encoding)
    except UnicodeEncodeError:
        return ASCII
    return UNICODE


def encodable(picture: Picture, encoding: str) -> Picture:
    """Its words in letters that the terminal's encoding has."""

    def fit(text: str) -> str:
        return text.encode(encoding, "replace").decode(encoding)

    tokens = tuple(fit(token) for token in picture.tokens)
    return replace(picture, tokens=tokens, source=fit(picture.source))


def number(value: float, kind: Kind) -> str:
    """Four characters: 0.83, 1.00, -.20, +.20, 1e+3, nan."""
    if kind is Kind.DIFFERENCE:
        return signed(value).replace("0.", ".", 1)
    if abs(value) < _NOTHING:
        return "0.00"
    text = f"{value:.2f}"
    return text if len(text) <= 4 else f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")


def leaking_number(value: float) -> str:
    """At most four characters and the mark: .83!"""
    text = number(value, Kind.WEIGHTS)
    return (text[1:] if text.startswith("0.") else text[:4]) + "!"


def shade(value: float, kind: Kind) -> str:
    """The style of a number: what counts stands out, what does not recedes."""
    if kind is Kind.DIFFERENCE:
        return "bold" if abs(value) >= 0.1 else "dim" if abs(value) < 0.005 else ""
    return "bold" if value >= 0.5 else "dim" if value < 0.05 else ""


def row_label(index: int, token: str, width: int, glyphs: Glyphs) -> str:
    """A token and its position, in exactly so many columns."""
    return f"{index:>2} " + fit(token, width - 3, glyphs)


def fit(token: str, width: int, glyphs: Glyphs) -> str:
    """A token in exactly so many columns."""
    return cut(token, width, glyphs) + " " * (width - cell_len(cut(token, width, glyphs)))


def right(token: str, width: int, glyphs: Glyphs) -> str:
    """As `fit`, set to the right."""
    return " " * (width - cell_len(cut(token, width, glyphs))) + cut(token, width, glyphs)


def cut(token: str, width: int, glyphs: Glyphs) -> str:
    """A token in at most so many columns, with a mark where it was cut."""
    if cell_len(token) <= width:
        return token
    return set_cell_size(token, max(0, width - 1)) + glyphs.cut
