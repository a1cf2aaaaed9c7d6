"""How costs grow: with exercises, with submissions, with the length of a sentence."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from attnpack import pack
from bench.grade import cohort, command, cost
from bench.measured import interleaved
from bench.model import CODE
from bench.start import check_command
from bench.table import Row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GROUP: Final = "growth"
EXERCISES: Final = (1, 3, 7)
TOKENS: Final = (8, 16, 32, 64)
"""of a sentence, with its start mark; the model sees no more"""


def with_exercises(place: Path, times: int) -> list[Row]:
    """`attnpack check` of the first so many exercises, all right."""
    whole = check_command(place / "exercises", "numpy")
    names = [exercise.name for exercise in pack.load().exercises]
    commands = {f"check, exercises: {n}": [*whole, *names[:n]] for n in EXERCISES}
    return _beside_the_first(interleaved(commands, times, place))


def with_submissions(place: Path, texts: Sequence[str], sizes: Sequence[int]) -> list[Row]:
    """CPU per submission of whole runs of `attnpack grade`, starting included."""
    if not hasattr(os, "wait4"):
        return []
    each = {}
    for size in sizes:
        folder = cohort(place / f"of-{size}", texts, size)
        words = command(folder, place / f"out-{size}", "--jobs", "1")
        each[f"grade, CPU each of {size}"] = cost(words).cpu_s / size
    return _beside_the_first(each)


def with_tokens(place: Path, times: int) -> list[Row]:
    """`attnpack heatmap` of a sentence of so many tokens, its picture included."""
    commands = {
        f"heatmap, tokens: {n}": [sys.executable, "-m", "attnpack", "heatmap", _sentence(n), CODE]
        for n in TOKENS
    }
    return _beside_the_first(interleaved(commands, times, place))


def _sentence(tokens: int) -> str:
    """The start mark is one; each word here is another."""
    words = ("the", "cat", "sat", "on", "the", "mat", ".")
    return " ".join(words[n % len(words)] for n in range(tokens - 1))


def _beside_the_first(figures: dict[str, float]) -> list[Row]:
    (first, least), *others = figures.items()
    return [Row(GROUP, what, figure, first, least) for what, figure in others]
