"""Forms that few learners use, and that are right all the same."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from attnpack.calls import Build, Call, Forward, Outcome, Task
from attnpack.host.inprocess import run_in_process

TABLE = np.arange(6.0).reshape(2, 3)


def answers(source, *questions, exercise="softmax", backend="numpy"):
    task = Task(exercise, "attention.py", {"attention.py": dedent(source)}, backend, questions)
    return dict(run_in_process(task).answers)


@pytest.mark.parametrize("backend", ["numpy", "value", "torch"])
@pytest.mark.parametrize("form", ["tuple(map(tuple, s))", "tuple(map(list, s))", "tuple(s)"])
def test_one_table_may_come_as_a_tuple_of_rows(backend, form):
    if backend == "torch":
        pytest.importorskip("torch")
    source = f"def softmax(s):\n    return {form}\n"
    came = answers(source, Call("c", "softmax", (TABLE,)), backend=backend)["c"]
    assert came.form == "one"
    np.testing.assert_array_equal(came.arrays[0], TABLE)


def test_two_tables_in_a_tuple_are_two_results_where_one_is_wanted():
    source = "def softmax(s):\n    return s, s\n"
    came = answers(source, Call("c", "softmax", (TABLE,)))["c"]
    assert (came.form, len(came.results)) == ("tuple", 2)


@pytest.mark.parametrize("backend", ["numpy", "value"])
def test_rows_may_be_named_tuples(backend):
    source = """
        from collections import namedtuple
        Row = namedtuple("Row", "a b c")
        def softmax(s):
            return [Row(*row) for row in s]
    """
    came = answers(source, Call("c", "softmax", (TABLE,)), backend=backend)["c"]
    np.testing.assert_array_equal(came.arrays[0], TABLE)


@pytest.mark.parametrize(
    ("error", "refuses"),
    [("ValueError", True), ("AssertionError", True), ("Own", True), ("TypeError", False)],
)
def test_an_exception_of_a_kind_of_value_error_is_a_refusal(error, refuses):
    source = f"""
        class Own(ValueError):
            pass
        class MultiHeadAttention:
            def __init__(self, d_model, num_heads):
                raise {error}("no")
    """
    build = Build("b", "slot", "MultiHeadAttention", (7, 2))
    came = answers(source, build, exercise="MultiHeadAttention")["b"]
    assert came.outcome is Outcome.RAISED
    assert came.facts.get("refusal", False) is refuses


REFUSALS = {
    "raise in a helper": "check(width, heads)",
    "raise in a branch": "if width % heads: raise ValueError(width)",
    "raise after an error": """try: np.zeros(width).reshape(heads, -1)
    except ValueError as error: raise ValueError("heads") from error""",
    "raise that passes an error on": """try: np.zeros(width).reshape(heads, -1)
    except ValueError: raise""",
    "raise inside with and finally": """with np.errstate(all="ignore"):
        try: check(width, heads)
        finally: width = 0""",
    "assert": "assert width % heads == 0",
    "somebody else's assertion": "np.testing.assert_equal(width % heads, 0)",
}
ACCIDENTS = {
    "reshape": "np.zeros(width).reshape(heads, -1)",
    "split": "np.split(np.zeros(width), heads)",
    "int": "int('seven')",
    "reshape in a helper": "cut(np.zeros(width), heads)",
    "a raise that was caught before": """try: check(width, heads)
    except ValueError: pass
    np.zeros(width).reshape(heads, -1)""",
    "another kind": "raise TypeError(width)",
}


@pytest.mark.parametrize(
    ("body", "refuses"),
    [
        *(pytest.param(body, True, id=name) for name, body in REFUSALS.items()),
        *(pytest.param(body, False, id=name) for name, body in ACCIDENTS.items()),
    ],
)
def test_only_what_the_learner_raises_is_a_refusal(body, refuses):
    source = f"""import numpy as np

def check(width, heads):
    if width % heads:
        raise ValueError("the heads do not divide the width")

def cut(x, heads):
    return x.reshape(heads, -1)

def MultiHeadAttention(width, heads):
    {body}
"""
    call = Call("c", "MultiHeadAttention", (7, 2))
    came = answers(source, call, exercise="MultiHeadAttention")["c"]
    assert came.outcome is Outcome.RAISED
    assert came.facts.get("refusal", False) is refuses


def test_a_module_with_call_alone_is_called():
    pytest.importorskip("torch")
    source = """
        from torch import nn
        class SelfAttention(nn.Module):
            def __init__(self, d_model):
                super().__init__()
            def __call__(self, x, causal=True):
                return 2 * x
    """
    build = Build("b", "slot", "SelfAttention", (3,))
    forward = Forward("f", "slot", (TABLE,), {"causal": False})
    came = answers(source, build, forward, exercise="SelfAttention", backend="torch")["f"]
    np.testing.assert_array_equal(came.arrays[0], 2 * TABLE)


@pytest.mark.parametrize("backend", ["numpy", "value"])
def test_matrices_made_at_each_look_are_not_one_object(backend):
    rows = "np.zeros((2, 2))" if backend == "numpy" else "[[Value(0.0)] * 2, [Value(0.0)] * 2]"
    source = f"""
        import numpy as np
        from attnpack.value import Value
        class SelfAttention:
            def __init__(self, d_model):
                pass
            W_q, W_k, W_v, W_o = (property(lambda self: {rows}) for _ in range(4))
    """
    four = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (2, 2))
    build = Build("b", "slot", "SelfAttention", (2,), parameters=four)
    came = answers(source, build, exercise="SelfAttention", backend=backend)["b"]
    assert came.facts["same"] == []
