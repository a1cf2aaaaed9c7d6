"""Questions are executed as `calls` documents them."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from attnpack.calls import Answer, Build, Call, Fill, Forward, Outcome, Question, Task
from attnpack.host.inprocess import run_in_process

SCORES = np.arange(6.0).reshape(2, 3)
SQUARE = np.arange(4.0).reshape(2, 2)
FOUR = {name: SQUARE + i for i, name in enumerate(("W_q", "W_k", "W_v", "W_o"))}


def answers(source: str, *questions: Question, exercise: str = "softmax") -> dict[str, Answer]:
    sources = {"attention.py": dedent(source)}
    ran = run_in_process(Task(exercise, "attention.py", sources, "numpy", questions))
    assert ran.loaded.outcome is Outcome.RETURNED, ran.loaded
    return dict(ran.answers)


def answer(body: str, *arguments: object, returns: int = 1) -> Answer:
    """Of a function of one argument with this body."""
    source = f"import numpy as np\ndef softmax(scores):\n    {body}\n"
    call = Call("call", "softmax", arguments or (SCORES,), returns=returns)  # type: ignore[arg-type]
    return answers(source, call)["call"]


def test_a_missing_name_is_not_defined() -> None:
    task = Task("softmax", "a.py", {"a.py": "x = 1"}, "numpy", (Call("c", "softmax", (1.0,)),))
    ran = run_in_process(task)
    assert ran.loaded.outcome is Outcome.NOT_DEFINED
    assert ran.answers["c"].outcome is Outcome.NOT_REACHED


def test_a_syntax_error_is_raised_with_file_and_line() -> None:
    task = Task("softmax", "a.py", {"a.py": "x = 1\ndef softmax(:\n"}, "numpy", ())
    raised = run_in_process(task).loaded.raised
    assert raised is not None
    assert raised.type == "SyntaxError"
    assert (raised.frames[-1].file, raised.frames[-1].line) == ("a.py", 2)


def test_a_syntax_error_in_an_imported_file_names_that_file() -> None:
    sources = {"softmax.py": "from other import x", "other.py": "\n\nx = = 1"}
    raised = run_in_process(Task("softmax", "softmax.py", sources, "numpy", ())).loaded.raised
    assert raised is not None
    assert [(frame.file, frame.line) for frame in raised.frames] == [
        ("softmax.py", 1),
        ("other.py", 3),
    ]


@pytest.mark.parametrize(
    ("body", "dtype", "kind"),
    [
        ("return scores", "float64", "array"),
        ("return scores.astype('float32')", "float32", "array"),
        ("return scores.astype('>f8')", ">f8", "array"),
        ("return scores.tolist()", "list", "list"),
        ("return scores.astype(np.longdouble)", "longdouble", "array"),
        ("return np.matrix(scores)", "float64", "matrix"),
        ("return scores.sum()", "float64", "scalar"),
        ("return 3", "int", "scalar"),
        ("return True", "bool", "scalar"),
    ],
)
def test_arrays_scalars_and_lists_come_as_arrays(body: str, dtype: str, kind: str) -> None:
    result = answer(body).results[0]
    assert result.array is not None
    named = {"longdouble": str(np.dtype(np.longdouble))}.get(dtype, dtype)
    assert (result.dtype, result.kind) == (named, kind)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return (x for x in scores)", "generator"),
        ("return np.array([object()] * 5, dtype=object)", "array"),
        ("return [[1.0], [1.0, 2.0]]", "list"),
        ("return scores + 1j", "array"),
        ("return {'weights': scores}", "dict"),
        ("return 'weights'", "str"),
    ],
)
def test_what_is_no_array_of_numbers_comes_without_one(body: str, kind: str) -> None:
    result = answer(body).results[0]
    assert result.array is None
    assert result.kind == kind


def test_a_subclass_cannot_answer_for_itself() -> None:
    source = """
        import numpy as np
        class Equal(np.ndarray):
            def __eq__(self, other): return np.True_
            def __array_ufunc__(self, *a, **k): return np.True_
            def tobytes(self): return b"forged"
            def copy(self, *a): raise RuntimeError
            def __array__(self, *a, **k): raise RuntimeError
        def softmax(scores): return np.zeros(5).view(Equal)
    """
    result = answers(source, Call("c", "softmax", (SCORES,)))["c"].results[0]
    assert type(result.array) is np.ndarray
    np.testing.assert_array_equal(result.array, np.zeros(5))
    assert result.kind == "Equal"


def test_nothing_returned_is_none() -> None:
    came = answer("pass")
    assert (came.form, came.results) == ("none", ())


@pytest.mark.parametrize(
    ("body", "form", "count"),
    [
        ("return scores, scores", "tuple", 2),
        ("return [scores, scores]", "list", 2),
        ("return [scores.tolist(), scores.tolist()]", "list", 2),
        ("return scores", "one", 1),
        ("return scores.tolist()", "one", 1),
        ("return scores, scores, scores", "tuple", 3),
    ],
)
def test_two_results_are_told_from_one(body: str, form: str, count: int) -> None:
    came = answer(body, returns=2)
    assert (came.form, len(came.results)) == (form, count)


def test_arguments_changed_in_place_are_reported_and_the_next_call_gets_fresh_ones() -> None:
    source = """
        def softmax(scores, mask):
            mask[0] = 7.0
            return scores
    """
    calls = [Call(key, "softmax", (SCORES, np.zeros(2))) for key in ("first", "second")]
    came = answers(source, *calls)
    for key in ("first", "second"):
        assert list(came[key].changed) == ["1"]
        np.testing.assert_array_equal(came[key].changed["1"], [7.0, 0.0])


def test_an_argument_that_was_reshaped_in_place_is_changed() -> None:
    assert list(answer("scores.shape = (6,); return scores").changed) == ["0"]


def test_what_was_changed_before_an_exception_is_reported_as_well() -> None:
    came = answer("scores[:] = 0; raise ValueError('no')")
    assert came.outcome is Outcome.RAISED
    assert list(came.changed) == ["0"]


def test_arguments_have_the_precision_that_is_asked_for() -> None:
    source = "def softmax(scores, ints, flags, size, nothing): return scores"
    arguments = (SCORES, np.arange(3), np.array([True]), 5, None)
    came = answers(source, Call("c", "softmax", arguments, precision="float32"))["c"]
    assert came.results[0].dtype == "float32"


def test_scalars_of_numpy_arrive_as_such() -> None:
    assert answer("return type(scores).__name__ == 'float64'", np.float64(2.0)).results[0].array


@pytest.mark.parametrize("error", ["E()", "E"])
def test_an_exception_that_cannot_say_itself_is_still_raised(error: str) -> None:
    source = f"""
        class E(Exception):
            def __str__(self): raise SystemExit
        def softmax(scores): raise {error}
    """
    raised = answers(source, Call("c", "softmax", (SCORES,)))["c"].raised
    assert raised is not None
    assert raised.type == "E"


@pytest.mark.parametrize("text", ["x", "ü", "\U0001f600", "\x00", '"'])
def test_a_long_message_is_cut_with_a_mark(text: str) -> None:
    raised = answer(f"raise ValueError({text!r} * 100_000)").raised
    assert raised is not None
    assert raised.message.endswith("…")
    assert raised.frames[-1].line == 3


def test_warnings_of_numpy_are_not_the_learners_output() -> None:
    source = "import numpy as np\ndef softmax(scores): return np.log(scores * 0 - 1)"
    ran = run_in_process(
        Task("softmax", "a.py", {"a.py": source}, "numpy", (Call("c", "softmax", (SCORES,)),))
    )
    assert ran.output == ""
    assert ran.answers["c"].outcome is Outcome.RETURNED


def test_modules_of_the_submission_do_not_shadow_numpy() -> None:
    sources = {"softmax.py": "import numpy as np\ndef softmax(s): return np.exp(s)", "numpy.py": ""}
    task = Task("softmax", "softmax.py", sources, "numpy", (Call("c", "softmax", (SCORES,)),))
    assert run_in_process(task).answers["c"].outcome is Outcome.RETURNED


CLASS = """
    import numpy as np
    class SelfAttention:
        def __init__(self, d_model, scale=1.0):
            self.W_q, self.W_k, self.W_v, self.W_o = np.zeros((4, d_model, d_model))
            self.scale = scale
        def forward(self, x, causal=True):
            return self.scale * (x @ self.W_q @ self.W_k @ self.W_v @ self.W_o)
"""


def ask_class(source: str, *more: Question) -> dict[str, Answer]:
    build = Build("build", "object", "SelfAttention", (2,), parameters=dict.fromkeys(FOUR, (2, 2)))
    fill = Fill("fill", "object", FOUR)
    return answers(source, build, fill, *more, exercise="SelfAttention")


def test_matrices_are_filled_in_place_and_used() -> None:
    came = ask_class(CLASS, Forward("forward", "object", (SQUARE,), {"causal": False}))
    assert came["build"].facts["matrices"] == {name: [2, 2] for name in FOUR}
    assert came["build"].facts["missing"] == []
    assert came["build"].facts["same"] == []
    assert came["fill"].facts["filled"] == list(FOUR)
    assert came["fill"].facts["assigned"] == []
    expected = SQUARE @ FOUR["W_q"] @ FOUR["W_k"] @ FOUR["W_v"] @ FOUR["W_o"]
    np.testing.assert_allclose(came["forward"].arrays[0], expected)


def test_a_call_counts_as_forward() -> None:
    source = CLASS.replace("def forward", "def __call__")
    came = ask_class(source, Forward("forward", "object", (SQUARE,)))
    assert came["forward"].outcome is Outcome.RETURNED


def test_views_into_a_fused_matrix_are_filled_through() -> None:
    source = """
        import numpy as np
        class SelfAttention:
            def __init__(self, d_model):
                self.fused = np.zeros((d_model, 4 * d_model))
                self.W_q, self.W_k, self.W_v, self.W_o = np.split(self.fused, 4, axis=1)
            def forward(self, x): return self.fused
    """
    came = ask_class(source, Forward("forward", "object", (SQUARE,)))
    np.testing.assert_array_equal(came["forward"].arrays[0], np.hstack(list(FOUR.values())))


def test_a_property_that_hands_out_copies_is_assigned_to() -> None:
    source = """
        import numpy as np
        class SelfAttention:
            def __init__(self, d_model):
                self.held = {n: np.zeros((d_model, d_model)) for n in "qkvo"}
            def forward(self, x): return self.held["k"]
        def kept(letter):
            def put(self, matrix): self.held[letter] = matrix
            return property(lambda self: self.held[letter].copy(), put)
        for letter in "qkvo":
            setattr(SelfAttention, "W_" + letter, kept(letter))
    """
    came = ask_class(source, Forward("forward", "object", (SQUARE,)))
    assert came["fill"].facts["assigned"] == list(FOUR)
    np.testing.assert_array_equal(came["forward"].arrays[0], FOUR["W_k"])


def test_shared_missing_small_and_integer_matrices_are_told() -> None:
    source = """
        import numpy as np
        class SelfAttention:
            def __init__(self, d_model):
                self.W_q = self.W_k = np.zeros((d_model, d_model))
                self.W_v = np.zeros((1, 1))
            def forward(self, x): return x
    """
    came = ask_class(source)
    assert came["build"].facts["same"] == [["W_q", "W_k"]]
    assert came["build"].facts["missing"] == ["W_o"]
    assert came["build"].facts["matrices"]["W_v"] == [1, 1]
    assert came["fill"].facts["absent"] == ["W_o"]
    assert came["fill"].facts["refused"] == ["W_v"]


@pytest.mark.parametrize("dtype", ["int64", "float16"])
def test_a_matrix_that_cannot_hold_the_numbers_is_replaced(dtype: str) -> None:
    source = CLASS.replace("(4, d_model, d_model)", f"(4, d_model, d_model), '{dtype}'")
    halves = {name: numbers + 0.123456 for name, numbers in FOUR.items()}
    build = Build("build", "object", "SelfAttention", (2,), parameters=dict.fromkeys(FOUR, (2, 2)))
    came = answers(source, build, Fill("fill", "object", halves), exercise="SelfAttention")
    assert came["fill"].facts["assigned"] == list(FOUR)


def test_a_class_that_cannot_be_built_leaves_its_slot_empty() -> None:
    source = "class SelfAttention:\n    def __init__(self, d): raise ValueError('no')"
    came = ask_class(source, Forward("forward", "object", (SQUARE,)))
    assert came["build"].outcome is Outcome.RAISED
    assert came["fill"].outcome is Outcome.NOT_DEFINED
    assert came["forward"].outcome is Outcome.NOT_DEFINED
