"""What a picture is drawn of: boxes, lines, dots and labels, in pixels, y downward."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from attnpack.look.rendering import colours

LETTER = 0.62
"""mean width of a letter, in font sizes"""
BOLD_LETTER = 0.72
_WIDE_LETTERS = frozenset("mwMWOQ#@%&")
_WIDE_LETTER = 1.0


def letters_wide(text: str) -> float:
    """How wide a text is at most, in font sizes."""
    wide = sum(letter in _WIDE_LETTERS or not letter.isascii() for letter in text)
    return wide * _WIDE_LETTER + (len(text) - wide) * LETTER


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


def moved(shapes: tuple[Shape, ...], x: float, y: float) -> tuple[Shape, ...]:
    """The same shapes, farther right and down."""
    return tuple(_moved(shape, x, y) for shape in shapes)


def _moved(shape: Shape, x: float, y: float) -> Shape:
    match shape:
        case Line():
            return replace(
                shape, x1=shape.x1 + x, y1=shape.y1 + y, x2=shape.x2 + x, y2=shape.y2 + y
            )
        case _:
            return replace(shape, x=shape.x + x, y=shape.y + y)
