"""Where the line of a bug is found that the numbers of a trace do not place. Imports no numpy.

Asked in this order: what the guest noted down, the value that a traced call shows, the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from attnpack.diagnosis.source_lines import Definition, Place

from ..projections import MATRICES

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.calls import Answer


class Value(Enum):
    """Which value of a traced call is looked for."""

    CHANGED_ARGUMENT = auto()
    """the first under an argument's own name that is not the argument"""
    DETACHED = auto()
    """the first from which no gradient flows back, though it holds numbers that matter"""
    DEPARTING = auto()
    """the first that departs from everything right"""
    RETURNED = auto()
    """what the exercise itself returned"""


def noted(fact: str) -> Callable[[Answer], Place | None]:
    """The file and line that the guest sent under the name of a fact."""

    def place(answer: Answer) -> Place | None:
        stated = answer.facts.get(fact)
        return Place(str(stated[0]), int(stated[1])) if stated else None

    return place


def nowhere(_: Answer) -> None:
    """The guest does not note it down."""


@dataclass(frozen=True)
class Where:
    """Where one bug's line is looked for, beside the steps that its models replace."""

    told: Callable[[Answer], Place | None] = nowhere
    value: Value | None = None
    written: Callable[[Definition], Place | None] = lambda spans: spans.body
    traced: bool = True
    """a call is worth a trace: it ends, and has numbers of its own"""
    symptom: bool = False
    """it says that something is wrong and not what: where one value mends everything says more"""


def in_place(answer: Answer) -> Place | None:
    """The change in place of what the backward pass says has changed, else the last one."""
    made_by, places = answer.facts.get("in_place", ()), answer.facts.get("in_place_at", ())
    raised = answer.backward_raised
    if not places or raised is None:
        return None
    said = re.search(r"output \d+ of (\w+?)(Backward)?\d*,", raised.message)
    missed = said.group(1) if said else ""
    meant = [place for name, place in zip(made_by, places, strict=False) if name == missed]
    file, line = (meant or places[-1:])[0]
    return Place(str(file), int(line))


def end_of_the_process(spans: Definition) -> Place | None:
    """The call that ends it."""
    return spans.call_of("exit", "_exit", "quit", "kill", "abort") or spans.start


def loop(spans: Definition) -> Place | None:
    """The first loop."""
    return spans.loop() or spans.start


def constructor(spans: Definition) -> Place | None:
    """The constructor of a class."""
    return spans.constructor or spans.start


def kept_layers(spans: Definition) -> Place | None:
    """Where a constructor keeps its layers: a list or dictionary of them, or a matrix."""
    kept = spans.container_in_constructor() or spans.assigned_in_constructor(*MATRICES)
    return kept or constructor(spans)


def division(spans: Definition) -> Place | None:
    """Where a constructor divides the width by the heads."""
    return spans.division_in_constructor() or constructor(spans)


def raw_numbers(spans: Definition) -> Place | None:
    """Where raw numbers are taken out of tensors or Values, but for a maximum."""
    return spans.read_of("data", outside="max") or spans.call_of("float") or spans.body


def derivative(spans: Definition) -> Place | None:
    """A derivative written by hand, or a Value made anew."""
    written = spans.derivative() or spans.call_with("Value", 2)
    return written or spans.read_of("data", outside="max") or spans.body
