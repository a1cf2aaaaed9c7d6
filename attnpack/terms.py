"""The fixed words of reports, checks and diagnosis (docs/report.md lists them for readers)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable


class Backend(StrEnum):
    """What the learner writes in."""

    NUMPY = "numpy"
    TORCH = "torch"
    VALUE = "value"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Stage(str):  # noqa: SLOT000  its fields are the dataclass's
    """One check of an exercise, as its pack defines it: a word that reports and JSON carry.

    Equal to the plain word, so that `stage == "values"` and a table by words both work. Which
    stages there are, and in which order they run, is the pack's to say (`Pack.stages`).

        Stage("row_sums", label="row sums", heading="row\\nsums")
    """

    label: str
    """as a reader sees it"""
    heading: str
    """the label over a narrow column: two lines of at most nine characters"""
    worth: float
    """its weight under partial credit, where a rubric says nothing"""
    backends: frozenset[Backend]
    """the backends whose code can be asked"""

    def __new__(
        cls,
        name: str,
        *,
        label: str = "",
        heading: str = "",
        worth: float = 1.0,
        backends: Iterable[Backend] = tuple(Backend),
    ) -> Self:
        """Without a label the name is shown; without a heading, the label."""
        stage = super().__new__(cls, name)
        vars(stage).update(label=label or name, heading=heading or f"\n{label or name}")
        vars(stage).update(worth=worth, backends=frozenset(backends))
        return stage


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


class Proof(StrEnum):
    """How it is known that a place is the one at fault."""

    REPLACED = "replaced"
    """with the right value there, every answer is right"""
    TRACED = "traced"
    """the first value that no right run has"""
    STATED = "stated"
    """it raised there, the process ended there, the source says so"""
