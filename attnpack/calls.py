"""What a guest is asked, and what it answers: plain data between checks and learner code.

A check declares questions; the host sends them; the guest runs the learner's code and
answers with arrays and errors. Nothing here runs anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    Scalar: TypeAlias = np.generic | int | float | bool | None
    Argument: TypeAlias = NDArray[Any] | Scalar | Mapping[str, Any] | list[Any]
    """dictionaries and lists hold arguments in turn: `weights["blocks"][0]["W_q"]`"""


class Mode(StrEnum):
    """torch modules know two; the other backends ignore it."""

    EVAL = "eval"
    TRAIN = "train"


@dataclass(frozen=True, eq=False)
class Instead:
    """What the evaluations of one site give instead of their own values."""

    site: int
    values: tuple[Array, ...]
    """of the first evaluation, the second ...; later ones keep their own"""
    part: int = -1
    """of a tuple, the element that gets them; -1: the value itself"""


@dataclass(frozen=True)
class Call:
    """Call a function of the submission."""

    key: str
    function: str
    arguments: tuple[Argument, ...]
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    returns: int = 1
    """how many results the contract names: 2 unpacks a tuple or list of two"""
    cotangents: tuple[Array | None, ...] | None = None
    """one per result: also answer d sum(cotangent * result) / d argument, per array of floats"""
    precision: str = "float64"
    """the dtype float arguments are lifted to: float64, float32 or float16"""
    strided: bool = False
    """arrays arrive as transposed views: their rows are not contiguous"""
    trace: bool = False
    """also answer what every line of the learner's own code assigned or returned"""
    see: bool = False
    """also answer what every site evaluated to; the task has `seen`"""
    instead: Instead | None = None
    """give a site other values; the task has `seen`"""


@dataclass(frozen=True)
class Build:
    """Construct a class of the submission and keep the object in a slot."""

    key: str
    slot: str
    cls: str
    arguments: tuple[Argument, ...]
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    parameters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """what the object must keep: attribute -> shape, as used in `x @ W`"""
    biases: Mapping[str, str] = field(default_factory=dict)
    """what it may keep: attribute -> the parameter whose layer has it as its `bias`"""
    see: bool = False
    instead: Instead | None = None


@dataclass(frozen=True)
class Fill:
    """Put numbers into the parameters of a built object, in the shapes that `Build` names.

    In place; where reading back differs, by assignment. Biases are used only where the layer
    has one; the answer's facts say which had.
    """

    key: str
    slot: str
    matrices: Mapping[str, Array]


@dataclass(frozen=True)
class Forward:
    """Call a method of a built object; for `forward` also the object itself."""

    key: str
    slot: str
    arguments: tuple[Argument, ...]
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    method: str = "forward"
    cotangents: tuple[Array | None, ...] | None = None
    """as for Call; gradients are also answered for the object's parameters and biases"""
    precision: str = "float64"
    """as for Call; value: "graphless" numbers keep no graph"""
    mode: Mode = Mode.EVAL
    trace: bool = False
    see: bool = False
    instead: Instead | None = None


@dataclass(frozen=True)
class Reload:
    """Execute the files anew with one of them changed; what was built before is gone."""

    key: str
    file: str
    text: str


Question: TypeAlias = Call | Build | Fill | Forward | Reload


class Outcome(StrEnum):
    """How one question ended."""

    RETURNED = "returned"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    ENDED = "ended"
    """the process was gone: exit, os._exit, a crash of the interpreter"""
    NOT_DEFINED = "not_defined"
    NOT_REACHED = "not_reached"
    """an earlier question of the same guest ended it"""


@dataclass(frozen=True)
class Frame:
    """One frame of a traceback, in the learner's own files only."""

    file: str
    line: int
    function: str
    text: str
    column: int | None = None
    """where in its line the expression begins that raised; columns count from 0"""
    end_line: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class Raised:
    """An exception out of the learner's code; frames outermost first, the tool's own left out."""

    type: str
    message: str
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Result:
    """One returned value as an array. `array` is None where no array can be made of it."""

    array: Array | None
    dtype: str
    """as the learner returned it: "float64", "bfloat16", "list", "object", "none" ..."""
    kind: str
    """"array", "tensor", "list", "scalar", "none", or the type's name"""


@dataclass(frozen=True, eq=False)
class TraceEvent:
    """What a line of the learner's code assigned to a name, or returned (name "return")."""

    file: str
    line: int
    function: str
    name: str
    array: Array
    depth: int = 0
    """call depth within the learner's own code"""
    attached: bool = True
    """torch and value: the value still has a gradient path"""


@dataclass(frozen=True, eq=False)
class SeenValue:
    """What a site evaluated to, one evaluation after another."""

    site: int
    array: Array
    depth: int = 0
    """how many calls of the learner's own code it lay within"""
    part: int = -1
    """which element of a tuple; -1: the value itself"""


@dataclass(frozen=True)
class Answer:
    """What came of one question."""

    key: str
    outcome: Outcome
    form: str = ""
    """"one" array-like, "tuple" or "list" of results where the contract names two, "none" """
    results: tuple[Result, ...] = ()
    raised: Raised | None = None
    changed: Mapping[str, Array] = field(default_factory=dict)
    """arguments that the call changed in place, as they were afterwards, by their path: "0" for
    the first, "1/blocks/0/W_q" for an array inside the second, "mask" for a keyword's"""
    gradients: Mapping[str, Array | None] = field(default_factory=dict)
    """by the argument's path, as in `changed`, or the parameter's name; None where none arrived"""
    backward_raised: Raised | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """plain facts: see docs/protocol.md"""
    events: tuple[TraceEvent, ...] = ()
    seen: tuple[SeenValue, ...] = ()

    @property
    def arrays(self) -> tuple[Array | None, ...]:
        """The results alone."""
        return tuple(result.array for result in self.results)


@dataclass(frozen=True)
class Seen:
    """Which sites a task's files have: see attnpack/guest/seeing."""

    firsts: Mapping[str, int]
    """file -> the number of its first site"""
    others: tuple[str, ...]
    """definitions that are left as they are: the other exercises"""


@dataclass(frozen=True)
class Task:
    """One guest's work: a submission's files, one exercise, and the questions about it."""

    exercise: str
    entry: str
    """the file that defines the exercise: "softmax.py", or the lone file"""
    sources: Mapping[str, str]
    """file name -> text, all of the submission"""
    backend: str
    questions: tuple[Question, ...]
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """exercise name -> source text of the reference that replaces the learner's"""
    homes: Mapping[str, str] = field(default_factory=dict)
    """exercise name -> the learner's file that defines it, where something is replaced"""
    deadline_s: float = 5.0
    """CPU seconds for one question"""
    total_s: float = 20.0
    beside: Mapping[str, str] = field(default_factory=dict)
    """further exercises asked about in the same guest -> their files"""
    seen: Seen | None = None
    """rewrite the files so that sites can be seen"""
    together: bool = False
    """all answers leave at the end: cheaper, but none comes of a guest that ends before"""


@dataclass(frozen=True)
class Transcript:
    """All that came back for a task."""

    loaded: Answer
    """RETURNED, or how executing the files ended; NOT_DEFINED where the name is missing"""
    answers: Mapping[str, Answer]
    output: str = ""
    """what the learner's code printed, capped, control characters left in"""
    stand_ins_used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fault: str | None = None
    """a fault of attnpack's or of the machine, never the learner's"""
