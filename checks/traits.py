"""What exercises have in common, for whatever needs it: a bug's model, a note, a recogniser.

A model that requires a trait can be written in every exercise that has it, also in one that is
added later. So nothing but an exercise's own module compares its name.
"""

from __future__ import annotations

from enum import StrEnum


class Trait(StrEnum):
    """One property of an exercise."""

    GIVEN_SCORES = "given scores"
    """scores are an argument"""
    GIVEN_WEIGHTS = "given weights"
    GIVEN_KEYS = "given keys"
    """queries and keys are arguments"""
    GIVEN_VALUES = "given values"
    GIVEN_MASK = "given mask"
    """a mask is an argument, boolean or additive"""
    GIVEN_LENGTH = "given length"
    """all it is told is a length"""

    HAS_SCORES = "has scores"
    """it computes scores of queries and keys, whatever it returns"""
    HAS_SOFTMAX = "has softmax"
    ATTENDS = "attends"
    """from queries, keys and values to a weighted mean"""
    MAKES_CAUSAL_MASK = "makes causal mask"
    """of a length, by itself"""
    CAUSAL_FLAG = "causal flag"
    """`causal=False` opens it"""
    PROJECTS = "projects"
    """it keeps W_q, W_k, W_v and W_o"""
    HEADED = "headed"
    """it cuts the width into heads and joins them"""
    SINGLE_HEAD = "single head"
    """it projects and has no heads to cut"""
    HEADS_AXIS = "heads axis"
    """its scores may have an axis of heads"""
    ANY_AXES = "any axes"
    """any number of leading axes, so that an axis counted from the front is another one"""

    NORMS = "norms"
    """it takes each token to mean 0 and variance 1"""
    FEEDS = "feeds"
    """each token goes through a wider layer and back"""

    RETURNS_SCORES = "returns scores"
    RETURNS_WEIGHTS = "returns weights"
    RETURNS_ATTENDED = "returns attended"
    """the weighted mean itself is a result"""
    RETURNS_MASK = "returns mask"
    RETURNS_NORMED = "returns normed"
    """a norm itself is the result"""


PROJECTING = frozenset(
    {
        Trait.HAS_SCORES,
        Trait.HAS_SOFTMAX,
        Trait.ATTENDS,
        Trait.MAKES_CAUSAL_MASK,
        Trait.CAUSAL_FLAG,
        Trait.PROJECTS,
    }
)
"""of a class that attends within one sequence"""
