"""How text is chosen. Imports no numpy: a command line says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen."""

    temperature: float = 0.0
    """0 takes the likeliest token; 1 draws from the model's own probabilities"""
    top_k: int | None = None
    """draw from the likeliest k only"""
    seed: int = 0
