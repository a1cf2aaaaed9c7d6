"""Packs: exercises, the checks of them, and the bugs they know.

One pack comes with attnpack; `load` finds others. In a wheel the one that comes with it lies
inside this package; in a checkout or an editable install it is the folders at the top of the
repository. Either way `attnpack.pack.checks` imports.
"""

from __future__ import annotations

from pathlib import Path

from attnpack.pack.base import Pack
from attnpack.pack.cards import Card
from attnpack.pack.finding import distribution, load, remembered
from attnpack.pack.texts import Bug, Chapter, Exercise, Kind

__all__ = [
    "ROOT",
    "Bug",
    "Card",
    "Chapter",
    "Exercise",
    "Kind",
    "Pack",
    "distribution",
    "load",
    "remembered",
]

_INSIDE = Path(__file__).parent
_CHECKOUT = _INSIDE.parent.parent

ROOT = _INSIDE if (_INSIDE / "checks").is_dir() else _CHECKOUT
"""where the pack lies that comes with attnpack"""
if ROOT is _CHECKOUT:
    __path__.append(str(_CHECKOUT))
