"""Bugs that every exercise can have: they show by themselves, and no model is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attnpack.pack.texts import Bug

RAISES, NEVER_RETURNS, ENDS, MUTATED = "raises", "never-returns", "ends-process", "input-mutated"
COMMON: Final = tuple(
    Bug(name, cards=Path(__file__).parent / "common.toml")
    for name in (RAISES, NEVER_RETURNS, ENDS, MUTATED)
)
