"""The numbers that make the shipped model: sizes, steps, seeds. Written beside the weights."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """All that training depends on, but for the text. It counts steps, never seconds."""

    vocabulary: int = 2048
    context: int = 64
    """the longest sequence, start mark included"""
    d_model: int = 128
    d_hidden: int = 512
    """of the feed-forward sublayer"""
    num_heads: int = 4
    num_layers: int = 2
    batch: int = 32
    steps: int = 4_000
    planned: int = 7_000
    """where the learning rate would have reached its end; see `final_rate`"""
    repeated: float = 0.25
    """the share of a batch that is a random sequence, repeated: induction heads need it"""
    learning_rate: float = 3e-3
    warm_up: int = 100
    final_rate: float = 0.05
    """of the learning rate, at the end of the cosine"""
    weight_decay: float = 0.1
    clip: float = 1.0
    seed: int = 0
    story_words: int = 900_000
