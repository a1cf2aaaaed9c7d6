"""What a pack says of answers: plans, verdicts, suspects. The machinery's side.

A pack author fills these in; the attention pack does so in `checks/`. What a learner reads of a
pack is in `attnpack.pack.texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnpack.calls import Answer, Question, Seen, Transcript
    from attnpack.guest.seeing.sites import Span
    from attnpack.terms import Backend, Proof, Stage, Status


@dataclass(frozen=True)
class Comparison:
    """What the code gave and what was expected, on the probe that shows the failure best."""

    call: str
    """the call in words, e.g. "softmax(scores)" with the shapes of its arguments"""
    expected_shape: tuple[int, ...] | None = None
    got_shape: tuple[int, ...] | None = None
    got_dtype: str | None = None
    first_index: tuple[int, ...] | None = None
    expected: float | None = None
    got: float | None = None
    largest_difference: float | None = None
    differing: int | None = None
    """how many of the elements differ, of `size`"""
    size: int | None = None
    right: Any = field(default=None, compare=False, repr=False)
    """the whole expected array"""


@dataclass(frozen=True)
class Note:
    """Something worth knowing that fails nothing."""

    id: str
    text: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What one stage says of one exercise's answers."""

    stage: Stage
    status: Status
    message: str = ""
    probe: str | None = None
    """the key of the question or probe that shows it"""
    comparison: Comparison | None = None
    answer: Answer | None = None
    """the answer that raised or failed"""
    would_pass: bool = False
    """of a stage that is skipped since an earlier one did not pass: it would have"""


@dataclass(frozen=True)
class Suspect:
    """A named cause, before it has a line."""

    id: str
    match: str
    together: bool = False
    file: str | None = None
    line: int | None = None
    evidence: Any = None
    """the pack's own: the models that gave the learner's numbers"""
    place: Place | None = None


@dataclass(frozen=True)
class Judgement:
    """All that the pack says about one exercise's transcript."""

    verdicts: tuple[Verdict, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The probes of one exercise for one seed: what to ask, and what is needed to judge it."""

    exercise: str
    backend: Backend
    questions: tuple[Question, ...]
    probes: Any
    """the pack's own: inputs and expectations by key"""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Annotation:
    """What one line of the learner's code made, for `attnpack trace`."""

    file: str
    line: int
    name: str
    """the variable; "return" for what a function gives back"""
    shape: str
    """in symbols: "(B, h, T, d_k)" """
    known: str | None
    """the tensor's name in the field where the value is a right one"""


@dataclass(frozen=True)
class Ask:
    """What is asked of a fresh guest while a place or a change is looked for."""

    questions: Sequence[Question]
    changed: Mapping[str, str] = field(default_factory=dict)
    """files that have another text than the learner's"""
    seen: Seen | None = None
    """which sites are hooked, where some are seen or given other values"""


@dataclass(frozen=True)
class Place:
    """An expression of the learner's, and how it is known to be the one at fault."""

    span: Span
    text: str
    """on one line"""
    proof: Proof
    first_line: str = ""
    """as far as it stands on its first line"""
    right: str = ""
    """what a right run has there"""
    answers: int = 0
    """how many answers are right with the right value there: all of them"""
    used: Span | None = None
    """where a value that should have gone through a further step was used without it"""
    call: str = ""
    """the call that was looked at, in words"""
    came: Any = field(default=None, compare=False, repr=False)
    """the array that the expression gave there, where one should have stood in its place"""
    meant: Any = field(default=None, compare=False, repr=False)
    """that one"""


@dataclass(frozen=True)
class Change:
    """A small change of one of the learner's files."""

    file: str
    line: int
    text: str
    """the whole file as it is then"""
    shown: tuple[str, ...]
    """the lines that differ, those taken out with "-" before them, those put in with "+" """


@dataclass(frozen=True)
class Source:
    """Where the exercise's definition lies in the learner's files."""

    files: Mapping[str, str]
    """file name -> text"""
    entry: str
    """the file that defines the exercise"""
    others: Mapping[str, str]
    """the other exercises -> their files: no line of theirs is blamed"""


class Thoroughness(Enum):
    """How much of what could be tried is."""

    SAMPLE = auto()
    EXHAUSTIVE = auto()


@dataclass(frozen=True)
class Rehearsal:
    """What came of acting out the bug models of one exercise and diagnosing them."""

    singles: int
    pairs: int
    """that no single model explains"""
    pairs_named: int
    """as exactly the two that were acted out, not as two that give the same numbers"""
    faults: tuple[str, ...]


Judge = Callable[[Plan, "Transcript"], Judgement]
