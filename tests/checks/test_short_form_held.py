"""What fails the whole plan fails the short form: on texts that the form was not built from."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack import pack
from attnpack.checking.runner import check
from attnpack.checking.screening import ShortForm
from attnpack.submission import load
from attnpack.terms import Backend, Status
from bench.short_form.branches import (
    ATTENTION,
    MULTI_HEAD,
    SELF_ATTENTION,
    Branching,
    branches,
)
from bench.short_form.held import Fate, Forms, Text
from bench.short_form.texts import alone, of_branches, of_cases, of_mutants, of_unseen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SEED = 7291
FUNCTIONS = """import numpy as np


def softmax(scores):
    axis = 1 if scores.ndim == 3 else -1
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention_scores(Q, K, d_k):
    try:
        s = Q @ K
    except ValueError:
        s = Q @ np.swapaxes(K, -1, -2)
    return s / np.sqrt(d_k)


def apply_attention(weights, V):
    try:
        return V @ weights
    except ValueError:
        return weights @ V
"""
"""wrong for stacks of one axis, and wherever matrices are square"""


UNSCALED = (" / np.sqrt(Q.shape[-1])", "")
WEAK_FILL = ("-np.inf", "-10.0")
FIRST_ROW = ("scores + mask", "scores + mask[:1]")
LARGE = "np.abs(x @ self.W_q).max() > 100"
BY_CHANCE: list[tuple[Branching, str, tuple[str, str]]] = [
    (ATTENTION, "V.shape[-1] == V.shape[-2]", FIRST_ROW),
    (ATTENTION, "mask is not None and mask.shape[-2] == 1 and Q.ndim == 3", FIRST_ROW),
    (ATTENTION, "Q.shape[0] == Q.shape[1] and Q.ndim == 3", ("scores + mask", "scores")),
    (
        ATTENTION,
        "Q.shape[-2] < K.shape[-2] and mask is not None and mask.ndim == 3",
        ("np.where(mask, scores, -np.inf)", "np.where(mask[0], scores, -np.inf)"),
    ),
    (
        ATTENTION,
        "mask is not None and mask.shape[0] == 1 and Q.ndim == 2",
        ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -10.0)"),
    ),
    (SELF_ATTENTION, "x.shape[-2] < x.shape[-1] and x.ndim == 3", WEAK_FILL),
    (SELF_ATTENTION, "x.shape[-2] == 1 and x.ndim == 3", (" @ self.W_o", " @ self.W_o.T")),
    (MULTI_HEAD, f"{LARGE} and not self.causal", UNSCALED),
    (MULTI_HEAD, f"{LARGE} and self.causal", ("np.sqrt(Q.shape[-1])", "np.sqrt(h)")),
    (
        MULTI_HEAD,
        "x.shape[0] == 1 and self.h == 3",
        ("np.sqrt(Q.shape[-1])", "np.sqrt(x.shape[-2])"),
    ),
    *((MULTI_HEAD, f"self.h {heads}", WEAK_FILL) for heads in ("== 1", "== 2", "== 3", "> 3")),
]
"""what a form that is drawn carelessly catches for some seeds only"""


def slipped(texts: Iterable[Text]) -> list[str]:
    forms = Forms(SEED)
    fates = ((text, forms.fate(text)) for text in texts)
    return [f"{t.exercise}: {t.name}" for t, fate in fates if fate is Fate.SLIPPED]


def test_branches_are_caught_and_none_of_a_sample_slips_through() -> None:
    texts = list(of_branches())
    sample = texts[::101]
    assert len(texts) > 10_000
    assert Fate.CAUGHT in {Forms(SEED).fate(text) for text in sample[:5]}
    assert slipped(sample) == []


@pytest.mark.parametrize(("one", "condition", "edit"), BY_CHANCE)
def test_what_shows_in_few_numbers_is_caught_whatever_is_drawn(
    one: Branching, condition: str, edit: tuple[str, str]
) -> None:
    source = one.text(edit, condition)
    text = alone("branch", condition, Backend.NUMPY, one.exercise, source)
    assert [Forms(seed).fate(text) for seed in range(100, 106)] == [Fate.CAUGHT] * 6


def test_none_of_a_sample_of_unseen_and_labelled_cases_slips_through() -> None:
    texts = [*of_unseen(Backend.NUMPY), *of_cases(Backend.NUMPY)]
    assert len(texts) > 300
    assert slipped(texts[::11]) == []


def test_no_two_branches_are_alike() -> None:
    sources = [branch.source for branch in branches()]
    assert len(set(sources)) == len(sources)


@pytest.mark.exhaustive
@pytest.mark.parametrize("backend", list(Backend))
def test_no_case_and_none_of_a_sample_of_mutants_slips_through(backend: Backend) -> None:
    """`python -m bench.short_form` asks many more mutants, and all of the branches."""
    if backend is Backend.TORCH and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is an extra")
    changed = list(of_mutants(backend, SEED, 1))
    assert slipped([*of_unseen(backend), *of_cases(backend), *changed[::3]]) == []


@pytest.mark.parametrize("name", ["softmax", "attention_scores", "apply_attention"])
def test_code_that_is_wrong_for_square_matrices_or_some_stacks_is_asked_everything(
    name: str,
) -> None:
    sources = {"attention.py": FUNCTIONS}
    text = Text("found", name, Backend.NUMPY, name, "attention.py", sources)
    assert [Forms(seed).fate(text) for seed in range(8)] == [Fate.CAUGHT] * 8


@pytest.mark.parametrize("name", ["softmax", "attention_scores", "SelfAttention"])
def test_sizes_are_drawn(name: str) -> None:
    forms = [Forms(seed).short(name, Backend.NUMPY) for seed in range(4)]
    shapes = {str([array_shapes(question) for question in form.questions]) for form in forms}
    assert len(shapes) > 1


def array_shapes(question: object) -> list[tuple[int, ...]]:
    arguments = getattr(question, "arguments", ())
    return [a.shape for a in arguments if isinstance(a, np.ndarray)]


def test_each_submission_is_asked_another_piece_of_the_plan_and_always_the_same() -> None:
    form = ShortForm(pack.load(), 3)
    asked = [form.piece("SelfAttention", Backend.NUMPY, seed) for seed in range(20)]
    assert len({plan.questions[0].key for (plan,) in asked}) > 5
    (again,) = ShortForm(pack.load(), 3).piece("SelfAttention", Backend.NUMPY, 7)
    assert [q.key for q in again.questions] == [q.key for q in asked[7][0].questions]


def test_the_pieces_are_the_whole_plan_but_for_what_is_noted_and_gradients() -> None:
    for exercise in pack.load().exercises:
        pieces = pack.load().pieces(exercise.name, Backend.NUMPY, np.random.default_rng(1))
        whole = pack.load().plan(exercise.name, Backend.NUMPY, np.random.default_rng(1))
        assert sum(len(piece.questions) for piece in pieces) == len(whole.questions)


def test_code_that_knows_the_short_form_fails_where_a_piece_tells(tmp_path: Path) -> None:
    """It is right for exactly what the form asks; some pieces ask for more."""
    form = ShortForm(pack.load(), 3)
    lengths = [q.arguments[0] for q in form.plan("causal_mask", Backend.NUMPY).questions]
    (tmp_path / "attention.py").write_text(
        "import numpy as np\n\n\ndef causal_mask(seq_len):\n"
        f"    if len(CALLS) > {len(lengths) - 1}:\n        return np.zeros((seq_len, seq_len))\n"
        "    CALLS.append(1)\n"
        "    return np.where(np.tri(seq_len, dtype=bool), 0.0, -1e9)\n\n\nCALLS = []\n",
        encoding="utf-8",
    )
    report = check(
        load(tmp_path / "attention.py"),
        backend=Backend.NUMPY,
        seed=5,
        exercises=["causal_mask"],
        keep_going=True,
        short_form=form,
    )
    assert report.exercises[0].status is Status.FAILED
