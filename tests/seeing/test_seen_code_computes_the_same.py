"""Code whose expressions are seen returns, raises, prints and changes what it did before."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from random import Random
from textwrap import dedent
from typing import TYPE_CHECKING

import numpy as np
import pytest
from variants import EXERCISES, each_once, exercises_in, submissions

from attnpack import pack
from attnpack.calls import Answer, Build, Call, Forward, Question, Raised, Task, Transcript
from attnpack.diagnosis.places.sites import sites_of
from attnpack.host.inprocess import run_in_process
from attnpack.submission import load
from attnpack.terms import Backend
from bench import labelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.calls import Array

TORCH = importlib.util.find_spec("torch")
HAS_TORCH = TORCH is not None and TORCH.origin is not None
BACKENDS = [b for b in Backend if b is not Backend.TORCH or HAS_TORCH]
ENDLESS = ("timeout",)


def answered(sources: Mapping[str, str], entry: str, exercise: str, backend: Backend) -> Task:
    plan = pack.load().short_plan(exercise, backend, np.random.default_rng(1))
    return Task(exercise, entry, sources, backend.value, plan.questions)


def both(task: Task) -> tuple[Transcript, Transcript]:
    """As it is, and seen."""
    questions = tuple(map(watched, task.questions))
    others = [name for name in EXERCISES if name != task.exercise]
    seen = replace(task, questions=questions, seen=sites_of(task.sources, others).seen)
    return run_in_process(task), run_in_process(seen)


def watched(question: Question) -> Question:
    return replace(question, see=True) if isinstance(question, Call | Build | Forward) else question


def assert_alike(task: Task) -> Transcript:
    plain, seen = both(task)
    assert_same(seen.loaded, plain.loaded)
    for key, answer in plain.answers.items():
        assert_same(seen.answers[key], answer)
    assert seen.output == plain.output
    return seen


def assert_same(seen: Answer, plain: Answer) -> None:
    assert (seen.outcome, seen.form) == (plain.outcome, plain.form)
    assert raised_in(seen) == raised_in(plain)
    told = [[(r.dtype, r.kind) for r in answer.results] for answer in (seen, plain)]
    assert told[0] == told[1]
    for left, right in (
        (dict(enumerate(seen.arrays)), dict(enumerate(plain.arrays))),
        (seen.changed, plain.changed),
        (seen.gradients, plain.gradients),
    ):
        assert left.keys() == right.keys()
        for key, array in right.items():
            assert same_numbers(left[key], array), (plain.key, key)


def raised_in(answer: Answer) -> Raised | None:
    """What was raised.

    Where in its line an `assert` raises, Python 3.11 says by its condition's
    kind: at the comparison, or at the whole statement.
    """
    if answer.raised is None:
        return None
    frames = [
        replace(f, column=None, end_line=None, end_column=None) if "assert " in f.text else f
        for f in answer.raised.frames
    ]
    return replace(answer.raised, frames=tuple(frames))


def same_numbers(left: Array | None, right: Array | None) -> bool:
    """numpy rounds single precision by where in memory an array lies; so to five digits."""
    if left is None or right is None:
        return left is right
    return np.shape(left) == np.shape(right) and np.allclose(left, right, 1e-5, 1e-6, True)


@pytest.mark.parametrize(
    "every",
    [
        pytest.param(24, id="one in twenty-four"),
        pytest.param(2, id="one in two", marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_right_variants_compute_the_same(backend: Backend, every: int) -> None:
    silent: list[str] = []
    for exercise in exercises_in(backend.value):
        once = each_once(submissions(backend.value, Random(7291)), [exercise])
        for one, _ in list(once)[::every]:
            seen = assert_alike(answered(one.sources, one.entry(exercise), exercise, backend))
            if not any(answer.seen for answer in seen.answers.values()):
                silent.append(one.variant(exercise).name)
    assert len(silent) <= 3, silent  # another name for a library's function has no expressions


def cases() -> Iterator[object]:
    """One in twenty, and all of them where the tests are exhaustive."""
    for at, case in enumerate(labelled.cases()):
        endless = case.never_returns or "exit(" in case.path.read_text(encoding="utf-8")
        if case.backend in BACKENDS and not endless:
            yield pytest.param(case, id=str(case), marks=[pytest.mark.exhaustive] * bool(at % 20))


@pytest.mark.parametrize("case", list(cases()))
def test_labelled_cases_compute_the_same(case: labelled.Case) -> None:
    given = load(case.path)
    for exercise, entry in given.entries.items():
        assert_alike(answered(given.sources, entry, exercise, case.backend))


SYNTAX = {
    "comprehensions": "[[x for x in row if x < 9] for row in scores.tolist()]",
    "sets and dictionaries": "sorted({float(x) for x in scores[0]} | {k: 1 for k in (2,)}.keys())",
    "generators": "list(x for x in scores.tolist() if all(y is not None for y in x))",
    "lambda": "(lambda s, *more, scale=2: s * scale + sum(more))(scores, 1, 2)",
    "walrus": "(top := scores.max()) + top",
    "stars": "np.stack([*scores, *(row for row in scores)])",
    "star arguments": "np.full(*[(2, 3)], **{'fill_value': 1.0})",
    "f-strings": "float(f'{scores.max():.3f}') + len(f'{scores!r:>{10}}')",
    "conditions": "scores if scores.ndim > 1 and not scores.size == 0 else -scores",
    "chained comparisons": "(0 <= scores.min() < scores.max() <= 99) * scores",
    "slices": "scores[..., ::-1][:, None, 1:][0, 0:1, -1:]",
    "slices of slices": "scores[slice(0, 1)][np.ix_([0], [0, 1])]",
    "an index of arrays": "scores[scores > 1]",
    "the name of a keyword": "np.sum(a=scores, axis=-1, keepdims=True)",
    "nothing at all": "None",
    "empty containers": "[[], [()], {}][:0]",
}  # fmt: skip

PROGRAMS = {
    "a nested function": """
        def softmax(scores):
            total = 0
            def add(x):
                nonlocal total
                total += x
                return total
            return [add(float(x)) for x in scores[0]]
    """,
    "a global that is updated": """
        count = 0
        def softmax(scores):
            global count
            count += 1
            return scores * count
    """,
    "a class with private names and super": """
        class Base:
            def __init__(self, scale):
                self.__scale = scale
            def scaled(self, x):
                return x * self.__scale
        class Own(Base):
            __slots__ = ("kept",)
            def __init__(self):
                super().__init__(3.0)
                self.kept = []
            @property
            def last(self):
                return self.kept[-1]
            @staticmethod
            def half(x): return x / 2
            def __call__(self, x):
                self.kept.append(self.half(super().scaled(x)))
                return self.last
        def softmax(scores):
            return Own()(scores)
    """,
    "match": """
        def softmax(scores):
            match scores.shape:
                case (rows, 1) | [rows, 2] if rows > 5:
                    return scores
                case (rows, *others):
                    return scores * rows + len(others)
    """,
    "try, with, assert, del, raise": """
        import contextlib
        def softmax(scores):
            try:
                with contextlib.suppress(KeyError) as nothing, contextlib.nullcontext(scores) as s:
                    assert s is scores, "another"
                    raise KeyError(s.shape)
                raise ValueError("as it should")
            except* ValueError as group:
                found = len(group.exceptions)
            else:
                found = 9
            finally:
                t = scores + 1
            del s
            return t * found
    """,
    "generators that send and yield from": """
        def rows(scores):
            got = yield from (row for row in scores)
            for row in scores:
                got = yield row
        def softmax(scores):
            made = rows(scores)
            first = next(made)
            return [list(first), *map(list, made)]
    """,
    "async code": """
        import asyncio
        async def row(x):
            await asyncio.sleep(0)
            return x * 2
        async def every(scores):
            async with asyncio.Lock():
                return [await row(x) async for x in stream(scores)]
        async def stream(scores):
            for x in scores:
                yield x
        def softmax(scores):
            return np.stack(asyncio.run(every(scores)))
    """,
    "decorators, defaults and annotations": """
        import functools
        def twice(function: "callable" = None):
            @functools.wraps(function)
            def wrapped(*arguments: float, **keywords: dict[str, int]) -> list:
                return function(*arguments, **keywords) * 2
            return wrapped
        @twice
        def softmax(scores: np.ndarray, *, times: int = len("two") - 1) -> np.ndarray:
            made: np.ndarray = scores * times
            kept: list
            return made
    """,
    "writing in place": """
        def softmax(scores):
            out = np.zeros_like(scores)
            view = out[0]
            out[:] = scores
            out[0, 1:] -= 2
            np.add(out, 1, out=out)
            out += 1
            rows = []
            for row in out:
                rows.append(row)
            rows[0][0], rows[-1][0] = 8, 9
            return np.stack([*rows, view])
    """,
    "loops with else, break and continue": """
        def softmax(scores):
            total = 0.0
            for i, row in enumerate(scores):
                for j in range(len(row)):
                    if j == 1: continue
                    if i == 1: break
                    total += row[j]
                else:
                    total += 100
            while total > 5:
                total -= 7
            else:
                total *= 2
            return scores + total
    """,
    "what it raises, and where": """
        def softmax(scores):
            def inner(s):
                return (
                    s +
                    s[:, :1] @ np.ones((7, 2))
                )
            return inner(
                scores
            )
    """,
    "a subclass that answers for itself": """
        class Loud(np.ndarray):
            def __array_finalize__(self, other): print("made")
            def __getattr__(self, name): raise AttributeError(name)
        def softmax(scores):
            return np.asarray(scores.view(Loud) * 2)
    """,
    "its own frame": """
        import inspect
        def softmax(scores):
            names = sorted(locals())
            assert names == ["scores"], names
            here = inspect.currentframe().f_lineno
            return scores + here
    """,
    "a docstring and a lambda at the top": """
        scale = 2.0
        helper = lambda s: s * scale
        def softmax(scores):
            '''What it does.'''
            assert softmax.__doc__ == '''What it does.'''
            return helper(scores)
    """,
    "a name that is bound nowhere": """
        def softmax(scores):
            if scores is None:
                s = 1
            s[0] = 2
            return s
    """,
}


@pytest.mark.parametrize("expression", SYNTAX.values(), ids=SYNTAX.keys())
def test_every_form_of_expression_computes_the_same(expression: str) -> None:
    assert_alike(program(f"def softmax(scores):\n    return {expression}\n"))


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_every_form_of_statement_computes_the_same(source: str) -> None:
    assert_alike(program(dedent(source)))


def program(source: str) -> Task:
    scores = np.arange(6.0).reshape(2, 3)
    calls = (Call("first", "softmax", (scores,)), Call("second", "softmax", (scores * 2,)))
    return Task("softmax", "a.py", {"a.py": "import numpy as np\n" + source}, "numpy", calls)


def test_code_that_is_nested_too_deeply_is_left_as_it_is() -> None:
    deep = "def softmax(scores):\n    return scores" + " + scores" * 700 + "\n"
    assert_alike(program(deep))
