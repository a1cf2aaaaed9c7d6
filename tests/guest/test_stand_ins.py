"""A reference stands in for what the learner has not got right, wherever their code takes it."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from attnpack import pack
from attnpack.calls import Build, Call, Fill, Forward, Outcome, Task, Transcript
from attnpack.host.inprocess import run_in_process

SCORES = np.arange(6.0).reshape(2, 3)
SOFTMAX = pack.load().reference_path("numpy", "softmax.py").read_text("utf-8")
SDPA = pack.load().reference_path("numpy", "scaled_dot_product_attention.py").read_text("utf-8")
ROWS = np.exp(SCORES) / np.exp(SCORES).sum(-1, keepdims=True)

ATTEND = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    return softmax(Q)
"""


def attend(files: dict[str, str], entry: str, **stand_ins: str) -> Transcript:
    call = Call("call", "scaled_dot_product_attention", (SCORES, SCORES, SCORES))
    sources = {file: dedent(text) for file, text in files.items()}
    task = Task("scaled_dot_product_attention", entry, sources, "numpy", (call,), stand_ins)
    return run_in_process(task)


def alone(source: str, **stand_ins: str) -> Transcript:
    return attend({"attention.py": dedent(source) + ATTEND}, "attention.py", **stand_ins)


def folder(attention: str, theirs: str, **stand_ins: str) -> Transcript:
    entry = "scaled_dot_product_attention.py"
    return attend({entry: dedent(attention) + ATTEND, "softmax.py": theirs}, entry, **stand_ins)


def result(ran: Transcript) -> np.ndarray:
    answer = ran.answers["call"]
    assert answer.outcome is Outcome.RETURNED, answer
    array = answer.results[0].array
    assert array is not None
    return array


@pytest.mark.parametrize(
    "definition",
    [
        "def softmax(scores): return scores",
        "softmax = lambda scores: scores",
        "try:\n    from nowhere import softmax\nexcept ImportError:\n    def softmax(s): return s",
        "class softmax:\n    def __new__(cls, scores): return scores",
        "",
    ],
)
def test_in_a_lone_file_the_name_is_rebound(definition: str) -> None:
    ran = alone(definition, softmax=SOFTMAX)
    np.testing.assert_allclose(result(ran), ROWS)
    assert ran.stand_ins_used == ("softmax",)


@pytest.mark.parametrize(
    "way",
    [
        "from softmax import softmax",
        "import softmax as module\nsoftmax = module.softmax",
        "from softmax import *",
    ],
)
def test_in_a_folder_the_module_is_replaced(way: str) -> None:
    ran = folder(way, "def softmax(scores): return scores", softmax=SOFTMAX)
    np.testing.assert_allclose(result(ran), ROWS)
    assert ran.stand_ins_used == ("softmax",)


def test_a_module_of_that_name_stays_a_module() -> None:
    entry = "scaled_dot_product_attention.py"
    source = """
        import softmax
        def scaled_dot_product_attention(Q, K, V, mask=None):
            return softmax.softmax(Q)
    """
    ran = attend({entry: source, "softmax.py": "broken("}, entry, softmax=SOFTMAX)
    np.testing.assert_allclose(result(ran), ROWS)


def test_without_stand_ins_the_learners_own_is_used() -> None:
    ran = folder("from softmax import softmax", "def softmax(scores): return scores")
    np.testing.assert_array_equal(result(ran), SCORES)
    assert ran.stand_ins_used == ()


def test_a_helper_beside_the_replaced_exercise_is_still_found() -> None:
    theirs = "def softmax(scores): return scores\ndef doubled(x): return 2 * x"
    entry = "scaled_dot_product_attention.py"
    source = """
        from softmax import doubled, softmax
        def scaled_dot_product_attention(Q, K, V, mask=None):
            return softmax(Q) + doubled(Q)
    """
    ran = attend({entry: source, "softmax.py": theirs}, entry, softmax=SOFTMAX)
    np.testing.assert_allclose(result(ran), ROWS + 2 * SCORES)


def test_extra_arguments_of_the_learners_own_are_dropped() -> None:
    source = """
        def softmax(scores, axis=-1, stable=True): return scores
        def scaled_dot_product_attention(Q, K, V, mask=None):
            return softmax(Q, -1, stable=False)
    """
    ran = attend({"attention.py": source}, "attention.py", softmax=SOFTMAX)
    np.testing.assert_allclose(result(ran), ROWS)


def test_where_it_cannot_be_called_alike_the_learners_own_stays_and_a_note_says_so() -> None:
    source = """
        def softmax(): return 7.0
        def scaled_dot_product_attention(Q, K, V, mask=None):
            return softmax()
    """
    ran = attend({"attention.py": source}, "attention.py", softmax=SOFTMAX)
    assert result(ran) == 7.0
    assert ran.stand_ins_used == ()
    assert any("softmax" in note for note in ran.notes)


def test_line_numbers_of_the_learners_file_do_not_move() -> None:
    source = """
        def softmax(scores):
            return scores
        def scaled_dot_product_attention(Q, K, V, mask=None):
            weights = softmax(Q)
            raise ValueError("here")
    """
    ran = attend({"attention.py": source}, "attention.py", softmax=SOFTMAX)
    raised = ran.answers["call"].raised
    assert raised is not None
    assert [(frame.line, frame.text) for frame in raised.frames] == [
        (6, 'raise ValueError("here")')
    ]


def test_a_reference_that_needs_another_takes_the_learners_own_where_that_is_right() -> None:
    source = """
        import numpy as np
        def softmax(scores):
            softmax.calls = getattr(softmax, "calls", 0) + 1
            e = np.exp(scores - scores.max(-1, keepdims=True))
            return e / e.sum(-1, keepdims=True)
        def attention_scores(Q, K, d_k): return Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
        def apply_attention(weights, V): return weights @ V
        class SelfAttention:
            def __init__(self, d_model):
                self.W_q = self.W_k = self.W_v = self.W_o = np.eye(d_model)
            def forward(self, x, causal=True):
                output, weights = scaled_dot_product_attention(x, x, x)
                return output * (softmax.calls > 0)
    """
    four = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (3, 3))
    task = Task(
        "SelfAttention",
        "attention.py",
        {"attention.py": dedent(source)},
        "numpy",
        (
            Build("build", "object", "SelfAttention", (3,), parameters=four),
            Fill("fill", "object", {}),
            Forward("forward", "object", (SCORES,)),
        ),
        {"scaled_dot_product_attention": SDPA},
    )
    ran = run_in_process(task)
    assert ran.answers["build"].facts["same"] == [["W_q", "W_k", "W_v", "W_o"]]
    assert ran.answers["forward"].outcome is Outcome.RETURNED, ran
    assert ran.answers["forward"].arrays[0] is not None
    assert np.abs(ran.answers["forward"].arrays[0]).max() > 0
    assert ran.stand_ins_used == ("scaled_dot_product_attention",)


def test_a_class_can_stand_in_and_be_inherited_from() -> None:
    reference = "class SelfAttention:\n    def __init__(self, d_model): self.width = d_model\n"
    source = """
        class SelfAttention: pass
        class MultiHeadAttention(SelfAttention):
            def __init__(self, d_model, num_heads, causal=True):
                super().__init__(d_model)
            def forward(self, x): return x * self.width + SelfAttention(10).width
    """
    task = Task(
        "MultiHeadAttention",
        "attention.py",
        {"attention.py": dedent(source)},
        "numpy",
        (
            Build("build", "object", "MultiHeadAttention", (2, 1)),
            Forward("forward", "object", (SCORES,)),
        ),
        {"SelfAttention": reference},
    )
    ran = run_in_process(task)
    np.testing.assert_array_equal(ran.answers["forward"].arrays[0], 2 * SCORES + 10)
