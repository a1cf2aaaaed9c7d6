"""Which part of a picture is asked for. Imports no numpy: a command line says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """Which part of a picture is asked for, and how it is shown."""

    layer: int | None = None
    head: int | None = None
    mean: bool = False
    """one panel per layer: the mean of its heads"""
    diff: bool = False
    """yours, the reference, the difference"""
    position: int | None = None
    """one query only, as bars; negative counts from the end"""
    log: bool = False
    """colours by the logarithm, from 0.0001 to 1"""
    kind: str | None = None
    """where one head is shown of many, the best of this kind: "induction" """
