"""An exercise as one object: what a learner reads of it, how it is called, what is right, what is
asked.

An exercise is one module in `checks/exercises/`, and this is what stands in it. Nothing here
imports numpy: commands that only need the texts stay quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from attnpack.diagnosis.models import Pipeline, Step
from attnpack.pack import texts

from .draft import Draft, Inputs
from .steps.recorded import recorded

if TYPE_CHECKING:
    from attnpack.calls import Answer
    from attnpack.terms import Stage

    from .draw import Draw
    from .probe import Probe
    from .steps.recorded import Named
    from .traits import Trait

Asks: TypeAlias = Callable[["Draw"], Iterable[Draft]]
"""fresh numbers in, what to ask out"""


@dataclass(frozen=True)
class Signature:
    """How something is called: what goes in by its position, then what goes in by its name.

    Names are those of a call's inputs. The last ones may be left out: see `Inputs`.
    """

    positional: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True)
class Built:
    """What is special about a class: its constructor, the methods, and the parameters it keeps."""

    constructor: Signature
    methods: Mapping[str, Signature]
    """the first is the one that is called where a call names none"""
    parameters: Callable[[Inputs], Mapping[str, tuple[int, ...]]]
    """what an object built with these inputs keeps: name -> shape, as used in `x @ W`"""
    biases: Mapping[str, str] = field(default_factory=dict)
    """those that a torch layer may have: name -> the parameter whose layer has it"""

    def method(self, call: Inputs) -> str:
        """The name of the method that a call is to."""
        return str(call.get("method") or next(iter(self.methods)))


@dataclass(frozen=True)
class Traced:
    """One call on sizes that are all different, for `attnpack trace`."""

    sizes: Mapping[str, int]
    """symbol -> size"""
    call: Inputs


@dataclass(frozen=True, kw_only=True, eq=False)
class Exercise(texts.Exercise):
    """One exercise. A new one needs no other module of `checks/` to know its name."""

    stages: tuple[Stage, ...] = field(init=False)
    traits: frozenset[Trait]
    takes: Signature
    """of a function; empty for a class"""
    built: Built | None = None
    results: tuple[str, ...]
    """the names, in the steps' state, of what the contract returns"""
    steps: tuple[tuple[str, Step], ...]
    """the right way, step by step: the oracle, and what bug models replace"""
    probes: Mapping[Stage, Asks]
    """the stages it has, in their order, and what each asks"""
    short_form: Asks
    """few dense probes that only right code passes; gradients are added"""
    traced: Callable[[Draw], Traced]
    condition: Callable[[Named], float] | None = None
    """how far float32's epsilon is amplified, where it is not by scores (checks/agreement.py)"""
    comparable: Callable[[Any], Any] | None = None
    """makes results equal that are equally right"""
    fault: Callable[[Any, Probe, int], str] | None = None
    """what is wrong with a result, for those that are not judged by their difference"""
    settle: Callable[[Probe, Mapping[str, Answer]], Probe] | None = None
    """the probe as it is to be judged, where the answers show which of several forms is used"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(self.probes))

    def __repr__(self) -> str:
        return self.name

    @cached_property
    def pipeline(self) -> Pipeline:
        """The right way to do it, with what is returned at the end."""

        def begin(state: dict[str, Any]) -> None:
            state["returned"] = self.results

        def finish(state: dict[str, Any]) -> None:
            state["results"] = tuple(state[name] for name in state["returned"])

        steps = (("begin", begin), *self.steps, ("finish", finish))
        return Pipeline(self.name, steps, self.traits)

    def has(self, *traits: Trait) -> bool:
        """Whether it has all of these traits."""
        return self.traits.issuperset(traits)

    def right(self, call: Inputs) -> Named:
        """Every array of a right run by its name, arguments first."""
        return recorded(self.pipeline, call, self.arguments(call))

    def arguments(self, call: Inputs) -> tuple[str, ...]:
        """The names of what a call hands over."""
        return self.signature(call).positional

    def signature(self, call: Inputs) -> Signature:
        """How this call is made: of a class, that of the method that it is to."""
        return self.takes if self.built is None else self.built.methods[self.built.method(call)]

    def ask(self, stage: Stage, draw: Draw) -> list[Draft]:
        """What a stage asks. Raises LookupError where the exercise does not have the stage."""
        if stage not in self.probes:
            raise LookupError(f"{self.name} has no stage {stage}")
        return list(self.probes[stage](draw))
