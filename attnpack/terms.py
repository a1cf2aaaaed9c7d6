"""The fixed words of reports, checks and diagnosis (docs/report.md lists them for readers)."""

from __future__ import annotations

from enum import StrEnum


class Backend(StrEnum):
    """What the learner writes in."""

    NUMPY = "numpy"
    TORCH = "torch"
    VALUE = "value"


class Stage(StrEnum):
    """The checks of an exercise, in the order they run."""

    SHAPES = "shapes"
    ROW_SUMS = "row_sums"
    MASK = "mask"
    SCALING = "scaling"
    CAUSAL = "causal"
    VALUES = "values"
    GRADIENTS = "gradients"


class Status(StrEnum):
    """How an exercise, or one of its stages, ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_STARTED = "not_started"
    SKIPPED = "skipped"


class Match(StrEnum):
    """How sure a diagnosis is."""

    EXACT = "exact"
    LIKELY = "likely"
    UNKNOWN = "unknown"


UNRECOGNISED = "unrecognised"
