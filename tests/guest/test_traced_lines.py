"""The line trace names the line that made each array, and lets no object run code of its own."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from attnpack.calls import Call, Outcome, Task, TraceEvent
from attnpack.host.inprocess import run_in_process

SCORES = np.arange(6.0).reshape(2, 3)


def events(source: str, **others: str) -> tuple[TraceEvent, ...]:
    files = {"a.py": "import numpy as np" + dedent(source), **others}
    call = Call("call", "softmax", (SCORES,), trace=True)
    answer = run_in_process(Task("softmax", "a.py", files, "numpy", (call,))).answers["call"]
    assert answer.outcome is Outcome.RETURNED, answer
    return answer.events


def lines(source: str, **others: str) -> list[tuple[int, str, str]]:
    return [(event.line, event.function, event.name) for event in events(source, **others)]


def test_each_assignment_and_the_return_have_their_line() -> None:
    source = """
        def softmax(scores):
            exps = np.exp(scores)
            total = exps.sum()
            other = exps.sum(-1, keepdims=True)
            return exps / other
    """
    assert lines(source) == [
        (3, "softmax", "exps"),
        (5, "softmax", "other"),
        (6, "softmax", "return"),
    ]


def test_values_are_those_of_the_moment() -> None:
    source = """
        def softmax(scores):
            out = np.zeros(3)
            out += 1
            out[1] = 5
            return out
    """
    traced = events(source)
    assert [event.array.tolist() for event in traced] == [
        [0, 0, 0],
        [1, 1, 1],
        [1, 5, 1],
        [1, 5, 1],
    ]
    assert [event.line for event in traced] == [3, 4, 5, 6]


def test_a_loop_keeps_the_last_in_place_change_of_each_line() -> None:
    source = """
        def softmax(scores):
            out = np.zeros(200)
            for i in range(200):
                out[i] = i
            return out
    """
    traced = events(source)
    assert [event.line for event in traced] == [3, 5, 6]
    np.testing.assert_array_equal(traced[1].array, np.arange(200))


def test_fresh_values_of_a_loop_are_all_kept() -> None:
    source = """
        def softmax(scores):
            for row in scores:
                row = row + 1
            return scores
    """
    assert lines(source)[:4] == [
        (3, "softmax", "row"),
        (4, "softmax", "row"),
        (3, "softmax", "row"),
        (4, "softmax", "row"),
    ]


def test_one_liners_helpers_and_comprehensions_name_the_inner_line() -> None:
    source = """
        double = lambda x: 2 * x
        def softmax(scores):
            def inner(x):
                return x + 1
            rows = np.array([double(r) for r in scores])
            return inner(rows)
    """
    traced = lines(source)
    assert (2, "<lambda>", "return") in traced
    assert (5, "inner", "return") in traced
    assert (6, "softmax", "rows") in traced


def test_an_argument_made_in_the_line_of_the_call_belongs_to_that_line() -> None:
    source = """
        def double(x):
            return 2 * x
        def softmax(scores):
            return double(scores - 1)
    """
    assert lines(source) == [
        (5, "softmax", "x"),
        (3, "double", "return"),
        (5, "softmax", "return"),
    ]


def test_attributes_of_self_and_other_files_are_traced() -> None:
    other = (
        "class Layer:\n    def run(self, x):\n        self.kept = x + 1\n        return self.kept\n"
    )
    source = """
        from other import Layer
        def softmax(scores):
            return Layer().run(scores)
    """
    traced = events(source, **{"other.py": other})
    assert [(e.file, e.line, e.name, e.depth) for e in traced] == [
        ("other.py", 3, "self.kept", 1),
        ("other.py", 4, "return", 1),
        ("a.py", 4, "return", 0),
    ]


def test_both_results_of_a_tuple_are_returned_ones() -> None:
    assert lines("\ndef softmax(scores): return scores + 1, scores + 2") == [
        (2, "softmax", "return"),
        (2, "softmax", "return"),
    ]


def test_lists_of_numbers_are_traced_as_arrays() -> None:
    traced = events("\ndef softmax(scores): return [[1.0, 2.0], [3, True]]")
    np.testing.assert_array_equal(traced[0].array, [[1.0, 2.0], [3.0, 1.0]])


def test_the_number_of_events_is_bounded() -> None:
    source = """
        def softmax(scores):
            for i in range(5000):
                kept = scores + i
            return kept
    """
    assert len(events(source)) == 400


def test_hostile_objects_run_no_code_of_their_own() -> None:
    source = """
        ran = []
        class Hostile(np.ndarray):
            def __getattribute__(self, name): ran.append(name); raise SystemExit
            def __eq__(self, other): ran.append("eq"); raise SystemExit
            def __array__(self, *a, **k): ran.append("array"); raise SystemExit
        class Liar:
            @property
            def __class__(self): ran.append("class"); return np.ndarray
            @property
            def __dict__(self): ran.append("dict"); raise SystemExit
            def __array__(self, *a, **k): ran.append("array"); raise SystemExit
            def __iter__(self): ran.append("iter"); raise SystemExit
            def method(self):
                mine = [self, 1.0]
                return None
        def softmax(scores):
            hostile = scores.view(Hostile)
            liar = Liar()
            both = [liar, hostile]
            type(liar).method(liar)
            seen = len(ran)
            return np.array([float(seen)])
    """
    traced = events(source)
    assert traced[-1].name == "return"
    assert traced[-1].array.tolist() == [0.0]


@pytest.mark.parametrize("ending", ["sys.settrace(None)", "sys.settrace(lambda *a: 1 / 0)"])
def test_code_that_sets_its_own_trace_still_gets_its_answer(ending: str) -> None:
    source = f"""
        import sys
        def softmax(scores):
            first = scores + 1
            try:
                {ending}
                (lambda: 0)()
            except ZeroDivisionError:
                pass
            return scores
    """
    assert (4, "softmax", "first") in lines(source)


def test_an_exception_keeps_the_events_before_it() -> None:
    source = "def softmax(scores):\n    first = scores + 1\n    raise ValueError('no')\n"
    call = Call("call", "softmax", (SCORES,), trace=True)
    ran = run_in_process(Task("softmax", "a.py", {"a.py": source}, "numpy", (call,)))
    assert ran.answers["call"].outcome is Outcome.RAISED
    assert [event.name for event in ran.answers["call"].events] == ["first"]
