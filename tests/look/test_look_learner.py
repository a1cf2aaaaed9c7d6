"""The learner's code as a black box inside the model, without a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack import pack, submission
from attnpack.host.inprocess import run_in_process
from attnpack.look.model.attention import reference
from attnpack.look.pictures.looking import look, tokens_of
from attnpack.look.pictures.picture import is_recovered, largest_difference, worst_leak
from attnpack.look.subject.learner import AttentionFailedError, Learner
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.look.model.host_model import HostModel
    from attnpack.submission import Submission

    Written = Callable[[str, str], Submission]

FILE = "multi_head_attention.py"
STORED_WEIGHTS = '''
import numpy as np


class MultiHeadAttention:
    """Keeps wrong weights in an attribute, computes right ones, returns one array."""

    def __init__(self, d_model, num_heads, causal=True):
        self.h = num_heads
        self.W_q = self.W_k = self.W_v = self.W_o = np.eye(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (np.eye(d_model) for _ in range(4))
        self.weights = "not asked for"

    def forward(self, x):
        B, T, D = x.shape
        split = lambda y: y.reshape(B, T, self.h, -1).swapaxes(1, 2)
        Q, K, V = (split(x @ W) for W in (self.W_q, self.W_k, self.W_v))
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(D // self.h)
        scores = np.where(np.triu(np.ones((T, T), bool), 1), -np.inf, scores)
        exps = np.exp(scores - scores.max(-1, keepdims=True))
        return ((exps / exps.sum(-1, keepdims=True)) @ V).swapaxes(1, 2).reshape(B, T, D) @ self.W_o
'''


def of_reference(backend: Backend) -> Submission:
    return submission.load(pack.ROOT / "reference" / backend.value)


def learner(code: Submission, backend: Backend = Backend.NUMPY) -> Learner:
    return Learner(run_in_process, code, backend, num_heads=4)


@pytest.mark.parametrize("backend", list(Backend))
def test_the_reference_of_every_backend_agrees_with_ours(
    model: HostModel, backend: Backend
) -> None:
    if backend is Backend.TORCH:
        pytest.importorskip("torch")
    tokens = tokens_of(model, "the cat")
    picture = look(model, tokens, learner(of_reference(backend), backend), "x")
    assert largest_difference(picture) is worst_leak(picture) is None
    assert is_recovered(picture)


def test_weights_that_are_kept_are_not_asked_for(model: HostModel, written: Written) -> None:
    code = written(FILE, STORED_WEIGHTS)
    picture = look(model, tokens_of(model, "the cat sat"), learner(code), FILE)
    assert largest_difference(picture) is None


def test_a_batch_goes_through_in_one_call(model: HostModel) -> None:
    x = np.random.default_rng(0).normal(size=(3, 5, 128))
    ours = reference(4)(x, model.layers[0])
    theirs = learner(of_reference(Backend.NUMPY))(x, model.layers[0])
    np.testing.assert_allclose(theirs, ours, atol=1e-12)


def failure(model: HostModel, code: Submission) -> AttentionFailedError:
    with pytest.raises(AttentionFailedError) as caught:
        learner(code)(np.ones((1, 3, 128)), model.layers[0])
    return caught.value


def test_an_exception_is_told_with_the_learners_own_line(
    model: HostModel, written: Written
) -> None:
    text = STORED_WEIGHTS.replace("B, T, D = x.shape", "print('here'); B, T, D, E = x.shape")
    error = failure(model, written(FILE, text))
    assert "ValueError: not enough values to unpack" in str(error)
    assert "multi_head_attention.py, line 15, in forward" in str(error)
    assert error.output.strip() == "here"


def test_a_wrong_shape_is_told_with_the_right_one(model: HostModel, written: Written) -> None:
    text = STORED_WEIGHTS.replace("reshape(B, T, D) @ self.W_o", "reshape(B, D, T)")
    assert "returned shape (1, 128, 3); expected (1, 3, 128)" in str(
        failure(model, written(FILE, text))
    )


def test_nothing_returned_is_told(model: HostModel, written: Written) -> None:
    text = STORED_WEIGHTS.replace("        return ((", "        y = ((")
    assert "returned None; expected an array" in str(failure(model, written(FILE, text)))


def test_missing_matrices_are_named(model: HostModel, written: Written) -> None:
    text = STORED_WEIGHTS.replace("self.W_o", "self.last")
    assert "keeps no W_o" in str(failure(model, written(FILE, text)))


def test_code_that_does_not_parse_is_told_as_python_tells_it(
    model: HostModel, written: Written
) -> None:
    assert "SyntaxError" in str(failure(model, written(FILE, "class MultiHeadAttention(:\n")))
