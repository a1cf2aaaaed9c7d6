"""The shape of every tensor in the learner's own forward pass, in symbols and in numbers.

The sizes of the run are those of `SHAPES.md`: no two are equal, so a size tells its symbol.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from attnpack.calls import Build, Call, Forward, Task
from attnpack.errors import OwnFaultError
from attnpack.host.decode import MAX_EVENTS
from attnpack.look.subject.learner import AttentionFailedError, ended_in_words
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from attnpack.calls import Argument, Question, TraceEvent, Transcript
    from attnpack.submission import Submission

SIZES = {"B": 2, "T": 5, "h": 3, "d_k": 4, "D": 12, "F": 32}
CLASSES: dict[str, tuple[int, ...]] = {
    "SelfAttention": (SIZES["D"],),
    "MultiHeadAttention": (SIZES["D"], SIZES["h"]),
}
"""the classes whose forward pass is traced, and what they are built with"""
FUNCTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "layer_norm": {"x": ("B", "T", "D"), "gain": ("D",), "bias": ("D",)},
    "feed_forward": {
        "x": ("B", "T", "D"),
        "W_1": ("D", "F"),
        "b_1": ("F",),
        "W_2": ("F", "D"),
        "b_2": ("D",),
    },
}
"""the functions that are traced, and the axes of what they are called with"""
DEADLINE_S = 5.0
"""CPU seconds for the forward pass"""
_SEED = 0


@dataclass(frozen=True)
class Row:
    """One line of the learner's code and the tensor that it made."""

    place: str
    """file and line"""
    name: str
    """the variable; "return" for what a function gives back"""
    shape: tuple[int, ...]

    @property
    def symbols(self) -> str:
        """(B, h, T, d_k)"""
        return f"({', '.join(symbol(size) for size in self.shape)}{',' * (len(self.shape) == 1)})"


@dataclass(frozen=True)
class Table:
    """The forward pass of one class, or the run of one function."""

    subject: str
    """its name"""
    rows: tuple[Row, ...]
    cut_off: bool = False
    """the run made more tensors than a trace keeps"""


def symbol(size: int) -> str:
    """The symbol of a size; a product of two or three of them where axes are folded."""
    return _SYMBOLS.get(size, str(size))


def sizes_in(tables: Iterable[Table]) -> dict[str, int]:
    """The sizes that stand in these runs: without hidden features where none feeds forward."""
    wide = any("W_1" in FUNCTIONS.get(one.subject, ()) for one in tables)
    return {name: size for name, size in SIZES.items() if wide or name != "F"}


def table(
    subject: str, submission: Submission, backend: Backend, run: Callable[[Task], Transcript]
) -> Table:
    """Run one class's forward pass, or one function, under a trace; the shape of every tensor.

    `run` takes the task to a guest. Raises AttentionFailedError where the code ends without a
    result, OwnFaultError where it could not be run.
    """
    entry, questions = submission.entries[subject], _questions(subject, backend)
    transcript = run(
        Task(subject, entry, submission.needed, backend.value, questions, deadline_s=DEADLINE_S)
    )
    if transcript.fault:
        raise OwnFaultError(f"Your code could not be run: {transcript.fault}")
    for answer in (transcript.loaded, *transcript.answers.values()):
        message = ended_in_words(answer, _spoken(subject), entry, DEADLINE_S)
        if message:
            raise AttentionFailedError(message, transcript.output)
    events = transcript.answers["forward"].events
    return Table(subject, rows(events, submission), cut_off=len(events) >= MAX_EVENTS)


def _spoken(subject: str) -> str:
    if subject in CLASSES:
        return f"{subject}.forward(x)"
    return f"{subject}({', '.join(FUNCTIONS[subject])})"


def rows(events: Iterable[TraceEvent], submission: Submission) -> tuple[Row, ...]:
    """Each tensor once per line, in the order of the run."""
    found = (
        Row(_place(event, submission), event.name, event.array.shape)
        for event in events
        if event.array.ndim > 0 and event.name != "_"
    )
    return tuple(dict.fromkeys(found))


def _place(event: TraceEvent, submission: Submission) -> str:
    """softmax.py:3, or the cell of a notebook."""
    if submission.cells:
        return submission.place(event.file, event.line)
    return f"{event.file}:{event.line}"


def markdown(tables: Sequence[Table]) -> str:
    """The tables as Markdown, sizes first."""
    sizes = ", ".join(f"`{name}` = {size}" for name, size in sizes_in(tables).items())
    parts = [f"# Shapes of my forward pass\n\n{sizes}\n"]
    for one in tables:
        parts.append(
            f"## {one.subject}\n\n| line | tensor | symbols | numbers |\n|---|---|---|---|"
        )
        parts += [_markdown_row(row) for row in one.rows]
        parts.append("")
    return "\n".join(parts)


def _markdown_row(row: Row) -> str:
    return f"| `{row.place}` | `{row.name}` | `{row.symbols}` | `{row.shape}` |"


def _questions(subject: str, backend: Backend) -> tuple[Question, ...]:
    import numpy as np

    rng = np.random.default_rng(_SEED)
    if subject in FUNCTIONS:
        shapes = [tuple(SIZES[axis] for axis in axes) for axes in FUNCTIONS[subject].values()]
        given = tuple(rng.normal(size=shape) for shape in shapes)
        return (Call("forward", subject, given, {}, trace=True),)
    leading = () if backend is Backend.VALUE else (SIZES["B"],)
    x = rng.normal(size=(*leading, SIZES["T"], SIZES["D"]))
    keywords: dict[str, Argument] = {"causal": True}
    precision = "float32" if backend is Backend.TORCH else "float64"
    built_with, called_with = ({}, keywords) if subject == "SelfAttention" else (keywords, {})
    return (
        Build("build", "traced", subject, CLASSES[subject], built_with),
        Forward("forward", "traced", (x,), called_with, precision=precision, trace=True),
    )


def _named_sizes() -> dict[int, str]:
    """Single sizes first, then 1, then products in which no size that is one already is hidden."""
    named = {size: name for name, size in SIZES.items()} | {1: "1"}
    for count in (2, 3):
        for names in combinations(("B", "h", "T", "d_k", "D"), count):
            named.setdefault(prod(SIZES[name] for name in names), "*".join(names))
    named[3 * SIZES["D"]] = "3*D"
    return named


_SYMBOLS = _named_sizes()
